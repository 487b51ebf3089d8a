/* BASEPRI as the lock, an own count instead of two running indices. */
#include <stdint.h>
#include "CMSDK_CM3.h"

extern uint8_t uart_take(void);
extern void consume(uint32_t event);

static volatile struct {
	uint32_t item[16];
	uint8_t first, count;
	uint32_t lost;
} q;

int events_post(uint32_t event)
{
	uint32_t old = __get_BASEPRI();
	int result = -1;

	__set_BASEPRI_MAX(1u << 5);
	__ISB();
	if (q.count < 16) {
		q.item[(q.first + q.count) & 15] = event;
		q.count = q.count + 1;
		result = 0;
	} else {
		q.lost = q.lost + 1;
	}
	__set_BASEPRI(old);
	SCB->ICSR |= SCB_ICSR_PENDSVSET_Msk;
	return result;
}

void events_init(void)
{
	NVIC_SetPriority(PendSV_IRQn, 7);
	NVIC_SetPriority(TIMER0_IRQn, 2);
	NVIC_SetPriority(UARTRX0_IRQn, 1);
	NVIC_EnableIRQ(TIMER0_IRQn);
	NVIC_EnableIRQ(UARTRX0_IRQn);
}

void TIMER0_Handler(void)
{
	static uint32_t n;

	CMSDK_TIMER0->INTCLEAR = 1;
	events_post(0x10000 + (n++ & 0xffff));
}

void UARTRX0_Handler(void) { events_post(0x20000 | uart_take()); }

static int take(uint32_t *event)
{
	uint32_t old = __get_BASEPRI();
	int some;

	__set_BASEPRI_MAX(1u << 5);
	__ISB();
	some = q.count > 0;
	if (some) {
		*event = q.item[q.first];
		q.first = (q.first + 1) & 15;
		q.count = q.count - 1;
	}
	__set_BASEPRI(old);
	return some;
}

void PendSV_Handler(void)
{
	uint32_t event;

	while (take(&event))
		consume(event);
}

uint32_t events_dropped(void) { return q.lost; }
