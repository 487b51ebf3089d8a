#include <zephyr/irq.h>
#include <zephyr/kernel.h>

#define RX_IRQ 21
#define RX_PRIORITY 3
#define BUFFER_SIZE 512 /* a power of two */
#define START 0x7E
#define MOST_PAYLOAD 32
#define STACK_SIZE 1024
#define THREAD_PRIORITY 7

uint8_t rx_register(void);
void frame_received(const uint8_t *payload, size_t length);

/* One producer, the interrupt, writes head; one consumer, the thread, writes tail. */
static volatile uint8_t buffer[BUFFER_SIZE];
static volatile uint32_t head;
static volatile uint32_t tail;
static atomic_t overruns = ATOMIC_INIT(0);

static K_SEM_DEFINE(bytes_came, 0, 1);
static K_THREAD_STACK_DEFINE(rx_stack, STACK_SIZE);
static struct k_thread rx_thread;

static void rx_isr(const void *parameter)
{
	uint8_t byte = rx_register();

	ARG_UNUSED(parameter);
	if (head - tail == BUFFER_SIZE) {
		atomic_inc(&overruns);
	} else {
		buffer[head % BUFFER_SIZE] = byte;
		head = head + 1;
	}
	k_sem_give(&bytes_came);
}

static uint8_t next_byte(void)
{
	uint8_t byte;

	while (head == tail) {
		k_sem_take(&bytes_came, K_FOREVER);
	}
	byte = buffer[tail % BUFFER_SIZE];
	tail = tail + 1;
	return byte;
}

static void receive(void *p1, void *p2, void *p3)
{
	uint8_t payload[MOST_PAYLOAD];

	ARG_UNUSED(p1);
	ARG_UNUSED(p2);
	ARG_UNUSED(p3);

	for (;;) {
		uint8_t length, checksum;

		if (next_byte() != START) {
			continue;
		}
		length = next_byte();
		if (length == 0 || length > MOST_PAYLOAD) {
			continue;
		}
		checksum = length;
		for (uint8_t i = 0; i < length; i++) {
			payload[i] = next_byte();
			checksum ^= payload[i];
		}
		if (next_byte() == checksum) {
			frame_received(payload, length);
		}
	}
}

void rx_init(void)
{
	k_thread_create(&rx_thread, rx_stack, K_THREAD_STACK_SIZEOF(rx_stack), receive, NULL, NULL, NULL,
			THREAD_PRIORITY, 0, K_NO_WAIT);
	IRQ_CONNECT(RX_IRQ, RX_PRIORITY, rx_isr, NULL, 0);
	irq_enable(RX_IRQ);
}

uint32_t rx_overruns(void)
{
	return atomic_get(&overruns);
}
