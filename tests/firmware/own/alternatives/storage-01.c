/* Another right answer: the record as bytes, the defaults as a function, configuration read before the counter. */
#include <zephyr/kernel.h>
#include <zephyr/device.h>
#include <zephyr/drivers/flash.h>
#include <zephyr/storage/flash_map.h>
#include <zephyr/fs/nvs.h>
#include <zephyr/sys/crc.h>
#include <string.h>

struct app_config {
    uint16_t version;
    uint16_t period_s;
    int16_t limit_cdeg;
    uint8_t channel;
    uint8_t flags;
};

static struct nvs_fs nvs = {
    .flash_device = FIXED_PARTITION_DEVICE(storage_partition),
    .offset = FIXED_PARTITION_OFFSET(storage_partition),
    .sector_count = 3U,
};
static struct app_config cfg = {2, 60, 8500, 15, 0};
static uint32_t boots;
static bool usable;
static struct k_spinlock spin;
K_MUTEX_DEFINE(put_mutex);

static bool valid(const struct app_config *c)
{
    if (c->version != 2) {
        return false;
    }
    if (c->period_s == 0 || c->period_s > 3600) {
        return false;
    }
    if (c->limit_cdeg < -4000 || c->limit_cdeg > 12500) {
        return false;
    }
    return IN_RANGE(c->channel, 11, 26);
}

static void use(const struct app_config *c)
{
    k_spinlock_key_t key = k_spin_lock(&spin);

    cfg = *c;
    k_spin_unlock(&spin, key);
}

static int load(void)
{
    uint8_t raw[12];
    struct app_config c;
    uint32_t crc;
    int rc = nvs_read(&nvs, 2, raw, sizeof(raw));

    if (rc == -ENOENT) {
        return 0;
    }
    if (rc < 0) {
        return rc;
    }
    if (rc != 12) {
        return 0;
    }
    memcpy(&c, raw, 8);
    memcpy(&crc, raw + 8, 4);
    if (crc32_ieee(raw, 8) == crc && valid(&c)) {
        use(&c);
    }
    return 0;
}

int store_init(void)
{
    struct flash_pages_info info;
    uint32_t n = 0;
    int rc;

    if (!device_is_ready(nvs.flash_device)) {
        return -ENODEV;
    }
    rc = flash_get_page_info_by_offs(nvs.flash_device, nvs.offset, &info);
    if (rc) {
        return rc;
    }
    nvs.sector_size = info.size;
    rc = nvs_mount(&nvs);
    if (rc) {
        return rc;
    }
    rc = load();
    if (rc) {
        return rc;
    }
    rc = nvs_read(&nvs, 1, &n, sizeof(n));
    if (rc != sizeof(n)) {
        if (rc < 0 && rc != -ENOENT) {
            return rc;
        }
        n = 0;
    }
    n += 1;
    rc = nvs_write(&nvs, 1, &n, sizeof(n));
    if (rc < 0) {
        return rc;
    }
    boots = n;
    usable = true;
    return 0;
}

uint32_t store_starts(void)
{
    return boots;
}

void store_get(struct app_config *config)
{
    k_spinlock_key_t key = k_spin_lock(&spin);

    *config = cfg;
    k_spin_unlock(&spin, key);
}

int store_put(const struct app_config *config)
{
    uint8_t raw[12];
    uint32_t crc;
    int rc;

    if (!usable) {
        return -EACCES;
    }
    if (!valid(config)) {
        return -EINVAL;
    }
    memcpy(raw, config, 8);
    crc = crc32_ieee(raw, 8);
    memcpy(raw + 8, &crc, 4);
    k_mutex_lock(&put_mutex, K_FOREVER);
    rc = nvs_write(&nvs, 2, raw, sizeof(raw));
    if (rc >= 0) {
        use(config);
        rc = 0;
    }
    k_mutex_unlock(&put_mutex);
    return rc;
}
