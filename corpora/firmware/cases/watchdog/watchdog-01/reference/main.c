#include <errno.h>
#include <zephyr/device.h>
#include <zephyr/drivers/watchdog.h>
#include <zephyr/kernel.h>
#include <zephyr/sys/atomic.h>
#include <zephyr/sys/printk.h>

#define WATCHDOG_MS 2000
#define ALIVE_MS 1000
#define LOOK_MS 250
#define PAUSE_MS 50
#define STACK_SIZE 1024

void control_step(void);
void sensor_step(void);
void comms_step(void);

struct task {
	const char *name;
	void (*step)(void);
	int priority;
	atomic_t last_ms;
	bool stalled;
};

static struct task tasks[] = {
	{.name = "control", .step = control_step, .priority = 3},
	{.name = "sensor", .step = sensor_step, .priority = 5},
	{.name = "comms", .step = comms_step, .priority = 7},
};

static K_THREAD_STACK_ARRAY_DEFINE(stacks, ARRAY_SIZE(tasks), STACK_SIZE);
static struct k_thread threads[ARRAY_SIZE(tasks)];

static void run_task(void *p1, void *p2, void *p3)
{
	struct task *task = p1;

	ARG_UNUSED(p2);
	ARG_UNUSED(p3);
	for (;;) {
		task->step();
		atomic_set(&task->last_ms, k_uptime_get_32());
		k_msleep(PAUSE_MS);
	}
}

static bool all_alive(void)
{
	bool all = true;

	for (size_t i = 0; i < ARRAY_SIZE(tasks); i++) {
		struct task *task = &tasks[i];
		bool alive = k_uptime_get_32() - (uint32_t)atomic_get(&task->last_ms) <= ALIVE_MS;

		if (!alive && !task->stalled) {
			printk("stalled: %s\n", task->name);
		}
		task->stalled = !alive;
		all = all && alive;
	}
	return all;
}

int main(void)
{
	const struct device *watchdog = DEVICE_DT_GET(DT_ALIAS(watchdog0));
	struct wdt_timeout_cfg config = {
		.window = {.min = 0, .max = WATCHDOG_MS},
		.callback = NULL,
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
	if (ret < 0) {
		return ret;
	}

	for (size_t i = 0; i < ARRAY_SIZE(tasks); i++) {
		atomic_set(&tasks[i].last_ms, k_uptime_get_32());
		k_thread_create(&threads[i], stacks[i], STACK_SIZE, run_task, &tasks[i], NULL, NULL,
				tasks[i].priority, 0, K_NO_WAIT);
	}

	for (;;) {
		k_msleep(LOOK_MS);
		if (all_alive()) {
			wdt_feed(watchdog, channel);
		}
	}
}
