/* flash_img with progressive erase: a buffer in front of the slot, each page erased when the first byte for it is due.
 */
#include <errno.h>
#include <string.h>

#include <zephyr/dfu/flash_img.h>

#include "fb_partitions.h"
#include "sim.h"

int flash_img_init_id(struct flash_img_context *ctx, uint8_t area_id)
{
    if (area_id >= FB_PARTITIONS)
        return -ENOENT;
    if (!device_is_ready(FB_FLASH))
        return -ENODEV;
    ctx->flash_area = &fb_flash_areas[area_id];
    ctx->buf_bytes = 0;
    ctx->bytes_written = 0;
    ctx->erased_to = 0;
    fb_trace("flash_img", "init area %u", area_id);
    return 0;
}

uint8_t flash_img_get_upload_slot(void)
{
    return FIXED_PARTITION_ID(slot1_partition);
}

int flash_img_init(struct flash_img_context *ctx)
{
    return flash_img_init_id(ctx, flash_img_get_upload_slot());
}

size_t flash_img_bytes_written(struct flash_img_context *ctx)
{
    return ctx->bytes_written;
}

static int put_out(struct flash_img_context *ctx)
{
    size_t padded = ROUND_UP(ctx->buf_bytes, FB_FLASH_BLOCK);
    if (ctx->bytes_written + padded > ctx->flash_area->fa_size)
        return -ENOMEM;
    while (ctx->erased_to < (off_t)(ctx->bytes_written + padded)) {
        int ret = flash_area_erase(ctx->flash_area, ctx->erased_to, FB_FLASH_PAGE);
        if (ret)
            return ret;
        ctx->erased_to += FB_FLASH_PAGE;
    }
    memset(ctx->buf + ctx->buf_bytes, 0xff, padded - ctx->buf_bytes);
    int ret = flash_area_write(ctx->flash_area, (off_t)ctx->bytes_written, ctx->buf, padded);
    if (ret)
        return ret;
    ctx->bytes_written += ctx->buf_bytes;
    ctx->buf_bytes = 0;
    return 0;
}

int flash_img_buffered_write(struct flash_img_context *ctx, const uint8_t *data, size_t len, bool flush)
{
    if (!ctx->flash_area) {
        fb_fault("not_initialised", "flash_img_buffered_write was called without flash_img_init, or after the flush");
        return -EFAULT;
    }
    while (len) {
        size_t part = MIN(len, sizeof ctx->buf - ctx->buf_bytes);
        memcpy(ctx->buf + ctx->buf_bytes, data, part);
        ctx->buf_bytes += part;
        data += part;
        len -= part;
        if (ctx->buf_bytes == sizeof ctx->buf) {
            int ret = put_out(ctx);
            if (ret)
                return ret;
        }
    }
    if (!flush)
        return 0;
    int ret = ctx->buf_bytes ? put_out(ctx) : 0;
    ctx->flash_area = NULL;
    return ret;
}
