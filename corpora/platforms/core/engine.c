/* The engine picks who runs, and ends the run: at its time, when nothing can run, or when the program crashed. */
#include "core.h"

#include <stdlib.h>

/* The engine has a stack of its own, on which interrupts run while every thread waits. */
static void engine(void)
{
    for (;;) {
        fb_take_interrupts();
        fb_thread *next = fb_most_urgent();
        if (next) {
            fb_core.running = next;
            fb_core.mask = next->mask;
            fb_attend();
            swapcontext(&fb_core.engine, &next->context);
            fb_core.running = NULL;
            fb_core.mask = 0;
            fb_bury(next);
        } else if (!fb_event_step(fb_core.end)) {
            if (fb_next_event() != FB_FOREVER)
                fb_core.now = fb_core.end;
            fb_finish();
        }
    }
}

void fb_finish(void)
{
    fb_core.in_event = false;
    setcontext(&fb_core.outside);
    abort();
}

static void start(void)
{
    static char stack[FB_STACK_BYTES] __attribute__((aligned(16)));
    getcontext(&fb_core.engine);
    fb_core.engine.uc_stack.ss_sp = stack;
    fb_core.engine.uc_stack.ss_size = sizeof stack;
    makecontext(&fb_core.engine, engine, 0);
    setcontext(&fb_core.engine);
}

static void crashed(int signal_number)
{
    static bool again; /* recording the first one may crash on a heap that the program broke */
    if (fb_core.phase != FB_RUN || again) {
        signal(signal_number, SIG_DFL);
        raise(signal_number);
        return;
    }
    again = true;
    fb_trace("crash", "%s",
             signal_number == SIGSEGV   ? "SIGSEGV: invalid memory access or stack overflow"
             : signal_number == SIGBUS  ? "SIGBUS: invalid memory access"
             : signal_number == SIGFPE  ? "SIGFPE: division by zero"
             : signal_number == SIGABRT ? "SIGABRT: abort() was called"
                                        : "SIGILL: an instruction that never returns was reached");
    fb_finish();
}

static void catch_crashes(void)
{
    static char stack[64 << 10];
    sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = sizeof stack}, NULL);
    struct sigaction action = {.sa_handler = crashed, .sa_flags = SA_ONSTACK | SA_NODEFER};
    static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        sigaction(signals[i], &action, NULL);
}

void fb_run(void)
{
    catch_crashes();
    volatile bool ended = false;
    getcontext(&fb_core.outside);
    if (!ended) {
        ended = true;
        fb_core.phase = FB_RUN;
        start();
    }
    fb_core.phase = FB_DONE;
    fb_record_end();
}
