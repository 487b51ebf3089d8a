"""Zephyr's pins, watchdogs and power management as the model has them."""

from tests.platforms.playing import Play

HEAD = """\
#include <zephyr/kernel.h>
#include <zephyr/drivers/gpio.h>
#include <zephyr/drivers/watchdog.h>
#include <zephyr/pm/device.h>
#include <zephyr/pm/device_runtime.h>
#include <zephyr/pm/pm.h>
#include <zephyr/task_wdt/task_wdt.h>
"""
SCENARIO = """\
#include "fb_zephyr.h"
#include <zephyr/drivers/gpio.h>
static void drive(void *arg) { fb_gpio_drive(DEVICE_DT_GET(DT_NODELABEL(gpio0)), 11, arg != NULL); }
static __attribute__((unused)) void press(int ms, int level) { fb_at(FB_MS(ms), drive, (void *)(intptr_t)level); }
void scenario(void) { STIMULI; fb_end_at(FB_S(3)); }
void conclude(void) { FB_CHECK("ends", true, "", "%d", 0); }
"""
QUIET = SCENARIO.replace("STIMULI;", "")


def test_active_low_and_raw_levels(on_zephyr: Play) -> None:
    candidate = """
    static const struct gpio_dt_spec led = GPIO_DT_SPEC_GET(DT_ALIAS(led0), gpios);
    int main(void) {
        gpio_pin_configure_dt(&led, GPIO_OUTPUT_ACTIVE);
        printk("%d %d\\n", gpio_pin_get_dt(&led), gpio_pin_get_raw(led.port, led.pin));
        gpio_pin_set_dt(&led, 0);
        gpio_pin_toggle_dt(&led);
        gpio_pin_set_raw(led.port, led.pin, 1);
        return 0;
    }
    """
    played = on_zephyr(HEAD + candidate, QUIET)
    assert played.lines("console") == ["1 0"]
    assert played.lines("gpio") == ["gpio0.13=0", "gpio0.13=1", "gpio0.13=0", "gpio0.13=1"]


def test_edges_interrupt_and_pulls_hold_an_open_pin(on_zephyr: Play) -> None:
    candidate = """
    static const struct gpio_dt_spec sw = GPIO_DT_SPEC_GET(DT_ALIAS(sw0), gpios);
    static struct gpio_callback cb;
    static void edge(const struct device *port, struct gpio_callback *c, gpio_port_pins_t pins) {
        printk("%d %d %d\\n", (int)k_uptime_get(), gpio_pin_get_dt(&sw), pins == BIT(sw.pin) && k_is_in_isr());
    }
    int main(void) {
        printk("%d\\n", gpio_pin_interrupt_configure_dt(&sw, GPIO_INT_EDGE_BOTH));
        gpio_pin_configure_dt(&sw, GPIO_INPUT);
        printk("open %d\\n", gpio_pin_get_raw(sw.port, sw.pin));
        gpio_init_callback(&cb, edge, BIT(sw.pin));
        gpio_add_callback(sw.port, &cb);
        gpio_pin_interrupt_configure_dt(&sw, GPIO_INT_EDGE_TO_ACTIVE);
        k_msleep(15);
        gpio_pin_interrupt_configure_dt(&sw, GPIO_INT_EDGE_BOTH);
        k_msleep(20);
        gpio_pin_interrupt_configure_dt(&sw, GPIO_INT_DISABLE);
        return 0;
    }
    """
    scenario = SCENARIO.replace("STIMULI", "press(5, 0), press(10, 1), press(20, 0), press(30, 1), press(40, 0)")
    played = on_zephyr(HEAD + candidate, scenario)
    assert played.lines("console") == ["-22", "open 1", "5 1 1", "20 1 1", "30 0 1"]


def test_level_interrupt_comes_again_until_it_is_silenced(on_zephyr: Play) -> None:
    candidate = """
    static const struct gpio_dt_spec sw = GPIO_DT_SPEC_GET(DT_ALIAS(sw0), gpios);
    static struct gpio_callback cb;
    static int count;
    static void level(const struct device *port, struct gpio_callback *c, gpio_port_pins_t pins) {
        if (++count == 5)
            gpio_pin_interrupt_configure_dt(&sw, GPIO_INT_DISABLE);
    }
    int main(void) {
        gpio_pin_configure_dt(&sw, GPIO_INPUT);
        gpio_init_callback(&cb, level, BIT(sw.pin));
        gpio_add_callback(sw.port, &cb);
        gpio_pin_interrupt_configure_dt(&sw, GPIO_INT_LEVEL_ACTIVE);
        k_msleep(50);
        printk("%d\\n", count);
        return 0;
    }
    """
    played = on_zephyr(HEAD + candidate, SCENARIO.replace("STIMULI", "press(5, 0)"))
    assert played.lines("console") == ["5"]


