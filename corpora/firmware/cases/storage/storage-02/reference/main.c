#include <errno.h>
#include <string.h>
#include <zephyr/drivers/flash.h>
#include <zephyr/kernel.h>
#include <zephyr/storage/flash_map.h>
#include <zephyr/sys/crc.h>
#include <zephyr/sys/util.h>

#define SECTOR_SIZE 2048
#define SECTORS 2
#define RECORD_SIZE 64

struct entry {
	uint32_t number;
	uint32_t crc;
	uint8_t data[RECORD_SIZE];
};

#define ENTRIES (SECTOR_SIZE / sizeof(struct entry))

BUILD_ASSERT(sizeof(struct entry) % 8 == 0, "an entry is a whole number of blocks");

static const struct flash_area *area;
static struct entry newest;
static bool found;
static size_t sector;
static size_t next;

static uint32_t entry_crc(const struct entry *entry)
{
	uint32_t crc = crc32_ieee((const uint8_t *)&entry->number, sizeof(entry->number));

	return crc32_ieee_update(crc, entry->data, sizeof(entry->data));
}

static bool is_blank(const struct entry *entry)
{
	const uint8_t *bytes = (const uint8_t *)entry;

	for (size_t i = 0; i < sizeof(*entry); i++) {
		if (bytes[i] != 0xFF) {
			return false;
		}
	}
	return true;
}

static off_t position(size_t in_sector, size_t index)
{
	return in_sector * SECTOR_SIZE + index * sizeof(struct entry);
}

/* Behind the last entry that is not blank, be it whole or torn. */
static int find_next(void)
{
	struct entry entry;

	next = 0;
	for (size_t i = 0; i < ENTRIES; i++) {
		int ret = flash_area_read(area, position(sector, i), &entry, sizeof(entry));

		if (ret < 0) {
			return ret;
		}
		if (!is_blank(&entry)) {
			next = i + 1;
		}
	}
	return 0;
}

int record_init(void)
{
	struct entry entry;
	int ret;

	found = false;
	sector = 0;
	ret = flash_area_open(FIXED_PARTITION_ID(record_partition), &area);
	if (ret < 0) {
		return ret;
	}

	for (size_t s = 0; s < SECTORS; s++) {
		for (size_t i = 0; i < ENTRIES; i++) {
			ret = flash_area_read(area, position(s, i), &entry, sizeof(entry));
			if (ret < 0) {
				return ret;
			}
			if (is_blank(&entry) || entry.crc != entry_crc(&entry)) {
				continue;
			}
			if (!found || entry.number > newest.number) {
				newest = entry;
				sector = s;
				found = true;
			}
		}
	}
	return find_next();
}

int record_load(uint8_t data[64])
{
	if (!found) {
		return -ENOENT;
	}
	memcpy(data, newest.data, RECORD_SIZE);
	return 0;
}

int record_save(const uint8_t data[64])
{
	struct entry entry = {.number = found ? newest.number + 1 : 1};
	size_t into = sector;
	size_t at = next;
	int ret;

	memcpy(entry.data, data, RECORD_SIZE);
	entry.crc = entry_crc(&entry);

	if (at >= ENTRIES) {
		into = found ? 1 - sector : sector;
		at = 0;
		ret = flash_area_erase(area, into * SECTOR_SIZE, SECTOR_SIZE);
		if (ret < 0) {
			return ret;
		}
	}

	ret = flash_area_write(area, position(into, at), &entry, sizeof(entry));
	if (ret < 0) {
		if (into == sector) {
			next = at + 1;
		}
		return ret;
	}
	newest = entry;
	found = true;
	sector = into;
	next = at + 1;
	return 0;
}
