/* Two ports of 32 pins. What a pin reads is what drives it: the port, something outside, or the pull. */
#include "fb_zephyr.h"

#include <zephyr/drivers/gpio.h>

#define PINS 32
#define LEVEL_POLL_NS 2000 /* how soon a level interrupt that nobody silenced comes again */
#define MOST_WATCHES 32

struct pin {
    gpio_flags_t flags, interrupt;
    int latch;   /* what an output drives */
    int outside; /* 0, 1, or -1: nothing drives it */
    int level;
};
struct port {
    const char *name;
    const struct device *dev;
    struct pin pins[PINS];
    sys_slist_t callbacks;
    gpio_port_pins_t pending;
};
static struct port ports[2] = {{.name = "gpio0"}, {.name = "gpio1"}};
static struct {
    struct pin *pin;
    void (*fn)(void *arg, int level);
    void *arg;
} watches[MOST_WATCHES];
static size_t watch_count;

static int init(const struct device *dev)
{
    struct port *port = dev->data;
    port->dev = dev;
    return 0;
}

DEVICE_DT_DEFINE(DT_NODELABEL(gpio0), init, NULL, &ports[0], NULL, PRE_KERNEL_1, CONFIG_GPIO_INIT_PRIORITY, NULL);
DEVICE_DT_DEFINE(DT_NODELABEL(gpio1), init, NULL, &ports[1], NULL, PRE_KERNEL_1, CONFIG_GPIO_INIT_PRIORITY, NULL);

__attribute__((constructor)) static void nothing_outside(void)
{
    for (size_t i = 0; i < ARRAY_SIZE(ports); i++)
        for (size_t j = 0; j < PINS; j++)
            ports[i].pins[j].outside = -1;
}

static bool driven(const struct pin *pin)
{
    if (!(pin->flags & GPIO_OUTPUT))
        return false;
    if (!(pin->flags & GPIO_SINGLE_ENDED))
        return true;
    return pin->flags & GPIO_LINE_OPEN_DRAIN ? !pin->latch : pin->latch;
}

static int wire(const struct pin *pin)
{
    if (driven(pin))
        return pin->latch;
    if (pin->outside >= 0)
        return pin->outside;
    return pin->flags & GPIO_PULL_UP ? 1 : 0;
}

static void run_callbacks(void *arg)
{
    struct port *port = arg;
    gpio_port_pins_t pins = port->pending;
    port->pending = 0;
    struct gpio_callback *one, *next;
    SYS_SLIST_FOR_EACH_CONTAINER_SAFE(&port->callbacks, one, next, node)
    {
        if (one->pin_mask & pins)
            one->handler(port->dev, one, one->pin_mask & pins);
    }
}

static void request(struct port *port, unsigned int index)
{
    port->pending |= BIT(index);
    fb_irq(port->name, FB_IRQ_DEVICE, run_callbacks, port);
}

static bool at_interrupt_level(const struct pin *pin)
{
    return (pin->interrupt & GPIO_INT_ENABLE) && !(pin->interrupt & GPIO_INT_EDGE) &&
           (pin->interrupt & (pin->level ? GPIO_INT_HIGH_1 : GPIO_INT_LOW_0));
}

static void look_at_levels(void *arg)
{
    struct port *port = arg;
    bool any = false;
    for (unsigned int i = 0; i < PINS; i++)
        if (at_interrupt_level(&port->pins[i])) {
            any = true;
            request(port, i);
        }
    if (any)
        fb_at(fb_now() + LEVEL_POLL_NS, look_at_levels, port);
}

static void update(struct port *port, unsigned int index)
{
    struct pin *pin = &port->pins[index];
    int level = wire(pin), before = pin->level;
    pin->level = level;
    if (level == before)
        return;
    if (pin->flags & GPIO_INPUT) {
        if (pin->interrupt & GPIO_INT_EDGE && pin->interrupt & (level ? GPIO_INT_HIGH_1 : GPIO_INT_LOW_0))
            request(port, index);
        else if (at_interrupt_level(pin))
            fb_at(fb_now(), look_at_levels, port);
    }
    for (size_t i = 0; i < watch_count; i++)
        if (watches[i].pin == pin)
            watches[i].fn(watches[i].arg, level);
}

static void drive(struct port *port, unsigned int index, int latch)
{
    struct pin *pin = &port->pins[index];
    bool changes = pin->latch != latch;
    pin->latch = latch;
    if (changes && pin->flags & GPIO_OUTPUT)
        fb_trace("gpio", "%s.%u=%d", port->name, index, latch);
    update(port, index);
}

static struct port *port_of(const struct device *dev, unsigned int pin, const char *call)
{
    if (!dev || pin >= PINS) {
        fb_panic("%s of pin %u of %s", call, pin, dev ? dev->name : "a port that is NULL");
    }
    if (!device_is_ready(dev) && fb_running())
        fb_fault("device_not_ready", "%s on %s, which is not ready", call, dev->name);
    return dev->data;
}

