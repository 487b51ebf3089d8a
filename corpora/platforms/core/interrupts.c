/* Interrupts: a list of pending ones, one mask, nesting by priority. */
#include "core.h"

#define MOST_PENDING 256

typedef struct {
    const char *name;
    int priority;
    void (*isr)(void *);
    void *arg;
} pending;

static pending waiting[MOST_PENDING];
static size_t waiting_count;
static uint64_t taken;

static int64_t level(void)
{
    return fb_core.isr ? fb_core.isr->priority : INT64_MAX;
}

/* The most urgent pending one, the first that came of equals; waiting_count if none may run now. */
static size_t choose(void)
{
    size_t best = waiting_count;
    if (fb_core.mask || fb_core.in_event || fb_core.phase != FB_RUN)
        return best;
    for (size_t i = 0; i < waiting_count; i++)
        if (waiting[i].priority < level() && (best == waiting_count || waiting[i].priority < waiting[best].priority))
            best = i;
    return best;
}

static pending remove_at(size_t at)
{
    pending one = waiting[at];
    waiting_count--;
    for (size_t i = at; i < waiting_count; i++)
        waiting[i] = waiting[i + 1];
    return one;
}

void fb_take_interrupts(void)
{
    for (size_t at; (at = choose()) < waiting_count;) {
        pending one = remove_at(at);
        fb_isr frame = {one.name, one.priority, fb_core.isr};
        fb_core.isr = &frame;
        taken++;
        one.isr(one.arg);
        if (fb_core.mask) {
            fb_fault("interrupts_left_masked", "the interrupt %s returned with interrupts locked", one.name);
            fb_core.mask = 0;
        }
        fb_core.isr = frame.under;
        fb_attend();
    }
}

void fb_irq(const char *name, int priority, void (*isr)(void *), void *arg)
{
    for (size_t i = 0; i < waiting_count; i++)
        if (waiting[i].isr == isr && waiting[i].arg == arg)
            return;
    if (waiting_count == MOST_PENDING)
        fb_panic("more than %d interrupts are pending", MOST_PENDING);
    waiting[waiting_count++] = (pending){name, priority, isr, arg};
    fb_attend();
    fb_take_interrupts();
}

void fb_irq_cancel(void (*isr)(void *), void *arg)
{
    for (size_t i = 0; i < waiting_count; i++)
        if (waiting[i].isr == isr && waiting[i].arg == arg) {
            remove_at(i);
            return;
        }
}

unsigned fb_irq_lock(void)
{
    unsigned key = fb_core.mask;
    fb_core.mask = 1;
    return key;
}

void fb_irq_unlock(unsigned key)
{
    fb_core.mask = key;
    if (!key) {
        fb_attend();
        fb_take_interrupts();
    }
}

bool fb_irq_locked(void)
{
    return fb_core.mask != 0;
}

bool fb_in_isr(void)
{
    return fb_core.isr != NULL;
}

int fb_isr_priority(void)
{
    return fb_core.isr ? fb_core.isr->priority : -1;
}

const char *fb_isr_name(void)
{
    return fb_core.isr ? fb_core.isr->name : "";
}

void fb_idle(void)
{
    uint64_t before = taken;
    while (fb_core.phase == FB_RUN && taken == before && !fb_other_ready() && !(fb_core.mask && waiting_count))
        fb_spend(fb_next_due() - fb_core.now);
}
