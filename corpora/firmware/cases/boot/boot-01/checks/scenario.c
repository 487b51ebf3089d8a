/* The application that the start-up code starts. Its first main looks at its memory, lets two interrupts in that have a
 * handler and then one that has none, which must reset; its second main returns, which must reset; the third start ends. */
#include "fb_cortex_m.h"

#define RESERVED(n) ((n) >= 7 && (n) <= 10) || (n) == 13

extern uint32_t _estack[];
extern volatile uint32_t unhandled_exception;
void Reset_Handler(void);
void NMI_Handler(void);
void PendSV_Handler(void);
void ETHERNET_Handler(void);

/* Of the application, so that their places in the table can be told apart. */
void UsageFault_Handler(void) { fb_end("a usage fault"); }
void SVC_Handler(void) {}
void UARTTX2_Handler(void) {}
void TSC_Handler(void) { fb_end("the interrupt of the touch screen"); }

enum { MARK = 0x600DF00D, NUMBERS = 40, LATEST = 400000 };

volatile uint32_t number = 0x12345678;
static volatile uint16_t table[NUMBERS] = {[0] = 11, [NUMBERS - 1] = 99};
static volatile uint32_t zeros[NUMBERS], more_zeros[10 * NUMBERS];
__attribute__((section(".noinit"))) volatile uint32_t kept[2];

static FB_KEPT struct {
    uint32_t system_init, number_in_system_init, main, stack_in_main;
    uint32_t number, first, last, zeros, kept[2];
    uint32_t constructed[2], constructors, ready_for_constructors;
    uint32_t timer, systick, unhandled, unhandled_at_last;
} seen;
static FB_KEPT uint32_t starts;

void SystemInit(void)
{
    starts++;
    if (starts == 1) {
        seen.number_in_system_init = number;
        kept[0] = kept[1] = MARK;
        fb_end_after(LATEST);
    }
    if (starts == 2) {
        seen.unhandled = unhandled_exception;
        fb_end_after(LATEST);
    }
    if (starts == 3) {
        seen.unhandled_at_last = unhandled_exception;
        fb_end(NULL);
    }
    seen.system_init++;
}

static void constructed(uint32_t which)
{
    if (starts > 1)
        return;
    if (number == 0x12345678 && !zeros[0])
        seen.ready_for_constructors++;
    if (seen.constructors < 2)
        seen.constructed[seen.constructors] = which;
    seen.constructors++;
}
__attribute__((constructor(200))) static void first(void) { constructed(1); }
__attribute__((constructor(300))) static void second(void) { constructed(2); }

void TIMER0_Handler(void)
{
    if (__get_IPSR() == 16 + TIMER0_IRQn)
        seen.timer++;
}

void SysTick_Handler(void)
{
    if (__get_IPSR() == 15)
        seen.systick++;
}

int main(void)
{
    seen.main++;
    if (starts > 1)
        return 0;
    seen.stack_in_main = __get_MSP();
    seen.number = number;
    seen.first = table[0];
    seen.last = table[NUMBERS - 1];
    for (int i = 0; i < NUMBERS; i++)
        seen.zeros += zeros[i] == 0 && more_zeros[10 * i] == 0;
    seen.kept[0] = kept[0];
    seen.kept[1] = kept[1];
    NVIC_EnableIRQ(TIMER0_IRQn);
    NVIC_SetPendingIRQ(TIMER0_IRQn);
    SCB->ICSR = SCB_ICSR_PENDSTSET_Msk;
    __DSB();
    __ISB();
    NVIC_SetPriority(ETHERNET_IRQn, 4);
    NVIC_EnableIRQ(ETHERNET_IRQn);
    NVIC_SetPendingIRQ(ETHERNET_IRQn);
    __DSB();
    for (;;)
        __WFI();
}

void conclude(void)
{
    const uint32_t *vectors = 0;
    unsigned reserved = 0;
    for (unsigned n = 0; n < 16; n++)
        reserved += (RESERVED(n)) && vectors[n] == 0;
    FB_CHECK("stack_pointer_first", vectors[0] == (uint32_t)_estack, "entry 0 is _estack", "saw 0x%08lx", vectors[0]);
    FB_CHECK("reset_vector", vectors[1] == (uint32_t)Reset_Handler, "entry 1 is Reset_Handler", "saw 0x%08lx", vectors[1]);
    FB_CHECK("core_vectors", vectors[2] == (uint32_t)NMI_Handler && vectors[14] == (uint32_t)PendSV_Handler && reserved == 5 &&
             vectors[6] == (uint32_t)UsageFault_Handler && vectors[11] == (uint32_t)SVC_Handler,
             "handlers and reserved entries at their places", "NMI 0x%08lx, PendSV 0x%08lx, %u of 5 reserved entries 0",
             vectors[2], vectors[14], reserved);
    FB_CHECK("device_vectors", vectors[16 + 13] == (uint32_t)ETHERNET_Handler && vectors[16 + 8] == (uint32_t)TIMER0_Handler &&
             vectors[16 + 5] == (uint32_t)UARTTX2_Handler && vectors[16 + 15] == (uint32_t)TSC_Handler,
             "device interrupt n is entry 16 + n", "entry 24 is 0x%08lx, entry 29 is 0x%08lx", vectors[24], vectors[29]);
    FB_CHECK("system_init_first", seen.system_init == 2 && seen.number_in_system_init != 0x12345678,
             "SystemInit is called once a start, before .data is initialised", "%lu calls in 2 starts, .data %s", seen.system_init,
             seen.number_in_system_init == 0x12345678 ? "was initialised" : "was not initialised");
    FB_CHECK("main_called_once", seen.main == 2, "main is called once a start", "%lu calls in 2 starts", seen.main);
    FB_CHECK("data_initialised", seen.number == 0x12345678 && seen.first == 11 && seen.last == 99,
             ".data has its initial values in main", "0x%08lx, %lu, %lu", seen.number, seen.first, seen.last);
    FB_CHECK("bss_zeroed", seen.zeros == NUMBERS, ".bss is 0 in main", "%lu of %d words are 0", seen.zeros, NUMBERS);
    FB_CHECK("noinit_kept", seen.kept[0] == MARK && seen.kept[1] == MARK, ".noinit keeps what SystemInit wrote",
             "0x%08lx 0x%08lx", seen.kept[0], seen.kept[1]);
    FB_CHECK("constructors_in_order", seen.constructors == 2 && seen.constructed[0] == 1 && seen.constructed[1] == 2,
             "both constructors once, in the order of the table", "%lu calls, first %lu, then %lu", seen.constructors,
             seen.constructed[0], seen.constructed[1]);
    FB_CHECK("constructors_after_memory", seen.ready_for_constructors == 2, "memory is initialised before constructors run",
             "it was for %lu of 2", seen.ready_for_constructors);
    FB_CHECK("handlers_replaceable", seen.timer == 1 && seen.systick == 1,
             "the application's TIMER0_Handler and SysTick_Handler are called", "%lu and %lu calls", seen.timer, seen.systick);
    FB_CHECK("default_handler_records", seen.unhandled == 16 + ETHERNET_IRQn, "unhandled_exception is 29 after the reset",
             "saw 0x%08lx", seen.unhandled);
    FB_CHECK("default_handler_resets", starts >= 2, "an interrupt without a handler resets", "%lu starts", starts);
    FB_CHECK("reset_after_main", starts >= 3 && seen.unhandled_at_last == seen.unhandled,
             "the return of main resets, without a fault", "%lu starts, unhandled_exception 0x%08lx", starts,
             seen.unhandled_at_last);
}
