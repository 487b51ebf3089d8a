/* Two sensors on one bus. Each boot is one experiment; the last ones unload at another moment of a poll each, and then
 * fail the acquisitions, one each. */
#include "linux_kernel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

FB_POWER_CYCLES;

enum { BASICS, ERRORS, INTERVAL, WRONG_ID, BUS_ERROR, UNLOAD, FAILURES = UNLOAD + 12 };
static const char *const NAMES[2] = {"airq.0", "airq.1"};

static struct sensor {
    uint8_t id, ctrl;
    uint16_t co2;
    bool fresh, deaf, status_fails, value_fails;
    unsigned transfers, polls, values, ctrl_writes, pairs_broken, after_stop;
    int64_t poll_at[64];
} sensors[2];

static struct results {
    int done;
    bool finished;
    int load, probed[2], held_after;
    long no_value;
    char co2[2][16], errors[2][16], interval[2][16], co2_after_error[16], co2_again[16], errors_after[16];
    uint8_t ctrl_on;
    unsigned polls, split;
    int64_t first_poll, gap_least, gap_most;
    long bad[4], bounds[2];
    int64_t new_gap, next_gap, show_time;
    unsigned show_transfers;
    int wrong_id, bus_error;
    unsigned polls_after_failure, held_after_failure;
    uint8_t ctrl_after;
    unsigned unload_bad;
    char unload_why[120];
    unsigned failures, swallowed, leaking;
    char leak[100], error[100];
} *r;

static int transfer(struct sensor *s, const uint8_t *write, size_t write_n, uint8_t *read, size_t read_n)
{
    s->transfers++;
    s->after_stop += s->ctrl_writes == 2;
    if (s->deaf)
        return -EREMOTEIO;
    if (write_n == 2 && write[0] == 1) {
        s->ctrl = write[1];
        s->ctrl_writes++;
        return 0;
    }
    if (write_n != 1 || (s->status_fails && write[0] == 4) || (s->value_fails && write[0] == 2))
        return -EREMOTEIO;
    for (size_t i = 0; i < read_n; i++) {
        unsigned reg = write[0] + (unsigned)i;
        read[i] = reg == 0 ? s->id : reg == 1 ? s->ctrl : reg == 2 ? (uint8_t)(s->co2 >> 8) : reg == 3 ? (uint8_t)s->co2 : s->fresh;
        if (reg == 4 && s->polls < 64)
            s->poll_at[s->polls++] = fb_now();
        if (reg == 2) {
            s->fresh = false;
            s->values++;
            s->pairs_broken += read_n != 2;
        }
    }
    return 0;
}
static int transfer0(const uint8_t *w, size_t wn, uint8_t *d, size_t dn) { return transfer(&sensors[0], w, wn, d, dn); }
static int transfer1(const uint8_t *w, size_t wn, uint8_t *d, size_t dn) { return transfer(&sensors[1], w, wn, d, dn); }
static const lk_i2c_model MODELS[2] = {{transfer0}, {transfer1}};

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
static void measured(int device, uint16_t value)
{
    sensors[device].co2 = value;
    sensors[device].fresh = true;
}

