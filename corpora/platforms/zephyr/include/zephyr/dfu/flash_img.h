#ifndef ZEPHYR_DFU_FLASH_IMG_H
#define ZEPHYR_DFU_FLASH_IMG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <zephyr/storage/flash_map.h>

struct flash_img_context {
    uint8_t buf[CONFIG_IMG_BLOCK_BUF_SIZE];
    const struct flash_area *flash_area;
    size_t buf_bytes;
    size_t bytes_written;
    off_t erased_to;
};

struct flash_img_check {
    const uint8_t *match;
    size_t clen;
};

int flash_img_init(struct flash_img_context *ctx);
int flash_img_init_id(struct flash_img_context *ctx, uint8_t area_id);
size_t flash_img_bytes_written(struct flash_img_context *ctx);
int flash_img_buffered_write(struct flash_img_context *ctx, const uint8_t *data, size_t len, bool flush);
uint8_t flash_img_get_upload_slot(void);

#endif
