#include "stm32_scenario.h"

#include "sim.h"

#define MOST 4000

static int64_t edges[MOST];
static size_t edge_count;
static struct {
    uint32_t microseconds;
    int64_t at;
} reports[MOST];
static size_t report_count, lost_count, in_isr;
static int64_t lost_at[8];

void period(uint32_t microseconds)
{
    in_isr += fb_in_isr();
    if (report_count < MOST) {
        reports[report_count].microseconds = microseconds;
        reports[report_count++].at = fb_now();
    }
    fb_spend(FB_US(20));
}

void signal_lost(void)
{
    in_isr += fb_in_isr();
    if (lost_count < 8)
        lost_at[lost_count] = fb_now();
    lost_count++;
}

static void rise(void *unused)
{
    (void)unused;
    stm32_pin_drive(GPIOA, GPIO_PIN_6, true);
}

static void fall(void *unused)
{
    (void)unused;
    stm32_pin_drive(GPIOA, GPIO_PIN_6, false);
}

static int64_t edge(int64_t at)
{
    edges[edge_count++] = at;
    fb_at(at, rise, NULL);
    fb_at(at + FB_US(200), fall, NULL);
    return at;
}

static void other_work(void *unused)
{
    (void)unused;
    fb_spend(FB_US(280));
}

static void other(void *unused)
{
    (void)unused;
    fb_irq("other", 0, other_work, NULL);
    fb_at(fb_now() + FB_US(431), other, NULL);
}

static size_t fast_from, fast_to, slow_from, slow_to, first_after_loss;

void scenario(void)
{
    fb_at(0, fall, NULL);
    int64_t at = edge(FB_MS(4900));
    /* So many that some of them meet an overflow whose interrupt the others delay. */
    fast_from = edge_count - 1;
    for (int i = 0; i < 3300; i++)
        at = edge(at + FB_US(701 + i % 37 * 11));
    fast_to = slow_from = edge_count - 1;
    static const int slow_us[] = {65535, 65536, 65537, 131072, 3000000, 250000, 1000000, 70000};
    for (size_t i = 0; i < sizeof slow_us / sizeof *slow_us; i++)
        at = edge(at + FB_US(slow_us[i]));
    slow_to = edge_count - 1;
    at = edge(at + FB_MS(5200));
    first_after_loss = edge_count - 1;
    at = edge(at + FB_US(123456));
    at = edge(at + FB_US(2900000));
    fb_at(FB_MS(1), other, NULL);
    fb_end_at(at + FB_MS(4600));
}

/* What was reported for the edges from..to, where `skipped` reports are missing before them. */
static size_t wrong_between(size_t from, size_t to, size_t skipped, size_t *first)
{
    size_t wrong = 0;
    for (size_t n = from; n < to; n++) {
        int64_t wanted = (edges[n + 1] - edges[n]) / 1000;
        size_t report = n - skipped;
        int64_t off = report < report_count ? (int64_t)reports[report].microseconds - wanted : FB_FOREVER;
        if ((off < -1 || off > 1) && wrong++ == 0)
            *first = report;
    }
    return wrong;
}

void conclude(void)
{
    size_t bad = 0, expected = edge_count - 2;
    FB_CHECK("one_report_a_period", report_count == expected, "a report for each two edges but those around the loss", "%zu of %zu",
             report_count, expected);
    size_t wrong = wrong_between(fast_from, fast_to, 0, &bad);
    FB_CHECK("short_periods_right", wrong == 0, "right to 1 us, also beside an overflow", "%zu of %zu wrong, one of them %u us", wrong,
             fast_to - fast_from, wrong ? reports[bad].microseconds : 0);
    wrong = wrong_between(slow_from, slow_to, 0, &bad);
    FB_CHECK("long_periods_right", wrong == 0, "right to 1 us up to 3 s", "%zu of %zu wrong, one of them %u us", wrong, slow_to - slow_from,
             wrong ? reports[bad].microseconds : 0);
    wrong = wrong_between(first_after_loss, edge_count - 1, 1, &bad);
    FB_CHECK("begins_anew_after_a_loss", wrong == 0, "the periods after the loss", "%zu of 2 wrong", wrong);
    size_t late = 0;
    for (size_t n = 0; n < report_count && n < slow_to; n++)
        late += reports[n].at - edges[n + 1] > FB_MS(5);
    FB_CHECK("reported_in_time", report_count > 0 && late == 0, "within 5 ms after the second edge", "%zu late", late);
    int64_t first = lost_at[0] - edges[slow_to] - FB_MS(4000), second = lost_at[1] - edges[edge_count - 1] - FB_MS(4000);
    FB_CHECK("loss_told_once", lost_count == 2 && first >= -FB_MS(2) && first <= FB_MS(200) && second >= -FB_MS(2) && second <= FB_MS(200),
             "4 to 4.2 s after the last edge, both times", "%zu calls, at %.1f and %.1f ms after 4 s", lost_count, (double)first / 1e6,
             (double)second / 1e6);
    FB_CHECK("called_outside_of_interrupts", report_count > 0 && in_isr == 0, "no call in an interrupt", "%zu", in_isr);
}
