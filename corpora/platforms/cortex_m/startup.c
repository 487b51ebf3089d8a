/* Vector table and reset handler for the cases whose candidate brings none: the linker script puts the section .isr_vector
 * of a candidate before this table, which is then no vector table any more. */
#include "CMSDK_CM3.h"
#include "semihosting.h"

#include <stdio.h>

extern uint32_t _sidata[], _sdata[], _edata[], _sbss[], _ebss[], _estack[];
void scenario(void) __attribute__((weak));
int main(void);
__attribute__((noreturn)) void fb_end(const char *why); /* fb_cortex_m.h */

static char fault_text[120] FB_KEPT;

__attribute__((used, naked)) static void fault_entry(void)
{
    __asm volatile("tst lr, #4\n\tite eq\n\tmrseq r0, msp\n\tmrsne r0, psp\n\tb fb_fault_report");
}

__attribute__((used)) void fb_fault_report(const uint32_t *frame)
{
    snprintf(fault_text, sizeof fault_text, "a fault (exception %lu, CFSR 0x%08lx) at 0x%08lx",
             (unsigned long)__get_IPSR(), (unsigned long)SCB->CFSR, (unsigned long)frame[6]);
    fb_end(fault_text);
}

__attribute__((used)) void fb_stray(void)
{
    snprintf(fault_text, sizeof fault_text, "an interrupt without a handler (exception %lu)",
             (unsigned long)__get_IPSR());
    fb_end(fault_text);
}

#define HANDLER(name) void name(void) __attribute__((weak, alias("fb_stray")));
HANDLER(SVC_Handler)
HANDLER(DebugMon_Handler)
HANDLER(PendSV_Handler)
HANDLER(SysTick_Handler)
HANDLER(UARTRX0_Handler)
HANDLER(UARTTX0_Handler)
HANDLER(UARTRX1_Handler)
HANDLER(UARTTX1_Handler)
HANDLER(UARTRX2_Handler)
HANDLER(UARTTX2_Handler)
HANDLER(PORT0_COMB_Handler)
HANDLER(PORT1_COMB_Handler)
HANDLER(TIMER0_Handler)
HANDLER(TIMER1_Handler)
HANDLER(DUALTIMER_HANDLER)
HANDLER(SPI_Handler)
HANDLER(UARTOVF_Handler)

__attribute__((noreturn)) static void start(void)
{
    for (uint32_t *to = _sdata, *from = _sidata; to < _edata;)
        *to++ = *from++;
    for (uint32_t *to = _sbss; to < _ebss;)
        *to++ = 0;
    if (scenario)
        scenario();
    main();
    fb_end("main returned");
}

__attribute__((section(".fb_vectors"), used)) static void (*const vectors[48])(void) = {
    (void (*)(void))_estack, start, fault_entry, fault_entry, fault_entry, fault_entry,
    fault_entry, 0, 0, 0, 0, SVC_Handler, DebugMon_Handler, 0, PendSV_Handler, SysTick_Handler,
    UARTRX0_Handler, UARTTX0_Handler, UARTRX1_Handler, UARTTX1_Handler, UARTRX2_Handler, UARTTX2_Handler,
    PORT0_COMB_Handler, PORT1_COMB_Handler, TIMER0_Handler, TIMER1_Handler, DUALTIMER_HANDLER, SPI_Handler,
    UARTOVF_Handler,
};
