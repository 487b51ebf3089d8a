/* The flash device: what a NOR flash with write-once blocks does, with wear, faults and power cuts. */
#include <errno.h>
#include <string.h>

#include <zephyr/drivers/flash.h>

#include "fb_flash.h"
#include "injection.h"
#include "power.h"
#include "sim.h"

#define BLOCKS (FB_FLASH_BYTES / FB_FLASH_BLOCK)
#define PAGES (FB_FLASH_BYTES / FB_FLASH_PAGE)
#define BLOCK_NS FB_US(20)
#define PAGE_NS FB_MS(2)

static struct kept {
    uint8_t bytes[FB_FLASH_BYTES];
    bool programmed[BLOCKS];
    unsigned written[BLOCKS], erased[PAGES];
    bool in_use;
} *kept;

static injection write_fault, read_fault;
static long cut_after = -1, cut_after_erase = -1;
static size_t longest_read;
static unsigned reads;

static const struct flash_parameters parameters = {.write_block_size = FB_FLASH_BLOCK, .erase_value = 0xff};

static struct kept *flash(void)
{
    if (!kept)
        kept = fb_kept("flash", sizeof *kept);
    if (!kept->in_use) {
        kept->in_use = true;
        memset(kept->bytes, 0xff, sizeof kept->bytes);
    }
    return kept;
}

void fb_flash_cut_after(long more)
{
    cut_after = more;
}

void fb_flash_cut_after_erase(long more)
{
    cut_after_erase = more;
}

void fb_flash_fail_writes(unsigned skip, unsigned count, int error)
{
    write_fault = (injection){skip, count, error};
}

void fb_flash_fail_reads(unsigned skip, unsigned count, int error)
{
    read_fault = (injection){skip, count, error};
}

void fb_flash_set(size_t offset, const void *data, size_t length)
{
    memcpy(flash()->bytes + offset, data, length);
    for (size_t block = offset / FB_FLASH_BLOCK; block * FB_FLASH_BLOCK < offset + length; block++)
        flash()->programmed[block] = true;
}

const uint8_t *fb_flash_bytes(size_t offset)
{
    return flash()->bytes + offset;
}

unsigned fb_flash_page_erases(size_t offset)
{
    return flash()->erased[offset / FB_FLASH_PAGE];
}

unsigned fb_flash_blocks_written(size_t from, size_t to)
{
    unsigned count = 0;
    for (size_t block = from / FB_FLASH_BLOCK; block < to / FB_FLASH_BLOCK; block++)
        count += flash()->written[block];
    return count;
}

unsigned fb_flash_erases(size_t from, size_t to)
{
    unsigned count = 0;
    for (size_t page = from / FB_FLASH_PAGE; page < to / FB_FLASH_PAGE; page++)
        count += flash()->erased[page];
    return count;
}

unsigned fb_flash_reads(void)
{
    return reads;
}

size_t fb_flash_longest_read(void)
{
    return longest_read;
}

static int bad_call(const char *what, off_t offset, size_t length)
{
    if (fb_in_isr()) {
        fb_fault("blocking_in_isr", "%s was called in an interrupt", what);
        return -EWOULDBLOCK;
    }
    if (offset < 0 || (size_t)offset > FB_FLASH_BYTES || length > FB_FLASH_BYTES - (size_t)offset)
        return -EINVAL;
    return 0;
}

/* A deterministic content for what a power cut leaves half done. */
static uint8_t noise(size_t offset)
{
    uint32_t mixed = (uint32_t)(offset + 1) * 2654435761u;
    return (uint8_t)(mixed >> 23 ^ mixed >> 11);
}

static bool power_fails(void)
{
    return cut_after >= 0 && cut_after-- == 0;
}

int flash_read(const struct device *dev, off_t offset, void *data, size_t len)
{
    (void)dev;
    int ret = bad_call("flash_read", offset, len);
    if (!ret)
        ret = injected(&read_fault);
    if (!ret)
        memcpy(data, flash()->bytes + offset, len);
    reads++;
    longest_read = len > longest_read ? len : longest_read;
    fb_spend((int64_t)len * 50);
    return ret;
}

static void half_write(size_t at, const uint8_t *data)
{
    struct kept *f = flash();
    f->programmed[at / FB_FLASH_BLOCK] = true;
    for (size_t i = 0; i < FB_FLASH_BLOCK; i++)
        f->bytes[at + i] = data[i] | noise(at + i);
}