static void basics(void)
{
    char text[16];
    struct sensor *s = &sensors[0];
    r->probed[0] = lk_probed(NAMES[0]);
    r->probed[1] = lk_probed(NAMES[1]);
    r->ctrl_on = sensors[0].ctrl & sensors[1].ctrl;
    int64_t from = fb_now();
    show(0, "interval_ms", r->interval[0], sizeof r->interval[0]);
    lk_pause_ms(1500);
    r->no_value = show(0, "co2_ppm", text, sizeof text);
    r->first_poll = s->polls ? s->poll_at[0] - from : -1;
    measured(0, 0x0190);
    measured(1, 0x1122);
    lk_pause_ms(4000);
    show(0, "co2_ppm", r->co2[0], sizeof r->co2[0]);
    show(1, "co2_ppm", r->co2[1], sizeof r->co2[1]);
    show(0, "errors", r->errors[0], sizeof r->errors[0]);
    for (unsigned i = 1; i < s->polls; i++) {
        int64_t gap = s->poll_at[i] - s->poll_at[i - 1];
        r->gap_least = i == 1 || gap < r->gap_least ? gap : r->gap_least;
        r->gap_most = gap > r->gap_most ? gap : r->gap_most;
    }
    r->polls = s->polls;
    r->split = sensors[0].pairs_broken + sensors[1].pairs_broken + (sensors[0].values != 1) + (sensors[1].values != 1);
    unsigned before = s->transfers;
    for (int i = 0; i < 5; i++)
        show(0, "co2_ppm", text, sizeof text);
    r->show_transfers = s->transfers - before;
    lk_unload();
    r->ctrl_after = sensors[0].ctrl | sensors[1].ctrl;
    r->held_after = (int)lk_held();
}
static void errors(void)
{
    measured(0, 777);
    lk_pause_ms(1200);
    sensors[0].deaf = true;
    lk_pause_ms(3000);
    sensors[0].deaf = false;
    sensors[0].status_fails = true;
    measured(0, 888);
    lk_pause_ms(1000);
    sensors[0].status_fails = false;
    sensors[0].value_fails = true;
    lk_pause_ms(1000);
    show(0, "co2_ppm", r->co2_after_error, sizeof r->co2_after_error);
    show(0, "errors", r->errors_after, sizeof r->errors_after);
    show(1, "errors", r->errors[1], sizeof r->errors[1]);
    sensors[0].value_fails = false;
    lk_pause_ms(1500);
    show(0, "co2_ppm", r->co2_again, sizeof r->co2_again);
}
static void interval(void)
{
    char text[16];
    struct sensor *s = &sensors[0];
    store(0, "interval_ms", "60000\n");
    lk_pause_ms(3000);
    int64_t from = fb_now();
    unsigned before = s->polls;
    store(0, "interval_ms", "200");
    lk_pause_ms(900);
    r->new_gap = s->polls > before ? s->poll_at[before] - from : -1;
    r->next_gap = s->polls > before + 1 ? s->poll_at[before + 1] - s->poll_at[before] : -1;
    measured(0, 321);
    before = s->polls;
    while (s->polls == before && fb_now() < from + FB_S(2))
        fb_wait(NULL, fb_now() + FB_US(5));
    from = fb_now(); /* the poll is about to read CO2 */
    show(0, "co2_ppm", text, sizeof text);
    r->show_time = fb_now() - from;
    r->bounds[0] = store(1, "interval_ms", "100");
    r->bounds[1] = store(1, "interval_ms", "60000");
    r->bad[0] = store(0, "interval_ms", "99");
    r->bad[1] = store(0, "interval_ms", "60001");
    r->bad[2] = store(0, "interval_ms", "fast");
    r->bad[3] = show(0, "interval_ms", r->interval[1], sizeof r->interval[1]);
}
static void wrong_id(void)
{
    r->wrong_id = lk_probed(NAMES[0]);
    lk_pause_ms(3000);
    r->polls_after_failure += sensors[0].polls;
    lk_unload();
    r->held_after_failure += (unsigned)lk_held();
}
static void bus_error(void)
{
    r->bus_error = lk_probed(NAMES[0]);
    lk_pause_ms(3000);
    r->polls_after_failure += sensors[0].polls;
    lk_unload();
    r->held_after_failure += (unsigned)lk_held();
}

