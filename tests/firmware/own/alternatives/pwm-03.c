/* Another right answer: a thread that is woken by a semaphore, microseconds, pwm_set with a period of its own. */
#include <zephyr/kernel.h>
#include <zephyr/device.h>
#include <zephyr/drivers/pwm.h>

static const struct pwm_dt_spec pwm = PWM_DT_SPEC_GET(DT_NODELABEL(servo0));
static volatile int now_deg, want_deg;
static volatile bool on;
K_SEM_DEFINE(go, 0, 1);
K_MUTEX_DEFINE(pwm_mutex);

static int put(int deg)
{
    int us = 1500 + (deg * 1000) / 90;

    return pwm_set_dt(&pwm, PWM_MSEC(20), PWM_USEC(us));
}

static void mover(void *a, void *b, void *c)
{
    ARG_UNUSED(a);
    ARG_UNUSED(b);
    ARG_UNUSED(c);
    while (1) {
        k_sem_take(&go, K_FOREVER);
        while (on && now_deg != want_deg) {
            int next;

            k_mutex_lock(&pwm_mutex, K_FOREVER);
            if (!on) {
                k_mutex_unlock(&pwm_mutex);
                break;
            }
            if (want_deg > now_deg) {
                next = now_deg + 2 > want_deg ? want_deg : now_deg + 2;
            } else {
                next = now_deg - 2 < want_deg ? want_deg : now_deg - 2;
            }
            if (put(next) == 0) {
                now_deg = next;
            }
            k_mutex_unlock(&pwm_mutex);
            k_msleep(20);
        }
    }
}
K_THREAD_DEFINE(mover_id, 1024, mover, NULL, NULL, NULL, 4, 0, 0);

int servo_init(void)
{
    if (!device_is_ready(pwm.dev)) {
        return -ENODEV;
    }
    return put(0);
}

int servo_move(int degrees)
{
    if (degrees > 90 || degrees < -90) {
        return -EINVAL;
    }
    want_deg = degrees;
    on = true;
    k_sem_give(&go);
    return 0;
}

int servo_angle(void)
{
    return now_deg;
}

void servo_off(void)
{
    k_mutex_lock(&pwm_mutex, K_FOREVER);
    on = false;
    pwm_set_pulse_dt(&pwm, 0);
    k_mutex_unlock(&pwm_mutex);
}
