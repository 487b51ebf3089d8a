/* kmalloc and its kin, copies from and to user space, kfifo. */
#include "lk.h"

#include "linux_kernel.h"

#define ZERO_SIZE ((void *)16)

static const char *sized(size_t n)
{
    static char text[24];
    lk_snprintf(text, sizeof text, "of %zu bytes", n);
    return text;
}

void *kmalloc(size_t n, gfp_t gfp)
{
    if (gfp & LK_GFP_MAY_SLEEP)
        lk_may_sleep("an allocation with GFP_KERNEL");
    if (!n)
        return ZERO_SIZE;
    if (n > KMALLOC_MAX_SIZE || lk_refuses(LK_MEMORY, sized(n)))
        return NULL;
    void *p = lk_block_new(n, "a block of kmalloc");
    if (gfp & __GFP_ZERO)
        memset(p, 0, n);
    lk_hold(LK_MEMORY, p, sized(n));
    return p;
}

static lk_block *block_of(const void *p, const char *call)
{
    lk_block *block = lk_block_at(p);
    if (!block || block->start != p)
        fb_fault("bad_free", "%s is given a pointer that no allocation returned", call);
    else if (block->freed)
        fb_fault("double_free", "%s frees a block of %zu bytes a second time", call, block->bytes);
    else
        return block;
    return NULL;
}

void kfree(const void *p)
{
    if (!p || p == ZERO_SIZE)
        return;
    if (IS_ERR(p)) {
        fb_fault("bad_free", "kfree is given an error pointer");
        return;
    }
    lk_block *block = block_of(p, "kfree");
    if (!block)
        return;
    if (!lk_let_go(LK_MEMORY, p))
        fb_fault("bad_free", "kfree frees memory that is managed by a device or by the kernel");
    lk_free_checks(p, block->bytes);
    if (!lk_block_retire(block))
        fb_fault("out_of_bounds", "bytes next to a block of %zu bytes were written", block->bytes);
}
void kfree_sensitive(const void *p)
{
    lk_block *block = p && p != ZERO_SIZE ? lk_block_at(p) : NULL;
    if (block && !block->freed)
        memset((void *)p, 0, block->bytes);
    kfree(p);
}
size_t ksize(const void *p)
{
    lk_block *block = lk_block_at(p);
    return block ? block->bytes : 0;
}
void *krealloc(const void *p, size_t n, gfp_t gfp)
{
    if (!p || p == ZERO_SIZE)
        return kmalloc(n, gfp);
    if (!n) {
        kfree(p);
        return ZERO_SIZE;
    }
    void *other = kmalloc(n, gfp);
    if (other) {
        memcpy(other, p, min(n, ksize(p)));
        kfree(p);
    }
    return other;
}
void *kmemdup(const void *from, size_t n, gfp_t gfp)
{
    void *p = kmalloc(n, gfp);
    if (p && n)
        memcpy(p, from, n);
    return p;
}
char *kmemdup_nul(const char *from, size_t n, gfp_t gfp)
{
    char *p = kmalloc(n + 1, gfp);
    if (p) {
        memcpy(p, from, n);
        p[n] = '\0';
    }
    return p;
}
char *kstrdup(const char *from, gfp_t gfp) { return from ? kmemdup(from, strlen(from) + 1, gfp) : NULL; }
char *kstrndup(const char *from, size_t most, gfp_t gfp) { return from ? kmemdup_nul(from, strnlen(from, most), gfp) : NULL; }
unsigned long __get_free_pages(gfp_t gfp, unsigned order) { return (unsigned long)kmalloc(PAGE_SIZE << order, gfp); }

