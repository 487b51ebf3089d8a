#include "fb_zephyr.h"

#include <zephyr/drivers/gpio.h>
#include <zephyr/pm/device.h>
#include <zephyr/pm/device_runtime.h>

#define ENABLE 1
#define READY 3
#define ON "gpio1.1=1"
#define OFF "gpio1.1=0"

int frontend_measure(int32_t *value);
int32_t frontend_sample(void);

static const struct device *port = DEVICE_DT_GET(DT_NODELABEL(gpio1));
static bool dead, unpowered_sample;
static int32_t next_sample = 100;
static size_t samples;

/* A front end that works says so 4 ms after it was powered. */
static void says_ready(void *arg)
{
    ARG_UNUSED(arg);
    if (fb_gpio_level(port, ENABLE) && !dead)
        fb_gpio_drive(port, READY, 1);
}

static void power_changed(void *arg, int level)
{
    ARG_UNUSED(arg);
    if (level)
        fb_at(fb_now() + FB_MS(4), says_ready, NULL);
    else
        fb_gpio_drive(port, READY, 0);
}

int32_t frontend_sample(void)
{
    if (!fb_may_block("frontend_sample"))
        return 0;
    int32_t sample = next_sample;
    next_sample += 7;
    samples++;
    unpowered_sample |= !fb_gpio_level(port, READY);
    fb_wait(NULL, fb_now() + FB_MS(20));
    unpowered_sample |= !fb_gpio_level(port, READY);
    return dead || sample < 0 ? -1 : sample;
}

static struct {
    int result;
    int32_t value;
    int64_t from, to;
} calls[12];

static void measure(size_t i)
{
    calls[i].value = -77;
    calls[i].from = fb_now();
    calls[i].result = frontend_measure(&calls[i].value);
    calls[i].to = fb_now();
}

static void measure_in_thread(void *p1, void *p2, void *p3)
{
    ARG_UNUSED(p3);
    fb_wait(NULL, fb_now() + FB_MS((int64_t)(intptr_t)p2));
    measure((size_t)(uintptr_t)p1);
}
static K_THREAD_STACK_ARRAY_DEFINE(stacks, 3, 1024);
static struct k_thread threads[3];

static bool found, suspended_at_start, off_at_start, runtime;
static int null_result, turn_off, usage_at_end;
static size_t samples_of_null, samples_of_dead;
static int64_t apart, together, failing, dead_at, end_at;

int candidate_main(void)
{
    const struct device *dev = device_get_binding("frontend");
    enum pm_device_state state = PM_DEVICE_STATE_ACTIVE;
    found = dev != NULL;
    if (!found)
        return 0;
    suspended_at_start = pm_device_state_get(dev, &state) == 0 && state == PM_DEVICE_STATE_SUSPENDED;
    runtime = pm_device_runtime_is_enabled(dev);
    off_at_start = fb_gpio_is_output(port, ENABLE) && !fb_gpio_level(port, ENABLE);
    turn_off = dev->pm->action_cb(dev, PM_DEVICE_ACTION_TURN_OFF);
    null_result = frontend_measure(NULL);
    samples_of_null = samples;
    k_msleep(100);

    apart = fb_now();
    measure(0);
    k_msleep(30);
    measure(1); /* within the 50 ms */
    k_msleep(200);

    together = fb_now();
    for (intptr_t i = 0; i < 3; i++)
        k_thread_create(&threads[i], stacks[i], 1024, measure_in_thread, (void *)(2 + i), (void *)(i * 8), NULL,
                        4 + (int)i, 0, K_NO_WAIT);
    k_msleep(300);

    failing = fb_now();
    next_sample = -5;
    measure(5);
    next_sample = 500;
    k_msleep(200);

    dead_at = fb_now();
    dead = true;
    size_t before = samples;
    measure(6);
    measure(7);
    samples_of_dead = samples - before;
    k_msleep(200);
    dead = false;
    measure(8);
    end_at = fb_now();
    k_msleep(200);
    usage_at_end = pm_device_runtime_usage(dev);
    return 0;
}

void scenario(void)
{
    fb_gpio_drive(port, READY, 0);
    fb_gpio_watch(port, ENABLE, power_changed, NULL);
    fb_end_at(FB_S(5));
}

