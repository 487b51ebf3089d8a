#include <zephyr/kernel.h>
#include <zephyr/device.h>
#include <zephyr/drivers/watchdog.h>
#include <zephyr/sys/printk.h>

extern void control_step(void);
extern void sensor_step(void);
extern void comms_step(void);

static volatile int64_t stamp[3];
static const char *const names[3] = {"control", "sensor", "comms"};
static const struct device *const wdt = DEVICE_DT_GET(DT_ALIAS(watchdog0));
static int wdt_channel_id;
static bool was_stalled[3];

#define TASK(fn, index) \
	static void fn##_thread(void *a, void *b, void *c) \
	{ \
		while (1) { \
			fn(); \
			stamp[index] = k_uptime_get(); \
			k_sleep(K_MSEC(50)); \
		} \
	}

TASK(control_step, 0)
TASK(sensor_step, 1)
TASK(comms_step, 2)

K_THREAD_DEFINE(control_tid, 1024, control_step_thread, NULL, NULL, NULL, 3, 0, -1);
K_THREAD_DEFINE(sensor_tid, 1024, sensor_step_thread, NULL, NULL, NULL, 5, 0, -1);
K_THREAD_DEFINE(comms_tid, 1024, comms_step_thread, NULL, NULL, NULL, 7, 0, -1);

static void supervise(struct k_work *work)
{
	int64_t now = k_uptime_get();
	int alive = 0;

	k_work_reschedule(k_work_delayable_from_work(work), K_MSEC(250));
	for (int i = 0; i < 3; i++) {
		bool stalled = now - stamp[i] > 1000;

		if (stalled && !was_stalled[i]) {
			printk("stalled: %s\n", names[i]);
		}
		was_stalled[i] = stalled;
		alive += stalled ? 0 : 1;
	}
	if (alive == 3) {
		wdt_feed(wdt, wdt_channel_id);
	}
}
K_WORK_DELAYABLE_DEFINE(supervisor, supervise);

int main(void)
{
	int err;
	struct wdt_timeout_cfg cfg = {0};

	if (!device_is_ready(wdt)) {
		return -ENODEV;
	}
	cfg.flags = WDT_FLAG_RESET_SOC;
	cfg.window.min = 0U;
	cfg.window.max = 2000U;
	wdt_channel_id = wdt_install_timeout(wdt, &cfg);
	if (wdt_channel_id < 0) {
		return wdt_channel_id;
	}
	err = wdt_setup(wdt, WDT_OPT_PAUSE_HALTED_BY_DBG);
	if (err < 0) {
		return err;
	}
	for (int i = 0; i < 3; i++) {
		stamp[i] = k_uptime_get();
	}
	k_thread_start(control_tid);
	k_thread_start(sensor_tid);
	k_thread_start(comms_tid);
	k_work_schedule(&supervisor, K_MSEC(250));
	return 0;
}
