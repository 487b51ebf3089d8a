#ifndef ZEPHYR_DRIVERS_GPIO_H
#define ZEPHYR_DRIVERS_GPIO_H

#include <errno.h>
#include <zephyr/device.h>
#include <zephyr/dt-bindings/gpio/gpio.h>
#include <zephyr/sys/slist.h>
#include <zephyr/sys/util.h>

#define GPIO_INPUT (1U << 16)
#define GPIO_OUTPUT (1U << 17)
#define GPIO_DISCONNECTED 0
#define GPIO_OUTPUT_INIT_LOW (1U << 18)
#define GPIO_OUTPUT_INIT_HIGH (1U << 19)
#define GPIO_OUTPUT_INIT_LOGICAL (1U << 20)
#define GPIO_OUTPUT_LOW (GPIO_OUTPUT | GPIO_OUTPUT_INIT_LOW)
#define GPIO_OUTPUT_HIGH (GPIO_OUTPUT | GPIO_OUTPUT_INIT_HIGH)
#define GPIO_OUTPUT_INACTIVE (GPIO_OUTPUT | GPIO_OUTPUT_INIT_LOW | GPIO_OUTPUT_INIT_LOGICAL)
#define GPIO_OUTPUT_ACTIVE (GPIO_OUTPUT | GPIO_OUTPUT_INIT_HIGH | GPIO_OUTPUT_INIT_LOGICAL)
#define GPIO_INT_DISABLE (1U << 21)
#define GPIO_INT_ENABLE (1U << 22)
#define GPIO_INT_LEVELS_LOGICAL (1U << 23)
#define GPIO_INT_EDGE (1U << 24)
#define GPIO_INT_LOW_0 (1U << 25)
#define GPIO_INT_HIGH_1 (1U << 26)
#define GPIO_INT_MASK (GPIO_INT_DISABLE | GPIO_INT_ENABLE | GPIO_INT_LEVELS_LOGICAL | GPIO_INT_EDGE | GPIO_INT_LOW_0 | GPIO_INT_HIGH_1)
#define GPIO_INT_EDGE_RISING (GPIO_INT_ENABLE | GPIO_INT_EDGE | GPIO_INT_HIGH_1)
#define GPIO_INT_EDGE_FALLING (GPIO_INT_ENABLE | GPIO_INT_EDGE | GPIO_INT_LOW_0)
#define GPIO_INT_EDGE_BOTH (GPIO_INT_ENABLE | GPIO_INT_EDGE | GPIO_INT_LOW_0 | GPIO_INT_HIGH_1)
#define GPIO_INT_LEVEL_LOW (GPIO_INT_ENABLE | GPIO_INT_LOW_0)
#define GPIO_INT_LEVEL_HIGH (GPIO_INT_ENABLE | GPIO_INT_HIGH_1)
#define GPIO_INT_EDGE_TO_INACTIVE (GPIO_INT_ENABLE | GPIO_INT_LEVELS_LOGICAL | GPIO_INT_EDGE | GPIO_INT_LOW_0)
#define GPIO_INT_EDGE_TO_ACTIVE (GPIO_INT_ENABLE | GPIO_INT_LEVELS_LOGICAL | GPIO_INT_EDGE | GPIO_INT_HIGH_1)
#define GPIO_INT_LEVEL_INACTIVE (GPIO_INT_ENABLE | GPIO_INT_LEVELS_LOGICAL | GPIO_INT_LOW_0)
#define GPIO_INT_LEVEL_ACTIVE (GPIO_INT_ENABLE | GPIO_INT_LEVELS_LOGICAL | GPIO_INT_HIGH_1)

typedef uint32_t gpio_port_pins_t;
typedef uint32_t gpio_port_value_t;
typedef uint8_t gpio_pin_t;
typedef uint16_t gpio_dt_flags_t;
typedef uint32_t gpio_flags_t;

struct gpio_dt_spec {
    const struct device *port;
    gpio_pin_t pin;
    gpio_dt_flags_t dt_flags;
};
#define GPIO_DT_SPEC_GET_BY_IDX(node, prop, idx) \
    { \
        .port = DEVICE_DT_GET(DT_GPIO_CTLR_BY_IDX(node, prop, idx)), .pin = DT_GPIO_PIN_BY_IDX(node, prop, idx), \
        .dt_flags = DT_GPIO_FLAGS_BY_IDX(node, prop, idx), \
    }
#define GPIO_DT_SPEC_GET(node, prop) GPIO_DT_SPEC_GET_BY_IDX(node, prop, 0)
#define GPIO_DT_SPEC_GET_BY_IDX_OR(node, prop, idx, otherwise) \
    COND_CODE_1(DT_NODE_HAS_PROP(node, prop), (GPIO_DT_SPEC_GET_BY_IDX(node, prop, idx)), (otherwise))
