/* Heaps and slabs. Blocks are the host's, counted against the size of the heap, and poisoned when they are freed. */
#include "fb_zephyr.h"

#include <stdlib.h>

#define POISON 0xa5
#define OVERHEAD 8 /* of a chunk, as in Zephyr's own heap */
#define GIVEN 0x91f4c0deu
#define FREED 0xdeadc0deu

struct chunk {
    uint32_t state;
    struct k_heap *heap;
    size_t bytes;
    void *whole;
};

static K_HEAP_DEFINE(system_heap, CONFIG_HEAP_MEM_POOL_SIZE);
FB_LIST_DECLARE(slabs);

size_t fb_heap_used(void)
{
    return system_heap.used;
}

void k_heap_init(struct k_heap *heap, void *mem, size_t bytes)
{
    (void)mem;
    *heap = (struct k_heap){.magic = FB_MAGIC_HEAP, .size = bytes};
}

static void *give(struct k_heap *heap, size_t align, size_t bytes)
{
    if (!bytes || heap->used + bytes + OVERHEAD > heap->size)
        return NULL;
    if (align < 16)
        align = 16;
    char *whole = malloc(bytes + align + sizeof(struct chunk));
    char *at = (char *)ROUND_UP(whole + sizeof(struct chunk), align);
    ((struct chunk *)at)[-1] = (struct chunk){GIVEN, heap, bytes + OVERHEAD, whole};
    heap->used += bytes + OVERHEAD;
    memset(at, POISON, bytes);
    return at;
}

void *k_heap_aligned_alloc(struct k_heap *heap, size_t align, size_t bytes, k_timeout_t timeout)
{
    if (!fb_initialised(heap->magic, FB_MAGIC_HEAP, "k_heap_alloc"))
        return NULL;
    int64_t until = fb_deadline(timeout);
    for (;;) {
        void *mem = give(heap, align, bytes);
        if (mem || !bytes || K_TIMEOUT_EQ(timeout, K_NO_WAIT) || !fb_may_block("k_heap_alloc") ||
            fb_wait(&heap->waiters, until) < 0)
            return mem;
    }
}

void *k_heap_alloc(struct k_heap *heap, size_t bytes, k_timeout_t timeout)
{
    return k_heap_aligned_alloc(heap, 0, bytes, timeout);
}

void *k_heap_calloc(struct k_heap *heap, size_t num, size_t size, k_timeout_t timeout)
{
    void *mem = k_heap_alloc(heap, num * size, timeout);
    if (mem)
        memset(mem, 0, num * size);
    return mem;
}

void k_heap_free(struct k_heap *heap, void *mem)
{
    if (!mem)
        return;
    struct chunk *chunk = (struct chunk *)mem - 1;
    if (chunk->state == FREED) {
        fb_fault("double_free", "memory was freed a second time");
        return;
    }
    if (chunk->state != GIVEN || (heap && chunk->heap != heap)) {
        fb_fault("bad_free", "memory was freed that this heap never gave");
        return;
    }
    chunk->state = FREED; /* and kept, so that a second free is seen */
    chunk->heap->used -= chunk->bytes;
    memset(mem, POISON, chunk->bytes - OVERHEAD);
    while (fb_unpend(&chunk->heap->waiters, 0))
        ;
    fb_reschedule();
}

void *k_aligned_alloc(size_t align, size_t size)
{
    return k_heap_aligned_alloc(&system_heap, align, size, K_NO_WAIT);
}

void *k_malloc(size_t size)
{
    return k_aligned_alloc(0, size);
}

void *k_calloc(size_t nmemb, size_t size)
{
    return k_heap_calloc(&system_heap, nmemb, size, K_NO_WAIT);
}

void *k_realloc(void *ptr, size_t size)
{
    void *mem = size ? k_malloc(size) : NULL;
    if (mem && ptr)
        memcpy(mem, ptr, MIN(size, ((struct chunk *)ptr)[-1].bytes - OVERHEAD));
    if (mem || !size)
        k_free(ptr);
    return mem;
}

void k_free(void *ptr)
{
    k_heap_free(NULL, ptr);
}

int k_mem_slab_init(struct k_mem_slab *slab, void *buffer, size_t block_size, uint32_t num_blocks)
{
    if (block_size % sizeof(void *) || (uintptr_t)buffer % sizeof(void *)) {
        fb_fault("bad_argument", "k_mem_slab_init with blocks of %zu bytes or a buffer that is not aligned",
                 block_size);
        return -EINVAL;
    }
    *slab = (struct k_mem_slab){
        .magic = FB_MAGIC_SLAB, .buffer = buffer, .num_blocks = num_blocks, .block_size = block_size};
    for (uint32_t i = num_blocks; i--;) {
        void **block = (void **)(slab->buffer + i * block_size);
        *block = slab->free_list;
        slab->free_list = block;
    }
    return 0;
}

void fb_slabs_init(void)
{
    FB_LIST_FOREACH(slabs, at)
    {
        struct k_mem_slab *slab = (struct k_mem_slab *)*at;
        k_mem_slab_init(slab, slab->buffer, slab->block_size, slab->num_blocks);
    }
}

int k_mem_slab_alloc(struct k_mem_slab *slab, void **mem, k_timeout_t timeout)
{
    if (!fb_initialised(slab->magic, FB_MAGIC_SLAB, "k_mem_slab_alloc"))
        return -EINVAL;
    if (slab->free_list) {
        *mem = slab->free_list;
        slab->free_list = *(void **)slab->free_list;
        if (++slab->num_used > slab->max_used)
            slab->max_used = slab->num_used;
        return 0;
    }
    *mem = NULL;
    int result = fb_pend(&slab->waiters, timeout, -ENOMEM, "k_mem_slab_alloc");
    if (!result)
        *mem = fb_current()->swap_data;
    return result;
}

void k_mem_slab_free(struct k_mem_slab *slab, void *mem)
{
    if (!fb_initialised(slab->magic, FB_MAGIC_SLAB, "k_mem_slab_free"))
        return;
    size_t offset = (size_t)((char *)mem - slab->buffer);
    bool is_free = offset % slab->block_size || offset / slab->block_size >= slab->num_blocks;
    for (void *block = slab->free_list; block && !is_free; block = *(void **)block)
        is_free = block == mem;
    if (is_free) {
        fb_fault("bad_free", "k_mem_slab_free of what is not a block that was given");
        return;
    }
    struct k_thread *waiter = fb_unpend(&slab->waiters, 0);
    if (waiter) {
        waiter->swap_data = mem;
    } else {
        *(void **)mem = slab->free_list;
        slab->free_list = mem;
        slab->num_used--;
    }
    fb_reschedule();
}

uint32_t k_mem_slab_num_used_get(struct k_mem_slab *slab)
{
    return slab->num_used;
}

uint32_t k_mem_slab_max_used_get(struct k_mem_slab *slab)
{
    return slab->max_used;
}

uint32_t k_mem_slab_num_free_get(struct k_mem_slab *slab)
{
    return slab->num_blocks - slab->num_used;
}