/* In steps of 15 us through the poll that begins a second after loading. */
static void unload_at(unsigned step)
{
    int64_t from = fb_now();
    measured(0, 500);
    measured(1, 600);
    lk_pause_ms(990);
    while (!sensors[0].polls && fb_now() < from + FB_MS(1100))
        fb_wait(NULL, fb_now() + FB_US(5));
    fb_wait(NULL, fb_now() + FB_US(15) * (int64_t)step + 1);
    lk_unload();
    unsigned transfers = sensors[0].transfers + sensors[1].transfers;
    const char *why = sensors[0].ctrl || sensors[1].ctrl ? "CTRL is not 0" : lk_held() ? "something is still held" : NULL;
    if (sensors[0].ctrl_writes != 2 || sensors[1].ctrl_writes != 2)
        why = "CTRL is not written once";
    if (sensors[0].after_stop || sensors[1].after_stop)
        why = "there is a transfer after 0 was written to CTRL";
    lk_pause_ms(3000);
    if (sensors[0].transfers + sensors[1].transfers != transfers)
        why = "transfers go on";
    if (why) {
        r->unload_bad++;
        snprintf(r->unload_why, sizeof r->unload_why, "%s, unloading %u us after the status was read", why, 15 * step);
    }
}

static bool fails(unsigned nth)
{
    lk_fail(nth);
    int error = lk_load();
    if (!*lk_failed())
        return false;
    bool told = error == -ENOMEM || lk_probed(NAMES[0]) == -ENOMEM || lk_probed(NAMES[1]) == -ENOMEM;
    r->failures++;
    if (!told) {
        r->swallowed++;
        snprintf(r->error, sizeof r->error, "%s failed, load gave %d", lk_failed(), error);
    }
    lk_unload();
    lk_pause_ms(2000);
    if (lk_held()) {
        r->leaking++;
        snprintf(r->leak, sizeof r->leak, "%s was left when %s failed", lk_held_first(), lk_failed());
    }
    return true;
}

void userspace(void)
{
    static void (*const EXPERIMENTS[])(void) = {basics, errors, interval, wrong_id, bus_error};
    unsigned boot = fb_boot();
    if (boot < FAILURES) {
        int error = lk_load();
        if (boot == BASICS)
            r->load = error;
        if (error)
            fb_stop("the module does not load");
        if (boot < UNLOAD)
            EXPERIMENTS[boot]();
        else
            unload_at(boot - UNLOAD);
    } else if (!fails(boot - FAILURES + 1) || boot > 60) {
        r->finished = true;
        fb_stop("every acquisition has failed once");
    }
    r->done++;
    fb_power_cycle("the next experiment");
}

void scenario(void)
{
    r = fb_kept("scenario", sizeof *r);
    for (int i = 0; i < 2; i++) {
        sensors[i].id = 0x5a;
        lk_i2c_device(NAMES[i], "acme,airq", (uint8_t)(0x44 + i), &MODELS[i], 0);
    }
    if (fb_boot() == WRONG_ID)
        sensors[0].id = 0x5b;
    sensors[0].deaf = fb_boot() == BUS_ERROR;
    fb_end_at(FB_S(60));
}

#define AFTER(experiment, ...) do { if (r->done > (experiment)) FB_CHECK(__VA_ARGS__); } while (0)

