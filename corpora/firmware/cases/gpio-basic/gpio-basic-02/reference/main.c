#include <errno.h>
#include <zephyr/device.h>
#include <zephyr/drivers/gpio.h>
#include <zephyr/kernel.h>

#define ATTEMPTS 3
#define RESET_MS 10
#define READY_MS 100
#define DISCHARGE_MS 50

#define USER DT_PATH(zephyr_user)

static const struct gpio_dt_spec enable = GPIO_DT_SPEC_GET(USER, enable_gpios);
static const struct gpio_dt_spec reset = GPIO_DT_SPEC_GET(USER, reset_gpios);
static const struct gpio_dt_spec ready = GPIO_DT_SPEC_GET(USER, ready_gpios);

static struct gpio_callback ready_callback;
static K_SEM_DEFINE(ready_seen, 0, 1);
static bool configured;
static bool is_on;

static void ready_edge(const struct device *port, struct gpio_callback *callback, gpio_port_pins_t pins)
{
	ARG_UNUSED(port);
	ARG_UNUSED(callback);
	ARG_UNUSED(pins);

	k_sem_give(&ready_seen);
}

static int configure(void)
{
	int ret;

	if (configured) {
		return 0;
	}
	if (!gpio_is_ready_dt(&enable) || !gpio_is_ready_dt(&reset) || !gpio_is_ready_dt(&ready)) {
		return -ENODEV;
	}

	ret = gpio_pin_configure_dt(&reset, GPIO_OUTPUT_ACTIVE);
	if (ret == 0) {
		ret = gpio_pin_configure_dt(&enable, GPIO_OUTPUT_INACTIVE);
	}
	if (ret == 0) {
		ret = gpio_pin_configure_dt(&ready, GPIO_INPUT);
	}
	if (ret == 0) {
		gpio_init_callback(&ready_callback, ready_edge, BIT(ready.pin));
		ret = gpio_add_callback(ready.port, &ready_callback);
	}
	configured = ret == 0;
	return ret;
}

static int switch_off(void)
{
	int ret = gpio_pin_interrupt_configure_dt(&ready, GPIO_INT_DISABLE);
	int reset_ret = gpio_pin_set_dt(&reset, 1);
	int enable_ret = gpio_pin_set_dt(&enable, 0);

	return ret < 0 ? ret : reset_ret < 0 ? reset_ret : enable_ret;
}

static int attempt(void)
{
	int ret;

	ret = gpio_pin_set_dt(&reset, 1);
	if (ret == 0) {
		ret = gpio_pin_set_dt(&enable, 1);
	}
	if (ret < 0) {
		return ret;
	}
	k_msleep(RESET_MS);

	k_sem_reset(&ready_seen);
	ret = gpio_pin_interrupt_configure_dt(&ready, GPIO_INT_EDGE_TO_ACTIVE);
	if (ret == 0) {
		ret = gpio_pin_set_dt(&reset, 0);
	}
	if (ret < 0) {
		return ret;
	}

	if (gpio_pin_get_dt(&ready) > 0) {
		return 0;
	}
	return k_sem_take(&ready_seen, K_MSEC(READY_MS)) == 0 ? 0 : -ETIMEDOUT;
}

int module_power_on(void)
{
	int ret;

	if (is_on) {
		return -EALREADY;
	}
	ret = configure();
	if (ret < 0) {
		return ret;
	}

	for (int i = 0; i < ATTEMPTS; i++) {
		if (i > 0) {
			k_msleep(DISCHARGE_MS);
		}
		ret = attempt();
		if (ret == 0) {
			is_on = true;
			return 0;
		}
		switch_off();
		if (ret != -ETIMEDOUT) {
			return ret;
		}
	}
	return ret;
}

int module_power_off(void)
{
	if (!is_on) {
		return -EALREADY;
	}
	is_on = false;
	return switch_off();
}
