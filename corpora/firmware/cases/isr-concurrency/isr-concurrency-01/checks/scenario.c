#include "fb_zephyr.h"

#define LINE 17
#define TAKER 30
#define MOST 20000
#define FIRST_US 100

struct pulse_stats {
    uint32_t count;
    uint32_t min_us;
    uint32_t max_us;
    uint64_t total_us;
};

void pulses_init(void);
void pulses_take(struct pulse_stats *out);
uint32_t pulse_period(void);

/* Periods count up, so that the pulses of a right result are a range without a hole. */
static uint32_t next_period = FIRST_US, raised, lost;
static bool waits;
static uint64_t counted, total;
static size_t takes, torn, empty_wrong, from_isr;
static uint64_t seen[MOST / 64 + 8];
static size_t twice;

uint32_t pulse_period(void)
{
    waits = false;
    return next_period++;
}

static void check(const struct pulse_stats *one)
{
    takes++;
    if (one->count == 0) {
        empty_wrong += one->min_us || one->max_us || one->total_us;
        return;
    }
    uint64_t range = (uint64_t)one->max_us - one->min_us + 1;
    uint64_t sum = (uint64_t)(one->min_us + (uint64_t)one->max_us) * one->count / 2;
    torn += one->max_us < one->min_us || range != one->count || sum != one->total_us;
    counted += one->count;
    total += one->total_us;
    for (uint64_t i = one->min_us; i <= one->max_us && i < MOST; i++) {
        twice += (seen[i / 64] >> (i % 64)) & 1;
        seen[i / 64] |= 1ull << (i % 64);
    }
}

static void take(void)
{
    struct pulse_stats one;
    memset(&one, 0xff, sizeof one);
    pulses_take(&one);
    unsigned key = fb_irq_lock();
    check(&one);
    fb_irq_unlock(key);
}

static void taker_isr(const void *parameter)
{
    ARG_UNUSED(parameter);
    from_isr++;
    take();
}

static bool over;
static void pulse(void *arg)
{
    ARG_UNUSED(arg);
    if (over)
        return;
    raised++;
    lost += waits;
    waits = true;
    fb_irq_raise(LINE);
    /* Each distance to the other activities comes up: the period is prime to theirs. */
    fb_at(fb_now() + 10007, pulse, NULL);
}

static void taker(void *arg)
{
    ARG_UNUSED(arg);
    if (over)
        return;
    fb_irq_raise(TAKER);
    fb_at(fb_now() + 7013, taker, NULL);
}

static void urgent(void *p1, void *p2, void *p3)
{
    ARG_UNUSED(p1);
    ARG_UNUSED(p2);
    ARG_UNUSED(p3);
    while (!over) {
        fb_wait(NULL, fb_now() + 53003);
        take();
    }
}
K_THREAD_DEFINE(urgent_taker, 1024, urgent, NULL, NULL, NULL, 2, 0, 0);

static size_t at_rest;
int candidate_main(void)
{
    pulses_init();
    take();
    irq_connect_dynamic(TAKER, 1, taker_isr, NULL, 0);
    irq_enable(TAKER);
    fb_at(fb_now() + 5000, pulse, NULL);
    fb_at(fb_now() + 7100, taker, NULL);
    for (int i = 0; i < 12000; i++) {
        take();
        fb_spend(911 + i % 7 * 130);
    }
    over = true;
    fb_wait(NULL, fb_now() + FB_MS(1));
    take();
    at_rest = takes;
    take();
    return 0;
}

void scenario(void)
{
    fb_end_at(FB_MS(200));
}

void conclude(void)
{
    uint32_t served = next_period - FIRST_US;
    FB_CHECK("serves_the_line", served > 200, "every interrupt served", "%u of %u", served, raised);
    FB_CHECK("no_pulse_lost_in_hardware", at_rest && served && lost == 0, "interrupts locked for 5 us at most",
             "%u of %u lost", lost, raised);
    FB_CHECK("every_pulse_counted_once", at_rest && counted == served && twice == 0,
             "the pulses that were served, each once", "%llu of %u, %zu twice", (unsigned long long)counted, served,
             twice);
    uint64_t whole = (uint64_t)served * (2 * FIRST_US + served - 1) / 2;
    FB_CHECK("total_is_right", at_rest && served && total == whole, "the sum of all periods", "%llu of %llu",
             (unsigned long long)total, (unsigned long long)whole);
    FB_CHECK("results_are_consistent", at_rest && served && torn == 0, "four fields of the same pulses in each result",
             "%zu of %zu torn", torn, takes);
    FB_CHECK("nothing_without_a_pulse", at_rest && empty_wrong == 0, "four zeros without a pulse", "%zu wrong",
             empty_wrong);
    FB_CHECK("taken_in_an_interrupt", from_isr > 50 && served > 200, "results taken in the more urgent interrupt",
             "%zu", from_isr);
}
