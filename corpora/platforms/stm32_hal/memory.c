/* What a DMA controller sees of the memory. Without a data cache that is what the program sees.
 *
 * With it, the program works in the cache and the DMA in the memory behind it. The model is the worst case that the
 * architecture allows: every line is in the cache at all times (a Cortex-M7 reads ahead as it likes) and none is written
 * back by itself. So data goes out only by a clean, and comes in only by an invalidate after the transfer. */
#include "hw.h"

#include "stm32_hal_cache.h"

#include <stdlib.h>
#include <string.h>

#define LINE 32u
#define MOST_LINES (1u << 15)

typedef struct {
    uintptr_t address;
    uint8_t bytes[LINE];
} line;

static line lines[MOST_LINES]; /* by hash: memory where it may differ from the cache */
static uint32_t used;
static bool on;

extern char __data_start[], _end[]; /* the linker's */
static char *at_boot;                /* what the startup code had put there */

static struct {
    uintptr_t first, last;
} uncached[8];
static bool mpu_enabled;

void fb_hw_memory_boot(void)
{
    size_t size = (size_t)(_end - __data_start);
    at_boot = malloc(size);
    if (on)
        memcpy(at_boot, __data_start, size);
}

void stm32_dcache_on(void) { on = true; }

static bool cached(uintptr_t address)
{
    for (unsigned i = 0; mpu_enabled && i < 8; i++)
        if (address >= uncached[i].first && address < uncached[i].last)
            return false;
    return on;
}

static line *memory_line(uintptr_t address)
{
    address &= ~(uintptr_t)(LINE - 1);
    uint32_t at = (uint32_t)(address / LINE * 2654435761u) % MOST_LINES;
    while (lines[at].address && lines[at].address != address)
        at = (at + 1) % MOST_LINES;
    line *found = &lines[at];
    if (found->address)
        return found;
    if (++used > MOST_LINES * 3 / 4)
        fb_panic("more than %u cache lines are in use", used);
    found->address = address;
    for (unsigned i = 0; i < LINE; i++) {
        const char *byte = (const char *)address + i;
        found->bytes[i] = byte >= __data_start && byte < _end ? (uint8_t)at_boot[byte - __data_start] : 0xA5;
    }
    return found;
}

void fb_hw_bus_read(uint32_t address, void *to, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) {
        uintptr_t at = (uintptr_t)address + i;
        ((uint8_t *)to)[i] = cached(at) ? memory_line(at)->bytes[at % LINE] : *(volatile uint8_t *)at;
    }
}

void fb_hw_bus_write(uint32_t address, const void *from, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) {
        uintptr_t at = (uintptr_t)address + i;
        if (cached(at))
            memory_line(at)->bytes[at % LINE] = ((const uint8_t *)from)[i];
        else
            *(volatile uint8_t *)at = ((const uint8_t *)from)[i];
    }
}

/* ---- maintenance ---- */

static void clean_line(uintptr_t address)
{
    if (cached(address))
        memcpy(memory_line(address)->bytes, (void *)(address & ~(uintptr_t)(LINE - 1)), LINE);
}

/* Of a line that other variables share, their newest values would be thrown away: a fault, and they are kept. */
static void invalidate_line(uintptr_t address, uintptr_t first, uintptr_t last)
{
    if (!cached(address))
        return;
    line *memory = memory_line(address);
    uint8_t *cache = (uint8_t *)memory->address;
    bool lost = false;
    for (unsigned i = 0; i < LINE; i++) {
        bool asked = memory->address + i >= first && memory->address + i < last;
        lost |= !asked && cache[i] != memory->bytes[i];
        if (asked)
            cache[i] = memory->bytes[i];
    }
    if (lost)
        fb_fault("cache_line_shared", "SCB_InvalidateDCache_by_Addr throws away what was written to other variables in the "
                 "same 32-byte line; align and pad the buffer");
}

static bool sound(volatile void *address, int32_t bytes, const char *call)
{
    fb_hw_enter();
    if (bytes < 0)
        fb_fault("invalid_argument", "%s is called with %d bytes", call, bytes);
    return address && bytes > 0;
}

void SCB_CleanDCache_by_Addr(volatile void *address, int32_t bytes)
{
    if (!sound(address, bytes, "SCB_CleanDCache_by_Addr"))
        return;
    uintptr_t first = (uintptr_t)address & ~(uintptr_t)(LINE - 1);
    for (uintptr_t at = first; at < (uintptr_t)address + (uint32_t)bytes; at += LINE)
        clean_line(at);
}

void SCB_InvalidateDCache_by_Addr(volatile void *address, int32_t bytes)
{
    if (!sound(address, bytes, "SCB_InvalidateDCache_by_Addr"))
        return;
    uintptr_t begin = (uintptr_t)address, end = begin + (uint32_t)bytes;
    for (uintptr_t at = begin & ~(uintptr_t)(LINE - 1); at < end; at += LINE)
        invalidate_line(at, begin, end);
}

/* Cleaning first, so a value that the DMA wrote meanwhile is overwritten, as on the chip. */
void SCB_CleanInvalidateDCache_by_Addr(volatile void *address, int32_t bytes) { SCB_CleanDCache_by_Addr(address, bytes); }

void SCB_CleanDCache(void)
{
    fb_hw_enter();
    memcpy(at_boot, __data_start, (size_t)(_end - __data_start));
    for (uint32_t i = 0; i < MOST_LINES; i++)
        if (lines[i].address)
            clean_line(lines[i].address);
}

void SCB_CleanInvalidateDCache(void) { SCB_CleanDCache(); }

void SCB_InvalidateDCache(void)
{
    fb_hw_enter();
    if (on)
        fb_fault("cache_invalidated_whole", "SCB_InvalidateDCache throws away every value that is only in the cache");
}

void SCB_EnableDCache(void)
{
    fb_hw_enter();
    if (on)
        return;
    memcpy(at_boot, __data_start, (size_t)(_end - __data_start));
    on = true;
}

void SCB_DisableDCache(void)
{
    SCB_CleanDCache();
    on = false;
}

void SCB_EnableICache(void) { fb_hw_enter(); }
void SCB_DisableICache(void) { fb_hw_enter(); }

void HAL_MPU_Disable(void) { mpu_enabled = false; }

void HAL_MPU_Enable(uint32_t control)
{
    (void)control;
    mpu_enabled = true;
}

void HAL_MPU_ConfigRegion(MPU_Region_InitTypeDef *region)
{
    fb_hw_enter();
    uintptr_t size = (uintptr_t)2 << region->Size;
    if (region->Enable && (region->BaseAddress & (size - 1)))
        fb_fault("invalid_argument", "an MPU region must be aligned to its size");
    bool out = region->Enable && region->IsCacheable == MPU_ACCESS_NOT_CACHEABLE;
    if (region->Number < 8) {
        uncached[region->Number].first = out ? region->BaseAddress : 0;
        uncached[region->Number].last = out ? region->BaseAddress + size : 0;
    }
}
