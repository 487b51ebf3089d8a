#include <errno.h>
#include <math.h>
#include <zephyr/device.h>
#include <zephyr/drivers/sensor.h>
#include <zephyr/kernel.h>
#include <zephyr/sys/printk.h>

#define GRAVITY 9.80665
#define MOTION_ABOVE 2.0
#define STILL_BELOW 1.0
#define MOTION_SAMPLES 3
#define STILL_SAMPLES 10
#define SILENCE K_MSEC(500)

static const struct device *const accel = DEVICE_DT_GET(DT_ALIAS(accel0));

static const struct sensor_trigger trigger = {
	.type = SENSOR_TRIG_DATA_READY,
	.chan = SENSOR_CHAN_ACCEL_XYZ,
};

K_SEM_DEFINE(sample_read, 0, 1);
static K_MUTEX_DEFINE(state_lock);

static bool moving;
static bool lost;
static int row;

static void judge(double deviation)
{
	if (!moving) {
		row = deviation > MOTION_ABOVE ? row + 1 : 0;
		if (row >= MOTION_SAMPLES) {
			moving = true;
			row = 0;
			printk("MOTION\n");
		}
	} else {
		row = deviation < STILL_BELOW ? row + 1 : 0;
		if (row >= STILL_SAMPLES) {
			moving = false;
			row = 0;
			printk("STILL\n");
		}
	}
}

static void on_data_ready(const struct device *dev, const struct sensor_trigger *trig)
{
	struct sensor_value value[3];
	double sum = 0.0;

	if (sensor_sample_fetch(dev) < 0) {
		return;
	}
	if (sensor_channel_get(dev, trig->chan, value) < 0) {
		return;
	}
	for (int i = 0; i < 3; i++) {
		double axis = sensor_value_to_double(&value[i]);

		sum += axis * axis;
	}

	k_mutex_lock(&state_lock, K_FOREVER);
	if (lost) {
		lost = false;
		row = 0;
		printk("SENSOR BACK\n");
	}
	judge(fabs(sqrt(sum) - GRAVITY));
	k_mutex_unlock(&state_lock);

	k_sem_give(&sample_read);
}

static int set_up(void)
{
	const struct sensor_value frequency = {.val1 = 50, .val2 = 0};
	int ret;

	ret = sensor_attr_set(accel, SENSOR_CHAN_ACCEL_XYZ, SENSOR_ATTR_SAMPLING_FREQUENCY, &frequency);
	if (ret < 0) {
		return ret;
	}
	return sensor_trigger_set(accel, &trigger, on_data_ready);
}

int main(void)
{
	int ret;

	if (!device_is_ready(accel)) {
		printk("accel not ready\n");
		return -ENODEV;
	}

	ret = set_up();
	if (ret < 0) {
		printk("accel setup failed\n");
		return ret;
	}

	while (true) {
		if (k_sem_take(&sample_read, SILENCE) == 0) {
			continue;
		}
		k_mutex_lock(&state_lock, K_FOREVER);
		if (!lost) {
			lost = true;
			row = 0;
			printk("SENSOR LOST\n");
		}
		k_mutex_unlock(&state_lock);
		(void)set_up();
	}
	return 0;
}
