#include <stdint.h>

#include "CMSDK_CM3.h"

extern uint32_t _estack[];
extern const uint32_t _sidata[];
extern uint32_t _sdata[], _edata[];
extern uint32_t _sbss[], _ebss[];
extern void (*const __init_array_start[])(void);
extern void (*const __init_array_end[])(void);

void SystemInit(void);
int main(void);
void Reset_Handler(void);
void Default_Handler(void);

volatile uint32_t unhandled_exception __attribute__((section(".noinit")));

#define DEFAULT(name) void name(void) __attribute__((weak, alias("Default_Handler")))
DEFAULT(NMI_Handler);
DEFAULT(HardFault_Handler);
DEFAULT(MemManage_Handler);
DEFAULT(BusFault_Handler);
DEFAULT(UsageFault_Handler);
DEFAULT(SVC_Handler);
DEFAULT(DebugMon_Handler);
DEFAULT(PendSV_Handler);
DEFAULT(SysTick_Handler);
DEFAULT(UARTRX0_Handler);
DEFAULT(UARTTX0_Handler);
DEFAULT(UARTRX1_Handler);
DEFAULT(UARTTX1_Handler);
DEFAULT(UARTRX2_Handler);
DEFAULT(UARTTX2_Handler);
DEFAULT(PORT0_Handler);
DEFAULT(PORT1_Handler);
DEFAULT(TIMER0_Handler);
DEFAULT(TIMER1_Handler);
DEFAULT(DUALTIMER_Handler);
DEFAULT(SPI_Handler);
DEFAULT(UARTOVF_Handler);
DEFAULT(ETHERNET_Handler);
DEFAULT(I2S_Handler);
DEFAULT(TSC_Handler);

typedef void (*vector)(void);

__attribute__((section(".isr_vector"), used))
const vector vectors[32] = {
	(vector)_estack,
	Reset_Handler,
	NMI_Handler,
	HardFault_Handler,
	MemManage_Handler,
	BusFault_Handler,
	UsageFault_Handler,
	0, 0, 0, 0,
	SVC_Handler,
	DebugMon_Handler,
	0,
	PendSV_Handler,
	SysTick_Handler,
	UARTRX0_Handler,
	UARTTX0_Handler,
	UARTRX1_Handler,
	UARTTX1_Handler,
	UARTRX2_Handler,
	UARTTX2_Handler,
	PORT0_Handler,
	PORT1_Handler,
	TIMER0_Handler,
	TIMER1_Handler,
	DUALTIMER_Handler,
	SPI_Handler,
	UARTOVF_Handler,
	ETHERNET_Handler,
	I2S_Handler,
	TSC_Handler,
};

void Default_Handler(void)
{
	unhandled_exception = __get_IPSR();
	NVIC_SystemReset();
}

void Reset_Handler(void)
{
	SystemInit();

	const uint32_t *from = _sidata;
	for (uint32_t *to = _sdata; to < _edata; to++) {
		*to = *from++;
	}
	for (uint32_t *to = _sbss; to < _ebss; to++) {
		*to = 0;
	}

	for (void (*const *call)(void) = __init_array_start; call < __init_array_end; call++) {
		(*call)();
	}

	main();

	NVIC_SystemReset();
}
