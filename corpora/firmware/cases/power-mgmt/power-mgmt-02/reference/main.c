#include <errno.h>
#include <zephyr/device.h>
#include <zephyr/drivers/gpio.h>
#include <zephyr/irq.h>
#include <zephyr/kernel.h>
#include <zephyr/pm/pm.h>
#include <zephyr/pm/policy.h>

#define RADIO_IRQ 25
#define RADIO_PRIORITY 3
#define TIMEOUT K_MSEC(200)

void radio_begin(void);
void radio_stop(void);

static const struct gpio_dt_spec antenna = GPIO_DT_SPEC_GET(DT_PATH(zephyr_user), enable_gpios);

/* Whoever changes it from 1 to 0 ends the transfer, and nobody else does. */
static atomic_t under_way = ATOMIC_INIT(0);
static atomic_t timeouts = ATOMIC_INIT(0);

static bool end_transfer(void)
{
	if (!atomic_cas(&under_way, 1, 0)) {
		return false;
	}
	pm_policy_state_lock_put(PM_STATE_STANDBY, PM_ALL_SUBSTATES);
	return true;
}

static void timed_out(struct k_timer *timer)
{
	ARG_UNUSED(timer);

	if (end_transfer()) {
		radio_stop();
		atomic_inc(&timeouts);
	}
}
static K_TIMER_DEFINE(timeout_timer, timed_out, NULL);

static void radio_isr(const void *parameter)
{
	ARG_UNUSED(parameter);

	if (end_transfer()) {
		k_timer_stop(&timeout_timer);
	}
}

static void state_entry(enum pm_state state)
{
	if (state == PM_STATE_STANDBY) {
		gpio_pin_set_dt(&antenna, 0);
	}
}

static void state_exit(enum pm_state state)
{
	if (state == PM_STATE_STANDBY) {
		gpio_pin_set_dt(&antenna, 1);
	}
}

static struct pm_notifier notifier = {
	.state_entry = state_entry,
	.state_exit = state_exit,
};

int link_init(void)
{
	int ret;

	if (!gpio_is_ready_dt(&antenna)) {
		return -ENODEV;
	}
	ret = gpio_pin_configure_dt(&antenna, GPIO_OUTPUT_ACTIVE);
	if (ret < 0) {
		return ret;
	}
	pm_notifier_register(&notifier);
	IRQ_CONNECT(RADIO_IRQ, RADIO_PRIORITY, radio_isr, NULL, 0);
	irq_enable(RADIO_IRQ);
	return 0;
}

int link_send(void)
{
	unsigned int key = irq_lock();

	if (atomic_get(&under_way)) {
		irq_unlock(key);
		return -EBUSY;
	}
	atomic_set(&under_way, 1);
	pm_policy_state_lock_get(PM_STATE_STANDBY, PM_ALL_SUBSTATES);
	k_timer_start(&timeout_timer, TIMEOUT, K_NO_WAIT);
	radio_begin();
	irq_unlock(key);
	return 0;
}

int link_abort(void)
{
	unsigned int key = irq_lock();
	bool ended = end_transfer();

	if (ended) {
		k_timer_stop(&timeout_timer);
		radio_stop();
	}
	irq_unlock(key);
	return ended ? 0 : -EALREADY;
}

uint32_t link_timeouts(void)
{
	return atomic_get(&timeouts);
}
