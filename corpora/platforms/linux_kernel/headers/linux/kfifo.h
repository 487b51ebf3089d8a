/* Ring buffers of one element type whose size is a power of two. */
#ifndef _LINUX_KFIFO_H
#define _LINUX_KFIFO_H

#include "kernel.h"
#include "slab.h"
#include "spinlock.h"
#include "uaccess.h"

struct __kfifo {
    unsigned in, out, mask, esize;
    void *data;
};
#define LK_KFIFO(type, buffer) \
    { \
        struct __kfifo kfifo; \
        type *element; \
        char (*esize)[sizeof(type)]; \
        buffer; \
    }
#define DECLARE_KFIFO(name, type_, size) struct LK_KFIFO(type_, type_ buf[(size) && !((size) & ((size) - 1)) ? (size) : -1]) name
#define DECLARE_KFIFO_PTR(name, type) struct LK_KFIFO(type, type *allocated) name
#define DEFINE_KFIFO(name, type_, size) \
    DECLARE_KFIFO(name, type_, size) = {.kfifo = {0, 0, (size) - 1, sizeof(type_), name.buf}}
#define STRUCT_KFIFO(type_, size) struct LK_KFIFO(type_, type_ buf[(size)])
#define STRUCT_KFIFO_PTR(type) struct LK_KFIFO(type, type *allocated)
struct kfifo LK_KFIFO(unsigned char, unsigned char *allocated);

unsigned lk_fifo_in(struct __kfifo *fifo, const void *from, unsigned n);
unsigned lk_fifo_out(struct __kfifo *fifo, void *to, unsigned n, bool keep);
int lk_fifo_to_user(struct __kfifo *fifo, void __user *to, unsigned long bytes, unsigned *copied);
int lk_fifo_from_user(struct __kfifo *fifo, const void __user *from, unsigned long bytes, unsigned *copied);
int lk_fifo_alloc(struct __kfifo *fifo, unsigned size, unsigned esize, gfp_t gfp);
#define lk_element(fifo) __typeof__(*(fifo)->element)
#define INIT_KFIFO(name) \
    ((name).kfifo = (struct __kfifo){0, 0, ARRAY_SIZE((name).buf) - 1, sizeof(*(name).element), (name).buf})
#define kfifo_alloc(fifo, size, gfp) lk_fifo_alloc(&(fifo)->kfifo, size, sizeof(*(fifo)->element), gfp)
#define kfifo_free(fifo) (kfree((fifo)->kfifo.data), (void)((fifo)->kfifo = (struct __kfifo){0, 0, 0, 0, NULL}))
#define kfifo_init(fifo, buffer, bytes) \
    ((fifo)->kfifo = (struct __kfifo){0, 0, rounddown_pow_of_two((bytes) / sizeof(*(fifo)->element)) - 1, \
                                      sizeof(*(fifo)->element), buffer}, 0)
#define kfifo_initialized(fifo) ((fifo)->kfifo.mask != 0)
#define kfifo_size(fifo) ((fifo)->kfifo.mask + 1)
#define kfifo_esize(fifo) ((fifo)->kfifo.esize)
#define kfifo_len(fifo) (READ_ONCE((fifo)->kfifo.in) - READ_ONCE((fifo)->kfifo.out))
#define kfifo_avail(fifo) (kfifo_size(fifo) - kfifo_len(fifo))
#define kfifo_is_empty(fifo) (kfifo_len(fifo) == 0)
#define kfifo_is_full(fifo) (kfifo_len(fifo) > (fifo)->kfifo.mask)
#define kfifo_reset(fifo) ((void)((fifo)->kfifo.in = (fifo)->kfifo.out = 0))
#define kfifo_reset_out(fifo) ((void)((fifo)->kfifo.out = (fifo)->kfifo.in))
#define kfifo_put(fifo, value) ({ lk_element(fifo) put_ = (value); (int)lk_fifo_in(&(fifo)->kfifo, &put_, 1); })
#define kfifo_get(fifo, to) ({ lk_element(fifo) *to_ = (to); (int)lk_fifo_out(&(fifo)->kfifo, to_, 1, false); })
#define kfifo_peek(fifo, to) ({ lk_element(fifo) *to_ = (to); (int)lk_fifo_out(&(fifo)->kfifo, to_, 1, true); })
#define kfifo_skip(fifo) ((void)(kfifo_is_empty(fifo) ? 0 : (fifo)->kfifo.out++))
#define kfifo_in(fifo, from, n) ({ const lk_element(fifo) *from_ = (const void *)(from); lk_fifo_in(&(fifo)->kfifo, from_, n); })
#define kfifo_out(fifo, to, n) ({ lk_element(fifo) *to_ = (void *)(to); lk_fifo_out(&(fifo)->kfifo, to_, n, false); })
#define kfifo_out_peek(fifo, to, n) ({ lk_element(fifo) *to_ = (void *)(to); lk_fifo_out(&(fifo)->kfifo, to_, n, true); })
#define lk_under(lock, expression) \
    ({ unsigned long held_ = lk_spin_lock_irqsave(lock); unsigned done_ = (expression); spin_unlock_irqrestore(lock, held_); done_; })
#define kfifo_in_spinlocked(fifo, from, n, lock) lk_under(lock, kfifo_in(fifo, from, n))
#define kfifo_out_spinlocked(fifo, to, n, lock) lk_under(lock, kfifo_out(fifo, to, n))
#define kfifo_in_locked kfifo_in_spinlocked
#define kfifo_out_locked kfifo_out_spinlocked
#define kfifo_to_user(fifo, to, bytes, copied) lk_fifo_to_user(&(fifo)->kfifo, to, bytes, copied)
#define kfifo_from_user(fifo, from, bytes, copied) lk_fifo_from_user(&(fifo)->kfifo, from, bytes, copied)

#endif
