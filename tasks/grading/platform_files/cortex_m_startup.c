/* Reset and vectors of a bare Cortex-M3: C library by semihosting; a fault ends the run with status 139. */
#include <stdint.h>
#include <stdlib.h>

extern uint32_t load_data, start_data, end_data, start_bss, end_bss, top_of_stack;
extern int main(void);
extern void initialise_monitor_handles(void);

void _init(void) {}
void _fini(void) {}

static void leave(uint32_t status)
{
    uint32_t block[2] = {0x20026, status};
    register uint32_t call __asm__("r0") = 0x20;
    register uint32_t *argument __asm__("r1") = block;
    __asm__ volatile("bkpt 0xab" : "+r"(call) : "r"(argument) : "memory");
    for (;;) {
    }
}

void _exit(int status)
{
    leave((uint32_t)status);
    for (;;) {
    }
}

static void reset(void)
{
    uint32_t *from = &load_data;
    for (uint32_t *to = &start_data; to < &end_data;) {
        *to++ = *from++;
    }
    for (uint32_t *to = &start_bss; to < &end_bss;) {
        *to++ = 0;
    }
    initialise_monitor_handles();
    exit(main());
}

static void fault(void)
{
    leave(139);
}

__attribute__((weak)) void SysTick_Handler(void) { leave(140); }
__attribute__((weak)) void SVC_Handler(void) { leave(140); }
__attribute__((weak)) void PendSV_Handler(void) { leave(140); }

__attribute__((section(".vectors"), used)) static void (*const vectors[])(void) = {
    (void (*)(void))&top_of_stack, reset, fault, fault, fault, fault, fault, 0, 0, 0, 0,
    SVC_Handler, fault, 0, PendSV_Handler, SysTick_Handler,
};