int gpio_pin_configure(const struct device *dev, gpio_pin_t index, gpio_flags_t flags)
{
    struct port *port = port_of(dev, index, "gpio_pin_configure");
    struct pin *pin = &port->pins[index];
    if ((flags & GPIO_PULL_UP && flags & GPIO_PULL_DOWN) ||
        (flags & GPIO_OUTPUT_INIT_LOW && flags & GPIO_OUTPUT_INIT_HIGH) ||
        (flags & (GPIO_OUTPUT_INIT_LOW | GPIO_OUTPUT_INIT_HIGH) && !(flags & GPIO_OUTPUT))) {
        fb_fault("bad_argument", "gpio_pin_configure of %s.%u with flags that exclude each other", port->name, index);
        return -EINVAL;
    }
    int latch = flags & GPIO_OUTPUT_INIT_HIGH ? 1 : flags & GPIO_OUTPUT_INIT_LOW ? 0 : pin->latch;
    if (flags & GPIO_OUTPUT_INIT_LOGICAL && flags & GPIO_ACTIVE_LOW)
        latch = !latch;
    pin->flags = flags;
    pin->latch = latch;
    if (flags & GPIO_OUTPUT)
        fb_trace("gpio", "%s.%u=%d", port->name, index, latch);
    update(port, index);
    return 0;
}

int gpio_pin_interrupt_configure(const struct device *dev, gpio_pin_t index, gpio_flags_t flags)
{
    struct port *port = port_of(dev, index, "gpio_pin_interrupt_configure");
    struct pin *pin = &port->pins[index];
    if (!(flags & (GPIO_INT_ENABLE | GPIO_INT_DISABLE)) ||
        (flags & GPIO_INT_ENABLE && !(flags & (GPIO_INT_LOW_0 | GPIO_INT_HIGH_1)))) {
        fb_fault("bad_argument", "gpio_pin_interrupt_configure of %s.%u with no trigger", port->name, index);
        return -EINVAL;
    }
    if (flags & GPIO_INT_ENABLE && !(pin->flags & GPIO_INPUT))
        return -EINVAL;
    if (flags & GPIO_INT_LEVELS_LOGICAL && pin->flags & GPIO_ACTIVE_LOW) {
        gpio_flags_t levels = flags & (GPIO_INT_LOW_0 | GPIO_INT_HIGH_1);
        if (levels == GPIO_INT_LOW_0 || levels == GPIO_INT_HIGH_1)
            flags ^= GPIO_INT_LOW_0 | GPIO_INT_HIGH_1;
    }
    pin->interrupt = flags & GPIO_INT_MASK;
    if (flags & GPIO_INT_DISABLE)
        port->pending &= ~BIT(index);
    else if (at_interrupt_level(pin))
        fb_at(fb_now(), look_at_levels, port);
    return 0;
}

static gpio_port_pins_t inverted(const struct port *port)
{
    gpio_port_pins_t mask = 0;
    for (unsigned int i = 0; i < PINS; i++)
        if (port->pins[i].flags & GPIO_ACTIVE_LOW)
            mask |= BIT(i);
    return mask;
}

int gpio_port_get_raw(const struct device *dev, gpio_port_value_t *value)
{
    struct port *port = port_of(dev, 0, "gpio_port_get_raw");
    *value = 0;
    for (unsigned int i = 0; i < PINS; i++)
        if (port->pins[i].flags & (GPIO_INPUT | GPIO_OUTPUT) && port->pins[i].level)
            *value |= BIT(i);
    return 0;
}

int gpio_port_get(const struct device *dev, gpio_port_value_t *value)
{
    int result = gpio_port_get_raw(dev, value);
    *value ^= inverted(dev->data);
    return result;
}

int gpio_port_set_masked_raw(const struct device *dev, gpio_port_pins_t mask, gpio_port_value_t value)
{
    struct port *port = port_of(dev, 0, "gpio_port_set_masked_raw");
    for (unsigned int i = 0; i < PINS; i++)
        if (mask & BIT(i))
            drive(port, i, (value >> i) & 1);
    return 0;
}

int gpio_port_set_masked(const struct device *dev, gpio_port_pins_t mask, gpio_port_value_t value)
{
    return gpio_port_set_masked_raw(dev, mask, value ^ inverted(port_of(dev, 0, "gpio_port_set_masked")));
}

int gpio_port_set_bits_raw(const struct device *dev, gpio_port_pins_t pins)
{
    return gpio_port_set_masked_raw(dev, pins, pins);
}

int gpio_port_clear_bits_raw(const struct device *dev, gpio_port_pins_t pins)
{
    return gpio_port_set_masked_raw(dev, pins, 0);
}

