#include <errno.h>
#include <zephyr/device.h>
#include <zephyr/drivers/gpio.h>
#include <zephyr/kernel.h>
#include <zephyr/pm/device.h>
#include <zephyr/pm/device_runtime.h>

#define SETTLE_MS 5
#define LINGER K_MSEC(50)

#define USER DT_PATH(zephyr_user)

int32_t frontend_sample(void);

static const struct gpio_dt_spec enable = GPIO_DT_SPEC_GET(USER, enable_gpios);
static const struct gpio_dt_spec ready = GPIO_DT_SPEC_GET(USER, ready_gpios);

static int resume(void)
{
	int ret = gpio_pin_set_dt(&enable, 1);

	if (ret < 0) {
		return ret;
	}
	k_msleep(SETTLE_MS);
	if (gpio_pin_get_dt(&ready) > 0) {
		return 0;
	}
	gpio_pin_set_dt(&enable, 0);
	return -EIO;
}

static int frontend_pm_action(const struct device *dev, enum pm_device_action action)
{
	ARG_UNUSED(dev);

	switch (action) {
	case PM_DEVICE_ACTION_RESUME:
		return resume();
	case PM_DEVICE_ACTION_SUSPEND:
		return gpio_pin_set_dt(&enable, 0);
	default:
		return -ENOTSUP;
	}
}

static int frontend_init(const struct device *dev)
{
	int ret;

	if (!gpio_is_ready_dt(&enable) || !gpio_is_ready_dt(&ready)) {
		return -ENODEV;
	}
	ret = gpio_pin_configure_dt(&enable, GPIO_OUTPUT_INACTIVE);
	if (ret < 0) {
		return ret;
	}
	ret = gpio_pin_configure_dt(&ready, GPIO_INPUT);
	if (ret < 0) {
		return ret;
	}
	pm_device_init_suspended(dev);
	return pm_device_runtime_enable(dev);
}

PM_DEVICE_DEFINE(frontend, frontend_pm_action);
DEVICE_DEFINE(frontend, "frontend", frontend_init, PM_DEVICE_GET(frontend), NULL, NULL, POST_KERNEL, 80, NULL);

int frontend_measure(int32_t *value)
{
	const struct device *dev = DEVICE_GET(frontend);
	int32_t sample;
	int ret;

	if (value == NULL) {
		return -EINVAL;
	}
	ret = pm_device_runtime_get(dev);
	if (ret < 0) {
		return ret;
	}

	sample = frontend_sample();
	if (sample >= 0) {
		*value = sample;
	} else {
		ret = -ERANGE;
	}
	(void)pm_device_runtime_put_async(dev, LINGER);
	return ret;
}