def test_watchdog_resets_what_does_not_feed_it(on_zephyr: Play) -> None:
    candidate = """
    static void last(const struct device *dev, int channel) { printk("last words of %d\\n", channel); }
    int main(void) {
        const struct device *wdt = DEVICE_DT_GET(DT_ALIAS(watchdog0));
        struct wdt_timeout_cfg cfg = {.window = {.max = 100}, .callback = last, .flags = WDT_FLAG_RESET_SOC};
        printk("%d\\n", wdt_setup(wdt, 0));
        printk("%d\\n", wdt_install_timeout(wdt, &cfg));
        printk("%d\\n", wdt_setup(wdt, WDT_OPT_PAUSE_HALTED_BY_DBG));
        printk("%d\\n", wdt_install_timeout(wdt, &cfg));
        printk("%d\\n", wdt_feed(wdt, 7));
        for (int i = 0; i < 5; i++) { k_msleep(90); wdt_feed(wdt, 0); }
        k_msleep(1000);
        printk("never\\n");
        return 0;
    }
    """
    played = on_zephyr(HEAD + candidate, QUIET)
    assert played.lines("console") == ["-22", "0", "0", "-16", "-22", "last words of 0"]
    assert played.lines("reset") == ["watchdog"]
    assert "0.55" in played.saw("within_limits")


def test_task_watchdog_calls_back(on_zephyr: Play) -> None:
    candidate = """
    static void late(int channel, void *data) {
        printk("late %d %s %d\\n", channel, (char *)data, (int)k_uptime_get());
    }
    int main(void) {
        task_wdt_init(DEVICE_DT_GET(DT_ALIAS(watchdog0)));
        int id = task_wdt_add(200, late, "task");
        for (int i = 0; i < 3; i++) { k_msleep(150); task_wdt_feed(id); }
        return 0;
    }
    """
    played = on_zephyr(HEAD + candidate, QUIET)
    assert played.lines("console") == ["late 0 task 650"]
    assert not played.lines("reset")


def test_devices_suspend_by_use_count(on_zephyr: Play) -> None:
    candidate = """
    static int action(const struct device *dev, enum pm_device_action a) {
        printk("%d\\n", a);
        return a == PM_DEVICE_ACTION_TURN_OFF ? -ENOTSUP : 0;
    }
    static int init(const struct device *dev) { return 0; }
    PM_DEVICE_DEFINE(thing, action);
    DEVICE_DEFINE(thing, "thing", init, PM_DEVICE_GET(thing), NULL, NULL, POST_KERNEL, 80, NULL);
    int main(void) {
        const struct device *dev = device_get_binding("thing");
        enum pm_device_state state;
        printk("again %d\\n", pm_device_action_run(dev, PM_DEVICE_ACTION_RESUME));
        pm_device_runtime_enable(dev);
        pm_device_runtime_get(dev);
        pm_device_runtime_get(dev);
        pm_device_runtime_put(dev);
        printk("users %d\\n", pm_device_runtime_usage(dev));
        pm_device_runtime_put_async(dev, K_MSEC(10));
        k_msleep(5);
        pm_device_state_get(dev, &state);
        printk("state %s\\n", pm_device_state_str(state));
        k_msleep(10);
        pm_device_state_get(dev, &state);
        printk("state %s\\n", pm_device_state_str(state));
        return pm_device_runtime_put(dev);
    }
    """
    played = on_zephyr(HEAD + candidate, QUIET)
    said = ["again -114", "0", "1", "users 1", "state suspending", "0", "state suspended"]
    assert played.lines("console") == said
    assert "put_without_get" in played.saw("no_api_misuse")


def test_idle_processor_sleeps_as_deep_as_it_may(on_zephyr: Play) -> None:
    candidate = """
    static void entry(enum pm_state s) { printk("in %s\\n", pm_state_to_str(s)); }
    static void leave(enum pm_state s) { printk("out %s\\n", pm_state_to_str(s)); }
    static struct pm_notifier notifier = {.state_entry = entry, .state_exit = leave};
    int main(void) {
        pm_notifier_register(&notifier);
        k_msleep(100);
        pm_policy_state_lock_get(PM_STATE_STANDBY, PM_ALL_SUBSTATES);
        k_msleep(100);
        pm_policy_state_lock_put(PM_STATE_STANDBY, PM_ALL_SUBSTATES);
        pm_notifier_unregister(&notifier);
        return 0;
    }
    """
    played = on_zephyr(HEAD + candidate, SCENARIO.replace("STIMULI", "fb_pm_enable()"))
    said = ["in standby", "out standby", "in suspend-to-idle", "out suspend-to-idle"]
    assert played.lines("console") == said


def test_broken_device_is_not_ready(on_zephyr: Play) -> None:
    candidate = """
    int main(void) {
        bool first = device_is_ready(DEVICE_DT_GET(DT_NODELABEL(gpio0)));
        printk("%d %d\\n", first, device_is_ready(DEVICE_DT_GET(DT_NODELABEL(gpio1))));
        return 0;
    }
    """
    scenario = SCENARIO.replace("STIMULI", "fb_device_broken(DEVICE_DT_GET(DT_NODELABEL(gpio1)))")
    assert on_zephyr(HEAD + candidate, scenario).lines("console") == ["1 0"]
