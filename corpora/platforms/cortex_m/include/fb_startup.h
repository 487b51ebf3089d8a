/* Vector table and reset handler for the cases whose candidate brings none. Part of fb_cortex_m.h. */
#ifndef FB_STARTUP_H
#define FB_STARTUP_H

extern uint32_t _sidata[], _sdata[], _edata[], _sbss[], _ebss[], _estack[];
int main(void);

__attribute__((used, naked)) void fb_fault_entry(void)
{
    __asm volatile("tst lr, #4\n\tite eq\n\tmrseq r0, msp\n\tmrsne r0, psp\n\tb fb_fault_report");
}

__attribute__((used)) void fb_fault_report(const uint32_t *frame)
{
    snprintf(fb_fault_text, sizeof fb_fault_text, "a fault (exception %lu, CFSR 0x%08lx) at 0x%08lx",
             (unsigned long)__get_IPSR(), (unsigned long)SCB->CFSR, (unsigned long)frame[6]);
    fb_end(fb_fault_text);
}

__attribute__((used)) void fb_stray(void)
{
    snprintf(fb_fault_text, sizeof fb_fault_text, "an interrupt without a handler (exception %lu)",
             (unsigned long)__get_IPSR());
    fb_end(fb_fault_text);
}

#define FB_HANDLER(name) void name(void) __attribute__((weak, alias("fb_stray")));
FB_HANDLER(SVC_Handler)
FB_HANDLER(DebugMon_Handler)
FB_HANDLER(PendSV_Handler)
FB_HANDLER(SysTick_Handler)
FB_HANDLER(UARTRX0_Handler)
FB_HANDLER(UARTTX0_Handler)
FB_HANDLER(UARTRX1_Handler)
FB_HANDLER(UARTTX1_Handler)
FB_HANDLER(UARTRX2_Handler)
FB_HANDLER(UARTTX2_Handler)
FB_HANDLER(PORT0_COMB_Handler)
FB_HANDLER(PORT1_COMB_Handler)
FB_HANDLER(TIMER0_Handler)
FB_HANDLER(DUALTIMER_HANDLER)
FB_HANDLER(SPI_Handler)
FB_HANDLER(UARTOVF_Handler)
#undef FB_HANDLER

__attribute__((noreturn)) void Reset_Handler(void)
{
    for (uint32_t *to = _sdata, *from = _sidata; to < _edata;)
        *to++ = *from++;
    for (uint32_t *to = _sbss; to < _ebss;)
        *to++ = 0;
    scenario();
    main();
    fb_end("main returned");
}

__attribute__((section(".isr_vector"), used)) static void (*const fb_vectors[48])(void) = {
    (void (*)(void))_estack, Reset_Handler, fb_fault_entry, fb_fault_entry, fb_fault_entry, fb_fault_entry,
    fb_fault_entry, 0, 0, 0, 0, SVC_Handler, DebugMon_Handler, 0, PendSV_Handler, SysTick_Handler,
    UARTRX0_Handler, UARTTX0_Handler, UARTRX1_Handler, UARTTX1_Handler, UARTRX2_Handler, UARTTX2_Handler,
    PORT0_COMB_Handler, PORT1_COMB_Handler, TIMER0_Handler, TIMER1_Handler, DUALTIMER_HANDLER, SPI_Handler,
    UARTOVF_Handler,
};

#endif
