#include "fb_zephyr.h"

#include <stdio.h>
#include <zephyr/drivers/gpio.h>

#define BUTTON 11
#define SHORT_LED "gpio0.13="
#define LONG_LED "gpio0.14="
#define LIGHTS(led) led "0"
#define DARKENS(led) led "1"

static const struct device *port = DEVICE_DT_GET(DT_NODELABEL(gpio0));

static void down(void *arg)
{
    ARG_UNUSED(arg);
    fb_gpio_drive(port, BUTTON, 0);
}

static void up(void *arg)
{
    ARG_UNUSED(arg);
    fb_gpio_release(port, BUTTON);
}

static void press(int from_ms, int to_ms)
{
    fb_at(FB_MS(from_ms), down, NULL);
    fb_at(FB_MS(to_ms), up, NULL);
}

void scenario(void)
{
    fb_pm_enable();
    /* A press that bounces at both ends. */
    press(200, 203);
    press(206, 209);
    press(212, 500);
    press(504, 508);
    /* A spike, a clean press, a press with a spike of contact just before it. */
    press(1000, 1015);
    press(1500, 1700);
    /* A long press, which is interrupted by a spike. */
    press(2500, 3000);
    press(3010, 5500);
    /* Short presses close to both limits. */
    press(6000, 6034);
    press(6300, 8250);
    fb_end_at(FB_S(12));
}

static size_t changes(const char *led, int from_ms, int to_ms)
{
    return fb_traced_between("gpio", led, FB_MS(from_ms), FB_MS(to_ms));
}

void conclude(void)
{
    bool off = fb_traced_at("gpio", SHORT_LED, 0) >= 0 &&
               !strcmp(fb_traced_text("gpio", SHORT_LED, 0), DARKENS(SHORT_LED)) &&
               !strcmp(fb_traced_text("gpio", LONG_LED, 0), DARKENS(LONG_LED));
    FB_CHECK("leds_start_off", off && !changes(LIGHTS(SHORT_LED), 0, 199) && !changes(LIGHTS(LONG_LED), 0, 199),
             "both LEDs driven, and off", "led0 '%s', led1 '%s'", fb_traced_text("gpio", SHORT_LED, 0),
             fb_traced_text("gpio", LONG_LED, 0));
    FB_CHECK("bouncing_press_toggles_once", changes(SHORT_LED, 200, 1000) == 1, "one change of led0", "%zu changes",
             changes(SHORT_LED, 200, 1000));
    FB_CHECK("release_accepted_in_time", changes(LIGHTS(SHORT_LED), 538, 549) == 1,
             "led0 on 30 to 40 ms after the last edge", "changed at %.1f ms",
             fb_traced_at("gpio", LIGHTS(SHORT_LED), 0) / 1e6);
    FB_CHECK("spike_ignored", changes(SHORT_LED, 1000, 1500) == 0, "no change of led0", "%zu changes",
             changes(SHORT_LED, 1000, 1500));
    FB_CHECK("second_press_toggles_back",
             changes(DARKENS(SHORT_LED), 1729, 1741) == 1 && changes(SHORT_LED, 1500, 2500) == 1,
             "led0 off after the second release", "%zu changes", changes(SHORT_LED, 1500, 2500));
    FB_CHECK("long_press_shown_in_time",
             changes(LIGHTS(LONG_LED), 4529, 4561) == 1 && changes(LONG_LED, 2500, 5499) == 1,
             "led1 on 2000 ms after the accepted press, and once", "at %.1f ms, %zu changes",
             fb_traced_at("gpio", LIGHTS(LONG_LED), 0) / 1e6, changes(LONG_LED, 2500, 5499));
    FB_CHECK("long_press_ends_with_release", changes(DARKENS(LONG_LED), 5529, 5541) == 1, "led1 off after the release",
             "%zu changes in time", changes(DARKENS(LONG_LED), 5529, 5541));
    FB_CHECK("long_press_does_not_toggle", changes(SHORT_LED, 2500, 6000) == 0, "no change of led0", "%zu changes",
             changes(SHORT_LED, 2500, 6000));
    FB_CHECK("presses_near_the_limits_toggle",
             changes(SHORT_LED, 6000, 6300) == 1 && changes(SHORT_LED, 6300, 9000) == 1 &&
                 changes(LONG_LED, 6000, 9000) == 0,
             "led0 changed once by 34 ms and once by 1950 ms", "%zu and %zu changes, %zu of led1",
             changes(SHORT_LED, 6000, 6300), changes(SHORT_LED, 6300, 9000), changes(LONG_LED, 6000, 9000));
    size_t up = fb_traced_between("pm", "exit", FB_S(9), FB_S(12)),
           held = fb_traced_between("pm", "exit", FB_MS(4600), FB_MS(5400));
    FB_CHECK("sleeps_while_at_rest", up == 0 && held == 0 && fb_traced("pm", "enter") > 0, "no wake-up in 3 s of rest",
             "%zu wake-ups while up, %zu while down", up, held);
}
