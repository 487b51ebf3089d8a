#include <errno.h>
#include <zephyr/dfu/flash_img.h>
#include <zephyr/dfu/mcuboot.h>
#include <zephyr/kernel.h>
#include <zephyr/storage/flash_map.h>
#include <zephyr/sys/crc.h>
#include <zephyr/sys/util.h>

#define TRAILER_SIZE 4096
#define CHUNK 256
#define PAUSE_MS 50
#define SILENCE_MS 30000

struct update_info {
	uint32_t size;
	uint32_t crc32;
	uint32_t version;
};

int update_info_get(struct update_info *info);
int update_read(uint8_t *buffer, size_t room);
uint32_t running_version(void);

static struct flash_img_context image;
static uint8_t chunk[CHUNK];

static int check_info(const struct update_info *info)
{
	const struct flash_area *slot;
	size_t limit;
	int ret;

	if (info->version <= running_version()) {
		return -EALREADY;
	}
	ret = flash_area_open(FIXED_PARTITION_ID(slot1_partition), &slot);
	if (ret < 0) {
		return ret;
	}
	limit = slot->fa_size - TRAILER_SIZE;
	flash_area_close(slot);
	return info->size == 0 || info->size > limit ? -EFBIG : 0;
}

static int receive(uint32_t size)
{
	int64_t last = k_uptime_get();
	uint32_t received = 0;
	int ret;

	while (true) {
		int got = update_read(chunk, sizeof(chunk));

		if (got == -EAGAIN) {
			if (k_uptime_get() - last >= SILENCE_MS) {
				return -ETIMEDOUT;
			}
			k_msleep(PAUSE_MS);
			continue;
		}
		if (got < 0) {
			return got;
		}
		if (got == 0) {
			break;
		}
		if ((uint32_t)got > size - received) {
			return -EBADMSG;
		}
		ret = flash_img_buffered_write(&image, chunk, got, false);
		if (ret < 0) {
			return ret;
		}
		received += got;
		last = k_uptime_get();
	}
	if (received != size) {
		return -EBADMSG;
	}
	return flash_img_buffered_write(&image, chunk, 0, true);
}

static int verify(const struct update_info *info)
{
	const struct flash_area *slot;
	uint32_t crc = 0;
	int ret;

	ret = flash_area_open(FIXED_PARTITION_ID(slot1_partition), &slot);
	if (ret < 0) {
		return ret;
	}
	for (uint32_t at = 0; at < info->size; at += CHUNK) {
		size_t part = MIN(CHUNK, info->size - at);

		ret = flash_area_read(slot, at, chunk, part);
		if (ret < 0) {
			break;
		}
		crc = crc32_ieee_update(crc, chunk, part);
	}
	flash_area_close(slot);
	if (ret < 0) {
		return ret;
	}
	return crc == info->crc32 ? 0 : -EBADMSG;
}

int update_run(void)
{
	struct update_info info;
	int ret;

	ret = update_info_get(&info);
	if (ret < 0) {
		return ret;
	}
	ret = check_info(&info);
	if (ret < 0) {
		return ret;
	}
	ret = flash_img_init(&image);
	if (ret < 0) {
		return ret;
	}
	ret = receive(info.size);
	if (ret < 0) {
		return ret;
	}
	ret = verify(&info);
	if (ret < 0) {
		return ret;
	}
	return boot_request_upgrade(BOOT_UPGRADE_TEST);
}
