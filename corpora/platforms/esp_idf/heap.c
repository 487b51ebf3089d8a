/* Memory by capability: an internal heap, which DMA can reach, and SPIRAM, which it cannot. */
#include "esp.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "esp_heap_caps.h"
#include "esp_system.h"

#define MOST_BLOCKS 4096

enum { INTERNAL, SPIRAM, POOLS };

static struct {
    void *at;
    size_t size;
    int pool;
} blocks[MOST_BLOCKS];
static size_t block_count, allocations, frees;

static struct {
    size_t total, used, most;
} pools[POOLS] = {[INTERNAL] = {configTOTAL_HEAP_SIZE, 0, 0}};

void esp_spiram(size_t bytes) { pools[SPIRAM].total = bytes; }
void esp_internal_heap(size_t bytes) { pools[INTERNAL].total = bytes; }
size_t freertos_allocations(void) { return allocations; }
size_t freertos_frees(void) { return frees; }

static bool has(int pool, uint32_t caps)
{
    uint32_t offered = MALLOC_CAP_8BIT | MALLOC_CAP_32BIT | MALLOC_CAP_DEFAULT;
    offered |= pool == INTERNAL ? MALLOC_CAP_INTERNAL | MALLOC_CAP_DMA | MALLOC_CAP_EXEC : MALLOC_CAP_SPIRAM;
    return pools[pool].total && (caps & ~offered) == 0;
}

void *heap_caps_aligned_alloc(size_t alignment, size_t size, uint32_t caps)
{
    if (!esp_enter("heap_caps_malloc") || size == 0)
        return NULL;
    for (int pool = 0; pool < POOLS; pool++) {
        if (!has(pool, caps) || pools[pool].used + size > pools[pool].total || block_count == MOST_BLOCKS)
            continue;
        void *at = aligned_alloc(alignment < 16 ? 16 : alignment, (size + 63) / 64 * 64);
        memset(at, 0xCE, size);
        blocks[block_count].at = at;
        blocks[block_count].size = size;
        blocks[block_count++].pool = pool;
        pools[pool].used += size;
        if (pools[pool].used > pools[pool].most)
            pools[pool].most = pools[pool].used;
        allocations++;
        fb_trace("heap", "allocate %zu %s", size, pool == INTERNAL ? "internal" : "spiram");
        return at;
    }
    fb_trace("heap", "no %zu bytes", size);
    return NULL;
}

void *heap_caps_malloc(size_t size, uint32_t caps) { return heap_caps_aligned_alloc(4, size, caps); }

void *heap_caps_aligned_calloc(size_t alignment, size_t n, size_t size, uint32_t caps)
{
    void *at = size && n > SIZE_MAX / size ? NULL : heap_caps_aligned_alloc(alignment, n * size, caps);
    if (at)
        memset(at, 0, n * size);
    return at;
}

void *heap_caps_calloc(size_t n, size_t size, uint32_t caps) { return heap_caps_aligned_calloc(4, n, size, caps); }

static size_t find(const void *at)
{
    size_t i = 0;
    while (i < block_count && blocks[i].at != at)
        i++;
    return i;
}

void heap_caps_free(void *at)
{
    if (!at || !esp_enter("heap_caps_free"))
        return;
    size_t i = find(at);
    if (i == block_count) {
        fb_fault("heap", "heap_caps_free is called with memory that is not allocated");
        return;
    }
    pools[blocks[i].pool].used -= blocks[i].size;
    fb_trace("heap", "free %zu", blocks[i].size);
    blocks[i] = blocks[--block_count];
    frees++;
    free(at);
}

void heap_caps_aligned_free(void *at) { heap_caps_free(at); }

void *heap_caps_realloc(void *at, size_t size, uint32_t caps)
{
    if (size == 0) {
        heap_caps_free(at);
        return NULL;
    }
    void *new = heap_caps_malloc(size, caps);
    size_t i = find(at);
    if (new && at && i < block_count) {
        memcpy(new, at, blocks[i].size < size ? blocks[i].size : size);
        heap_caps_free(at);
    }
    return new;
}

void *heap_caps_malloc_prefer(size_t size, size_t count, ...)
{
    va_list caps;
    void *at = NULL;
    va_start(caps, count);
    for (size_t i = 0; i < count && !at; i++)
        at = heap_caps_malloc(size, va_arg(caps, uint32_t));
    va_end(caps);
    return at;
}

static size_t sum(uint32_t caps, bool of_most)
{
    size_t left = 0;
    for (int pool = 0; pool < POOLS; pool++)
        if (has(pool, caps))
            left += pools[pool].total - (of_most ? pools[pool].most : pools[pool].used);
    return left;
}

size_t heap_caps_get_free_size(uint32_t caps) { return sum(caps, false); }
size_t heap_caps_get_minimum_free_size(uint32_t caps) { return sum(caps, true); }
size_t heap_caps_get_largest_free_block(uint32_t caps) { return sum(caps, false); }

size_t heap_caps_get_total_size(uint32_t caps)
{
    size_t total = 0;
    for (int pool = 0; pool < POOLS; pool++)
        total += has(pool, caps) ? pools[pool].total : 0;
    return total;
}

size_t heap_caps_get_allocated_size(void *at)
{
    size_t i = find(at);
    return i < block_count ? blocks[i].size : 0;
}

bool heap_caps_check_integrity_all(bool print)
{
    (void)print;
    return true;
}

uint32_t esp_get_free_heap_size(void) { return (uint32_t)sum(MALLOC_CAP_DEFAULT, false); }
uint32_t esp_get_free_internal_heap_size(void) { return (uint32_t)sum(MALLOC_CAP_INTERNAL, false); }
uint32_t esp_get_minimum_free_heap_size(void) { return (uint32_t)sum(MALLOC_CAP_DEFAULT, true); }

/* ---- the kernel's names ---- */

void *pvPortMalloc(size_t size) { return heap_caps_malloc(size, MALLOC_CAP_INTERNAL | MALLOC_CAP_8BIT); }

void *pvPortCalloc(size_t count, size_t size)
{
    return heap_caps_calloc(count, size, MALLOC_CAP_INTERNAL | MALLOC_CAP_8BIT);
}

void vPortFree(void *at) { heap_caps_free(at); }
size_t xPortGetFreeHeapSize(void) { return sum(MALLOC_CAP_INTERNAL, false); }
size_t xPortGetMinimumEverFreeHeapSize(void) { return sum(MALLOC_CAP_INTERNAL, true); }