int gpio_port_set_bits(const struct device *dev, gpio_port_pins_t pins)
{
    return gpio_port_set_masked(dev, pins, pins);
}

int gpio_port_clear_bits(const struct device *dev, gpio_port_pins_t pins)
{
    return gpio_port_set_masked(dev, pins, 0);
}

int gpio_port_set_clr_bits(const struct device *dev, gpio_port_pins_t set_pins, gpio_port_pins_t clear_pins)
{
    return gpio_port_set_masked(dev, set_pins | clear_pins, set_pins);
}

int gpio_port_toggle_bits(const struct device *dev, gpio_port_pins_t pins)
{
    struct port *port = port_of(dev, 0, "gpio_port_toggle_bits");
    for (unsigned int i = 0; i < PINS; i++)
        if (pins & BIT(i))
            drive(port, i, !port->pins[i].latch);
    return 0;
}

int gpio_pin_get_raw(const struct device *dev, gpio_pin_t pin)
{
    gpio_port_value_t value;
    (void)port_of(dev, pin, "gpio_pin_get");
    gpio_port_get_raw(dev, &value);
    return (value >> pin) & 1;
}

int gpio_pin_get(const struct device *dev, gpio_pin_t pin)
{
    return gpio_pin_get_raw(dev, pin) ^ (int)((inverted(dev->data) >> pin) & 1);
}

int gpio_pin_set_raw(const struct device *dev, gpio_pin_t pin, int value)
{
    drive(port_of(dev, pin, "gpio_pin_set"), pin, value != 0);
    return 0;
}

int gpio_pin_set(const struct device *dev, gpio_pin_t pin, int value)
{
    struct port *port = port_of(dev, pin, "gpio_pin_set");
    drive(port, pin, (value != 0) ^ (int)((inverted(port) >> pin) & 1));
    return 0;
}

int gpio_pin_toggle(const struct device *dev, gpio_pin_t pin)
{
    struct port *port = port_of(dev, pin, "gpio_pin_toggle");
    drive(port, pin, !port->pins[pin].latch);
    return 0;
}

int gpio_pin_is_input(const struct device *dev, gpio_pin_t pin)
{
    return (port_of(dev, pin, "gpio_pin_is_input")->pins[pin].flags & GPIO_INPUT) != 0;
}

int gpio_pin_is_output(const struct device *dev, gpio_pin_t pin)
{
    return (port_of(dev, pin, "gpio_pin_is_output")->pins[pin].flags & GPIO_OUTPUT) != 0;
}

int gpio_pin_get_config(const struct device *dev, gpio_pin_t pin, gpio_flags_t *flags)
{
    *flags = port_of(dev, pin, "gpio_pin_get_config")->pins[pin].flags;
    return 0;
}

int gpio_add_callback(const struct device *dev, struct gpio_callback *callback)
{
    struct port *port = port_of(dev, 0, "gpio_add_callback");
    if (!callback->handler) {
        fb_fault("uninitialised_object", "gpio_add_callback of a callback that was never initialised");
        return -EINVAL;
    }
    sys_slist_find_and_remove(&port->callbacks, &callback->node);
    sys_slist_prepend(&port->callbacks, &callback->node);
    return 0;
}

int gpio_remove_callback(const struct device *dev, struct gpio_callback *callback)
{
    struct port *port = port_of(dev, 0, "gpio_remove_callback");
    return sys_slist_find_and_remove(&port->callbacks, &callback->node) ? 0 : -EINVAL;
}

int gpio_get_pending_int(const struct device *dev)
{
    return (int)port_of(dev, 0, "gpio_get_pending_int")->pending;
}

static void set_outside(const struct device *dev, unsigned int pin, int level)
{
    struct port *port = dev->data;
    port->pins[pin].outside = level;
    update(port, pin);
}

void fb_gpio_drive(const struct device *dev, unsigned int pin, int level)
{
    set_outside(dev, pin, level);
}

void fb_gpio_release(const struct device *dev, unsigned int pin)
{
    set_outside(dev, pin, -1);
}

int fb_gpio_level(const struct device *dev, unsigned int pin)
{
    const struct port *port = dev->data;
    return wire(&port->pins[pin]);
}

bool fb_gpio_is_output(const struct device *dev, unsigned int pin)
{
    const struct port *port = dev->data;
    return port->pins[pin].flags & GPIO_OUTPUT;
}

bool fb_gpio_is_input(const struct device *dev, unsigned int pin)
{
    const struct port *port = dev->data;
    return port->pins[pin].flags & GPIO_INPUT;
}

void fb_gpio_watch(const struct device *dev, unsigned int pin, void (*fn)(void *arg, int level), void *arg)
{
    struct port *port = dev->data;
    if (watch_count < MOST_WATCHES) {
        watches[watch_count].pin = &port->pins[pin];
        watches[watch_count].fn = fn;
        watches[watch_count++].arg = arg;
    }
}
