/* Flash areas: the partitions, each a window on the flash. */
#include <errno.h>

#include <zephyr/storage/flash_map.h>

#include "fb_flash.h"
#include "sim.h"

#define AREA(label) \
    { \
        .fa_id = FIXED_PARTITION_ID(label), .fa_off = FIXED_PARTITION_OFFSET(label), \
        .fa_size = FIXED_PARTITION_SIZE(label), .fa_dev = FB_FLASH, .fa_label = #label, \
    }

const struct flash_area fb_flash_areas[FB_PARTITIONS] = {
    AREA(boot_partition),    AREA(slot0_partition),   AREA(slot1_partition),
    AREA(scratch_partition), AREA(storage_partition), AREA(record_partition),
};

static int opened;

int fb_flash_areas_open(void)
{
    return opened;
}

int flash_area_open(uint8_t id, const struct flash_area **fa)
{
    if (id >= FB_PARTITIONS)
        return -ENOENT;
    if (!device_is_ready(fb_flash_areas[id].fa_dev))
        return -ENODEV;
    *fa = &fb_flash_areas[id];
    opened++;
    return 0;
}

void flash_area_close(const struct flash_area *fa)
{
    if (fa && opened > 0)
        opened--;
}

static bool inside(const struct flash_area *fa, off_t off, size_t len)
{
    return off >= 0 && (size_t)off <= fa->fa_size && len <= fa->fa_size - (size_t)off;
}

int flash_area_read(const struct flash_area *fa, off_t off, void *dst, size_t len)
{
    return inside(fa, off, len) ? flash_read(fa->fa_dev, fa->fa_off + off, dst, len) : -EINVAL;
}

int flash_area_write(const struct flash_area *fa, off_t off, const void *src, size_t len)
{
    return inside(fa, off, len) ? flash_write(fa->fa_dev, fa->fa_off + off, src, len) : -EINVAL;
}

int flash_area_erase(const struct flash_area *fa, off_t off, size_t len)
{
    return inside(fa, off, len) ? flash_erase(fa->fa_dev, fa->fa_off + off, len) : -EINVAL;
}

int flash_area_flatten(const struct flash_area *fa, off_t off, size_t len)
{
    return flash_area_erase(fa, off, len);
}

uint32_t flash_area_align(const struct flash_area *fa)
{
    return (uint32_t)flash_get_write_block_size(fa->fa_dev);
}

int flash_area_sectors(const struct flash_area *fa, uint32_t *count, struct flash_sector *sectors)
{
    uint32_t room = *count;
    *count = 0;
    for (size_t at = 0; at < fa->fa_size; at += FB_FLASH_PAGE) {
        if (*count == room)
            return -ENOMEM;
        sectors[(*count)++] = (struct flash_sector){.fs_off = (off_t)at, .fs_size = FB_FLASH_PAGE};
    }
    return 0;
}

int flash_area_get_sectors(int fa_id, uint32_t *count, struct flash_sector *sectors)
{
    return fa_id < 0 || fa_id >= FB_PARTITIONS ? -EINVAL : flash_area_sectors(&fb_flash_areas[fa_id], count, sectors);
}

void flash_area_foreach(flash_area_cb_t user_cb, void *user_data)
{
    for (int id = 0; id < FB_PARTITIONS; id++)
        user_cb(&fb_flash_areas[id], user_data);
}

int flash_area_has_driver(const struct flash_area *fa)
{
    return device_is_ready(fa->fa_dev) ? 1 : -ENODEV;
}

const struct device *flash_area_get_device(const struct flash_area *fa)
{
    return fa->fa_dev;
}

uint8_t flash_area_erased_val(const struct flash_area *fa)
{
    return flash_get_parameters(fa->fa_dev)->erase_value;
}
