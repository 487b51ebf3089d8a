/* Movements, a new target on the way, pulses that cannot be set, off and on again. Boots: 0 no PWM, 1 an error, 2
 * works. */
#include <stdlib.h>
#include <string.h>

#include "fb_application.h"
#include "fb_pwm.h"
#include "fb_zephyr.h"
#include "power.h"
#include "sim.h"

FB_POWER_CYCLES;

int servo_init(void);
int servo_move(int degrees);
int servo_angle(void);
void servo_off(void);

enum { BOOT_NO_PWM, BOOT_ERROR, BOOT_WORKS };
#define MOST 400

static struct kept {
    int no_pwm, error;
} *kept;

static struct {
    int64_t when, pulse;
} set[MOST];
static unsigned count, wrong_period, wrong_channel;

static void changed(unsigned channel, int64_t period, int64_t pulse)
{
    wrong_channel += channel != 1;
    wrong_period += period != FB_MS(20);
    if (count < MOST) {
        set[count].when = fb_now();
        set[count].pulse = pulse;
    }
    count++;
}

static bool is(int64_t pulse, int degrees)
{
    int64_t wanted = FB_US(1500) + (int64_t)degrees * FB_US(1000) / 90;
    return pulse >= wanted - 1001 && pulse <= wanted + 1001;
}

/* Whether the pulses from `at` on are the steps from one angle to the other, at their pace; returns how many they are.
 */
static unsigned steps(unsigned at, int from, int to)
{
    unsigned n = 0;
    while (from != to) {
        int left = to - from;
        from += left > 2 ? 2 : left < -2 ? -2 : left;
        if (at + n >= count || at + n >= MOST || !is(set[at + n].pulse, from))
            return 0;
        if (n && llabs(set[at + n].when - set[at + n - 1].when - FB_MS(20)) > FB_MS(2))
            return 0;
        n++;
    }
    return n;
}

static struct {
    int init, moved, refused[2], angle_first, angle_on_way, angle_end, angle_refused, angle_error, angle_off;
    int64_t took, first_after;
    bool centre, to_end, idle, turned, odd, retried, off, no_step_when_off, on_again, negative;
} saw;

static void use_movements(void)
{
    saw.centre = count == 1 && is(set[0].pulse, 0);
    saw.angle_first = servo_angle();
    unsigned at = count;
    int64_t began = fb_now();
    saw.moved = servo_move(90);
    saw.took = fb_now() - began;
    k_msleep(205);
    saw.angle_on_way = servo_angle();
    k_msleep(900);
    saw.first_after = at < MOST ? set[at].when - began : 0;
    saw.to_end = steps(at, 0, 90) == 45 && count == at + 45;
    saw.angle_end = servo_angle();
    unsigned calls = (unsigned)fb_traced("pwm", NULL);
    saw.refused[0] = servo_move(91);
    saw.refused[1] = servo_move(-91);
    k_msleep(500);
    saw.angle_refused = servo_angle();
    saw.idle = saw.to_end && fb_traced("pwm", NULL) == calls;

    at = count;
    servo_move(-90);
    k_msleep(210); /* ten steps or so */
    unsigned on_way = count - at;
    int turn = servo_angle();
    servo_move(81);
    k_msleep(1000);
    int64_t pause = at + on_way < MOST ? set[at + on_way].when - set[at + on_way - 1].when : 0;
    saw.turned = on_way >= 9 && on_way <= 11 && steps(at, 90, turn) == on_way && steps(at + on_way, turn, 81) > 0 &&
                 llabs(pause - FB_MS(20)) <= FB_MS(2);
    saw.odd = servo_angle() == 81;
}

static void use_faults(void)
{
    unsigned at = count;
    fb_pwm_fail(3, 2, -EIO);
    servo_move(71);
    k_msleep(95);
    saw.angle_error = servo_angle();
    k_msleep(400);
    fb_pwm_fail(0, 0, 0);
    /* Three steps, two refused ones of the same angle, and the rest. */
    saw.retried = count == at + 5 && is(set[at + 2].pulse, 75) && is(set[at + 3].pulse, 73) &&
                  llabs(set[at + 3].when - set[at + 2].when - FB_MS(60)) <= FB_MS(4) && servo_angle() == 71;
    servo_move(0);
    k_msleep(110);
    servo_off();
    saw.angle_off = servo_angle();
    at = count;
    saw.off = fb_pwm_pulse(1) == 0;
    k_msleep(300);
    saw.no_step_when_off = count == at;
    servo_move(saw.angle_off - 10);
    k_msleep(300);
    saw.on_again = steps(at, saw.angle_off, saw.angle_off - 10) == 5;
    at = count;
    int from = servo_angle();
    servo_move(-90);
    k_msleep(2500);
    saw.negative = steps(at, from, -90) > 0 && servo_angle() == -90;
}

