/* A sensor that sometimes does not answer. Each boot is one run of the program; the later ones are ended by a signal at
 * another place of its loop each. */
#include "linux_user.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

FB_POWER_CYCLES;

enum { READINGS, SLOW, NO_BUS, DEAF, WHILE_RETRYING, SWEEP, BEFORE_WAITS = SWEEP + 16, LAST = BEFORE_WAITS + 8 };
enum { RUN = 0x6000, SHUTDOWN = 0x6100 };

/* The first run: sixteenths of a degree, and how many attempts fail before the reading succeeds. */
static const struct {
    int sixteenths, failures;
    const char *line;
} PLAN[] = {{375, 0, "T=23437"}, {-1, 0, "T=-62"}, {0, 1, "T=0"}, {-880, 0, "T=-55000"}, {2000, 2, "T=125000"},
            {16, 3, "T=error"},  {17, 0, "T=1062"}, {-17, 0, "T=-1062"}, {320, 0, "T=20000"}};
enum { PLANNED = sizeof PLAN / sizeof *PLAN };

static struct results {
    int finished[LAST + 1];
    int exited[LAST + 1], status[LAST + 1];
    unsigned lines, wrong_lines;
    char wrong[80];
    unsigned off_grid[2], grid_readings[2];
    int64_t worst_off[2];
    int64_t shortest_pause, longest_pause;
    unsigned unpaired;
    unsigned configs, first_config, last_config;
    int open_at_exit;
    unsigned told[LAST + 1], readings_before_config;
    unsigned sweep_bad;
    char sweep_why[100];
} *r;

static unsigned reading, attempt, configs, last_config, reads_after_signal, order_wrong;
static int64_t last_read_at, last_end, first_read;

/* Reports how far a first attempt lies from the grid of 100 ms. */
static void on_grid(int run)
{
    int64_t phase = (fb_now() - first_read) % FB_MS(100), off = phase < FB_MS(50) ? phase : FB_MS(100) - phase;
    int64_t wanted = (fb_now() - first_read + FB_MS(50)) / FB_MS(100);
    r->grid_readings[run]++;
    if (off > FB_MS(3) || wanted != (int64_t)reading)
        r->off_grid[run]++;
    if (off > r->worst_off[run])
        r->worst_off[run] = off;
}

static int transfer(const uint8_t *write, size_t write_n, uint8_t *read, size_t read_n)
{
    unsigned run = fb_boot();
    if (write_n == 3 && write[0] == 1 && !read_n) {
        unsigned value = (unsigned)(write[1] << 8 | write[2]);
        if (run == DEAF)
            return -EREMOTEIO;
        if (!configs++)
            r->first_config = run == READINGS ? value : r->first_config;
        last_config = value;
        return 0;
    }
    if (write_n != 1 || write[0] != 0 || read_n != 2) {
        if (read_n)
            memset(read, 0xff, read_n); /* no register number in this transfer */
        if (read_n && !write_n)
            r->unpaired++;
        return 0;
    }
    order_wrong += configs == 0;
    /* A reading that has just been decided on when the signal comes is none too many. */
    bool late = fb_traced("sent", NULL) && fb_now() > fb_traced_at("sent", NULL, 0) + FB_MS(1);
    reads_after_signal += late && attempt == 0;
    if (attempt == 0) {
        if (reading == 0)
            first_read = fb_now();
        if (run == READINGS || run == SLOW)
            on_grid((int)run);
    } else if (run == READINGS) {
        int64_t pause = fb_now() - last_read_at;
        if (!r->shortest_pause || pause < r->shortest_pause)
            r->shortest_pause = pause;
        if (pause > r->longest_pause)
            r->longest_pause = pause;
    }
    if (run == SLOW)
        fb_spend(FB_MS(37)); /* the sensor stretches the clock */
    last_read_at = fb_now();
    int failures = run == READINGS ? PLAN[reading < PLANNED ? reading : PLANNED - 1].failures : run == WHILE_RETRYING ? 99 : 0;
    if ((int)attempt < failures) {
        attempt++;
        if (attempt == 3) {
            attempt = 0;
            reading++;
        }
        return -EREMOTEIO;
    }
    int sixteenths = run == READINGS ? PLAN[reading < PLANNED ? reading : PLANNED - 1].sixteenths : 320;
    unsigned raw = ((unsigned)sixteenths << 4 & 0xfff0) | 0x7;
    read[0] = (uint8_t)(raw >> 8);
    read[1] = (uint8_t)raw;
    attempt = 0;
    reading++;
    if (!late)
        last_end = fb_now();
    return 0;
}
static const lu_i2c CHIP = {0x48, transfer};

