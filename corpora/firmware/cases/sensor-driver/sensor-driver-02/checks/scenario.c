/* Motions of different length, samples that fail, a sensor that falls silent and comes back only when it is set up
 * anew. Boots: 0 not ready, 1 the frequency cannot be set, 2 the trigger cannot be set, 3 works. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "fb_accel.h"
#include "fb_zephyr.h"
#include "power.h"
#include "sim.h"

FB_POWER_CYCLES;

#define ACCEL DEVICE_DT_GET(DT_NODELABEL(accel))
enum { BOOT_NOT_READY, BOOT_NO_FREQUENCY, BOOT_NO_TRIGGER, BOOT_WORKS };
#define STEP FB_MS(20)

static struct kept {
    bool not_ready, frequency, trigger;
} *kept;

/* In samples of 20 ms: from, to, deviation. What is not listed is still. */
static const struct {
    int from, to;
    double deviation;
} motions[] = {
    {50, 51, 5.0},                                       /* two in a row: too few */
    {60, 62, 3.0},                                       /* three: motion, at 62 */
    {63, 71, 0.5},                                       /* nine calm ones: too few */
    {72, 72, 1.5},                                       /* between the limits ends the row */
    {73, 100, 0.5},                                      /* calm again: still at 82 */
    {110, 111, -4.0},                                    /* two, then one in between, then two: nothing */
    {112, 112, 1.9},  {113, 114, -4.0}, {130, 131, 2.5}, /* two, an unreadable one, a third: motion at 133 */
    {132, 132, 0.0},  {133, 133, 2.5},  {198, 199, 4.0}, /* two, then silence */
};
#define UNREADABLE 132
#define SILENT_FROM 200
#define REVIVING_SETUP 4

static unsigned after_return;

static double deviation_at(int index)
{
    for (size_t i = 0; i < sizeof motions / sizeof *motions; i++)
        if (index >= motions[i].from && index <= motions[i].to)
            return motions[i].deviation;
    return index > 133 && index < 150 ? 1.2 : 0.0;
}

static bool sample(double xyz[3])
{
    int index = (int)(fb_now() / STEP);
    if (index >= SILENT_FROM && fb_accel_triggers_set() < REVIVING_SETUP)
        return false;
    if (index == UNREADABLE)
        fb_accel_fail_fetch(0, 1, -EIO);
    double length = 9.80665 + deviation_at(index);
    if (index >= SILENT_FROM && after_return++ == 0)
        length = 9.80665 + 4.0; /* one more: a third only for who did not begin anew */
    /* Every axis is below zero or below one at times: values whose whole part is 0 carry the sign in the fraction. */
    xyz[0] = -0.48;
    xyz[1] = index % 2 ? 0.64 : -0.64;
    xyz[2] = -sqrt(length * length - 0.48 * 0.48 - 0.64 * 0.64);
    return true;
}

static void next_boot(void *unused)
{
    (void)unused;
    kept->not_ready |= fb_boot() == BOOT_NOT_READY && fb_traced("console", "accel not ready") == 1;
    /* The application has ended: nothing is said or set up later. */
    bool failed = fb_traced("console", "accel setup failed") == 1 && fb_traced("console", NULL) == 1 &&
                  fb_traced("accel", "frequency") == 1;
    kept->frequency |= fb_boot() == BOOT_NO_FREQUENCY && failed && fb_traced("accel", "trigger") == 0;
    kept->trigger |= fb_boot() == BOOT_NO_TRIGGER && failed;
    fb_power_cycle("next boot");
}

void scenario(void)
{
    kept = fb_kept("scenario", sizeof *kept);
    fb_accel_source(sample);
    if (fb_boot() == BOOT_NOT_READY)
        fb_device_broken(ACCEL);
    if (fb_boot() == BOOT_NO_FREQUENCY)
        fb_accel_fail_attribute(0, 1, -EIO);
    if (fb_boot() == BOOT_NO_TRIGGER)
        fb_accel_fail_trigger(0, 1, -EIO);
    if (fb_boot() == BOOT_WORKS) {
        fb_accel_fail_attribute(2, 1, -EIO); /* the second try of the recovery */
        fb_accel_fail_trigger(1, 1, -EIO);   /* its first */
        fb_end_at(FB_S(10));
    } else {
        fb_at(FB_MS(1200), next_boot, NULL);
        fb_end_at(FB_S(2));
    }
}

static const char *line(size_t nth)
{
    return fb_traced_text("console", NULL, nth);
}

static bool said_at(const char *text, size_t nth, int index)
{
    int64_t when = fb_traced_at("console", text, nth), due = index * STEP;
    return when >= due && when < due + STEP;
}

