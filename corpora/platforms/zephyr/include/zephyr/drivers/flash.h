#ifndef ZEPHYR_DRIVERS_FLASH_H
#define ZEPHYR_DRIVERS_FLASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <zephyr/device.h>

struct flash_parameters {
    const size_t write_block_size;
    struct {
        bool no_explicit_erase : 1;
    } caps;
    uint8_t erase_value;
};

struct flash_pages_info {
    off_t start_offset;
    size_t size;
    uint32_t index;
};

struct flash_pages_layout {
    size_t pages_count;
    size_t pages_size;
};

typedef bool (*flash_page_cb)(const struct flash_pages_info *info, void *data);

#define FLASH_ERASE_C_EXPLICIT 0x01
#define FLASH_ERASE_CAPS_UNSET (int)-1

int flash_read(const struct device *dev, off_t offset, void *data, size_t len);
int flash_write(const struct device *dev, off_t offset, const void *data, size_t len);
int flash_erase(const struct device *dev, off_t offset, size_t size);
int flash_flatten(const struct device *dev, off_t offset, size_t size);
int flash_fill(const struct device *dev, uint8_t val, off_t offset, size_t size);
int flash_get_page_info_by_offs(const struct device *dev, off_t offset, struct flash_pages_info *info);
int flash_get_page_info_by_idx(const struct device *dev, uint32_t page_index, struct flash_pages_info *info);
size_t flash_get_page_count(const struct device *dev);
void flash_page_foreach(const struct device *dev, flash_page_cb cb, void *data);
size_t flash_get_write_block_size(const struct device *dev);
const struct flash_parameters *flash_get_parameters(const struct device *dev);
int flash_get_size(const struct device *dev, uint64_t *size);

static inline int flash_params_get_erase_cap(const struct flash_parameters *p)
{
    return p->caps.no_explicit_erase ? 0 : FLASH_ERASE_C_EXPLICIT;
}

#endif
