/* One trial after the other: MCUboot swaps in a new image, the self-test takes its course, and the next boot shows
 * which image has stayed. Boot 0 and each even one runs a confirmed image. */
#include <string.h>

#include "fb_mcuboot.h"
#include "fb_zephyr.h"
#include "power.h"
#include "sim.h"

FB_POWER_CYCLES;

enum { OLD = 1, FIRST_NEW = 10 };
enum trial {
    GOOD,
    STORAGE_FAILS,
    SENSOR_FAILS,
    SENSOR_NEVER,
    SENSOR_TENTH,
    UPLINK_NEVER,
    CONFIRM_THIRD,
    CONFIRM_NEVER,
    TRIALS
};
#define NEVER 1000

static const struct plan {
    int storage;       /* what it gives */
    int sensor_calls;  /* -EAGAIN so often, then */
    int sensor;        /* this */
    int64_t uplink_at; /* after the start */
    unsigned confirm_fails;
} plans[TRIALS] = {
    [GOOD] = {0, 3, 0, FB_MS(2200), 0},     [STORAGE_FAILS] = {-EIO, 0, 0, 0, 0},
    [SENSOR_FAILS] = {0, 0, -ENODEV, 0, 0}, [SENSOR_NEVER] = {0, NEVER, 0, 0, 0},
    [SENSOR_TENTH] = {0, 9, 0, 0, 0},       [UPLINK_NEVER] = {0, 0, 0, FB_FOREVER, 0},
    [CONFIRM_THIRD] = {0, 0, 0, 0, 2},      [CONFIRM_NEVER] = {0, 0, 0, 0, NEVER},
};

static struct kept {
    struct seen {
        unsigned storage, sensor, uplink, confirms, confirms_before_test;
        bool order, on_trial, accepted, rebooted, ran, ran_unconfirmed, kept_image, says_confirmed;
        int64_t sensor_gap_min, sensor_gap_max, uplink_gap_min, uplink_gap_max, took, confirm_gap;
        char failure[40];
    } seen[TRIALS];
    unsigned settled, tests_when_confirmed, ran_when_confirmed;
    bool said_confirmed;
} *kept;

static struct seen *now; /* NULL in a boot of a confirmed image */
static int64_t last_sensor = -1, last_uplink = -1;

static enum trial trial(void)
{
    return (fb_boot() - 1) / 2;
}

static void note_gap(int64_t *last, int64_t *least, int64_t *most)
{
    if (*last >= 0) {
        int64_t gap = fb_now() - *last;
        *least = !*least || gap < *least ? gap : *least;
        *most = gap > *most ? gap : *most;
    }
    *last = fb_now();
}

int selftest_storage(void)
{
    if (!now) {
        kept->tests_when_confirmed++;
        return 0;
    }
    now->storage++;
    now->order = now->sensor == 0 && now->uplink == 0;
    now->confirms_before_test += fb_mcuboot_confirm_calls();
    k_msleep(150);
    return plans[trial()].storage;
}

int selftest_sensor(void)
{
    if (!now) {
        kept->tests_when_confirmed++;
        return 0;
    }
    now->order &= now->storage > 0 && now->uplink == 0;
    note_gap(&last_sensor, &now->sensor_gap_min, &now->sensor_gap_max);
    now->confirms_before_test += fb_mcuboot_confirm_calls();
    return (int)now->sensor++ < plans[trial()].sensor_calls ? -EAGAIN : plans[trial()].sensor;
}

bool uplink_ready(void)
{
    if (!now) {
        kept->tests_when_confirmed++;
        return true;
    }
    now->uplink++;
    note_gap(&last_uplink, &now->uplink_gap_min, &now->uplink_gap_max);
    now->confirms_before_test += fb_mcuboot_confirm_calls();
    return fb_now() >= plans[trial()].uplink_at;
}