int flash_write(const struct device *dev, off_t offset, const void *data, size_t len)
{
    (void)dev;
    int ret = bad_call("flash_write", offset, len);
    if (!ret && (offset % FB_FLASH_BLOCK || len % FB_FLASH_BLOCK))
        ret = -EINVAL;
    if (!ret && len && (ret = injected(&write_fault)) && !flash()->programmed[(size_t)offset / FB_FLASH_BLOCK])
        half_write((size_t)offset, data);
    fb_trace("flash", "write 0x%lx %zu: %d", (long)offset, len, ret);
    if (ret)
        return ret;
    struct kept *f = flash();
    for (size_t done = 0; done < len; done += FB_FLASH_BLOCK) {
        size_t at = (size_t)offset + done, block = at / FB_FLASH_BLOCK;
        if (f->programmed[block]) {
            fb_trace("flash", "block 0x%zx was written before", at);
            return -EIO;
        }
        f->programmed[block] = true;
        f->written[block]++;
        if (power_fails()) {
            half_write(at, (const uint8_t *)data + done);
            fb_power_cycle("power cut in a flash write");
        }
        memcpy(f->bytes + at, (const uint8_t *)data + done, FB_FLASH_BLOCK);
        fb_spend(BLOCK_NS);
    }
    return 0;
}

static void erase_page(size_t page)
{
    struct kept *f = flash();
    size_t at = page * FB_FLASH_PAGE;
    f->erased[page]++;
    if (cut_after_erase >= 0) {
        cut_after = cut_after_erase;
        cut_after_erase = -1;
    }
    if (power_fails()) {
        /* Half of the blocks are clean, the others hold noise; which, depends on the page's wear. */
        for (size_t block = at / FB_FLASH_BLOCK; block < (at + FB_FLASH_PAGE) / FB_FLASH_BLOCK; block++) {
            bool clean = (block / 16 + f->erased[page]) % 2;
            f->programmed[block] = !clean;
            for (size_t i = block * FB_FLASH_BLOCK; i < (block + 1) * FB_FLASH_BLOCK; i++)
                f->bytes[i] = clean ? 0xff : f->bytes[i] | noise(i);
        }
        fb_power_cycle("power cut in a flash erase");
    }
    memset(f->bytes + at, 0xff, FB_FLASH_PAGE);
    memset(f->programmed + at / FB_FLASH_BLOCK, 0, FB_FLASH_PAGE / FB_FLASH_BLOCK * sizeof *f->programmed);
    fb_spend(PAGE_NS);
}

int flash_erase(const struct device *dev, off_t offset, size_t size)
{
    (void)dev;
    int ret = bad_call("flash_erase", offset, size);
    if (!ret && (offset % FB_FLASH_PAGE || size % FB_FLASH_PAGE))
        ret = -EINVAL;
    if (!ret)
        ret = injected(&write_fault);
    fb_trace("flash", "erase 0x%lx %zu: %d", (long)offset, size, ret);
    if (ret)
        return ret;
    for (size_t page = (size_t)offset / FB_FLASH_PAGE; page < ((size_t)offset + size) / FB_FLASH_PAGE; page++)
        erase_page(page);
    return 0;
}

int flash_flatten(const struct device *dev, off_t offset, size_t size)
{
    return flash_erase(dev, offset, size);
}

int flash_fill(const struct device *dev, uint8_t val, off_t offset, size_t size)
{
    uint8_t block[FB_FLASH_BLOCK];
    memset(block, val, sizeof block);
    if (size % sizeof block)
        return -EINVAL;
    for (size_t done = 0; done < size; done += sizeof block) {
        int ret = flash_write(dev, offset + (off_t)done, block, sizeof block);
        if (ret)
            return ret;
    }
    return 0;
}

int flash_get_page_info_by_idx(const struct device *dev, uint32_t page_index, struct flash_pages_info *info)
{
    (void)dev;
    if (page_index >= PAGES)
        return -EINVAL;
    *info = (struct flash_pages_info){
        .start_offset = (off_t)page_index * FB_FLASH_PAGE, .size = FB_FLASH_PAGE, .index = page_index};
    return 0;
}

int flash_get_page_info_by_offs(const struct device *dev, off_t offset, struct flash_pages_info *info)
{
    return offset < 0 ? -EINVAL : flash_get_page_info_by_idx(dev, (uint32_t)(offset / FB_FLASH_PAGE), info);
}

size_t flash_get_page_count(const struct device *dev)
{
    (void)dev;
    return PAGES;
}

void flash_page_foreach(const struct device *dev, flash_page_cb cb, void *data)
{
    struct flash_pages_info info;
    for (uint32_t page = 0; !flash_get_page_info_by_idx(dev, page, &info) && cb(&info, data); page++)
        ;
}

size_t flash_get_write_block_size(const struct device *dev)
{
    (void)dev;
    return FB_FLASH_BLOCK;
}

const struct flash_parameters *flash_get_parameters(const struct device *dev)
{
    (void)dev;
    return &parameters;
}

int flash_get_size(const struct device *dev, uint64_t *size)
{
    (void)dev;
    *size = FB_FLASH_BYTES;
    return 0;
}

static int init(const struct device *dev)
{
    (void)dev;
    return 0;
}

DEVICE_DT_DEFINE(DT_NODELABEL(flash0), init, NULL, NULL, NULL, POST_KERNEL, CONFIG_FLASH_INIT_PRIORITY, &parameters);