static size_t times(const char *what, int64_t from, int64_t to)
{
    return fb_traced_between("gpio", what, from, to);
}

/* ms from `from` to the first time after it that enable goes inactive. */
static double off_after(int64_t from)
{
    for (size_t i = 0;; i++) {
        int64_t at = fb_traced_at("gpio", OFF, i);
        if (at < 0 || at > from)
            return at < 0 ? -1 : (at - from) / 1e6;
    }
}

static bool lingers(int64_t from)
{
    double ms = off_after(from);
    return ms >= 50 && ms <= 52;
}

void conclude(void)
{
    FB_CHECK("device_is_there", found, "a device 'frontend' that is ready", "%s", found ? "found" : "not found");
    FB_CHECK("starts_suspended", suspended_at_start && off_at_start && runtime && times(ON, 0, apart) == 0 && apart > 0,
             "suspended, enable inactive, runtime power management enabled", "%s, %s, %s",
             suspended_at_start ? "suspended" : "active", off_at_start ? "inactive" : "active or no output",
             runtime ? "enabled" : "not enabled");
    FB_CHECK("other_actions_not_supported", found && turn_off == -ENOTSUP, "-ENOTSUP", "%d", turn_off);
    FB_CHECK("null_is_refused", found && null_result == -EINVAL && samples_of_null == 0, "-EINVAL, nothing sampled",
             "%d", null_result);
    bool first = calls[0].result == 0 && calls[0].value == 100 && calls[0].to - calls[0].from >= FB_MS(25) &&
                 calls[0].to - calls[0].from <= FB_MS(27);
    FB_CHECK("measures", found && first, "0 and the sample, after 5 + 20 ms", "%d and %d after %.1f ms",
             calls[0].result, calls[0].value, (calls[0].to - calls[0].from) / 1e6);
    FB_CHECK("samples_with_power", samples > 6 && !unpowered_sample, "ready through every sample", "%s",
             unpowered_sample ? "not ready" : "ready");
    FB_CHECK("stays_powered_in_between",
             found && times(ON, apart, together) == 1 && times(OFF, apart, together) == 1 &&
                 calls[1].to - calls[1].from < FB_MS(22),
             "powered once for two measurements 30 ms apart", "%zu times", times(ON, apart, together));
    FB_CHECK("suspended_after_50_ms", found && lingers(calls[1].to), "50 to 52 ms after the last measurement",
             "%.1f ms", off_after(calls[1].to));
    int64_t last = MAX(calls[2].to, MAX(calls[3].to, calls[4].to));
    bool all = calls[2].result == 0 && calls[3].result == 0 && calls[4].result == 0 && calls[2].to && calls[3].to &&
               calls[4].to;
    FB_CHECK("several_threads_measure", all && times(ON, together, failing) == 1 && lingers(last),
             "three results, powered once, until 50 ms after the last", "%d, %d, %d, powered %zu times",
             calls[2].result, calls[3].result, calls[4].result, times(ON, together, failing));
    FB_CHECK("negative_sample_is_an_error", found && calls[5].result == -ERANGE && calls[5].value == -77,
             "-ERANGE, value left alone", "%d, value %d", calls[5].result, calls[5].value);
    FB_CHECK("suspended_after_an_error", found && lingers(calls[5].to), "50 to 52 ms after the failed measurement",
             "%.1f ms", off_after(calls[5].to));
    FB_CHECK("dead_front_end_reported",
             found && calls[6].result == -EIO && calls[7].result == -EIO && samples_of_dead == 0,
             "-EIO twice, nothing sampled", "%d, %d, %zu samples", calls[6].result, calls[7].result, samples_of_dead);
    FB_CHECK("dead_front_end_not_powered",
             found && end_at > 0 && times(ON, dead_at, calls[7].to) == 2 &&
                 times(OFF, dead_at, calls[7].to + FB_MS(1)) == 2,
             "enable inactive after each failure", "active %zu times, inactive %zu times",
             times(ON, dead_at, calls[7].to), times(OFF, dead_at, calls[7].to + FB_MS(1)));
    FB_CHECK("works_after_a_failure", found && calls[8].result == 0 && lingers(end_at) && usage_at_end == 0,
             "0, then suspended, used by nobody", "%d, inactive after %.1f ms, %d users", calls[8].result,
             off_after(end_at), usage_at_end);
}
