#include "fb_zephyr.h"

#include <zephyr/drivers/gpio.h>

#define ENABLE 1
#define RESET 2
#define READY 3
#define ENABLED "gpio1.1=1"
#define DISABLED "gpio1.1=0"
#define RESET_ON "gpio1.2=0"
#define RESET_OFF "gpio1.2=1"
#define NEVER (-1)

int module_power_on(void);
int module_power_off(void);

static const struct device *port = DEVICE_DT_GET(DT_NODELABEL(gpio1));

/* What the module does after each release of its reset: ready so many us later, or a pulse of 200 us at a time. */
static const int ready_after_us[] = {
    20000,               /* the first call */
    0,                   /* a module that is ready at once */
    NEVER, NEVER, 30000, /* one that comes up late */
    NEVER, NEVER, NEVER, /* one that is dead */
    95000,               /* one that only just makes it */
};
static size_t releases;
/* When a stray pulse comes after the release of that number, in us: while the power is off, or in the next attempt's
 * reset. */
static const struct {
    size_t release;
    int after_us;
} strays[] = {{2, 120000}, {3, 155000}};

static void set_ready(void *arg)
{
    fb_gpio_drive(port, READY, arg != NULL);
}

static void module_reset(void *arg, int level)
{
    ARG_UNUSED(arg);
    if (!level) {
        fb_gpio_drive(port, READY, 0);
        return;
    }
    if (!fb_gpio_level(port, ENABLE) || releases == ARRAY_SIZE(ready_after_us))
        return;
    int after = ready_after_us[releases];
    if (after == 0)
        fb_gpio_drive(port, READY, 1);
    else if (after > 0)
        fb_at(fb_now() + FB_US(after), set_ready, (void *)1);
    for (size_t i = 0; i < ARRAY_SIZE(strays); i++)
        if (strays[i].release == releases) {
            fb_at(fb_now() + FB_US(strays[i].after_us), set_ready, (void *)1);
            fb_at(fb_now() + FB_US(strays[i].after_us + 200), set_ready, NULL);
        }
    releases++;
}

static struct call {
    int64_t from, to;
    int result;
} calls[16];
static size_t count;

static void call(int (*fn)(void))
{
    struct call *one = &calls[count++];
    one->from = fb_now();
    one->result = fn();
    one->to = fb_now();
    k_msleep(200);
}

static size_t disturbed;
static void count_interrupts_while_off(void *arg)
{
    size_t *wakeups = arg;
    *wakeups = fb_traced("pm", "exit");
}
static size_t before_pulses, after_pulses;

int candidate_main(void)
{
    call(module_power_on);  /* 0: on */
    call(module_power_on);  /* 1: already */
    call(module_power_off); /* 2: off */
    call(module_power_off); /* 3: already */
    k_msleep(100);
    /* The line is noisy while the module is off. */
    for (int i = 1; i <= 5; i++) {
        fb_at(fb_now() + FB_MS(20 * i), set_ready, (void *)1);
        fb_at(fb_now() + FB_MS(20 * i) + FB_MS(3), set_ready, NULL);
    }
    fb_at(fb_now() + FB_MS(10), count_interrupts_while_off, &before_pulses);
    fb_at(fb_now() + FB_MS(150), count_interrupts_while_off, &after_pulses);
    k_msleep(200);
    disturbed = after_pulses - before_pulses;
    call(module_power_on);  /* 4: ready at once */
    call(module_power_off); /* 5 */
    call(module_power_on);  /* 6: late */
    call(module_power_off); /* 7 */
    call(module_power_on);  /* 8: dead */
    call(module_power_off); /* 9: already off */
    call(module_power_on);  /* 10: only just */
    return 0;
}

void scenario(void)
{
    fb_pm_enable();
    fb_gpio_drive(port, READY, 0);
    fb_gpio_watch(port, RESET, module_reset, NULL);
    fb_end_at(FB_S(8));
}

static bool near(double ms, double low, double high)
{
    return ms >= low && ms <= high;
}

static double took(size_t i)
{
    return (calls[i].to - calls[i].from) / 1e6;
}

