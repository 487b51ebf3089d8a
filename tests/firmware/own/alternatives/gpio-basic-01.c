#include <zephyr/kernel.h>
#include <zephyr/device.h>
#include <zephyr/drivers/gpio.h>

#define SW0_NODE DT_ALIAS(sw0)

static const struct device *port = DEVICE_DT_GET(DT_GPIO_CTLR(SW0_NODE, gpios));
static const struct gpio_dt_spec led0 = GPIO_DT_SPEC_GET(DT_ALIAS(led0), gpios);
static const struct gpio_dt_spec led1 = GPIO_DT_SPEC_GET(DT_ALIAS(led1), gpios);
static struct gpio_callback cb;
K_SEM_DEFINE(edge, 0, 1);

static void on_edge(const struct device *dev, struct gpio_callback *c, uint32_t pins)
{
	k_sem_give(&edge);
}

static bool read_stable(bool before, k_timeout_t limit)
{
	/* Wait for an edge, then for 30 ms without one. */
	if (k_sem_take(&edge, limit) != 0) {
		return before;
	}
	while (k_sem_take(&edge, K_MSEC(30)) == 0) {
	}
	return gpio_pin_get(port, DT_GPIO_PIN(SW0_NODE, gpios)) == 1;
}

int main(void)
{
	int err;

	if (!device_is_ready(port) || !device_is_ready(led0.port)) {
		return -ENODEV;
	}
	err = gpio_pin_configure_dt(&led0, GPIO_OUTPUT_INACTIVE);
	if (err) {
		return err;
	}
	err = gpio_pin_configure_dt(&led1, GPIO_OUTPUT_INACTIVE);
	if (err) {
		return err;
	}
	err = gpio_pin_configure(port, DT_GPIO_PIN(SW0_NODE, gpios), GPIO_INPUT | DT_GPIO_FLAGS(SW0_NODE, gpios));
	if (err) {
		return err;
	}
	gpio_init_callback(&cb, on_edge, BIT(DT_GPIO_PIN(SW0_NODE, gpios)));
	gpio_add_callback(port, &cb);
	err = gpio_pin_interrupt_configure(port, DT_GPIO_PIN(SW0_NODE, gpios), GPIO_INT_EDGE_BOTH);
	if (err) {
		return err;
	}
	for (;;) {
		while (!read_stable(false, K_FOREVER)) {
		}
		k_timepoint_t end = sys_timepoint_calc(K_MSEC(2000));
		bool is_long = false;

		while (read_stable(true, is_long ? K_FOREVER : sys_timepoint_timeout(end))) {
			if (!is_long && sys_timepoint_expired(end)) {
				is_long = true;
				gpio_pin_set_dt(&led1, 1);
			}
		}
		if (is_long) {
			gpio_pin_set_dt(&led1, 0);
		} else {
			gpio_pin_toggle_dt(&led0);
		}
	}
}