void conclude(void)
{
    FB_CHECK("not_ready_reported", kept->not_ready, "the line 'accel not ready'", "%d", kept->not_ready);
    FB_CHECK("frequency_error_reported", kept->frequency, "the line 'accel setup failed', no trigger", "%d",
             kept->frequency);
    FB_CHECK("trigger_error_reported", kept->trigger, "the line 'accel setup failed'", "%d", kept->trigger);
    FB_CHECK("frequency_before_trigger",
             fb_traced("accel", "frequency 50.0: 0") > 0 &&
                 fb_traced_at("accel", "frequency", 0) <= fb_traced_at("accel", "trigger", 0) &&
                 fb_traced_at("accel", "trigger on: 0", 0) >= 0 &&
                 fb_traced_at("accel", "trigger on: 0", 0) < FB_MS(50),
             "50 Hz, then the trigger, at the start", "%s at %.3f s", fb_traced_text("accel", "frequency", 0),
             (double)fb_traced_at("accel", "frequency", 0) / 1e9);
    FB_CHECK("short_shock_ignored", fb_traced_between("console", "MOTION", 0, 60 * STEP) == 0,
             "nothing for two samples", "%s", line(0));
    FB_CHECK("motion_after_three", said_at("MOTION", 0, 62), "MOTION with the third sample, 1.24 s", "%.3f s",
             (double)fb_traced_at("console", "MOTION", 0) / 1e9);
    FB_CHECK("still_after_ten", said_at("STILL", 0, 82), "STILL with the tenth calm sample, 1.64 s", "%.3f s",
             (double)fb_traced_at("console", "STILL", 0) / 1e9);
    FB_CHECK("row_interrupted", fb_traced_between("console", "MOTION", 100 * STEP, 130 * STEP) == 0,
             "nothing for two and two", "%zu", fb_traced_between("console", "MOTION", 100 * STEP, 130 * STEP));
    FB_CHECK("failed_sample_left_out", said_at("MOTION", 1, 133), "MOTION at 2.66 s, although one sample failed",
             "%.3f s", (double)fb_traced_at("console", "MOTION", 1) / 1e9);
    FB_CHECK("hysteresis",
             fb_traced_between("console", "STILL", 83 * STEP, 150 * STEP) == 0 && said_at("STILL", 1, 159),
             "no STILL at a deviation of 1.2, then after ten calm samples at 3.18 s", "%.3f s",
             (double)fb_traced_at("console", "STILL", 1) / 1e9);
    int64_t lost = fb_traced_at("console", "SENSOR LOST", 0), last = (SILENT_FROM - 1) * STEP;
    FB_CHECK("silence_noticed", lost >= last + FB_MS(490) && lost <= last + FB_MS(605), "SENSOR LOST at 4.48 s",
             "%.3f s", (double)lost / 1e9);
    size_t tries = fb_traced_between("accel", "frequency", last, FB_S(8));
    int64_t first = fb_traced_at("accel", "frequency", 1), second = fb_traced_at("accel", "frequency", 2);
    FB_CHECK("set_up_again_at_once", first >= lost - FB_MS(20) && first <= lost + FB_MS(110), "set up again at once",
             "%.3f s", (double)first / 1e9);
    FB_CHECK("set_up_again_periodically", tries >= 4 && second - first >= FB_MS(450) && second - first <= FB_MS(610),
             "every 500 ms until it works, whatever fails", "%zu tries, the second after %.0f ms", tries,
             (double)(second - first) / 1e6);
    FB_CHECK("lost_said_once", fb_traced("console", "SENSOR LOST") == 1, "one line", "%zu",
             fb_traced("console", "SENSOR LOST"));
    int64_t back = fb_traced_at("console", "SENSOR BACK", 0);
    FB_CHECK("return_noticed", fb_traced("console", "SENSOR BACK") == 1 && back > lost && back < FB_S(8),
             "SENSOR BACK once", "%zu, at %.3f s", fb_traced("console", "SENSOR BACK"), (double)back / 1e9);
    FB_CHECK("row_begins_anew", back >= 0 && fb_traced_between("console", "MOTION", 150 * STEP, FB_FOREVER) == 0,
             "no MOTION from two samples before the silence and one after", "%zu",
             fb_traced_between("console", "MOTION", 150 * STEP, FB_FOREVER));
    FB_CHECK("nothing_else_said", fb_traced("console", NULL) == 6, "six lines in all", "%zu, the last '%s'",
             fb_traced("console", NULL), line(fb_traced("console", NULL) - 1));
}
