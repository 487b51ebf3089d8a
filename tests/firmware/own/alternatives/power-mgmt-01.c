#include <zephyr/kernel.h>
#include <zephyr/device.h>
#include <zephyr/drivers/gpio.h>
#include <zephyr/pm/device.h>
#include <zephyr/pm/device_runtime.h>

extern int32_t frontend_sample(void);

struct frontend_config {
	struct gpio_dt_spec pins[2];
};

static const struct frontend_config config = {
	.pins = {
		GPIO_DT_SPEC_GET(DT_PATH(zephyr_user), enable_gpios),
		GPIO_DT_SPEC_GET(DT_PATH(zephyr_user), ready_gpios),
	},
};

static int pm_control(const struct device *dev, enum pm_device_action action)
{
	const struct frontend_config *cfg = dev->config;
	const struct gpio_dt_spec *en = &cfg->pins[0], *rdy = &cfg->pins[1];

	if (action == PM_DEVICE_ACTION_SUSPEND) {
		gpio_pin_set(en->port, en->pin, 0);
		return 0;
	} else if (action == PM_DEVICE_ACTION_RESUME) {
		gpio_pin_set(en->port, en->pin, 1);
		k_sleep(K_USEC(5000));
		if (!gpio_pin_get(rdy->port, rdy->pin)) {
			gpio_pin_set(en->port, en->pin, 0);
			return -EIO;
		}
		return 0;
	}
	return -ENOTSUP;
}

static int start(const struct device *dev)
{
	const struct frontend_config *cfg = dev->config;
	static const gpio_flags_t flags[] = {GPIO_OUTPUT_INACTIVE, GPIO_INPUT};

	for (size_t i = 0; i < ARRAY_SIZE(flags); i++) {
		if (!device_is_ready(cfg->pins[i].port)) {
			return -ENODEV;
		}
		int rc = gpio_pin_configure_dt(&cfg->pins[i], flags[i]);

		if (rc) {
			return rc;
		}
	}
	pm_device_init_suspended(dev);
	return pm_device_runtime_enable(dev);
}

PM_DEVICE_DEFINE(front, pm_control);
DEVICE_DEFINE(front, "frontend", start, PM_DEVICE_GET(front), NULL, &config, POST_KERNEL, 80, NULL);

int frontend_measure(int32_t *value)
{
	int rc;

	if (!value) {
		return -EINVAL;
	}
	rc = pm_device_runtime_get(DEVICE_GET(front));
	if (rc != 0) {
		return rc;
	}
	int32_t raw = frontend_sample();

	pm_device_runtime_put_async(DEVICE_GET(front), K_MSEC(50));
	if (raw < 0) {
		return -ERANGE;
	}
	*value = raw;
	return 0;
}
