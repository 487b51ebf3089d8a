#ifndef ZEPHYR_STORAGE_FLASH_MAP_H
#define ZEPHYR_STORAGE_FLASH_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <fb_partitions.h>
#include <zephyr/device.h>
#include <zephyr/devicetree.h>
#include <zephyr/drivers/flash.h>

struct flash_area {
    uint8_t fa_id;
    uint16_t pad16;
    off_t fa_off;
    size_t fa_size;
    const struct device *fa_dev;
    const char *fa_label;
};

struct flash_sector {
    off_t fs_off;
    size_t fs_size;
};

typedef void (*flash_area_cb_t)(const struct flash_area *fa, void *user_data);

extern const struct flash_area fb_flash_areas[FB_PARTITIONS];

int flash_area_open(uint8_t id, const struct flash_area **fa);
void flash_area_close(const struct flash_area *fa);
int flash_area_read(const struct flash_area *fa, off_t off, void *dst, size_t len);
int flash_area_write(const struct flash_area *fa, off_t off, const void *src, size_t len);
int flash_area_erase(const struct flash_area *fa, off_t off, size_t len);
int flash_area_flatten(const struct flash_area *fa, off_t off, size_t len);
uint32_t flash_area_align(const struct flash_area *fa);
int flash_area_get_sectors(int fa_id, uint32_t *count, struct flash_sector *sectors);
int flash_area_sectors(const struct flash_area *fa, uint32_t *count, struct flash_sector *sectors);
void flash_area_foreach(flash_area_cb_t user_cb, void *user_data);
int flash_area_has_driver(const struct flash_area *fa);
const struct device *flash_area_get_device(const struct flash_area *fa);
uint8_t flash_area_erased_val(const struct flash_area *fa);
int flash_area_boundary(const struct flash_area *fa);

#define FIXED_PARTITION_EXISTS(label) DT_NODE_EXISTS(DT_NODELABEL(label))
#define FIXED_PARTITION_ID(label) FB_PARTITION_ID(label)
#define FIXED_PARTITION_OFFSET(label) FB_PARTITION_OFFSET(label)
#define FIXED_PARTITION_ADDRESS(label) FB_PARTITION_OFFSET(label)
#define FIXED_PARTITION_SIZE(label) FB_PARTITION_SIZE(label)
#define FIXED_PARTITION_DEVICE(label) FB_FLASH
#define FIXED_PARTITION_NODE_OFFSET(node) DT_REG_ADDR(node)
#define FIXED_PARTITION_NODE_SIZE(node) DT_REG_SIZE(node)
#define FIXED_PARTITION_NODE_DEVICE(node) FB_FLASH
#define FIXED_PARTITION(label) (&fb_flash_areas[FIXED_PARTITION_ID(label)])
#define FIXED_PARTITION_BY_NODE(node) (&fb_flash_areas[DT_FIXED_PARTITION_ID(node)])
#define DT_FIXED_PARTITION_ID(node) DT_CAT(node, _PARTITION_ID)
#define DT_FIXED_PARTITION_EXISTS(node) DT_NODE_EXISTS(node)

#endif
