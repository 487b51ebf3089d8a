#include <zephyr/kernel.h>
#include <zephyr/device.h>
#include <zephyr/drivers/gpio.h>
#include <errno.h>

static struct gpio_dt_spec en = GPIO_DT_SPEC_GET(DT_PATH(zephyr_user), enable_gpios);
static struct gpio_dt_spec rst = GPIO_DT_SPEC_GET(DT_PATH(zephyr_user), reset_gpios);
static struct gpio_dt_spec rdy = GPIO_DT_SPEC_GET(DT_PATH(zephyr_user), ready_gpios);
static K_EVENT_DEFINE(events);
static struct gpio_callback cb;
static enum { OFF, ON } state = OFF;

static void handler(const struct device *dev, struct gpio_callback *c, gpio_port_pins_t pins)
{
	k_event_post(&events, BIT(0));
}

static int power_down(void)
{
	gpio_pin_interrupt_configure_dt(&rdy, GPIO_INT_DISABLE);
	gpio_remove_callback_dt(&rdy, &cb);
	int rc = gpio_pin_set_dt(&rst, 1);

	if (rc != 0) {
		return rc;
	}
	return gpio_pin_set_dt(&en, 0);
}

int module_power_on(void)
{
	int rc = 0;

	if (state == ON) {
		return -EALREADY;
	}
	if (!device_is_ready(en.port) || !device_is_ready(rst.port) || !device_is_ready(rdy.port)) {
		return -ENODEV;
	}
	for (int try = 0; try < 3; try++) {
		if (try != 0) {
			k_sleep(K_MSEC(52));
		}
		if ((rc = gpio_pin_configure_dt(&rst, GPIO_OUTPUT_ACTIVE)) != 0 ||
		    (rc = gpio_pin_configure_dt(&en, GPIO_OUTPUT_ACTIVE)) != 0 ||
		    (rc = gpio_pin_configure_dt(&rdy, GPIO_INPUT)) != 0) {
			return rc;
		}
		k_sleep(K_MSEC(11));
		gpio_init_callback(&cb, handler, BIT(rdy.pin));
		rc = gpio_add_callback_dt(&rdy, &cb);
		if (rc == 0) {
			k_event_clear(&events, BIT(0));
			rc = gpio_pin_interrupt_configure_dt(&rdy, GPIO_INT_EDGE_RISING);
		}
		if (rc == 0) {
			rc = gpio_pin_set_dt(&rst, 0);
		}
		if (rc != 0) {
			power_down();
			return rc;
		}
		if (gpio_pin_get_dt(&rdy) == 1 || k_event_wait(&events, BIT(0), false, K_MSEC(101)) != 0) {
			state = ON;
			return 0;
		}
		rc = power_down();
		if (rc != 0) {
			return rc;
		}
	}
	return -ETIMEDOUT;
}

int module_power_off(void)
{
	if (state == OFF) {
		return -EALREADY;
	}
	state = OFF;
	return power_down();
}
