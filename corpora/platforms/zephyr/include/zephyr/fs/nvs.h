#ifndef ZEPHYR_FS_NVS_H
#define ZEPHYR_FS_NVS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <zephyr/device.h>
#include <zephyr/drivers/flash.h>
#include <zephyr/kernel.h>

struct nvs_fs {
    off_t offset;
    uint32_t ate_wra;
    uint32_t data_wra;
    uint16_t sector_size;
    uint16_t sector_count;
    bool ready;
    struct k_mutex nvs_lock;
    const struct device *flash_device;
    const struct flash_parameters *flash_parameters;
};

int nvs_mount(struct nvs_fs *fs);
int nvs_clear(struct nvs_fs *fs);
ssize_t nvs_write(struct nvs_fs *fs, uint16_t id, const void *data, size_t len);
int nvs_delete(struct nvs_fs *fs, uint16_t id);
ssize_t nvs_read(struct nvs_fs *fs, uint16_t id, void *data, size_t len);
ssize_t nvs_read_hist(struct nvs_fs *fs, uint16_t id, void *data, size_t len, uint16_t cnt);
ssize_t nvs_calc_free_space(struct nvs_fs *fs);
size_t nvs_sector_max_data_size(struct nvs_fs *fs);
int nvs_sector_use_next(struct nvs_fs *fs);

#endif
