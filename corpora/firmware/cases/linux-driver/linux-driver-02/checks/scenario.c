/* Two samplers on one shared line, modelled register by register. Each boot is one experiment. */
#include "linux_kernel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

FB_POWER_CYCLES;

enum { DEVICES = 2, LINE = 20, VALUE = 1000, FIRST_FAILURE = 7, ENABLE = 1, IRQ = 2, READY = 1 };
enum { BASICS, SPURIOUS, RACE, LEFT_RUNNING, BAD_PERIOD, NO_IRQ, REMOVED };
static const char *const NAMES[DEVICES] = {"sampler.0", "sampler.1"};

static struct hardware {
    uint32_t ctrl, status, data, period;
    fb_event *next;
    unsigned taken, accesses;
} hw[DEVICES];

static struct results {
    int done;
    bool finished;
    int load, probed[DEVICES], held_after;
    uint32_t ctrl_after_probe[DEVICES], period[DEVICES], period_written, ctrl_on, ctrl_off;
    long no_mean, bad[6];
    char period_shown[DEVICES][16], enabled_shown[2][8], samples[DEVICES][24], mean[DEVICES][24], period_then[16];
    unsigned taken[DEVICES];
    unsigned unhandled, wrong_means, wrong_counts;
    char wrong[40];
    uint32_t left_ctrl, left_status;
    char left_samples[24];
    int bad_period, no_irq, smallest, largest;
    long bounds[2];
    uint32_t removed_ctrl;
    unsigned removed_accesses;
    int removed_held, removed_irq;
    unsigned failures, swallowed, leaking;
    char leak[120], error[120];
} *r;

static void sample(void *arg)
{
    struct hardware *h = arg;
    h->next = NULL;
    if (!(h->ctrl & ENABLE))
        return;
    h->next = fb_at(fb_now() + (int64_t)(h->period ? h->period : 1) * 1000, sample, h);
    h->data = 0xbeef0000u | VALUE;
    h->status |= READY;
    h->taken++;
    if (h->ctrl & IRQ)
        lk_raise(LINE);
}

static uint32_t read_register(struct hardware *h, uint32_t offset)
{
    h->accesses++;
    return offset == 0 ? h->ctrl : offset == 4 ? h->status : offset == 8 ? h->data : offset == 12 ? h->period : 0;
}
static void write_register(struct hardware *h, uint32_t offset, uint32_t value)
{
    h->accesses++;
    if (offset == 0) {
        h->ctrl = value;
        if (!(value & ENABLE))
            fb_cancel(h->next), h->next = NULL;
        else if (!h->next)
            h->next = fb_at(fb_now() + (int64_t)(h->period ? h->period : 1) * 1000, sample, h);
    } else if (offset == 4) {
        h->status &= ~value;
        if (!((hw[0].status | hw[1].status) & READY))
            lk_lower(LINE);
    } else if (offset == 12) {
        h->period = value;
    }
}
static uint32_t read0(uint32_t offset) { return read_register(&hw[0], offset); }
static uint32_t read1(uint32_t offset) { return read_register(&hw[1], offset); }
static void write0(uint32_t offset, uint32_t value) { write_register(&hw[0], offset, value); }
static void write1(uint32_t offset, uint32_t value) { write_register(&hw[1], offset, value); }
static const lk_registers REGISTERS[DEVICES] = {{read0, write0, 0x1000}, {read1, write1, 0x1000}};

static long show(int device, const char *attribute, char *to, size_t room)
{
    char path[40], text[40] = "";
    snprintf(path, sizeof path, "%s/%s", NAMES[device], attribute);
    long n = lk_show(path, text, sizeof text);
    snprintf(to, room, "%s", text);
    return n;
}
static long store(int device, const char *attribute, const char *text)
{
    char path[40];
    snprintf(path, sizeof path, "%s/%s", NAMES[device], attribute);
    return lk_store(path, text);
}