void conclude(void)
{
    FB_CHECK("loads", r->load == 0, "the module loads", "%d", r->load);
    FB_CHECK("comes_to_its_end", r->finished, "no operation hangs", "%d experiments came to their end", r->done);
    AFTER(BASICS, "probes_both", r->probed[0] == 0 && r->probed[1] == 0 && r->ctrl_on == 1, "both are bound, CTRL is 1", "%d and %d, CTRL %u",
          r->probed[0], r->probed[1], r->ctrl_on);
    AFTER(BASICS, "polls_each_second", r->first_poll >= FB_MS(995) && r->first_poll < FB_MS(1020) && r->gap_least >= FB_MS(995) &&
          r->gap_most < FB_MS(1020) && r->polls == 5, "first after 1 s, then each second", "first after %lld ms, gaps %lld to %lld ms, %u polls",
          (long long)r->first_poll / 1000000, (long long)r->gap_least / 1000000, (long long)r->gap_most / 1000000, r->polls);
    AFTER(BASICS, "no_value_yet", r->no_value == -ENODATA, "-ENODATA", "%ld", r->no_value);
    AFTER(BASICS, "shows_values", !strcmp(r->co2[0], "400\n") && !strcmp(r->co2[1], "4386\n"), "400 and 4386", "%.10s and %.10s", r->co2[0],
          r->co2[1]);
    AFTER(BASICS, "reads_new_values_only", !r->split, "CO2 is read once for each new value, in one transfer", "%u deviations", r->split);
    AFTER(BASICS, "shows_without_transfer", !r->show_transfers, "no transfer", "%u transfers", r->show_transfers);
    AFTER(BASICS, "interval_at_first", !strcmp(r->interval[0], "1000\n") && !strcmp(r->errors[0], "0\n"), "1000, and 0 errors", "%.10s, %.10s",
          r->interval[0], r->errors[0]);
    AFTER(BASICS, "releases_all", !r->held_after && !r->ctrl_after, "nothing is held, CTRL is 0", "%d things held, CTRL %u", r->held_after,
          r->ctrl_after);
    AFTER(ERRORS, "counts_errors", !strcmp(r->errors_after, "5\n") && !strcmp(r->errors[1], "0\n"), "5 errors of the one, 0 of the other",
          "%.10s and %.10s", r->errors_after, r->errors[1]);
    AFTER(ERRORS, "keeps_the_value", !strcmp(r->co2_after_error, "777\n") && !strcmp(r->co2_again, "888\n"), "777 during errors, then 888",
          "%.10s, then %.10s", r->co2_after_error, r->co2_again);
    AFTER(INTERVAL, "new_interval_at_once", r->new_gap >= FB_MS(195) && r->new_gap < FB_MS(210) && r->next_gap >= FB_MS(195) &&
          r->next_gap < FB_MS(210), "200 ms after the write, then each 200 ms", "%lld ms, then %lld ms", (long long)r->new_gap / 1000000,
          (long long)r->next_gap / 1000000);
    AFTER(INTERVAL, "shows_without_waiting", r->show_time < FB_US(30), "within 30 us while a poll is going on", "%lld us",
          (long long)r->show_time / 1000);
    AFTER(INTERVAL, "refuses_bad_intervals", r->bad[0] < 0 && r->bad[1] < 0 && r->bad[2] < 0 && !strcmp(r->interval[1], "200\n"),
          "-EINVAL, and nothing changes", "%ld, %ld, %ld, then %.10s", r->bad[0], r->bad[1], r->bad[2], r->interval[1]);
    AFTER(INTERVAL, "takes_the_bounds", r->bounds[0] > 0 && r->bounds[1] > 0, "100 and 60000 are right", "%ld and %ld", r->bounds[0],
          r->bounds[1]);
    AFTER(WRONG_ID, "wrong_id_fails", r->wrong_id == -ENODEV, "-ENODEV", "%d", r->wrong_id);
    AFTER(BUS_ERROR, "bus_error_fails", r->bus_error == -EREMOTEIO, "-EREMOTEIO", "%d", r->bus_error);
    AFTER(BUS_ERROR, "failed_probe_releases_all", !r->held_after_failure, "nothing is held after a failed probe and unloading",
          "%u things held", r->held_after_failure);
    AFTER(BUS_ERROR, "no_poll_after_failure", !r->polls_after_failure, "no poll", "%u", r->polls_after_failure);
    AFTER(FAILURES - 1, "removes_at_any_moment", !r->unload_bad, "an orderly end at each of 12 moments", "%u are not; %s", r->unload_bad, r->unload_why);
    AFTER(FAILURES, "failure_is_told", r->failures >= 3 && !r->swallowed, "each failure comes out of probe or load", "%u failures, %u swallowed: %s",
          r->failures, r->swallowed, r->error);
    AFTER(FAILURES, "failure_releases_all", !r->leaking, "nothing is held after a failure and unloading", "%u leaks: %s", r->leaking, r->leak);
}