static void end_of_boot(void)
{
    if (!now)
        return;
    now->confirms = fb_mcuboot_confirm_calls();
    now->on_trial = fb_traced("console", "image on trial") == 1;
    now->accepted = fb_traced("console", "image accepted") == 1;
    now->says_confirmed = fb_traced("console", "image confirmed") > 0;
    now->rebooted = fb_traced("reboot", "cold") == 1;
    now->took = fb_now();
    if (fb_traced("mcuboot", "confirm:") > 1)
        now->confirm_gap = fb_traced_at("mcuboot", "confirm:", 1) - fb_traced_at("mcuboot", "confirm:", 0);
    snprintf(now->failure, sizeof now->failure, "%s", fb_traced_text("console", "failed", 0));
}

void app_run(void)
{
    if (now) {
        now->ran = true;
        now->ran_unconfirmed = !fb_mcuboot_confirmed();
        fb_power_cycle("the application runs");
    }
    kept->ran_when_confirmed++;
    kept->said_confirmed |=
        fb_boot() == 0 && fb_traced("console", "image confirmed") == 1 && fb_traced("console", NULL) == 1;
    if (fb_boot() == 2 * TRIALS)
        fb_stop("all trials are over");
    fb_mcuboot_request(FB_UPGRADE_TEST, FIRST_NEW + (int)(fb_boot() / 2));
    fb_power_cycle("an update was installed");
}

void scenario(void)
{
    kept = fb_kept("scenario", sizeof *kept);
    fb_on_power_cycle(end_of_boot);
    fb_mcuboot_start(OLD, 0);
    if (fb_boot() % 2) {
        now = &kept->seen[trial()];
        fb_mcuboot_fail_confirm(plans[trial()].confirm_fails, -EIO);
    } else if (fb_boot()) {
        kept->settled = fb_boot() / 2;
        kept->seen[fb_boot() / 2 - 1].kept_image = fb_mcuboot_running() == FIRST_NEW + (int)(fb_boot() / 2) - 1;
    }
    fb_end_at(FB_S(100));
}

static bool failed(enum trial which, const char *part)
{
    const struct seen *one = &kept->seen[which];
    return !strcmp(one->failure, part) && one->rebooted && one->confirms == 0 && !one->ran && !one->kept_image;
}

#define FAILURE(name, which, part, expected) \
    FB_CHECK(name, failed(which, part), expected, "'%s', %s, %u confirmations, image %s", kept->seen[which].failure, \
             kept->seen[which].rebooted ? "restart" : "no restart", kept->seen[which].confirms, \
             kept->seen[which].kept_image ? "kept" : "gone back")

