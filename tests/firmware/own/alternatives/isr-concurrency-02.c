#include <zephyr/kernel.h>
#include <zephyr/irq.h>

uint8_t rx_register(void);
void frame_received(const uint8_t *payload, size_t length);

K_MSGQ_DEFINE(rx_bytes, 1, 600, 1);
static volatile uint32_t dropped;

ISR_DIRECT_DECLARE(uart_rx_isr)
{
	uint8_t b = rx_register();

	if (k_msgq_put(&rx_bytes, &b, K_NO_WAIT) != 0) {
		dropped++;
	}
	return 1;
}

enum state { IDLE, LENGTH, PAYLOAD, CHECK };

static void rx_entry(void *a, void *b, void *c)
{
	enum state st = IDLE;
	uint8_t byte, len = 0, got = 0, sum = 0;
	static uint8_t data[32];

	while (k_msgq_get(&rx_bytes, &byte, K_FOREVER) == 0) {
		switch (st) {
		case IDLE:
			if (byte == 0x7e) {
				st = LENGTH;
			}
			break;
		case LENGTH:
			len = byte;
			got = 0;
			sum = byte;
			st = len >= 1 && len <= sizeof(data) ? PAYLOAD : IDLE;
			break;
		case PAYLOAD:
			data[got++] = byte;
			sum ^= byte;
			if (got == len) {
				st = CHECK;
			}
			break;
		case CHECK:
			if (sum == byte) {
				frame_received(data, len);
			}
			st = IDLE;
			break;
		}
	}
}

K_THREAD_DEFINE(rx_tid, 1024, rx_entry, NULL, NULL, NULL, 7, 0, 0);

void rx_init(void)
{
	IRQ_DIRECT_CONNECT(21, 3, uart_rx_isr, 0);
	irq_enable(21);
}

uint32_t rx_overruns(void)
{
	return dropped;
}