/* ms from the last of `from` before the nth `to` of all, to it. */
static double since(const char *from, const char *to, size_t nth)
{
    int64_t end = fb_traced_at("gpio", to, nth), start = -1;
    for (size_t i = 0;; i++) {
        int64_t at = fb_traced_at("gpio", from, i);
        if (at < 0 || at > end)
            break;
        start = at;
    }
    return start < 0 ? -1 : (end - start) / 1e6;
}

void conclude(void)
{
    bool in_order =
        fb_traced_at("gpio", RESET_ON, 0) >= 0 && fb_traced_at("gpio", RESET_ON, 0) <= fb_traced_at("gpio", ENABLED, 0);
    FB_CHECK("reset_before_enable", in_order, "reset asserted before enable", "reset at %.3f ms, enable at %.3f ms",
             fb_traced_at("gpio", RESET_ON, 0) / 1e6, fb_traced_at("gpio", ENABLED, 0) / 1e6);
    bool held = releases == ARRAY_SIZE(ready_after_us);
    double shortest = 1e9, longest = 0;
    for (size_t i = 0, seen = 0; fb_traced_at("gpio", RESET_OFF, i) >= 0; i++) {
        double ms = since(ENABLED, RESET_OFF, i);
        if (ms < 0)
            continue;
        seen++;
        shortest = MIN(shortest, ms);
        longest = MAX(longest, ms);
    }
    FB_CHECK("reset_held_after_enable", held && near(shortest, 9.99, 12) && near(longest, 9.99, 12),
             "10 to 12 ms in each of 9 attempts", "%.2f to %.2f ms, %zu attempts", shortest, longest, releases);
    FB_CHECK("returns_when_ready", calls[0].result == 0 && near(took(0), 30, 33.2), "0 after 10 + 20 ms",
             "%d after %.2f ms", calls[0].result, took(0));
    FB_CHECK("second_call_says_already",
             calls[1].result == -EALREADY && calls[3].result == -EALREADY && calls[9].result == -EALREADY,
             "-EALREADY when on, twice when off", "%d, %d, %d", calls[1].result, calls[3].result, calls[9].result);
    FB_CHECK("sees_ready_at_once", calls[4].result == 0 && near(took(4), 9.99, 13.2), "0 after 10 ms",
             "%d after %.2f ms", calls[4].result, took(4));
    FB_CHECK("retries_until_ready", calls[6].result == 0 && near(took(6), 2 * 160 + 40, 2 * 174 + 43.2),
             "0 in the third attempt", "%d after %.2f ms", calls[6].result, took(6));
    FB_CHECK("gives_up_after_three",
             calls[8].result == -ETIMEDOUT && near(took(8), 3 * 110 + 2 * 50, 3 * 114 + 2 * 60 + 1),
             "-ETIMEDOUT after three attempts, at once", "%d after %.2f ms", calls[8].result, took(8));
    bool dead_off = true;
    for (size_t i = 0; fb_traced_at("gpio", "gpio1.1=", i) >= 0; i++)
        if (fb_traced_at("gpio", "gpio1.1=", i) <= calls[8].to)
            dead_off = !strcmp(fb_traced_text("gpio", "gpio1.1=", i), DISABLED);
    FB_CHECK("off_after_giving_up", dead_off, "enable inactive", "%s", dead_off ? "inactive" : "active");
    FB_CHECK("accepts_ready_just_in_time", calls[10].result == 0 && near(took(10), 105, 108.2), "0 after 10 + 95 ms",
             "%d after %.2f ms", calls[10].result, took(10));
    bool cut = true;
    size_t enabled = 0;
    for (size_t i = 0; fb_traced_at("gpio", DISABLED, i) >= 0; i++)
        if (fb_traced_at("gpio", DISABLED, i) > 0 && since(ENABLED, DISABLED, i) >= 0) {
            enabled++;
            cut =
                cut && since(RESET_ON, DISABLED, i) <= since(ENABLED, DISABLED, i) && since(RESET_ON, DISABLED, i) < 1;
        }
    FB_CHECK("reset_before_disable", cut && enabled >= 8, "reset asserted just before enable goes inactive",
             "%s, %zu times", cut ? "asserted" : "not asserted", enabled);
    FB_CHECK("no_interrupt_while_off", disturbed <= 1, "no wake-up by ready while the module is off", "%zu wake-ups",
             disturbed);
}