#define GPIO_DT_SPEC_GET_OR(node, prop, otherwise) GPIO_DT_SPEC_GET_BY_IDX_OR(node, prop, 0, otherwise)
#define GPIO_DT_SPEC_INST_GET(inst, prop) GPIO_DT_SPEC_GET(DT_DRV_INST(inst), prop)
#define GPIO_DT_SPEC_INST_GET_OR(inst, prop, otherwise) GPIO_DT_SPEC_GET_OR(DT_DRV_INST(inst), prop, otherwise)

struct gpio_callback;
typedef void (*gpio_callback_handler_t)(const struct device *port, struct gpio_callback *cb, gpio_port_pins_t pins);
struct gpio_callback {
    sys_snode_t node;
    gpio_callback_handler_t handler;
    gpio_port_pins_t pin_mask;
};

int gpio_pin_configure(const struct device *port, gpio_pin_t pin, gpio_flags_t flags);
int gpio_pin_interrupt_configure(const struct device *port, gpio_pin_t pin, gpio_flags_t flags);
int gpio_pin_get(const struct device *port, gpio_pin_t pin);
int gpio_pin_get_raw(const struct device *port, gpio_pin_t pin);
int gpio_pin_set(const struct device *port, gpio_pin_t pin, int value);
int gpio_pin_set_raw(const struct device *port, gpio_pin_t pin, int value);
int gpio_pin_toggle(const struct device *port, gpio_pin_t pin);
int gpio_pin_is_input(const struct device *port, gpio_pin_t pin);
int gpio_pin_is_output(const struct device *port, gpio_pin_t pin);
int gpio_pin_get_config(const struct device *port, gpio_pin_t pin, gpio_flags_t *flags);
int gpio_port_get(const struct device *port, gpio_port_value_t *value);
int gpio_port_get_raw(const struct device *port, gpio_port_value_t *value);
int gpio_port_set_masked(const struct device *port, gpio_port_pins_t mask, gpio_port_value_t value);
int gpio_port_set_masked_raw(const struct device *port, gpio_port_pins_t mask, gpio_port_value_t value);
int gpio_port_set_bits(const struct device *port, gpio_port_pins_t pins);
int gpio_port_set_bits_raw(const struct device *port, gpio_port_pins_t pins);
int gpio_port_clear_bits(const struct device *port, gpio_port_pins_t pins);
int gpio_port_clear_bits_raw(const struct device *port, gpio_port_pins_t pins);
int gpio_port_toggle_bits(const struct device *port, gpio_port_pins_t pins);
int gpio_port_set_clr_bits(const struct device *port, gpio_port_pins_t set_pins, gpio_port_pins_t clear_pins);
int gpio_add_callback(const struct device *port, struct gpio_callback *callback);
int gpio_remove_callback(const struct device *port, struct gpio_callback *callback);
int gpio_get_pending_int(const struct device *dev);

static inline void gpio_init_callback(struct gpio_callback *callback, gpio_callback_handler_t handler,
                                      gpio_port_pins_t pin_mask)
{
    callback->handler = handler;
    callback->pin_mask = pin_mask;
}

static inline bool gpio_is_ready_dt(const struct gpio_dt_spec *spec)
{
    return device_is_ready(spec->port);
}

static inline int gpio_pin_configure_dt(const struct gpio_dt_spec *spec, gpio_flags_t extra_flags)
{
    return gpio_pin_configure(spec->port, spec->pin, spec->dt_flags | extra_flags);
}

static inline int gpio_pin_interrupt_configure_dt(const struct gpio_dt_spec *spec, gpio_flags_t flags)
{
    return gpio_pin_interrupt_configure(spec->port, spec->pin, flags);
}

static inline int gpio_add_callback_dt(const struct gpio_dt_spec *spec, struct gpio_callback *callback)
{
    return gpio_add_callback(spec->port, callback);
}

static inline int gpio_remove_callback_dt(const struct gpio_dt_spec *spec, struct gpio_callback *callback)
{
    return gpio_remove_callback(spec->port, callback);
}

static inline int gpio_pin_get_dt(const struct gpio_dt_spec *spec)
{
    return gpio_pin_get(spec->port, spec->pin);
}

static inline int gpio_pin_set_dt(const struct gpio_dt_spec *spec, int value)
{
    return gpio_pin_set(spec->port, spec->pin, value);
}

static inline int gpio_pin_toggle_dt(const struct gpio_dt_spec *spec)
{
    return gpio_pin_toggle(spec->port, spec->pin);
}

static inline int gpio_pin_is_input_dt(const struct gpio_dt_spec *spec)
{
    return gpio_pin_is_input(spec->port, spec->pin);
}

static inline int gpio_pin_is_output_dt(const struct gpio_dt_spec *spec)
{
    return gpio_pin_is_output(spec->port, spec->pin);
}

#endif
