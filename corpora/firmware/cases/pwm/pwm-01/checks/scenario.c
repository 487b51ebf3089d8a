#include "stm32_scenario.h"

#include <stdio.h>
#include <string.h>

#include "sim.h"

static const struct {
    int at_ms;
    uint32_t frequency_hz;
    uint16_t duty_permille;
    bool valid;
} settings[] = {
    {20, 1000, 250, true},    {60, 50, 75, true},       {200, 20000, 333, true}, {260, 19000, 1000, true},
    {290, 440, 0, true},      {320, 440, 501, true},    {360, 10, 500, false},   {380, 1000, 1001, false},
    {400, 20, 900, true},     {600, 7777, 123, true},   {720, 25000, 500, false}, {740, 0, 500, false},
};
#define SETTINGS (sizeof settings / sizeof *settings)

static size_t given;
static int64_t asked_at, longest_gap;
static stm32_pwm before, seen[SETTINGS];
static bool level_before;

int next_setting(uint32_t *frequency_hz, uint16_t *duty_permille)
{
    if (fb_now() - asked_at > longest_gap && asked_at)
        longest_gap = fb_now() - asked_at;
    asked_at = fb_now();
    fb_spend(FB_US(3));
    if (given == SETTINGS || fb_now() < FB_MS(settings[given].at_ms))
        return 0;
    *frequency_hz = settings[given].frequency_hz;
    *duty_permille = settings[given].duty_permille;
    given++;
    return 1;
}

static void look(void *nth)
{
    seen[(size_t)nth] = stm32_pin_pwm(GPIOA, GPIO_PIN_6);
}

static void look_at_start(void *unused)
{
    (void)unused;
    before = stm32_pin_pwm(GPIOA, GPIO_PIN_6);
    level_before = stm32_pin_level(GPIOA, GPIO_PIN_6);
}

static int64_t old_period_ms(size_t n)
{
    while (n > 0 && !settings[n - 1].valid)
        n--;
    return n == 0 ? 0 : 1000 / (int64_t)settings[n - 1].frequency_hz;
}

void scenario(void)
{
    fb_at(FB_MS(19), look_at_start, NULL);
    for (size_t n = 0; n < SETTINGS; n++)
        fb_at(FB_MS(settings[n].at_ms + 2 * old_period_ms(n) + 2), look, (void *)n);
    fb_end_at(FB_MS(800));
}

static bool near(int64_t value, int64_t wanted, int64_t whole)
{
    int64_t off = value > wanted ? value - wanted : wanted - value;
    return off * 1000 <= whole;
}

void conclude(void)
{
    FB_CHECK("low_before_the_first_setting", (!before.on || before.high_ns == 0) && !level_before, "no pulses",
             "%s, high for %lld ns", before.on ? "PWM" : "no PWM", (long long)before.high_ns);
    char periods[200] = "", pulses[200] = "";
    for (size_t n = 0; n < SETTINGS; n++) {
        if (!settings[n].valid)
            continue;
        int64_t period = FB_S(1) / settings[n].frequency_hz, high = period * settings[n].duty_permille / 1000;
        bool constant = settings[n].duty_permille == 0 || settings[n].duty_permille == 1000;
        bool still = settings[n].duty_permille == 0 ? !seen[n].on || seen[n].high_ns == 0 : seen[n].high_ns == seen[n].period_ns;
        if (constant ? !still : !near(seen[n].high_ns, high, period))
            snprintf(pulses + strlen(pulses), sizeof pulses - strlen(pulses), "%lld ns for %u permille of %u Hz; ",
                     (long long)seen[n].high_ns, settings[n].duty_permille, settings[n].frequency_hz);
        if (!constant && (!seen[n].on || !near(seen[n].period_ns, period, period)))
            snprintf(periods + strlen(periods), sizeof periods - strlen(periods), "%lld ns for %u Hz; ",
                     (long long)seen[n].period_ns, settings[n].frequency_hz);
    }
    FB_CHECK("frequency_right", !*periods, "within 0.1 % soon after each setting", "%s", *periods ? periods : "all right");
    FB_CHECK("high_time_right", !*pulses, "within 0.1 % of the period soon after each setting", "%s", *pulses ? pulses : "all right");
    size_t invalid = 0;
    for (size_t n = 0; n < SETTINGS; n++)
        if (!settings[n].valid) {
            size_t last = n;
            while (!settings[last].valid)
                last--;
            invalid += seen[n].period_ns != seen[last].period_ns || seen[n].high_ns != seen[last].high_ns;
        }
    FB_CHECK("settings_out_of_range_ignored", given == SETTINGS && invalid == 0, "no change", "%zu changed the output", invalid);
    size_t changes = fb_traced_between("pwm", "PA6", FB_MS(20), FB_MS(800)), wanted = 0;
    for (size_t n = 0; n < SETTINGS; n++)
        wanted += settings[n].valid;
    FB_CHECK("both_values_change_together", changes <= wanted, "one change of the output a setting", "%zu changes for %zu settings",
             changes, wanted);
    FB_CHECK("no_torn_period", fb_traced("pwm_glitch", NULL) == 0, "none", "%zu; %s", fb_traced("pwm_glitch", NULL),
             fb_traced_text("pwm_glitch", NULL, 0));
    FB_CHECK("asked_often_enough", longest_gap <= FB_MS(1) && given == SETTINGS, "at least once a millisecond", "%.2f ms apart",
             (double)longest_gap / 1e6);
}
