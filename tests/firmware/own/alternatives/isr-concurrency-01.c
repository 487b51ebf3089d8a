#include <zephyr/kernel.h>
#include <zephyr/irq.h>
#include <string.h>

struct pulse_stats {
	uint32_t count;
	uint32_t min_us;
	uint32_t max_us;
	uint64_t total_us;
};

uint32_t pulse_period(void);

static struct k_spinlock lock;
static struct pulse_stats now = {.min_us = UINT32_MAX};

static void isr(void *arg)
{
	uint32_t us = pulse_period();

	K_SPINLOCK(&lock) {
		now.count++;
		now.total_us += us;
		now.min_us = MIN(now.min_us, us);
		now.max_us = MAX(now.max_us, us);
	}
}

void pulses_init(void)
{
	irq_connect_dynamic(17, 2, (void (*)(const void *))isr, NULL, 0);
	irq_enable(17);
}

void pulses_take(struct pulse_stats *out)
{
	k_spinlock_key_t key = k_spin_lock(&lock);

	memcpy(out, &now, sizeof(now));
	memset(&now, 0, sizeof(now));
	now.min_us = UINT32_MAX;
	k_spin_unlock(&lock, key);
	if (out->count == 0) {
		out->min_us = 0;
	}
}
