#include "fb_zephyr.h"

#include <zephyr/drivers/gpio.h>
#include <zephyr/pm/policy.h>

#define LINE 25
#define ANTENNA 1
#define MOST 64

int link_init(void);
int link_send(void);
int link_abort(void);
uint32_t link_timeouts(void);
void radio_begin(void);
void radio_stop(void);

static const struct device *port = DEVICE_DT_GET(DT_NODELABEL(gpio1));
static fb_event *end_of_transfer;
static bool active;
static int64_t takes, active_since, active_for;
static size_t begins, stops, stops_of_nothing, unlocked_begins, begins_while_active;
static size_t standby_in_transfer;

/* Records of unlocking contain the word of locking too. */
static int locks(void)
{
    return (int)fb_traced("pm", "lock standby") - 2 * (int)fb_traced("pm", "unlock standby");
}

static void line(void *arg)
{
    ARG_UNUSED(arg);
    fb_irq_raise(LINE);
}

static void finish(void)
{
    active = false;
    active_for += fb_now() - active_since;
}

static void transfer_ends(void *arg)
{
    ARG_UNUSED(arg);
    finish();
    fb_irq_raise(LINE);
}

void radio_begin(void)
{
    begins++;
    begins_while_active += active;
    unlocked_begins += locks() != 1;
    active = true;
    active_since = fb_now();
    fb_trace("radio", "begin");
    if (takes != FB_FOREVER)
        end_of_transfer = fb_at(fb_now() + takes, transfer_ends, NULL);
}

void radio_stop(void)
{
    stops++;
    stops_of_nothing += !active;
    fb_trace("radio", "stop");
    fb_cancel(end_of_transfer);
    if (active)
        finish();
    /* Too late to be stopped: the interrupt comes all the same. */
    fb_at(fb_now() + FB_US(300), line, NULL);
}

static int results[16];
static size_t count;
#define RESULT(call) (results[count++] = (call))
static uint32_t timeouts_before, timeouts_after;
static int64_t quiet_from, quiet_to, idle_from, idle_to, lost_from, raced_from;
static int locks_when[8];
static bool reached_end;
static size_t aborted_in_race, busy_in_race;

int candidate_main(void)
{
    RESULT(link_init()); /* 0 */
    k_msleep(300);
    /* A transfer of 100 ms, a second one asked for meanwhile. */
    takes = FB_MS(100);
    quiet_from = fb_now();
    RESULT(link_send()); /* 1 */
    k_msleep(50);
    RESULT(link_send()); /* 2: busy */
    k_msleep(49);
    quiet_to = fb_now();
    k_msleep(2);
    locks_when[0] = locks();
    idle_from = fb_now();
    k_msleep(300);
    idle_to = fb_now();
    RESULT(link_abort()); /* 3: nothing to abort */
    /* An abort, with the late interrupt. */
    RESULT(link_send()); /* 4 */
    k_msleep(30);
    locks_when[1] = locks();
    RESULT(link_abort()); /* 5 */
    locks_when[2] = locks();
    k_msleep(100);
    locks_when[3] = locks();
    /* A transfer that is lost. */
    takes = FB_FOREVER;
    timeouts_before = link_timeouts();
    lost_from = fb_now();
    RESULT(link_send()); /* 6 */
    k_msleep(300);
    timeouts_after = link_timeouts();
    locks_when[4] = locks();
    /* Spurious interrupts. */
    line(NULL);
    k_msleep(1);
    locks_when[5] = locks();
    /* The old timeout must not end the next transfer: 150 ms, ended at 140 ms, and the next one right after. */
    takes = FB_MS(140);
    RESULT(link_send()); /* 7 */
    k_msleep(141);
    takes = FB_MS(150);
    RESULT(link_send()); /* 8 */
    k_msleep(149);
    locks_when[6] = locks();
    k_msleep(100);
    /* Aborts that come as the interrupt does, at every distance. */
    raced_from = fb_now();
    takes = FB_US(500);
    for (int i = 0; i < 400; i++) {
        busy_in_race += link_send() != 0;
        fb_spend(FB_US(500) - 5000 + i * 23);
        aborted_in_race += link_abort() == 0;
        fb_wait(NULL, fb_now() + FB_MS(2));
    }
    k_msleep(300);
    locks_when[7] = locks();
    reached_end = true;
    return 0;
}

void scenario(void)
{
    fb_pm_enable();
    fb_end_at(FB_S(4));
}

