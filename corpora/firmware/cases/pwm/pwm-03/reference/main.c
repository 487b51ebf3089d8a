#include <errno.h>
#include <zephyr/device.h>
#include <zephyr/devicetree.h>
#include <zephyr/drivers/pwm.h>
#include <zephyr/kernel.h>
#include <zephyr/sys/util.h>

#define ANGLE_MAX 90
#define STEP_DEGREES 2
#define STEP_TIME K_MSEC(20)
#define PULSE_CENTRE_NS PWM_USEC(1500)
#define PULSE_SPAN_NS PWM_USEC(1000)

static const struct pwm_dt_spec servo = PWM_DT_SPEC_GET(DT_NODELABEL(servo0));

static void step_handler(struct k_work *work);
static K_WORK_DELAYABLE_DEFINE(step_work, step_handler);
static K_MUTEX_DEFINE(lock);

static int angle;
static int target;
static bool moving;

static int set_angle(int degrees)
{
	int32_t offset = degrees * (int32_t)PULSE_SPAN_NS / ANGLE_MAX;
	int ret = pwm_set_pulse_dt(&servo, (uint32_t)((int32_t)PULSE_CENTRE_NS + offset));

	if (ret == 0) {
		angle = degrees;
	}
	return ret;
}

static void step_handler(struct k_work *work)
{
	ARG_UNUSED(work);

	k_mutex_lock(&lock, K_FOREVER);
	if (moving && angle != target) {
		k_work_reschedule(&step_work, STEP_TIME);
		(void)set_angle(angle + CLAMP(target - angle, -STEP_DEGREES, STEP_DEGREES));
	} else {
		moving = false;
	}
	k_mutex_unlock(&lock);
}

int servo_init(void)
{
	int ret;

	if (!pwm_is_ready_dt(&servo)) {
		return -ENODEV;
	}
	k_mutex_lock(&lock, K_FOREVER);
	ret = set_angle(0);
	k_mutex_unlock(&lock);
	return ret;
}

int servo_move(int degrees)
{
	if (degrees < -ANGLE_MAX || degrees > ANGLE_MAX) {
		return -EINVAL;
	}
	k_mutex_lock(&lock, K_FOREVER);
	target = degrees;
	if (!moving) {
		moving = true;
		k_work_reschedule(&step_work, STEP_TIME);
	}
	k_mutex_unlock(&lock);
	return 0;
}

int servo_angle(void)
{
	return angle;
}

void servo_off(void)
{
	k_mutex_lock(&lock, K_FOREVER);
	moving = false;
	k_work_cancel_delayable(&step_work);
	(void)pwm_set_pulse_dt(&servo, 0);
	k_mutex_unlock(&lock);
}
