#include <stdint.h>

#include "CMSDK_CM3.h"

#define QUEUE_SIZE 16u

uint8_t uart_take(void);
void consume(uint32_t event);

void events_init(void);
int events_post(uint32_t event);
uint32_t events_dropped(void);

static volatile uint32_t queue[QUEUE_SIZE];
static volatile uint32_t head;
static volatile uint32_t tail;
static volatile uint32_t dropped;

static uint32_t lock(void)
{
	const uint32_t primask = __get_PRIMASK();

	__disable_irq();
	return primask;
}

static void unlock(uint32_t primask)
{
	__set_PRIMASK(primask);
}

int events_post(uint32_t event)
{
	int result = 0;
	const uint32_t key = lock();

	if (head - tail < QUEUE_SIZE) {
		queue[head % QUEUE_SIZE] = event;
		head++;
	} else {
		dropped++;
		result = -1;
	}
	unlock(key);
	SCB->ICSR = SCB_ICSR_PENDSVSET_Msk;
	return result;
}

void events_init(void)
{
	NVIC_SetPriority(UARTRX0_IRQn, 1);
	NVIC_SetPriority(TIMER0_IRQn, 2);
	NVIC_SetPriority(PendSV_IRQn, 7);
	NVIC_EnableIRQ(UARTRX0_IRQn);
	NVIC_EnableIRQ(TIMER0_IRQn);
}

void TIMER0_Handler(void)
{
	static uint16_t calls;

	CMSDK_TIMER0->INTCLEAR = CMSDK_TIMER_INTCLEAR_Msk;
	events_post(0x10000u + calls++);
}

void UARTRX0_Handler(void)
{
	events_post(0x20000u + uart_take());
}

void PendSV_Handler(void)
{
	for (;;) {
		const uint32_t key = lock();

		if (head == tail) {
			unlock(key);
			return;
		}
		const uint32_t event = queue[tail % QUEUE_SIZE];
		tail++;
		unlock(key);

		consume(event);
	}
}

uint32_t events_dropped(void)
{
	return dropped;
}
