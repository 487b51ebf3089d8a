/* What a scenario on the Cortex-M3 includes, once: checks, the end of a run, and a hook on every basic block of the
 * candidate, which is compiled with -fsanitize-coverage=trace-pc.
 *
 * The hook makes races deterministic: a scenario that pends an interrupt in fb_on_block has it taken between any two
 * blocks in which the candidate does not mask it. It counts blocks, too: a run of more than FB_BLOCKS is ended, so that
 * an endless loop is a failed check (`ends`), the same one each time, even with interrupts masked.
 *
 * A scenario defines scenario(), which runs before main unless the candidate brings its own start-up code, and conclude(),
 * which checks after the end. QEMU runs with -icount, so the core's SysTick counts executed instructions. */
#ifndef FB_CORTEX_M_H
#define FB_CORTEX_M_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "CMSDK_CM3.h"
#include "semihosting.h"

#ifndef FB_BLOCKS
#define FB_BLOCKS 2000000UL
#endif

#define VERDICT_WRITE semihosting_write
#include "verdict.h"

void scenario(void);
void conclude(void);

static FB_KEPT void (*fb_on_block)(void);
static FB_KEPT uint32_t fb_blocks;
static FB_KEPT bool fb_ending;

#define FB_CHECK(name, condition, expected, ...) fb_check(name, condition, expected, __VA_ARGS__)
__attribute__((format(printf, 4, 5), unused)) static bool fb_check(
    const char *name, bool pass, const char *expected, const char *format, ...)
{
    char saw[200];
    va_list values;
    va_start(values, format);
    vsnprintf(saw, sizeof saw, format, values);
    va_end(values);
    return verdict_check(name, pass, expected, saw);
}

/* End the run: the checks, then QEMU's exit status. `why` is NULL, or what went wrong. */
__attribute__((noreturn)) void fb_end(const char *why);
void fb_end(const char *why)
{
    static const char *const NOTHING = "the program reached the end of the scenario";
    __disable_irq();
    if (fb_ending) /* a fault within conclude() */
        why = "a fault while the results were checked";
    fb_on_block = NULL;
    fb_ending = true;
    verdict_total_ = verdict_failed_ = 0;
    verdict_check("ends", !why, NOTHING, why ? why : NOTHING);
    conclude();
    semihosting_exit(verdict_end());
}

/* End the run after `ticks` of 40 ns by timer 1 of the board, which the candidate does not use. */
__attribute__((unused)) static void fb_end_after(uint32_t ticks)
{
    CMSDK_TIMER1->CTRL = 0;
    CMSDK_TIMER1->VALUE = CMSDK_TIMER1->RELOAD = ticks;
    CMSDK_TIMER1->INTCLEAR = CMSDK_TIMER_INTCLEAR_Msk;
    NVIC_SetPriority(TIMER1_IRQn, 0);
    NVIC_EnableIRQ(TIMER1_IRQn);
    CMSDK_TIMER1->CTRL = CMSDK_TIMER_CTRL_IRQEN_Msk | CMSDK_TIMER_CTRL_EN_Msk;
}

void TIMER1_Handler(void) { fb_end(NULL); }

void __sanitizer_cov_trace_pc(void)
{
    if (fb_ending)
        return;
    if (++fb_blocks > FB_BLOCKS)
        fb_end("an endless loop");
    if (fb_on_block)
        fb_on_block();
}

/* Any access to the 32 bytes at `at`, a multiple of 32, is a fault from now on: they end a buffer. */
__attribute__((unused)) static void fb_guard(uintptr_t at)
{
    volatile uint32_t *mpu = (volatile uint32_t *)0xE000ED90UL;
    mpu[3] = (uint32_t)at | 1UL << 4;      /* RBAR: region 0 */
    mpu[4] = 1UL << 28 | 4UL << 1 | 1UL;   /* RASR: no access, 2^5 bytes, on */
    mpu[1] = 5UL;                          /* CTRL: on, with the default map elsewhere */
    __DSB();
    __ISB();
}

/* Executed instructions, nearly: ticks of SysTick since it was started by fb_stopwatch(). */
__attribute__((unused)) static void fb_stopwatch(void)
{
    SysTick->CTRL = 0;
    SysTick->LOAD = SysTick_LOAD_RELOAD_Msk;
    SysTick->VAL = 0;
    SysTick->CTRL = SysTick_CTRL_CLKSOURCE_Msk | SysTick_CTRL_ENABLE_Msk;
}
__attribute__((unused)) static uint32_t fb_elapsed(void) { return SysTick_LOAD_RELOAD_Msk - SysTick->VAL; }

#endif