void conclude(void)
{
    const struct seen *s = kept->seen;
    FB_CHECK("confirmed_image_runs",
             kept->said_confirmed && kept->ran_when_confirmed == TRIALS + 1 && kept->tests_when_confirmed == 0,
             "'image confirmed', app_run, no self-test", "app_run %u times, %u tests", kept->ran_when_confirmed,
             kept->tests_when_confirmed);
    FB_CHECK("all_trials_played", kept->settled == TRIALS, "8 trials", "%u", kept->settled);
    FB_CHECK("trial_announced", s[GOOD].on_trial && s[STORAGE_FAILS].on_trial && !s[GOOD].says_confirmed,
             "'image on trial'", "%d, %d", s[GOOD].on_trial, s[STORAGE_FAILS].on_trial);
    FB_CHECK("tests_in_order", s[GOOD].order && s[GOOD].storage == 1 && s[GOOD].uplink > 0, "storage, sensor, uplink",
             "%u, %u, %u calls", s[GOOD].storage, s[GOOD].sensor, s[GOOD].uplink);
    FB_CHECK("confirmed_after_test",
             s[GOOD].confirms == 1 && s[GOOD].confirms_before_test == 0 && s[GOOD].accepted && s[GOOD].ran,
             "confirmed once, after the tests, 'image accepted', app_run", "%u confirmations, app_run %d",
             s[GOOD].confirms, s[GOOD].ran);
    FB_CHECK("good_image_stays", s[GOOD].kept_image, "the new image runs after a restart", "%d", s[GOOD].kept_image);
    FAILURE("storage_failure", STORAGE_FAILS, "self-test failed: storage", "the line, restart, the old image");
    FB_CHECK("test_ends_at_failure",
             s[STORAGE_FAILS].storage == 1 && s[STORAGE_FAILS].sensor == 0 && s[SENSOR_FAILS].uplink == 0,
             "no further test after a failure", "%u sensor, %u uplink calls", s[STORAGE_FAILS].sensor,
             s[SENSOR_FAILS].uplink);
    FAILURE("sensor_failure", SENSOR_FAILS, "self-test failed: sensor", "the line, restart, the old image");
    FB_CHECK("sensor_error_at_once", s[SENSOR_FAILS].sensor == 1, "one call", "%u", s[SENSOR_FAILS].sensor);
    FAILURE("sensor_never_ready", SENSOR_NEVER, "self-test failed: sensor", "the line, restart, the old image");
    FB_CHECK("sensor_called_ten_times",
             s[SENSOR_NEVER].sensor == 10 && s[SENSOR_NEVER].sensor_gap_min >= FB_MS(99) &&
                 s[SENSOR_NEVER].sensor_gap_max <= FB_MS(115),
             "10 calls, 100 ms apart", "%u calls, %.0f to %.0f ms", s[SENSOR_NEVER].sensor,
             (double)s[SENSOR_NEVER].sensor_gap_min / 1e6, (double)s[SENSOR_NEVER].sensor_gap_max / 1e6);
    FB_CHECK("tenth_call_counts", s[SENSOR_TENTH].ran && s[SENSOR_TENTH].kept_image,
             "an answer in the tenth call is enough", "%u calls, '%s'", s[SENSOR_TENTH].sensor,
             s[SENSOR_TENTH].failure);
    FAILURE("uplink_failure", UPLINK_NEVER, "self-test failed: uplink", "the line, restart, the old image");
    FB_CHECK("uplink_awaited",
             s[UPLINK_NEVER].uplink >= 119 && s[UPLINK_NEVER].uplink_gap_min >= FB_MS(495) &&
                 s[UPLINK_NEVER].uplink_gap_max <= FB_MS(520) && s[UPLINK_NEVER].took >= FB_MS(59500) &&
                 s[UPLINK_NEVER].took <= FB_S(62),
             "every 500 ms for 60 s", "%u calls, %.0f to %.0f ms, %.1f s", s[UPLINK_NEVER].uplink,
             (double)s[UPLINK_NEVER].uplink_gap_min / 1e6, (double)s[UPLINK_NEVER].uplink_gap_max / 1e6,
             (double)s[UPLINK_NEVER].took / 1e9);
    FB_CHECK("confirm_tried_again",
             s[CONFIRM_THIRD].confirms == 3 && s[CONFIRM_THIRD].ran && s[CONFIRM_THIRD].kept_image &&
                 s[CONFIRM_THIRD].confirm_gap >= FB_MS(990) && s[CONFIRM_THIRD].confirm_gap <= FB_MS(1100),
             "three attempts 1 s apart, the last works", "%u, %.0f ms apart, app_run %d", s[CONFIRM_THIRD].confirms,
             (double)s[CONFIRM_THIRD].confirm_gap / 1e6, s[CONFIRM_THIRD].ran);
    FB_CHECK("confirm_failure_said", !strcmp(s[CONFIRM_THIRD].failure, "confirm failed"), "the line 'confirm failed'",
             "'%s'", s[CONFIRM_THIRD].failure);
    FB_CHECK("gives_up_confirming",
             s[CONFIRM_NEVER].confirms == 3 && s[CONFIRM_NEVER].rebooted && !s[CONFIRM_NEVER].ran &&
                 !s[CONFIRM_NEVER].kept_image,
             "restart after three attempts, no app_run", "%u, %s, app_run %d", s[CONFIRM_NEVER].confirms,
             s[CONFIRM_NEVER].rebooted ? "restart" : "no restart", s[CONFIRM_NEVER].ran);
    bool unconfirmed = false;
    for (int i = 0; i < TRIALS; i++)
        unconfirmed |= s[i].ran_unconfirmed;
    FB_CHECK("never_runs_unconfirmed", kept->settled == TRIALS && !unconfirmed, "app_run with a confirmed image only",
             "%d", unconfirmed);
}