struct kmem_cache {
    unsigned size;
    void (*ctor)(void *);
};
struct kmem_cache *kmem_cache_create(const char *name, unsigned size, unsigned align, unsigned flags, void (*ctor)(void *))
{
    (void)align;
    (void)flags;
    lk_may_sleep("kmem_cache_create");
    if (lk_refuses(LK_CACHE, name))
        return NULL;
    struct kmem_cache *cache = calloc(1, sizeof *cache);
    *cache = (struct kmem_cache){size, ctor};
    lk_hold(LK_CACHE, cache, name);
    return cache;
}
void kmem_cache_destroy(struct kmem_cache *cache)
{
    if (cache && !lk_let_go(LK_CACHE, cache))
        fb_fault("double_release", "a slab cache is destroyed a second time");
}
void *kmem_cache_alloc(struct kmem_cache *cache, gfp_t gfp)
{
    void *p = kmalloc(cache->size, gfp);
    if (p && cache->ctor)
        cache->ctor(p);
    return p;
}
void *kmem_cache_zalloc(struct kmem_cache *cache, gfp_t gfp) { return kmem_cache_alloc(cache, gfp | __GFP_ZERO); }
void kmem_cache_free(struct kmem_cache *cache, void *p)
{
    (void)cache;
    kfree(p);
}

/* ---- user memory ---- */
static const char *user_end = (const char *)(1UL << 47);
int lk_access_ok(const void __user *at, unsigned long n)
{
    return lk_user_room(at) || ((const char *)at < user_end && n <= (unsigned long)(user_end - (const char *)at));
}
static unsigned long copy(void *to, const void *from, unsigned long n, const void *user, const char *call)
{
    lk_may_sleep(call);
    unsigned long can = min_t(unsigned long, n, lk_user_room(user));
    fb_spend(100 + (int64_t)n / 4);
    if (!lk_atomic() && fb_self())
        fb_yield(); /* a page may have to be brought in: others run meanwhile */
    if (can)
        lk_user_copy(to, from, can);
    return n - can;
}
/* What user space must not learn is in kernel memory that was allocated and never written. */
unsigned long copy_to_user(void __user *to, const void *from, unsigned long n) { return copy(to, from, n, to, "copy_to_user"); }
unsigned long copy_from_user(void *to, const void __user *from, unsigned long n)
{
    unsigned long left = copy(to, from, n, from, "copy_from_user");
    if (left)
        memset((char *)to + (n - left), 0, left);
    return left;
}
unsigned long clear_user(void __user *to, unsigned long n)
{
    static const char zeros[256];
    unsigned long done = 0;
    while (done < n) {
        unsigned long part = min_t(unsigned long, n - done, sizeof zeros);
        unsigned long left = copy_to_user((char *)to + done, zeros, part);
        done += part - left;
        if (left)
            break;
    }
    return n - done;
}
long strnlen_user(const char __user *s, long n)
{
    for (long i = 0; i < n; i++) {
        char c;
        if (copy_from_user(&c, s + i, 1))
            return 0;
        if (!c)
            return i + 1;
    }
    return n + 1;
}
long strncpy_from_user(char *to, const char __user *from, long n)
{
    for (long i = 0; i < n; i++) {
        if (copy_from_user(to + i, from + i, 1))
            return -EFAULT;
        if (!to[i])
            return i;
    }
    return n;
}
void *memdup_user(const void __user *from, size_t n)
{
    void *p = kmalloc(n, GFP_USER);
    if (!p)
        return ERR_PTR(-ENOMEM);
    if (copy_from_user(p, from, n)) {
        kfree(p);
        return ERR_PTR(-EFAULT);
    }
    return p;
}
void *memdup_user_nul(const void __user *from, size_t n)
{
    char *p = n + 1 ? kmalloc(n + 1, GFP_USER) : NULL;
    if (!p)
        return ERR_PTR(-ENOMEM);
    if (copy_from_user(p, from, n)) {
        kfree(p);
        return ERR_PTR(-EFAULT);
    }
    p[n] = '\0';
    return p;
}
ssize_t simple_read_from_buffer(void __user *to, size_t n, loff_t *at, const void *from, size_t available)
{
    if (*at < 0)
        return -EINVAL;
    if ((u64)*at >= available || !n)
        return 0;
    n = min(n, available - (size_t)*at);
    size_t left = copy_to_user(to, (const char *)from + *at, n);
    if (left == n)
        return -EFAULT;
    *at += (loff_t)(n - left);
    return (ssize_t)(n - left);
}
ssize_t simple_write_to_buffer(void *to, size_t room, loff_t *at, const void __user *from, size_t n)
{
    if (*at < 0)
        return -EINVAL;
    if ((u64)*at >= room || !n)
        return 0;
    n = min(n, room - (size_t)*at);
    size_t left = copy_from_user((char *)to + *at, from, n);
    if (left == n)
        return -EFAULT;
    *at += (loff_t)(n - left);
    return (ssize_t)(n - left);
}

