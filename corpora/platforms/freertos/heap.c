/* The kernel's heap: first fit over an arena with coalescing, so that fragmentation is real. */
#include "rtos.h"

#include <string.h>

#include "freertos_scenario.h"

#define HEADER 8 /* as heap_4 on a 32-bit target */
#define USED 0x80000000u

/* Blocks lie one behind the other; each begins with its size and whether it is used. */
typedef struct {
    uint32_t size; /* with the header */
    uint32_t used;
} block;

static uint8_t arena[configTOTAL_HEAP_SIZE] __attribute__((aligned(8)));
static size_t total = configTOTAL_HEAP_SIZE;
static size_t least = configTOTAL_HEAP_SIZE;
static size_t allocations, frees;
static bool ready;

void __attribute__((weak)) vApplicationMallocFailedHook(void) {}

static block *at(size_t offset) { return (block *)(arena + offset); }

static void prepare(void)
{
    if (ready || total < HEADER)
        return;
    ready = true;
    *at(0) = (block){(uint32_t)total, 0};
}

void freertos_heap(size_t bytes)
{
    total = bytes < configTOTAL_HEAP_SIZE ? bytes & ~(size_t)7 : configTOTAL_HEAP_SIZE;
    least = total;
    ready = false;
    prepare();
}

size_t freertos_allocations(void) { return allocations; }
size_t freertos_frees(void) { return frees; }

size_t xPortGetFreeHeapSize(void)
{
    size_t left = 0;
    prepare();
    for (size_t offset = 0; offset < total; offset += at(offset)->size)
        left += at(offset)->used ? 0 : at(offset)->size;
    return left;
}

size_t xPortGetMinimumEverFreeHeapSize(void) { return least; }

static void *fail(size_t wanted)
{
    fb_trace("heap", "no %zu bytes", wanted);
    vApplicationMallocFailedHook();
    return NULL;
}

void *pvPortMalloc(size_t wanted)
{
    if (!fb_rtos_enter("pvPortMalloc"))
        return NULL;
    if (fb_rtos_static_only())
        fb_fault("heap", "memory is asked of the heap, but the kernel is built without one");
    prepare();
    size_t size = (wanted + HEADER + 7) & ~(size_t)7;
    if (wanted == 0 || size < wanted)
        return fail(wanted);
    for (size_t offset = 0; offset + size <= total; offset += at(offset)->size) {
        block *found = at(offset);
        if (found->used || found->size < size)
            continue;
        if (found->size >= size + 2 * HEADER) {
            *at(offset + size) = (block){found->size - (uint32_t)size, 0};
            found->size = (uint32_t)size;
        }
        found->used = USED;
        allocations++;
        size_t left = xPortGetFreeHeapSize();
        if (left < least)
            least = left;
        memset(found + 1, 0xa5, found->size - HEADER);
        fb_trace("heap", "allocate %zu", wanted);
        return found + 1;
    }
    return fail(wanted);
}

void *pvPortCalloc(size_t count, size_t size)
{
    if (size && count > SIZE_MAX / size)
        return NULL;
    void *memory = pvPortMalloc(count * size);
    if (memory)
        memset(memory, 0, count * size);
    return memory;
}

void vPortFree(void *memory)
{
    if (!memory || !fb_rtos_enter("vPortFree"))
        return;
    block *last = NULL, *found = NULL;
    for (size_t offset = 0; offset < total; offset += at(offset)->size)
        if (at(offset) + 1 == memory && at(offset)->used)
            found = at(offset);
    if (!found) {
        fb_fault("heap", "vPortFree is called with memory that is not allocated");
        return;
    }
    found->used = 0;
    frees++;
    fb_trace("heap", "free %u", found->size - HEADER);
    for (size_t offset = 0; offset < total; offset += at(offset)->size) {
        block *here = at(offset);
        if (last && !last->used && !here->used) {
            last->size += here->size;
            offset = (size_t)((uint8_t *)last - arena);
            continue;
        }
        last = here;
    }
}

void vPortGetHeapStats(HeapStats_t *stats)
{
    *stats = (HeapStats_t){.xAvailableHeapSpaceInBytes = xPortGetFreeHeapSize(),
                           .xSizeOfSmallestFreeBlockInBytes = SIZE_MAX,
                           .xMinimumEverFreeBytesRemaining = least,
                           .xNumberOfSuccessfulAllocations = allocations,
                           .xNumberOfSuccessfulFrees = frees};
    for (size_t offset = 0; offset < total; offset += at(offset)->size) {
        size_t size = at(offset)->size;
        if (at(offset)->used)
            continue;
        stats->xNumberOfFreeBlocks++;
        if (size > stats->xSizeOfLargestFreeBlockInBytes)
            stats->xSizeOfLargestFreeBlockInBytes = size;
        if (size < stats->xSizeOfSmallestFreeBlockInBytes)
            stats->xSizeOfSmallestFreeBlockInBytes = size;
    }
}