static void application(void)
{
    saw.init = servo_init();
    if (fb_boot() == BOOT_NO_PWM) {
        kept->no_pwm = saw.init;
        fb_power_cycle("next boot");
    }
    if (fb_boot() == BOOT_ERROR) {
        kept->error = saw.init;
        fb_power_cycle("next boot");
    }
    use_movements();
    use_faults();
    fb_stop("the application has seen enough");
}

void scenario(void)
{
    fb_application(application);
    kept = fb_kept("scenario", sizeof *kept);
    fb_pwm_on_change(changed);
    if (fb_boot() == BOOT_NO_PWM)
        fb_device_broken(FB_PWM);
    if (fb_boot() == BOOT_ERROR)
        fb_pwm_fail(0, 1, -EBUSY);
    fb_end_at(FB_S(20));
}

void conclude(void)
{
    FB_CHECK("pwm_not_ready", kept->no_pwm == -ENODEV, "-ENODEV", "%d", kept->no_pwm);
    FB_CHECK("init_error_passed_on", kept->error == -EBUSY, "-EBUSY", "%d", kept->error);
    FB_CHECK("centred_at_start", saw.init == 0 && saw.centre && saw.angle_first == 0, "0, 1500 us, 0 degrees",
             "%d, %lld ns, %d", saw.init, (long long)set[0].pulse, saw.angle_first);
    FB_CHECK("period_and_channel", count > 0 && wrong_period == 0 && wrong_channel == 0, "20 ms on channel 1",
             "%u and %u others", wrong_period, wrong_channel);
    FB_CHECK("move_returns_at_once", saw.moved == 0 && saw.took < FB_MS(2) && count > 1, "0, at once",
             "%d after %.1f ms", saw.moved, (double)saw.took / 1e6);
    FB_CHECK("first_step_soon", count > 1 && saw.first_after >= 0 && saw.first_after <= FB_MS(22), "within 22 ms",
             "%.1f ms", (double)saw.first_after / 1e6);
    FB_CHECK("moves_in_steps", saw.to_end && saw.angle_end == 90, "45 steps of 2 degrees, 20 ms apart", "%d degrees",
             saw.angle_end);
    FB_CHECK("angle_on_the_way", saw.angle_on_way >= 18 && saw.angle_on_way <= 22, "18 to 22 degrees after 205 ms",
             "%d", saw.angle_on_way);
    FB_CHECK("angles_checked", saw.refused[0] == -EINVAL && saw.refused[1] == -EINVAL && saw.angle_refused == 90,
             "-EINVAL, no movement", "%d, %d, %d degrees", saw.refused[0], saw.refused[1], saw.angle_refused);
    FB_CHECK("idle_at_target", saw.idle, "nothing is set at the target", "%d", saw.idle);
    FB_CHECK("new_target_on_the_way", saw.turned, "goes on from where it is, at the same pace", "%d", saw.turned);
    FB_CHECK("last_step_of_one", saw.odd, "81 degrees", "%d", saw.odd);
    FB_CHECK("failed_step_tried_again", saw.retried, "the same step, 20 ms later each time", "%d", saw.retried);
    FB_CHECK("angle_of_last_good_pulse", saw.angle_error == 75, "75 degrees while pulses cannot be set", "%d",
             saw.angle_error);
    FB_CHECK("switched_off", saw.off && saw.no_step_when_off, "a pulse of 0, no further step", "%d, %d", saw.off,
             saw.no_step_when_off);
    FB_CHECK("goes_on_after_off", saw.on_again, "from the angle where it was", "%d", saw.on_again);
    FB_CHECK("negative_angles", saw.negative, "down to -90 degrees", "%d", saw.negative);
}
