#include "esp_scenario.h"

#include <stdio.h>
#include <string.h>

#include "sim.h"

#define SERVO 18
#define LAMP 2
#define END FB_MS(6500)

static const struct {
    int at_ms, angle;
} angles[] = {{200, 0}, {400, 180}, {430, 45}, {700, 135}, {1100, 200}, {1500, 1}, {2300, 90}, {2305, 91}, {3700, 179}, {5100, 60}};
#define ANGLES (sizeof angles / sizeof *angles)

static size_t given;
static int64_t asked_at, longest_gap, given_at[ANGLES];
static esp_pwm start, servo[ANGLES];
static double lamp[200];
static esp_pwm lamp_pwm;
static size_t lamp_samples;

static void look_at_servo(void *nth)
{
    servo[(size_t)nth] = esp_pin_pwm(SERVO);
}

static void look_at_start(void *unused)
{
    (void)unused;
    start = esp_pin_pwm(SERVO);
}

int next_angle(void)
{
    int64_t now = fb_now();
    if (asked_at && now - asked_at > longest_gap)
        longest_gap = now - asked_at;
    asked_at = now;
    fb_spend(FB_US(5));
    if (given == ANGLES || now < FB_MS(angles[given].at_ms))
        return -1;
    given_at[given] = now;
    fb_at(now + FB_MS(29), look_at_servo, (void *)given);
    return angles[given++].angle;
}

/* Brightness every 50 ms, from the first fade on. */
static void look_at_lamp(void *unused)
{
    (void)unused;
    esp_pwm now = esp_pin_pwm(LAMP);
    if (fb_traced("fade", "GPIO2") && lamp_samples < 200) {
        lamp[lamp_samples++] = now.on && now.period_ns ? (double)now.high_ns / (double)now.period_ns : 0;
        if (now.on)
            lamp_pwm = now;
    }
    fb_at(fb_now() + FB_MS(50), look_at_lamp, NULL);
}

void scenario(void)
{
    fb_at(FB_MS(150), look_at_start, NULL);
    fb_at(FB_MS(1), look_at_lamp, NULL);
    fb_end_at(END);
}

static bool pulse_is(esp_pwm pwm, int angle)
{
    int64_t wanted = FB_US(500) + FB_US(2000) * (angle > 180 ? 180 : angle) / 180;
    int64_t off = pwm.high_ns - wanted;
    return pwm.on && off >= -FB_US(3) && off <= FB_US(3);
}

void conclude(void)
{
    FB_CHECK("servo_frequency", start.on && start.period_ns == FB_MS(20), "a period of 20 ms", "%.3f ms", (double)start.period_ns / 1e6);
    FB_CHECK("servo_stands_at_90_degrees", pulse_is(start, 90), "1500 us", "%.1f us", (double)start.high_ns / 1e3);
    char wrong[200] = "";
    for (size_t n = 0; n < given; n++)
        if ((n + 1 >= given || given_at[n + 1] > given_at[n] + FB_MS(29)) && !pulse_is(servo[n], angles[n].angle))
            snprintf(wrong + strlen(wrong), sizeof wrong - strlen(wrong), "%.0f us for %d; ", (double)servo[n].high_ns / 1e3, angles[n].angle);
    FB_CHECK("pulses_right_in_time", given == ANGLES && !*wrong, "right to 3 us, 29 ms after each angle was given", "%zu of %zu given; %s", given,
             ANGLES, *wrong ? wrong : "all right");
    FB_CHECK("asked_often_enough", longest_gap <= FB_MS(40) && given == ANGLES, "every 40 ms", "%.1f ms apart", (double)longest_gap / 1e6);
    FB_CHECK("lamp_frequency", lamp_pwm.period_ns == FB_US(200), "a period of 200 us", "%.1f us", (double)lamp_pwm.period_ns / 1e3);
    int64_t gap = 0;
    size_t fades = fb_traced("fade", "GPIO2");
    for (size_t n = 1; n < fades; n++) {
        int64_t between = fb_traced_at("fade", "GPIO2", n) - fb_traced_at("fade", "GPIO2", n - 1) - FB_MS(1000);
        gap = between > gap ? between : gap;
    }
    bool alternate = fades > 0;
    for (size_t n = 0; n < fades; n++) {
        unsigned target = 0, ms = 0;
        sscanf(fb_traced_text("fade", "GPIO2", n), "GPIO2 to %u in %u", &target, &ms);
        alternate &= (n % 2 ? target <= 8 : target >= 8184 && target <= 8192) && ms >= 980 && ms <= 1020;
    }
    FB_CHECK("fades_up_and_down", alternate && fades >= 5 && fades <= 7, "to full and to 0 in turn, 1000 ms each", "%zu fades, the first '%s'", fades,
             fb_traced_text("fade", "GPIO2", 0));
    FB_CHECK("fades_without_pause", fades >= 5 && gap <= FB_MS(30), "at most 30 ms between fades", "%.1f ms", (double)gap / 1e6);
    double jump = 0, most = 0, least = 1;
    for (size_t n = 1; n < lamp_samples; n++) {
        double step = lamp[n] > lamp[n - 1] ? lamp[n] - lamp[n - 1] : lamp[n - 1] - lamp[n];
        jump = step > jump ? step : jump;
        most = lamp[n] > most ? lamp[n] : most;
        least = n > 25 && lamp[n] < least ? lamp[n] : least;
    }
    FB_CHECK("brightness_changes_smoothly", lamp_samples > 100 && jump < 0.08 && most > 0.95 && least < 0.05, "from 0 to 100 % without a jump",
             "%.0f to %.0f %%, by up to %.0f %% in 50 ms", least * 100, most * 100, jump * 100);
}