static void done(void *unused)
{
    (void)unused;
    unsigned run = fb_boot();
    r->finished[run] = 1;
    r->exited[run] = lu_exited();
    r->status[run] = lu_exit_status();
    r->told[run] = (unsigned)fb_traced("console", NULL);
    if (run == READINGS) {
        for (unsigned i = 0; i < PLANNED; i++) {
            const char *line = fb_traced_text("console", NULL, i);
            if (strcmp(line, PLAN[i].line)) {
                r->wrong_lines++;
                snprintf(r->wrong, sizeof r->wrong, "line %u is \"%.30s\", not \"%s\"", i + 1, line, PLAN[i].line);
            }
        }
        r->lines = (unsigned)fb_traced("console", NULL);
        r->configs = configs;
        r->last_config = last_config;
        r->open_at_exit = (int)lu_open_count("/dev/i2c-1");
        r->readings_before_config = order_wrong;
    }
    if (run >= SWEEP) {
        int64_t signal_at = fb_traced_at("sent", NULL, 0), since = signal_at > last_end ? signal_at : last_end;
        const char *why = !lu_exited() ? "it does not end" : lu_exit_status() != 0 ? "its status is not 0"
                          : last_config != SHUTDOWN ? "CONFIG is not 0x6100" : reads_after_signal ? "it takes another reading"
                          : lu_exit_at() > since + FB_MS(30) ? "it ends late" : NULL;
        if (why) {
            r->sweep_bad++;
            snprintf(r->sweep_why, sizeof r->sweep_why, "%s after a signal at %.3f ms", why, (double)signal_at / 1e6);
        }
    }
    if (run < LAST)
        fb_power_cycle("the next run");
    fb_stop("all runs are done");
}
void scenario(void)
{
    r = fb_kept("scenario", sizeof *r);
    unsigned run = fb_boot();
    if (run != NO_BUS)
        lu_i2c_bus("/dev/i2c-1", &CHIP, 1);
    int64_t at = run == READINGS || run == SLOW ? FB_MS(850) : run == WHILE_RETRYING ? FB_MS(107) : FB_MS(100) + FB_US(9) * (run - SWEEP) * (run < BEFORE_WAITS);
    if (run >= BEFORE_WAITS)
        lu_signal_before_wait(run - BEFORE_WAITS + 1, run % 2 ? SIGINT : SIGTERM);
    else if (run != NO_BUS && run != DEAF)
        lu_signal_at(at, run % 2 ? SIGINT : SIGTERM);
    fb_at(at + FB_MS(run < BEFORE_WAITS ? 200 : 900), done, NULL);
    fb_end_at(at + FB_S(2));
}

#define AFTER(run, ...) do { if (r->finished[run]) FB_CHECK(__VA_ARGS__); } while (0)

void conclude(void)
{
    unsigned finished = 0;
    for (int i = 0; i <= LAST; i++)
        finished += (unsigned)r->finished[i];
    FB_CHECK("all_runs", finished == LAST + 1, "every run comes to its end", "%u of %d do", finished, LAST + 1);
    AFTER(READINGS, "configures_first", r->first_config == RUN && !r->readings_before_config, "0x6000 before the first reading", "0x%04x",
          r->first_config);
    AFTER(READINGS, "lines", !r->wrong_lines && r->lines == PLANNED, "nine lines as planned", "%u lines; %s", r->lines, r->wrong);
    AFTER(READINGS, "pause_between_attempts", r->shortest_pause >= FB_MS(5) - FB_US(1) && r->longest_pause < FB_MS(7),
          "5 ms", "%lld to %lld us", (long long)r->shortest_pause / 1000, (long long)r->longest_pause / 1000);
    AFTER(READINGS, "period", !r->off_grid[READINGS] && r->grid_readings[READINGS] == PLANNED, "nine readings, each on the grid of 100 ms",
          "%u of %u off, by up to %lld us", r->off_grid[READINGS], r->grid_readings[READINGS], (long long)r->worst_off[READINGS] / 1000);
    AFTER(SLOW, "period_when_slow", !r->off_grid[SLOW] && r->grid_readings[SLOW] >= 8, "on the grid although a reading takes 37 ms",
          "%u of %u off, by up to %lld us", r->off_grid[SLOW], r->grid_readings[SLOW], (long long)r->worst_off[SLOW] / 1000);
    AFTER(READINGS, "shuts_down", r->exited[READINGS] && r->status[READINGS] == 0 && r->last_config == SHUTDOWN && r->configs == 2,
          "0x6100, then status 0", "0x%04x, status %d", r->last_config, r->status[READINGS]);
    AFTER(READINGS, "closes_the_bus", r->open_at_exit == 0, "no descriptor is left open", "%d", r->open_at_exit);
    AFTER(NO_BUS, "no_bus", r->exited[NO_BUS] && r->status[NO_BUS] == 1 && r->told[NO_BUS], "a message and status 1", "status %d, %u lines",
          r->status[NO_BUS], r->told[NO_BUS]);
    AFTER(DEAF, "no_sensor", r->exited[DEAF] && r->status[DEAF] == 1 && r->told[DEAF], "a message and status 1", "status %d, %u lines",
          r->status[DEAF], r->told[DEAF]);
    AFTER(WHILE_RETRYING, "signal_while_retrying", r->exited[WHILE_RETRYING] && r->status[WHILE_RETRYING] == 0, "status 0", "%d",
          r->status[WHILE_RETRYING]);
    AFTER(LAST, "signal_anywhere", !r->sweep_bad, "an orderly end after each of 25 signals", "%u are not; %s", r->sweep_bad, r->sweep_why);
}