static void basics(void)
{
    char text[24];
    for (int i = 0; i < DEVICES; i++) {
        r->probed[i] = lk_probed(NAMES[i]);
        r->ctrl_after_probe[i] = hw[i].ctrl;
        r->period[i] = hw[i].period;
        show(i, "period_us", r->period_shown[i], sizeof r->period_shown[i]);
    }
    r->no_mean = show(0, "mean", text, sizeof text);
    show(0, "enabled", r->enabled_shown[0], sizeof r->enabled_shown[0]);
    store(0, "enabled", "1\n");
    store(1, "enabled", "y\n");
    r->ctrl_on = hw[0].ctrl & hw[1].ctrl;
    show(0, "enabled", r->enabled_shown[1], sizeof r->enabled_shown[1]);
    lk_pause_ms(20);
    store(0, "period_us", "2000\n");
    r->period_written = hw[0].period;
    show(0, "period_us", r->period_then, sizeof r->period_then);
    r->bounds[0] = store(1, "period_us", "1000000\n");
    r->bounds[1] = store(1, "period_us", "10\n");
    store(1, "period_us", "500\n");
    r->bad[0] = store(0, "period_us", "9\n");
    r->bad[1] = store(0, "period_us", "1000001\n");
    r->bad[2] = store(0, "period_us", "12x\n");
    r->bad[3] = store(0, "enabled", "maybe\n");
    r->bad[4] = hw[0].period != 2000;
    r->bad[5] = hw[0].ctrl != (ENABLE | IRQ);
    lk_pause_ms(20);
    store(0, "enabled", "0\n");
    store(1, "enabled", "off\n");
    r->ctrl_off = hw[0].ctrl | hw[1].ctrl;
    lk_pause_ms(5);
    for (int i = 0; i < DEVICES; i++) {
        show(i, "samples", r->samples[i], sizeof r->samples[i]);
        show(i, "mean", r->mean[i], sizeof r->mean[i]);
        r->taken[i] = hw[i].taken;
    }
    lk_unload();
    r->held_after = (int)lk_held();
}
static void spurious(void)
{
    lk_pause_ms(1);
    unsigned before = lk_unhandled(LINE);
    lk_raise(LINE); /* another device on the line */
    lk_pause_ms(1);
    r->unhandled = lk_unhandled(LINE) - before;
}
static void race(void)
{
    store(0, "period_us", "10");
    store(0, "enabled", "1");
    long last = 0;
    for (int i = 0; i < 400; i++) {
        char text[24];
        if (show(0, "mean", text, sizeof text) > 0 && strcmp(text, "1000\n")) {
            snprintf(r->wrong, sizeof r->wrong, "%.*s", (int)strcspn(text, "\n"), text);
            r->wrong_means++;
        }
        show(0, "samples", text, sizeof text);
        r->wrong_counts += atol(text) < last;
        last = atol(text);
        fb_spend(1700);
    }
    r->wrong_counts += last < 20;
    store(0, "enabled", "0");
}
static void left_running(void)
{
    r->left_ctrl = hw[0].ctrl;
    r->left_status = hw[0].status;
    lk_pause_ms(5);
    show(0, "samples", r->left_samples, sizeof r->left_samples);
}
static void bad_period(void)
{
    r->bad_period = lk_probed(NAMES[0]);
    r->largest = lk_probed(NAMES[1]);
}
static void no_irq(void)
{
    r->no_irq = lk_probed(NAMES[0]);
    r->smallest = lk_probed(NAMES[1]);
}
static void removed(void)
{
    store(0, "enabled", "1");
    lk_pause_ms(5);
    lk_unload();
    r->removed_ctrl = hw[0].ctrl;
    r->removed_held = (int)lk_held();
    r->removed_irq = lk_requested(LINE);
    unsigned before = hw[0].accesses;
    lk_pause_ms(5);
    r->removed_accesses = hw[0].accesses - before;
}

