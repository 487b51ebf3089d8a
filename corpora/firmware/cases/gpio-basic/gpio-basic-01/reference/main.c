#include <errno.h>
#include <zephyr/device.h>
#include <zephyr/drivers/gpio.h>
#include <zephyr/kernel.h>

#define STABLE_MS 30
#define LONG_PRESS_MS 2000

static const struct gpio_dt_spec button = GPIO_DT_SPEC_GET(DT_ALIAS(sw0), gpios);
static const struct gpio_dt_spec short_led = GPIO_DT_SPEC_GET(DT_ALIAS(led0), gpios);
static const struct gpio_dt_spec long_led = GPIO_DT_SPEC_GET(DT_ALIAS(led1), gpios);

static struct gpio_callback button_callback;

/* Both work items run in the system work queue, so that these need no lock. */
static bool pressed;
static bool long_press;

static void long_press_reached(struct k_work *work)
{
	ARG_UNUSED(work);

	long_press = true;
	gpio_pin_set_dt(&long_led, 1);
}
static K_WORK_DELAYABLE_DEFINE(long_press_work, long_press_reached);

static void level_is_stable(struct k_work *work)
{
	int level = gpio_pin_get_dt(&button);

	ARG_UNUSED(work);
	if (level < 0 || (level == 1) == pressed) {
		return;
	}

	pressed = level == 1;
	if (pressed) {
		long_press = false;
		k_work_schedule(&long_press_work, K_MSEC(LONG_PRESS_MS));
		return;
	}

	k_work_cancel_delayable(&long_press_work);
	if (long_press) {
		gpio_pin_set_dt(&long_led, 0);
	} else {
		gpio_pin_toggle_dt(&short_led);
	}
}
static K_WORK_DELAYABLE_DEFINE(stable_work, level_is_stable);

static void button_edge(const struct device *port, struct gpio_callback *callback, gpio_port_pins_t pins)
{
	ARG_UNUSED(port);
	ARG_UNUSED(callback);
	ARG_UNUSED(pins);

	k_work_reschedule(&stable_work, K_MSEC(STABLE_MS));
}

int main(void)
{
	int ret;

	if (!gpio_is_ready_dt(&button) || !gpio_is_ready_dt(&short_led) || !gpio_is_ready_dt(&long_led)) {
		return -ENODEV;
	}

	ret = gpio_pin_configure_dt(&short_led, GPIO_OUTPUT_INACTIVE);
	if (ret < 0) {
		return ret;
	}
	ret = gpio_pin_configure_dt(&long_led, GPIO_OUTPUT_INACTIVE);
	if (ret < 0) {
		return ret;
	}
	ret = gpio_pin_configure_dt(&button, GPIO_INPUT);
	if (ret < 0) {
		return ret;
	}

	gpio_init_callback(&button_callback, button_edge, BIT(button.pin));
	ret = gpio_add_callback(button.port, &button_callback);
	if (ret < 0) {
		return ret;
	}
	return gpio_pin_interrupt_configure_dt(&button, GPIO_INT_EDGE_BOTH);
}