/* ---- kfifo: the ring is copied element by element, user space in up to two pieces ---- */
static void *slot(struct __kfifo *fifo, unsigned at) { return (char *)fifo->data + (size_t)(at & fifo->mask) * fifo->esize; }
static void ready(const struct __kfifo *fifo)
{
    if (!fifo->data)
        fb_panic("a kfifo is used before INIT_KFIFO or kfifo_alloc");
}
unsigned lk_fifo_in(struct __kfifo *fifo, const void *from, unsigned n)
{
    ready(fifo);
    n = min(n, fifo->mask + 1 - (fifo->in - fifo->out));
    for (unsigned i = 0; i < n; i++)
        memcpy(slot(fifo, fifo->in + i), (const char *)from + (size_t)i * fifo->esize, fifo->esize);
    fifo->in += n;
    return n;
}
unsigned lk_fifo_out(struct __kfifo *fifo, void *to, unsigned n, bool keep)
{
    ready(fifo);
    n = min(n, fifo->in - fifo->out);
    for (unsigned i = 0; i < n; i++)
        memcpy((char *)to + (size_t)i * fifo->esize, slot(fifo, fifo->out + i), fifo->esize);
    fifo->out += keep ? 0 : n;
    return n;
}
int lk_fifo_to_user(struct __kfifo *fifo, void __user *to, unsigned long bytes, unsigned *copied)
{
    ready(fifo);
    unsigned n = min_t(unsigned, bytes / fifo->esize, fifo->in - fifo->out), first = min(n, fifo->mask + 1 - (fifo->out & fifo->mask));
    unsigned long left = copy_to_user(to, slot(fifo, fifo->out), (unsigned long)first * fifo->esize);
    if (!left)
        left = copy_to_user((char *)to + (size_t)first * fifo->esize, fifo->data, (unsigned long)(n - first) * fifo->esize);
    if (left) {
        *copied = 0;
        return -EFAULT;
    }
    fifo->out += n;
    *copied = n * fifo->esize;
    return 0;
}
int lk_fifo_from_user(struct __kfifo *fifo, const void __user *from, unsigned long bytes, unsigned *copied)
{
    ready(fifo);
    unsigned n = min_t(unsigned, bytes / fifo->esize, fifo->mask + 1 - (fifo->in - fifo->out));
    unsigned first = min(n, fifo->mask + 1 - (fifo->in & fifo->mask));
    unsigned long left = copy_from_user(slot(fifo, fifo->in), from, (unsigned long)first * fifo->esize);
    if (!left)
        left = copy_from_user(fifo->data, (const char *)from + (size_t)first * fifo->esize, (unsigned long)(n - first) * fifo->esize);
    if (left) {
        *copied = 0;
        return -EFAULT;
    }
    fifo->in += n;
    *copied = n * fifo->esize;
    return 0;
}
int lk_fifo_alloc(struct __kfifo *fifo, unsigned size, unsigned esize, gfp_t gfp)
{
    size = (unsigned)roundup_pow_of_two(size);
    if (size < 2)
        return -EINVAL;
    *fifo = (struct __kfifo){0, 0, size - 1, esize, kmalloc_array(size, esize, gfp)};
    return fifo->data ? 0 : -ENOMEM;
}