static bool fails(unsigned nth)
{
    lk_fail(nth);
    int error = lk_load();
    if (!*lk_failed())
        return false;
    int expected = strstr(lk_failed(), "interrupt") ? -EBUSY : -ENOMEM;
    bool told = error == expected || lk_probed(NAMES[0]) == expected || lk_probed(NAMES[1]) == expected;
    r->failures++;
    if (!told) {
        r->swallowed++;
        snprintf(r->error, sizeof r->error, "%s failed, load gave %d, the probes %d and %d", lk_failed(), error, lk_probed(NAMES[0]),
                 lk_probed(NAMES[1]));
    }
    lk_unload();
    if (lk_held()) {
        r->leaking++;
        snprintf(r->leak, sizeof r->leak, "%s was left when %s failed", lk_held_first(), lk_failed());
    }
    return true;
}

void userspace(void)
{
    static void (*const EXPERIMENTS[])(void) = {basics, spurious, race, left_running, bad_period, no_irq, removed};
    unsigned boot = fb_boot();
    if (boot == LEFT_RUNNING) {
        hw[0].period = 100;
        hw[0].ctrl = ENABLE | IRQ;
        sample(&hw[0]);
        lk_pause_ms(1);
    }
    if (boot < FIRST_FAILURE) {
        int error = lk_load();
        if (boot == BASICS)
            r->load = error;
        if (error)
            fb_stop("the module does not load");
        EXPERIMENTS[boot]();
    } else if (!fails(boot - FIRST_FAILURE + 1) || boot > 60) {
        r->finished = true;
        fb_stop("every acquisition has failed once");
    }
    r->done++;
    fb_power_cycle("the next experiment");
}

void scenario(void)
{
    r = fb_kept("scenario", sizeof *r);
    lk_irq_line(LINE);
    lk_platform_device(NAMES[0], "acme,sampler", &REGISTERS[0], fb_boot() == NO_IRQ ? 0 : LINE);
    lk_platform_device(NAMES[1], "acme,sampler", &REGISTERS[1], LINE);
    lk_property(NAMES[1], "sample-period-us", fb_boot() == BAD_PERIOD ? 1000000 : fb_boot() == NO_IRQ ? 10 : 500);
    if (fb_boot() == BAD_PERIOD)
        lk_property(NAMES[0], "sample-period-us", 5);
    fb_end_at(FB_S(20));
}

static bool about(const char *shown, unsigned wanted, unsigned spread)
{
    long n = atol(shown);
    return n >= (long)(wanted - spread) && n <= (long)wanted && shown[strlen(shown) - 1] == '\n';
}

#define AFTER(experiment, ...) do { if (r->done > (experiment)) FB_CHECK(__VA_ARGS__); } while (0)

