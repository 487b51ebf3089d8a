#include "esp_scenario.h"

#include <stdio.h>
#include <string.h>

#include "sim.h"

#define GROUPS 60
#define PIN 4
#define SOME_FAIL 30 /* in this group 3 conversions fail, and too many in the other */
#define MOST_FAIL 52

/* Battery voltage by group of 100 ms. */
static int battery_mv(int group)
{
    static const int steps[] = {4000, 3600, 3250, 3250, 3500, 3250, 3250, 3350, 3250, 3250, 3250, 3250, 3400, 3440,
                                3250, 3480, 3480, 3260, 3260, 3260, 3600, 3100, 4200, 3250, 3250, 3250, 3250, 3900};
    return group < 0 ? 4000 : steps[group % (int)(sizeof steps / sizeof *steps)];
}

static int64_t first_conversion = -1;
static unsigned conversion;

static int group_of(int64_t now)
{
    return first_conversion < 0 ? 0 : (int)((now - first_conversion + FB_MS(50)) / FB_MS(100));
}

static int pin_mv(int64_t now)
{
    static const int spikes[] = {0, 3, -4, 480, 2, -2, 1, -430, 5, -1, 390, 0, -3, 4, 2, -1, 1};
    if (first_conversion < 0)
        first_conversion = now;
    return battery_mv(group_of(now)) / 2 + spikes[conversion++ % 17];
}

static struct {
    int mv, group;
    int64_t at;
} reports[GROUPS + 10];
static size_t report_count;
static struct {
    bool low;
    int group;
} calls[40];
static size_t call_count;

void battery(int millivolts)
{
    if (report_count < GROUPS + 10) {
        reports[report_count].mv = millivolts;
        reports[report_count].group = group_of(fb_now());
        reports[report_count++].at = fb_now();
    }
}

void low_battery(bool low)
{
    if (call_count < 40) {
        calls[call_count].low = low;
        calls[call_count++].group = group_of(fb_now());
    }
}

static void fail(void *count)
{
    esp_adc_fail_next((unsigned)(uintptr_t)count);
}

void scenario(void)
{
    fb_at(FB_MS(100 * SOME_FAIL - 40), fail, (void *)3);
    fb_at(FB_MS(100 * MOST_FAIL - 40), fail, (void *)6);
    esp_adc_signal(PIN, pin_mv);
    fb_end_at(FB_MS(100 * GROUPS - 50));
}

/* The calls that the requirements ask for. */
static size_t expected_calls(char *text, size_t room)
{
    bool low = false;
    int below = 0;
    size_t count = 0;
    *text = '\0';
    for (int group = 0; group < GROUPS; group++) {
        int mv = battery_mv(group);
        if (group == MOST_FAIL)
            continue;
        bool change = false;
        if (low) {
            change = mv >= 3450;
        } else {
            below = mv < 3300 ? below + 1 : 0;
            change = below == 3;
        }
        if (!change)
            continue;
        low = !low;
        below = 0;
        count++;
        snprintf(text + strlen(text), room - strlen(text), "%c%d ", low ? 'L' : 'g', group);
    }
    return count;
}

void conclude(void)
{
    size_t wrong = 0, late = 0;
    int worst = 0;
    for (size_t i = 0; i < report_count; i++) {
        int off = reports[i].mv - battery_mv(reports[i].group);
        off = off < 0 ? -off : off;
        if (off * 100 > battery_mv(reports[i].group))
            wrong++;
        if (off > worst)
            worst = off;
        int64_t drift = reports[i].at - reports[0].at - FB_MS(100 * (int64_t)(reports[i].group - reports[0].group));
        late += drift < -FB_MS(11) || drift > FB_MS(11);
    }
    FB_CHECK("reported_every_100_ms", report_count >= GROUPS - 2 && report_count <= GROUPS && late == 0, "about 59 values, 100 ms apart",
             "%zu values, %zu off", report_count, late);
    FB_CHECK("voltage_right", report_count > 0 && wrong == 0, "each within 1 % of the battery", "%zu of %zu wrong, by up to %d mV", wrong,
             report_count, worst);
    size_t in_vain = 0;
    for (size_t i = 0; i < report_count; i++)
        in_vain += reports[i].group == MOST_FAIL;
    FB_CHECK("no_value_from_too_few_conversions", report_count > 40 && in_vain == 0, "none for the group with 10 good ones", "%zu", in_vain);
    FB_CHECK("sixteen_conversions_a_group", conversion + 9 >= 16 * (GROUPS - 1) && conversion + 9 <= 16 * (GROUPS + 1), "about 16 times 60",
             "%u and 9 that failed", conversion);
    char expected[200], saw[200] = "";
    size_t count = expected_calls(expected, sizeof expected);
    for (size_t i = 0; i < call_count; i++)
        snprintf(saw + strlen(saw), sizeof saw - strlen(saw), "%c%d ", calls[i].low ? 'L' : 'g', calls[i].group);
    FB_CHECK("low_battery_with_hysteresis", count == call_count && !strcmp(expected, saw), "a call where the values ask for it (L low, g good, group)",
             "%s; expected %s", saw, expected);
}
