#include <zephyr/kernel.h>
#include <errno.h>
#include <string.h>

void radio_tx(uint8_t id, const uint8_t *data, size_t length);
void link_failed(uint8_t id);

static const uint32_t delays[] = {100, 200, 400, 800, 1600};
static uint8_t msg[32];
static size_t msg_len;
static uint8_t msg_id;
static int tries;
static bool busy;
static unsigned int generation;

static void work_fn(struct k_work *work);
static void timer_fn(struct k_timer *timer);
static K_WORK_DEFINE(work, work_fn);
static K_TIMER_DEFINE(timer, timer_fn, NULL);
static K_MUTEX_DEFINE(tx_mutex);

static void timer_fn(struct k_timer *t)
{
	k_work_submit(&work);
}

static void arm(unsigned int gen)
{
	unsigned int key = irq_lock();

	if (busy && generation == gen) {
		k_timer_start(&timer, K_MSEC(delays[tries]), K_NO_WAIT);
		tries++;
	}
	irq_unlock(key);
}

static void work_fn(struct k_work *w)
{
	uint8_t copy[32], id;
	size_t len;
	unsigned int gen, key;
	bool dead;

	key = irq_lock();
	/* A timer that was started again means that this is an old expiry. */
	if (!busy || tries == 0 || k_timer_remaining_ticks(&timer) > 0) {
		irq_unlock(key);
		return;
	}
	memcpy(copy, msg, msg_len);
	len = msg_len;
	id = msg_id;
	gen = generation;
	dead = tries == ARRAY_SIZE(delays);
	if (dead) {
		busy = false;
	}
	irq_unlock(key);
	if (dead) {
		link_failed(id);
		return;
	}
	radio_tx(id, copy, len);
	arm(gen);
}

int link_send(uint8_t id, const uint8_t *data, size_t length)
{
	unsigned int gen, key;

	if (data == NULL || length < 1 || length > sizeof(msg)) {
		return -EINVAL;
	}
	key = irq_lock();
	if (busy) {
		irq_unlock(key);
		return -EBUSY;
	}
	busy = true;
	tries = 0;
	msg_id = id;
	msg_len = length;
	memcpy(msg, data, length);
	gen = ++generation;
	irq_unlock(key);
	radio_tx(id, data, length);
	arm(gen);
	return 0;
}

void link_ack(uint8_t id)
{
	unsigned int key = irq_lock();

	if (busy && msg_id == id) {
		busy = false;
		k_timer_stop(&timer);
		k_work_cancel(&work);
	}
	irq_unlock(key);
}
