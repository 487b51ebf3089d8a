#include <errno.h>
#include <stdbool.h>
#include <zephyr/dfu/mcuboot.h>
#include <zephyr/kernel.h>
#include <zephyr/sys/printk.h>
#include <zephyr/sys/reboot.h>

#define SENSOR_CALLS 10
#define SENSOR_PAUSE K_MSEC(100)
#define UPLINK_PAUSE_MS 500
#define UPLINK_MS 60000
#define CONFIRM_ATTEMPTS 3
#define CONFIRM_PAUSE K_SECONDS(1)

int selftest_storage(void);
int selftest_sensor(void);
bool uplink_ready(void);
void app_run(void);

static bool sensor_works(void)
{
	for (int call = 0; call < SENSOR_CALLS; call++) {
		int ret = selftest_sensor();

		if (ret != -EAGAIN) {
			return ret == 0;
		}
		k_sleep(SENSOR_PAUSE);
	}
	return false;
}

static bool uplink_comes_up(void)
{
	int64_t deadline = k_uptime_get() + UPLINK_MS;

	while (!uplink_ready()) {
		if (k_uptime_get() >= deadline) {
			return false;
		}
		k_msleep(UPLINK_PAUSE_MS);
	}
	return true;
}

static const char *failed_part(void)
{
	if (selftest_storage() < 0) {
		return "storage";
	}
	if (!sensor_works()) {
		return "sensor";
	}
	if (!uplink_comes_up()) {
		return "uplink";
	}
	return NULL;
}

static bool confirm(void)
{
	for (int attempt = 0; attempt < CONFIRM_ATTEMPTS; attempt++) {
		if (attempt > 0) {
			k_sleep(CONFIRM_PAUSE);
		}
		if (boot_write_img_confirmed() == 0) {
			return true;
		}
		printk("confirm failed\n");
	}
	return false;
}

int main(void)
{
	const char *part;

	if (boot_is_img_confirmed()) {
		printk("image confirmed\n");
		app_run();
		return 0;
	}

	printk("image on trial\n");
	part = failed_part();
	if (part != NULL) {
		printk("self-test failed: %s\n", part);
		sys_reboot(SYS_REBOOT_COLD);
	}
	if (!confirm()) {
		sys_reboot(SYS_REBOOT_COLD);
	}

	printk("image accepted\n");
	app_run();
	return 0;
}
