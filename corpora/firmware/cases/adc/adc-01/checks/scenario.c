#include "stm32_scenario.h"

#include "sim.h"

#define SCANS 100
#define MOST 4000
#define BLOCKS 12

static uint16_t taken[2][MOST];
static int64_t taken_at[2][MOST];
static size_t count[2];

static struct {
    uint16_t mean[2];
    int64_t at;
    size_t scans; /* complete then */
    bool in_isr;
} reports[64];
static size_t report_count;

static uint16_t next(unsigned channel, unsigned slope, unsigned start)
{
    size_t n = count[channel];
    uint16_t value = (uint16_t)((start + n * slope + (n % 7) * 100) % 4096);
    if (n < MOST) {
        taken[channel][n] = value;
        taken_at[channel][n] = fb_now();
        count[channel]++;
    }
    return value;
}

static uint16_t first(int64_t now)
{
    (void)now;
    return next(0, 13, 100);
}

static uint16_t second(int64_t now)
{
    (void)now;
    return next(1, 29, 2000);
}

void report(uint16_t mean0, uint16_t mean1)
{
    if (report_count < 64) {
        reports[report_count].mean[0] = mean0;
        reports[report_count].mean[1] = mean1;
        reports[report_count].at = fb_now();
        reports[report_count].scans = count[1];
        reports[report_count++].in_isr = fb_in_isr();
    }
    fb_spend(FB_MS(50));
}

void scenario(void)
{
    stm32_adc_signal(ADC1, 0, first);
    stm32_adc_signal(ADC1, 1, second);
    fb_end_at(FB_MS(1300));
}

static uint16_t mean_of(unsigned channel, size_t block)
{
    uint32_t sum = 0;
    for (size_t i = 0; i < SCANS; i++)
        sum += taken[channel][block * SCANS + i];
    return (uint16_t)(sum / SCANS);
}

void conclude(void)
{
    size_t uneven = 0;
    for (size_t i = 1; i < count[0]; i++) {
        int64_t gap = taken_at[0][i] - taken_at[0][i - 1];
        uneven += gap < FB_US(1000) - 200 || gap > FB_US(1000) + 200;
    }
    FB_CHECK("scans_every_millisecond", count[0] >= 1280 && uneven == 0, "about 1300 scans, 1 ms apart", "%zu scans, %zu gaps of another length",
             count[0], uneven);
    FB_CHECK("both_channels_in_each_scan", count[1] + 1 >= count[0] && count[1] <= count[0], "as many results of channel 1",
             "%zu and %zu", count[0], count[1]);
    FB_CHECK("every_hundred_reported", report_count == count[1] / SCANS && report_count >= BLOCKS, "one report for 100 scans",
             "%zu reports for %zu scans", report_count, count[1]);
    size_t wrong = 0, late = 0, inside = 0, blocks = report_count < BLOCKS ? report_count : BLOCKS;
    for (size_t n = 0; n < blocks; n++) {
        wrong += reports[n].mean[0] != mean_of(0, n) || reports[n].mean[1] != mean_of(1, n);
        late += (n + 1) * SCANS > count[1] || reports[n].at - taken_at[1][(n + 1) * SCANS - 1] > FB_MS(5) ||
                reports[n].scans < (n + 1) * SCANS;
        inside += reports[n].in_isr;
    }
    FB_CHECK("means_are_right", blocks == BLOCKS && wrong == 0, "the mean of each hundred scans", "%zu of %zu wrong; first %u and %u, expected %u and %u",
             wrong, blocks, reports[0].mean[0], reports[0].mean[1], mean_of(0, 0), mean_of(1, 0));
    FB_CHECK("reported_in_time", blocks == BLOCKS && late == 0, "each within 5 ms after its last scan", "%zu late, early or missing",
             late + BLOCKS - blocks);
    FB_CHECK("reported_outside_of_interrupts", report_count > 0 && inside == 0, "no call in an interrupt", "%zu in an interrupt", inside);
    unsigned divider = 2 * ((ADC->CCR >> 16 & 3) + 1);
    FB_CHECK("adc_clock_within_limits", divider >= 4, "84 MHz divided by 4 or more", "divided by %u", divider);
    FB_CHECK("no_overrun", fb_traced("adc_overrun", NULL) == 0, "none", "%zu", fb_traced("adc_overrun", NULL));
}
