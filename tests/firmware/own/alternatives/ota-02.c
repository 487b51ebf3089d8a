/* Another right answer: the image in one loop, the verification over flash_area_read with a buffer on the stack. */
#include <zephyr/kernel.h>
#include <zephyr/dfu/flash_img.h>
#include <zephyr/dfu/mcuboot.h>
#include <zephyr/storage/flash_map.h>
#include <zephyr/sys/crc.h>

struct update_info { uint32_t size; uint32_t crc32; uint32_t version; };
extern int update_info_get(struct update_info *info);
extern int update_read(uint8_t *buffer, size_t room);
extern uint32_t running_version(void);

#define SLOT_ID FIXED_PARTITION_ID(slot1_partition)

static struct flash_img_context ctx;

static int slot_crc(uint32_t size, uint32_t *crc)
{
    const struct flash_area *fa;
    uint8_t buf[128];
    uint32_t off = 0;
    int rc = flash_area_open(SLOT_ID, &fa);

    if (rc) {
        return rc;
    }
    *crc = 0;
    while (off < size && rc == 0) {
        uint32_t n = MIN(sizeof(buf), size - off);

        rc = flash_area_read(fa, off, buf, n);
        if (rc == 0) {
            *crc = crc32_ieee_update(*crc, buf, n);
            off += n;
        }
    }
    flash_area_close(fa);
    return rc;
}

int update_run(void)
{
    static uint8_t data[512];
    struct update_info info;
    uint32_t total = 0, crc;
    int idle = 0, rc;

    rc = update_info_get(&info);
    if (rc) {
        return rc;
    }
    if (info.version <= running_version()) {
        return -EALREADY;
    }
    if (info.size == 0 || info.size > FIXED_PARTITION_SIZE(slot1_partition) - 4096) {
        return -EFBIG;
    }
    rc = flash_img_init_id(&ctx, SLOT_ID);
    if (rc) {
        return rc;
    }
    while ((rc = update_read(data, sizeof(data))) != 0) {
        if (rc == -EAGAIN) {
            if (++idle > 30000 / 50) {
                return -ETIMEDOUT;
            }
            k_sleep(K_MSEC(50));
            continue;
        }
        if (rc < 0) {
            return rc;
        }
        idle = 0;
        if (total + rc > info.size) {
            return -EBADMSG;
        }
        total += rc;
        rc = flash_img_buffered_write(&ctx, data, rc, false);
        if (rc) {
            return rc;
        }
    }
    if (total < info.size) {
        return -EBADMSG;
    }
    rc = flash_img_buffered_write(&ctx, NULL, 0, true);
    if (rc == 0) {
        rc = slot_crc(info.size, &crc);
    }
    if (rc) {
        return rc;
    }
    if (crc != info.crc32) {
        return -EBADMSG;
    }
    return boot_request_upgrade(BOOT_UPGRADE_TEST);
}
