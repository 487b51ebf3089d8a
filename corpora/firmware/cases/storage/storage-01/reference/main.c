#include <errno.h>
#include <string.h>
#include <zephyr/device.h>
#include <zephyr/drivers/flash.h>
#include <zephyr/fs/nvs.h>
#include <zephyr/kernel.h>
#include <zephyr/storage/flash_map.h>
#include <zephyr/sys/crc.h>

#define ID_STARTS 1
#define ID_CONFIG 2
#define SECTORS 3
#define CONFIG_VERSION 2

struct app_config {
	uint16_t version;
	uint16_t period_s;
	int16_t limit_cdeg;
	uint8_t channel;
	uint8_t flags;
};

struct record {
	struct app_config config;
	uint32_t crc;
};

BUILD_ASSERT(sizeof(struct record) == 12, "the record has no padding");

#define DEFAULTS {.version = CONFIG_VERSION, .period_s = 60, .limit_cdeg = 8500, .channel = 15, .flags = 0}

static const struct app_config defaults = DEFAULTS;

static struct nvs_fs fs;
static struct app_config current = DEFAULTS;
static uint32_t starts;
static bool ready;

static K_MUTEX_DEFINE(store_lock);

static bool is_valid(const struct app_config *config)
{
	return config->version == CONFIG_VERSION && config->period_s >= 1 && config->period_s <= 3600 &&
	       config->limit_cdeg >= -4000 && config->limit_cdeg <= 12500 && config->channel >= 11 && config->channel <= 26;
}

static int mount(void)
{
	struct flash_pages_info page;
	int ret;

	fs.flash_device = FIXED_PARTITION_DEVICE(storage_partition);
	if (!device_is_ready(fs.flash_device)) {
		return -ENODEV;
	}
	fs.offset = FIXED_PARTITION_OFFSET(storage_partition);
	ret = flash_get_page_info_by_offs(fs.flash_device, fs.offset, &page);
	if (ret < 0) {
		return ret;
	}
	fs.sector_size = page.size;
	fs.sector_count = SECTORS;
	return nvs_mount(&fs);
}

static int count_start(void)
{
	uint32_t count;
	ssize_t got = nvs_read(&fs, ID_STARTS, &count, sizeof(count));

	if (got < 0 && got != -ENOENT) {
		return got;
	}
	if (got != sizeof(count)) {
		count = 0;
	}
	count++;
	got = nvs_write(&fs, ID_STARTS, &count, sizeof(count));
	if (got < 0) {
		return got;
	}
	starts = count;
	return 0;
}

static int load_config(void)
{
	struct record record;
	ssize_t got = nvs_read(&fs, ID_CONFIG, &record, sizeof(record));

	current = defaults;
	if (got < 0) {
		return got == -ENOENT ? 0 : got;
	}
	if (got == sizeof(record) && record.crc == crc32_ieee((const uint8_t *)&record.config, sizeof(record.config)) &&
	    is_valid(&record.config)) {
		current = record.config;
	}
	return 0;
}

int store_init(void)
{
	int ret;

	k_mutex_lock(&store_lock, K_FOREVER);
	ret = mount();
	if (ret == 0) {
		ret = count_start();
	}
	if (ret == 0) {
		ret = load_config();
	}
	ready = ret == 0;
	k_mutex_unlock(&store_lock);
	return ret;
}

uint32_t store_starts(void)
{
	return starts;
}

void store_get(struct app_config *config)
{
	k_mutex_lock(&store_lock, K_FOREVER);
	*config = current;
	k_mutex_unlock(&store_lock);
}

int store_put(const struct app_config *config)
{
	struct record record;
	ssize_t wrote = -EACCES;

	if (!is_valid(config)) {
		return -EINVAL;
	}
	record.config = *config;
	record.crc = crc32_ieee((const uint8_t *)config, sizeof(*config));

	k_mutex_lock(&store_lock, K_FOREVER);
	if (ready) {
		wrote = nvs_write(&fs, ID_CONFIG, &record, sizeof(record));
	}
	if (wrote >= 0) {
		current = *config;
	}
	k_mutex_unlock(&store_lock);
	return wrote < 0 ? wrote : 0;
}