void conclude(void)
{
    FB_CHECK("loads", r->load == 0, "the module loads", "%d", r->load);
    FB_CHECK("comes_to_its_end", r->finished, "no operation hangs", "%d experiments came to their end", r->done);
    AFTER(BASICS, "probes_both", r->probed[0] == 0 && r->probed[1] == 0, "both devices are bound", "%d and %d", r->probed[0],
          r->probed[1]);
    AFTER(BASICS, "stopped_after_probe", !(r->ctrl_after_probe[0] | r->ctrl_after_probe[1]), "CTRL is 0 after probe", "0x%x and 0x%x",
          r->ctrl_after_probe[0], r->ctrl_after_probe[1]);
    AFTER(BASICS, "period_of_device", r->period[0] == 1000 && r->period[1] == 500 && !strcmp(r->period_shown[0], "1000\n") &&
          !strcmp(r->period_shown[1], "500\n"), "PERIOD is 1000 by default and 500 by property", "%u and %u", r->period[0], r->period[1]);
    AFTER(BASICS, "enables", r->ctrl_on == (ENABLE | IRQ) && r->ctrl_off == 0 && !strcmp(r->enabled_shown[0], "0\n") &&
          !strcmp(r->enabled_shown[1], "1\n"), "CTRL is 3 when on and 0 when off", "0x%x, then 0x%x", r->ctrl_on, r->ctrl_off);
    AFTER(BASICS, "changes_period", r->period_written == 2000 && !strcmp(r->period_then, "2000\n"), "PERIOD is 2000", "%u", r->period_written);
    AFTER(BASICS, "refuses_bad_values", (r->bad[0] == -EINVAL || r->bad[0] == -ERANGE) && (r->bad[1] == -EINVAL || r->bad[1] == -ERANGE) &&
          r->bad[2] == -EINVAL && r->bad[3] == -EINVAL && !r->bad[4] && !r->bad[5], "-EINVAL, and nothing changes",
          "%ld, %ld, %ld, %ld", r->bad[0], r->bad[1], r->bad[2], r->bad[3]);
    AFTER(BASICS, "no_mean_yet", r->no_mean == -ENODATA, "-ENODATA", "%ld", r->no_mean);
    AFTER(BASICS, "counts_each_device", about(r->samples[0], r->taken[0], 1) && about(r->samples[1], r->taken[1], 1) &&
          r->taken[0] != r->taken[1], "as many samples as the device took", "%ld of %u, %ld of %u", atol(r->samples[0]), r->taken[0],
          atol(r->samples[1]), r->taken[1]);
    AFTER(BASICS, "mean_of_data", !strcmp(r->mean[0], "1000\n") && !strcmp(r->mean[1], "1000\n"), "1000", "%.20s and %.20s", r->mean[0],
          r->mean[1]);
    AFTER(BASICS, "releases_all", r->held_after == 0, "nothing is held after unloading", "%d things held", r->held_after);
    AFTER(SPURIOUS, "leaves_foreign_interrupts", r->unhandled == 1, "IRQ_NONE for an interrupt of another device", "%u unhandled",
          r->unhandled);
    AFTER(RACE, "mean_while_sampling", !r->wrong_means, "1000 in each of 400 readings", "%u wrong, such as %s", r->wrong_means, r->wrong);
    AFTER(RACE, "count_while_sampling", !r->wrong_counts, "the count only grows", "%u deviations", r->wrong_counts);
    AFTER(LEFT_RUNNING, "stops_what_ran", r->left_ctrl == 0 && r->left_status == 0 && !strcmp(r->left_samples, "0\n"),
          "CTRL and READY are 0, no sample is counted", "0x%x, %u, %.20s", r->left_ctrl, r->left_status, r->left_samples);
    AFTER(BAD_PERIOD, "bad_period_fails", r->bad_period == -EINVAL, "-EINVAL", "%d", r->bad_period);
    AFTER(NO_IRQ, "takes_the_bounds", r->bounds[0] > 0 && r->bounds[1] > 0 && !r->smallest && !r->largest, "10 and 1000000 are right",
          "written %ld and %ld, probed %d and %d", r->bounds[0], r->bounds[1], r->smallest, r->largest);
    AFTER(NO_IRQ, "no_interrupt_fails", r->no_irq == -ENXIO, "-ENXIO, as platform_get_irq says", "%d", r->no_irq);
    AFTER(REMOVED, "stopped_after_remove", r->removed_ctrl == 0 && !r->removed_accesses && !r->removed_irq && !r->removed_held,
          "CTRL is 0 and nothing is held", "CTRL 0x%x, %u accesses, %d things held", r->removed_ctrl, r->removed_accesses, r->removed_held);
    AFTER(FIRST_FAILURE, "failure_is_told", r->failures >= 6 && !r->swallowed, "each failure comes out of probe or load",
          "%u failures, %u swallowed: %s", r->failures, r->swallowed, r->error);
    AFTER(FIRST_FAILURE, "failure_releases_all", !r->leaking, "nothing is held after a failure and unloading", "%u leaks: %s", r->leaking,
          r->leak);
}
