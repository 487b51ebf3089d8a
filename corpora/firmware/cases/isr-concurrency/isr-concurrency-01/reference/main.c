#include <zephyr/irq.h>
#include <zephyr/kernel.h>

#define PULSE_IRQ 17
#define PULSE_PRIORITY 2

struct pulse_stats {
	uint32_t count;
	uint32_t min_us;
	uint32_t max_us;
	uint64_t total_us;
};

uint32_t pulse_period(void);

static struct pulse_stats stats;

static void pulse_isr(const void *parameter)
{
	uint32_t period = pulse_period();
	/* A more urgent interrupt may take the statistics at any moment. */
	unsigned int key = irq_lock();

	ARG_UNUSED(parameter);
	if (stats.count == 0 || period < stats.min_us) {
		stats.min_us = period;
	}
	if (stats.count == 0 || period > stats.max_us) {
		stats.max_us = period;
	}
	stats.count++;
	stats.total_us += period;
	irq_unlock(key);
}

void pulses_init(void)
{
	IRQ_CONNECT(PULSE_IRQ, PULSE_PRIORITY, pulse_isr, NULL, 0);
	irq_enable(PULSE_IRQ);
}

void pulses_take(struct pulse_stats *out)
{
	unsigned int key = irq_lock();

	*out = stats;
	stats = (struct pulse_stats){0};
	irq_unlock(key);
}
