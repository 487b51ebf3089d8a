#include <zephyr/kernel.h>
#include <zephyr/device.h>
#include <zephyr/irq.h>
#include <zephyr/drivers/gpio.h>
#include <zephyr/pm/pm.h>
#include <zephyr/pm/policy.h>

void radio_begin(void);
void radio_stop(void);

static const struct gpio_dt_spec ant = GPIO_DT_SPEC_GET(DT_PATH(zephyr_user), enable_gpios);
static struct k_spinlock lock;
static bool busy;
static volatile uint32_t lost;
static uint32_t transfer;
static uint32_t guarded;

static void guard(struct k_work *w);
static K_WORK_DELAYABLE_DEFINE(guard_work, guard);

static void guard(struct k_work *w)
{
	k_spinlock_key_t key = k_spin_lock(&lock);

	if (busy && guarded == transfer) {
		busy = false;
		lost++;
		radio_stop();
		pm_policy_state_lock_put(PM_STATE_STANDBY, PM_ALL_SUBSTATES);
	}
	k_spin_unlock(&lock, key);
}

static void done(const void *unused)
{
	k_spinlock_key_t key = k_spin_lock(&lock);

	if (busy) {
		busy = false;
		k_work_cancel_delayable(&guard_work);
		pm_policy_state_lock_put(PM_STATE_STANDBY, PM_ALL_SUBSTATES);
	}
	k_spin_unlock(&lock, key);
}

static void entry(enum pm_state s)
{
	switch (s) {
	case PM_STATE_STANDBY:
		(void)gpio_pin_set_dt(&ant, 0);
		break;
	default:
		break;
	}
}

static void leave(enum pm_state s)
{
	if (s != PM_STATE_STANDBY) {
		return;
	}
	gpio_pin_set_dt(&ant, true);
}

int link_init(void)
{
	static struct pm_notifier n;

	if (!device_is_ready(ant.port)) {
		return -ENODEV;
	}
	int err = gpio_pin_configure_dt(&ant, GPIO_OUTPUT_HIGH);

	if (err) {
		return err;
	}
	n.state_entry = entry;
	n.state_exit = leave;
	pm_notifier_register(&n);
	IRQ_CONNECT(25, 3, done, 0, 0);
	irq_enable(25);
	return 0;
}

int link_send(void)
{
	int ret = -EBUSY;

	K_SPINLOCK(&lock) {
		if (busy) {
			K_SPINLOCK_BREAK;
		}
		busy = true;
		transfer++;
		guarded = transfer;
		pm_policy_state_lock_get(PM_STATE_STANDBY, PM_ALL_SUBSTATES);
		k_work_reschedule(&guard_work, K_MSEC(200));
		radio_begin();
		ret = 0;
	}
	return ret;
}

int link_abort(void)
{
	k_spinlock_key_t key = k_spin_lock(&lock);
	bool was = busy;

	if (was) {
		busy = false;
		k_work_cancel_delayable(&guard_work);
		radio_stop();
		pm_policy_state_lock_put(PM_STATE_STANDBY, PM_ALL_SUBSTATES);
	}
	k_spin_unlock(&lock, key);
	return was ? 0 : -EALREADY;
}

uint32_t link_timeouts(void)
{
	return lost;
}
