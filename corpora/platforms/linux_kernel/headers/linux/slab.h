/* Memory of the kernel. Every block lies against a guard page and is poisoned before and inaccessible after its life. */
#ifndef _LINUX_SLAB_H
#define _LINUX_SLAB_H

#include "kernel.h"
#include "string.h"

#define __GFP_ZERO 0x100u
#define __GFP_NOWARN 0x200u
#define __GFP_NORETRY 0x400u
#define __GFP_NOFAIL 0x800u
#define LK_GFP_MAY_SLEEP 0x1u
#define GFP_KERNEL (LK_GFP_MAY_SLEEP | 0x2u)
#define GFP_KERNEL_ACCOUNT GFP_KERNEL
#define GFP_USER (LK_GFP_MAY_SLEEP | 0x4u)
#define GFP_NOIO (LK_GFP_MAY_SLEEP | 0x8u)
#define GFP_NOFS (LK_GFP_MAY_SLEEP | 0x10u)
#define GFP_ATOMIC 0x20u
#define GFP_NOWAIT 0x40u
#define GFP_DMA 0x80u
#define KMALLOC_MAX_SIZE (1UL << 22)
#define ARCH_KMALLOC_MINALIGN 8

void *kmalloc(size_t n, gfp_t gfp);
void kfree(const void *p);
void kfree_sensitive(const void *p);
size_t ksize(const void *p);
void *krealloc(const void *p, size_t n, gfp_t gfp) __must_check;
static inline void *kzalloc(size_t n, gfp_t gfp) { return kmalloc(n, gfp | __GFP_ZERO); }
static inline void *kmalloc_array(size_t n, size_t size, gfp_t gfp)
{
    size_t bytes;
    return __builtin_mul_overflow(n, size, &bytes) ? NULL : kmalloc(bytes, gfp);
}
static inline void *kcalloc(size_t n, size_t size, gfp_t gfp) { return kmalloc_array(n, size, gfp | __GFP_ZERO); }
static inline void *krealloc_array(void *p, size_t n, size_t size, gfp_t gfp)
{
    size_t bytes;
    return __builtin_mul_overflow(n, size, &bytes) ? NULL : krealloc(p, bytes, gfp);
}
#define kmalloc_node(n, gfp, node) kmalloc(n, gfp)
#define kzalloc_node(n, gfp, node) kzalloc(n, gfp)
void *kmemdup(const void *from, size_t n, gfp_t gfp);
char *kmemdup_nul(const char *from, size_t n, gfp_t gfp);
char *kstrdup(const char *from, gfp_t gfp);
char *kstrndup(const char *from, size_t most, gfp_t gfp);
#define kstrdup_const kstrdup
#define kfree_const kfree
#define kvmalloc(n, gfp) kmalloc(n, gfp)
#define kvzalloc(n, gfp) kzalloc(n, gfp)
#define kvcalloc(n, size, gfp) kcalloc(n, size, gfp)
#define kvmalloc_array(n, size, gfp) kmalloc_array(n, size, gfp)
#define kvfree(p) kfree(p)
#define vmalloc(n) kmalloc(n, GFP_KERNEL)
#define vzalloc(n) kzalloc(n, GFP_KERNEL)
#define vfree(p) kfree(p)
unsigned long __get_free_pages(gfp_t gfp, unsigned order);
#define __get_free_page(gfp) __get_free_pages(gfp, 0)
#define get_zeroed_page(gfp) __get_free_pages((gfp) | __GFP_ZERO, 0)
#define free_pages(at, order) kfree((void *)(at))
#define free_page(at) kfree((void *)(at))

struct kmem_cache;
#define SLAB_HWCACHE_ALIGN 0x1u
#define SLAB_PANIC 0x2u
struct kmem_cache *kmem_cache_create(const char *name, unsigned size, unsigned align, unsigned flags, void (*ctor)(void *));
void kmem_cache_destroy(struct kmem_cache *cache);
void *kmem_cache_alloc(struct kmem_cache *cache, gfp_t gfp);
void *kmem_cache_zalloc(struct kmem_cache *cache, gfp_t gfp);
void kmem_cache_free(struct kmem_cache *cache, void *p);
#define KMEM_CACHE(type, flags) kmem_cache_create(#type, sizeof(struct type), 8, flags, NULL)

DEFINE_FREE(kfree, void *, if (!IS_ERR_OR_NULL(_T)) kfree(_T))

#endif