/* Whether the antenna switch was inactive in standby, and only there. */
static size_t wrong_antenna(size_t *standbys)
{
    size_t wrong = 0;
    *standbys = 0;
    for (size_t i = 0; fb_traced_at("pm", "enter standby", i) >= 0; i++) {
        int64_t enter = fb_traced_at("pm", "enter standby", i), leave = fb_traced_at("pm", "exit standby", i);
        if (leave < 0)
            leave = FB_FOREVER - FB_MS(2);
        (*standbys)++;
        wrong += fb_traced_between("gpio", "gpio1.1=0", enter - FB_MS(1), enter + 1) != 1;
        wrong += leave < FB_S(4) && fb_traced_between("gpio", "gpio1.1=1", leave, leave + FB_MS(1)) != 1;
    }
    return wrong;
}

void conclude(void)
{
    FB_CHECK("initialises",
             results[0] == 0 && fb_gpio_is_output(port, ANTENNA) &&
                 !strcmp(fb_traced_text("gpio", "gpio1.1=", 0), "gpio1.1=1"),
             "0, and the antenna switch active", "%d, '%s'", results[0], fb_traced_text("gpio", "gpio1.1=", 0));
    FB_CHECK("sends", results[1] == 0 && begins > 5 && begins_while_active == 0, "0, one transfer at a time",
             "%d, %zu begun, %zu at once", results[1], begins, begins_while_active);
    FB_CHECK("busy_while_under_way", count > 2 && results[2] == -EBUSY, "-EBUSY", "%d", results[2]);
    FB_CHECK("locked_before_begin", begins > 5 && unlocked_begins == 0, "standby locked once at each radio_begin",
             "%zu of %zu otherwise", unlocked_begins, begins);
    standby_in_transfer = fb_traced_between("pm", "enter standby", quiet_from, quiet_to);
    size_t others = fb_traced_between("pm", "enter suspend-to-idle", quiet_from, quiet_to);
    FB_CHECK("no_standby_in_a_transfer", quiet_to > 0 && standby_in_transfer == 0, "no standby", "%zu times",
             standby_in_transfer);
    size_t wrong_states = fb_traced("pm", "lock") - fb_traced("pm", "lock standby");
    FB_CHECK("only_standby_locked", quiet_to > 0 && begins && others > 0 && wrong_states == 0,
             "suspend-to-idle stays allowed", "entered %zu times, %zu other locks", others, wrong_states);
    FB_CHECK("unlocked_when_done",
             idle_to > 0 && locks_when[0] == 0 && fb_traced_between("pm", "enter standby", idle_from, idle_to) > 0,
             "standby after the transfer", "%d locks, %zu times in standby", locks_when[0],
             fb_traced_between("pm", "enter standby", idle_from, idle_to));
    FB_CHECK("nothing_to_abort", count > 3 && results[3] == -EALREADY, "-EALREADY", "%d", results[3]);
    FB_CHECK("abort_ends_the_transfer", count > 5 && results[5] == 0 && locks_when[1] == 1 && locks_when[2] == 0,
             "0, and unlocked", "%d, %d locks", results[5], locks_when[2]);
    FB_CHECK("late_interrupt_changes_nothing",
             count > 6 && locks_when[3] == 0 && locks_when[5] == 0 && fb_faults("unlock_without_lock") == 0,
             "nothing locked or unlocked", "%d and %d locks, %zu unlocks too many", locks_when[3], locks_when[5],
             fb_faults("unlock_without_lock"));
    size_t in_time = fb_traced_between("radio", "stop", lost_from + FB_MS(200), lost_from + FB_MS(206));
    FB_CHECK("lost_transfer_times_out",
             count > 6 && in_time == 1 && timeouts_before == 0 && timeouts_after == 1 && locks_when[4] == 0,
             "stopped after 200 ms, counted and unlocked", "stopped %zu times in time, %u counted, %d locks", in_time,
             timeouts_after, locks_when[4]);
    FB_CHECK("old_timeout_does_not_count", reached_end && locks_when[6] == 1 && link_timeouts() == 1,
             "the next transfer goes on, 1 timeout in all", "%d locks, %u timeouts", locks_when[6], link_timeouts());
    FB_CHECK("ends_once_in_a_race",
             reached_end && locks_when[7] == 0 && busy_in_race == 0 && aborted_in_race > 50 &&
                 stops_of_nothing <= aborted_in_race,
             "each transfer ends once, by its interrupt or by the abort", "%d locks, %zu refused, %zu aborted",
             locks_when[7], busy_in_race, aborted_in_race);
    size_t standbys;
    size_t wrong = wrong_antenna(&standbys);
    size_t changes = fb_traced("gpio", "gpio1.1=0");
    FB_CHECK("antenna_follows_standby", standbys > 2 && wrong == 0 && changes == standbys,
             "inactive in standby, and only there", "%zu standbys, %zu times wrong, %zu times inactive", standbys,
             wrong, changes);
}
