#include <errno.h>
#include <string.h>
#include <zephyr/device.h>
#include <zephyr/drivers/uart.h>
#include <zephyr/kernel.h>
#include <zephyr/sys/byteorder.h>
#include <zephyr/sys/crc.h>
#include <zephyr/sys/ring_buffer.h>

#define START 0xA5
#define MAX_PAYLOAD 64
#define OVERHEAD 4
#define RX_SIZE 1024
#define TX_SIZE 1024
#define GAP K_MSEC(45)

void frame_received(const uint8_t *payload, size_t length);

static const struct device *const uart = DEVICE_DT_GET(DT_NODELABEL(uart1));

RING_BUF_DECLARE(rx_ring, RX_SIZE);
RING_BUF_DECLARE(tx_ring, TX_SIZE);

static K_SEM_DEFINE(rx_sem, 0, 1);
static K_SEM_DEFINE(start_sem, 0, 1);
static struct k_spinlock tx_lock;
static atomic_t errors;

static void receive_bytes(const struct device *dev)
{
	uint8_t bytes[8];
	int got;

	while ((got = uart_fifo_read(dev, bytes, sizeof(bytes))) > 0) {
		ring_buf_put(&rx_ring, bytes, got);
	}
	k_sem_give(&rx_sem);
}

static void send_bytes(const struct device *dev)
{
	k_spinlock_key_t key = k_spin_lock(&tx_lock);
	uint8_t *bytes;
	uint32_t count = ring_buf_get_claim(&tx_ring, &bytes, TX_SIZE);
	int sent = count > 0 ? uart_fifo_fill(dev, bytes, count) : 0;

	ring_buf_get_finish(&tx_ring, MAX(sent, 0));
	if (ring_buf_is_empty(&tx_ring)) {
		uart_irq_tx_disable(dev);
	}
	k_spin_unlock(&tx_lock, key);
}

static void uart_callback(const struct device *dev, void *user_data)
{
	ARG_UNUSED(user_data);

	while (uart_irq_update(dev) && uart_irq_is_pending(dev)) {
		if (uart_irq_rx_ready(dev)) {
			receive_bytes(dev);
		}
		if (uart_irq_tx_ready(dev)) {
			send_bytes(dev);
		} else {
			break;
		}
	}
}

/* The next byte, or -EAGAIN if none comes in time. */
static int next_byte(k_timeout_t timeout)
{
	uint8_t byte;

	while (ring_buf_get(&rx_ring, &byte, 1) == 0) {
		if (k_sem_take(&rx_sem, timeout) != 0 && ring_buf_is_empty(&rx_ring)) {
			return -EAGAIN;
		}
	}
	return byte;
}

static bool receive_frame(uint8_t *payload, size_t *length)
{
	uint8_t frame[1 + MAX_PAYLOAD + 2];
	int byte = next_byte(GAP);

	if (byte < 1 || byte > MAX_PAYLOAD) {
		return false;
	}
	frame[0] = byte;
	*length = byte;
	for (size_t i = 1; i < *length + 3; i++) {
		byte = next_byte(GAP);
		if (byte < 0) {
			return false;
		}
		frame[i] = byte;
	}
	if (crc16_itu_t(0, frame, 1 + *length) != sys_get_be16(&frame[1 + *length])) {
		return false;
	}
	memcpy(payload, &frame[1], *length);
	return true;
}

static void receiver(void *a, void *b, void *c)
{
	uint8_t payload[MAX_PAYLOAD];
	size_t length;

	k_sem_take(&start_sem, K_FOREVER);
	while (true) {
		if (next_byte(K_FOREVER) != START) {
			continue;
		}
		if (receive_frame(payload, &length)) {
			frame_received(payload, length);
		} else {
			atomic_inc(&errors);
		}
	}
}

K_THREAD_DEFINE(receiver_thread, 1024, receiver, NULL, NULL, NULL, 5, 0, 0);

int link_init(void)
{
	int ret;

	if (!device_is_ready(uart)) {
		return -ENODEV;
	}
	ret = uart_irq_callback_user_data_set(uart, uart_callback, NULL);
	if (ret < 0) {
		return ret;
	}
	k_sem_give(&start_sem);
	uart_irq_rx_enable(uart);
	return 0;
}

int link_send(const uint8_t *payload, size_t length)
{
	uint8_t frame[MAX_PAYLOAD + OVERHEAD];
	k_spinlock_key_t key;
	int ret = -ENOMEM;

	if (length < 1 || length > MAX_PAYLOAD) {
		return -EINVAL;
	}
	frame[0] = START;
	frame[1] = length;
	memcpy(&frame[2], payload, length);
	sys_put_be16(crc16_itu_t(0, &frame[1], 1 + length), &frame[2 + length]);

	key = k_spin_lock(&tx_lock);
	if (ring_buf_space_get(&tx_ring) >= length + OVERHEAD) {
		ring_buf_put(&tx_ring, frame, length + OVERHEAD);
		ret = 0;
	}
	k_spin_unlock(&tx_lock, key);

	if (ret == 0) {
		uart_irq_tx_enable(uart);
	}
	return ret;
}

uint32_t link_errors(void)
{
	return atomic_get(&errors);
}
