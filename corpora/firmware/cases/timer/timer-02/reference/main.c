#include <errno.h>
#include <string.h>
#include <zephyr/kernel.h>

#define MOST_BYTES 32
#define TRANSMISSIONS 5
#define FIRST_DELAY_MS 100

void radio_tx(uint8_t id, const uint8_t *data, size_t length);
void link_failed(uint8_t id);

static struct k_spinlock lock;
static struct {
	bool in_flight;
	uint8_t id;
	uint8_t data[MOST_BYTES];
	size_t length;
	unsigned int sent;
	/* Counts messages, so that what was begun for one message never goes on for the next. */
	uint32_t number;
} message;

static void delay_over(struct k_work *work);
static K_WORK_DELAYABLE_DEFINE(delay_work, delay_over);

static void transmit(uint32_t number, uint8_t id, const uint8_t *data, size_t length)
{
	k_spinlock_key_t key;

	radio_tx(id, data, length);

	key = k_spin_lock(&lock);
	if (message.in_flight && message.number == number) {
		message.sent++;
		k_work_reschedule(&delay_work, K_MSEC(FIRST_DELAY_MS << (message.sent - 1)));
	}
	k_spin_unlock(&lock, key);
}

static void delay_over(struct k_work *work)
{
	k_spinlock_key_t key = k_spin_lock(&lock);
	uint32_t number = message.number;
	uint8_t id = message.id;
	size_t length = message.length;
	uint8_t data[MOST_BYTES];
	bool failed;

	ARG_UNUSED(work);
	if (!message.in_flight || message.sent == 0) {
		k_spin_unlock(&lock, key);
		return;
	}
	failed = message.sent == TRANSMISSIONS;
	if (failed) {
		message.in_flight = false;
	}
	memcpy(data, message.data, length);
	k_spin_unlock(&lock, key);

	if (failed) {
		link_failed(id);
	} else {
		transmit(number, id, data, length);
	}
}

int link_send(uint8_t id, const uint8_t *data, size_t length)
{
	k_spinlock_key_t key;
	uint32_t number;
	uint8_t copy[MOST_BYTES];

	if (data == NULL || length == 0 || length > MOST_BYTES) {
		return -EINVAL;
	}

	memcpy(copy, data, length);
	key = k_spin_lock(&lock);
	if (message.in_flight) {
		k_spin_unlock(&lock, key);
		return -EBUSY;
	}
	message.in_flight = true;
	message.id = id;
	message.length = length;
	message.sent = 0;
	memcpy(message.data, copy, length);
	number = ++message.number;
	k_spin_unlock(&lock, key);

	transmit(number, id, copy, length);
	return 0;
}

void link_ack(uint8_t id)
{
	k_spinlock_key_t key = k_spin_lock(&lock);

	if (message.in_flight && message.id == id) {
		message.in_flight = false;
		k_work_cancel_delayable(&delay_work);
	}
	k_spin_unlock(&lock, key);
}
