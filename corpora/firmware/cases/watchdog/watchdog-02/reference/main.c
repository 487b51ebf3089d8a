#include <stddef.h>
#include <zephyr/device.h>
#include <zephyr/drivers/watchdog.h>
#include <zephyr/kernel.h>
#include <zephyr/sys/crc.h>

#define MAGIC 0x52435244
#define MOST_RESETS 3
#define WATCHDOG_MS 1000
#define STABLE_MS 10000

struct reset_record {
	uint32_t magic;
	uint32_t count;
	uint32_t crc;
};

struct reset_record *reset_record(void);
bool reset_by_watchdog(void);
void application_step(void);
void safe_mode(void);

static uint32_t crc_of(const struct reset_record *record)
{
	return crc32_ieee((const uint8_t *)record, offsetof(struct reset_record, crc));
}

static void store(struct reset_record *record, uint32_t count)
{
	record->magic = MAGIC;
	record->count = count;
	record->crc = crc_of(record);
}

static uint32_t count_reset(struct reset_record *record)
{
	bool valid = record->magic == MAGIC && record->crc == crc_of(record);
	uint32_t count = 0;

	if (reset_by_watchdog()) {
		count = valid ? record->count + 1 : 1;
	}
	store(record, count);
	return count;
}

static int start(const struct device *watchdog)
{
	struct wdt_timeout_cfg config = {
		.window = {.min = 0, .max = WATCHDOG_MS},
		.flags = WDT_FLAG_RESET_SOC,
	};
	int channel;
	int ret;

	if (!device_is_ready(watchdog)) {
		return -ENODEV;
	}
	channel = wdt_install_timeout(watchdog, &config);
	if (channel < 0) {
		return channel;
	}
	ret = wdt_setup(watchdog, WDT_OPT_PAUSE_HALTED_BY_DBG);
	return ret < 0 ? ret : channel;
}

int main(void)
{
	const struct device *watchdog = DEVICE_DT_GET(DT_ALIAS(watchdog0));
	struct reset_record *record = reset_record();
	bool is_stable = false;
	int64_t started;
	int channel;

	if (count_reset(record) >= MOST_RESETS) {
		safe_mode();
		return 0;
	}
	channel = start(watchdog);
	if (channel < 0) {
		safe_mode();
		return 0;
	}

	started = k_uptime_get();
	for (;;) {
		application_step();
		wdt_feed(watchdog, channel);
		if (!is_stable && k_uptime_get() - started >= STABLE_MS) {
			is_stable = true;
			store(record, 0);
		}
	}
}
