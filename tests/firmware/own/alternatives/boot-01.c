/* Symbols as plain words whose addresses count, handlers weak one by one, copying by memcpy and memset. */
#include <string.h>
#include "CMSDK_CM3.h"

extern char _estack, _sidata, _sdata, _edata, _sbss, _ebss;
typedef void (*function)(void);
extern function __init_array_start, __init_array_end;
extern void SystemInit(void);
extern int main(void);

uint32_t volatile unhandled_exception __attribute__((section(".noinit")));

void __attribute__((noreturn)) Default_Handler(void)
{
	unhandled_exception = SCB->ICSR & SCB_ICSR_VECTACTIVE_Msk;
	NVIC_SystemReset();
}

#define WEAK(x) __attribute__((weak)) void x(void) { Default_Handler(); }
WEAK(NMI_Handler) WEAK(HardFault_Handler) WEAK(MemManage_Handler) WEAK(BusFault_Handler) WEAK(UsageFault_Handler)
WEAK(SVC_Handler) WEAK(DebugMon_Handler) WEAK(PendSV_Handler) WEAK(SysTick_Handler)
WEAK(UARTRX0_Handler) WEAK(UARTTX0_Handler) WEAK(UARTRX1_Handler) WEAK(UARTTX1_Handler) WEAK(UARTRX2_Handler)
WEAK(UARTTX2_Handler) WEAK(PORT0_Handler) WEAK(PORT1_Handler) WEAK(TIMER0_Handler) WEAK(TIMER1_Handler)
WEAK(DUALTIMER_Handler) WEAK(SPI_Handler) WEAK(UARTOVF_Handler) WEAK(ETHERNET_Handler) WEAK(I2S_Handler) WEAK(TSC_Handler)

void Reset_Handler(void);
__attribute__((section(".isr_vector"), used)) static const struct {
	void *stack;
	function core[15];
	function device[16];
} table = {
	&_estack,
	{Reset_Handler, NMI_Handler, HardFault_Handler, MemManage_Handler, BusFault_Handler, UsageFault_Handler, 0, 0, 0, 0,
	 SVC_Handler, DebugMon_Handler, 0, PendSV_Handler, SysTick_Handler},
	{UARTRX0_Handler, UARTTX0_Handler, UARTRX1_Handler, UARTTX1_Handler, UARTRX2_Handler, UARTTX2_Handler, PORT0_Handler,
	 PORT1_Handler, TIMER0_Handler, TIMER1_Handler, DUALTIMER_Handler, SPI_Handler, UARTOVF_Handler, ETHERNET_Handler,
	 I2S_Handler, TSC_Handler},
};

void Reset_Handler(void)
{
	SystemInit();
	memcpy(&_sdata, &_sidata, (size_t)(&_edata - &_sdata));
	memset(&_sbss, 0, (size_t)(&_ebss - &_sbss));
	for (function *f = &__init_array_start; f != &__init_array_end; ++f)
		(*f)();
	(void)main();
	SCB->AIRCR = 0x05FA0004;
	__DSB();
	while (1)
		;
}
