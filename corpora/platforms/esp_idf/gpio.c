/* Pins. */
#include "esp.h"

#include <string.h>

#include "driver/gpio.h"

static struct pin {
    gpio_mode_t mode;
    bool latch, pull_up, pull_down, driven, driven_level, level, shown, armed;
    gpio_int_type_t interrupt;
    gpio_isr_t handler;
    void *argument;
    const char *peripheral;
} pins[GPIO_PIN_COUNT];
static bool service;

bool esp_pin_exists(int gpio) { return GPIO_IS_VALID_GPIO(gpio); }

void esp_pin_give(int gpio, const char *peripheral)
{
    if (esp_pin_exists(gpio))
        pins[gpio].peripheral = peripheral;
}

static bool outputs(const struct pin *p) { return (p->mode & GPIO_MODE_OUTPUT) && !p->peripheral; }

static bool level_of(const struct pin *p)
{
    if (outputs(p) && !((p->mode & 4) && p->latch))
        return p->latch;
    return p->driven ? p->driven_level : p->pull_up && !p->pull_down;
}

static void run_handler(void *argument)
{
    struct pin *p = argument;
    fb_spend(500);
    if (p->handler)
        p->handler(p->argument);
}

static void settle(int gpio)
{
    struct pin *p = &pins[gpio];
    bool level = level_of(p), before = p->level;
    if (outputs(p) && (level != before || !p->shown))
        fb_trace("pin", "GPIO%d %d", gpio, level);
    p->shown = outputs(p);
    p->level = level;
    bool edge = level != before && (level ? p->interrupt & GPIO_INTR_POSEDGE : p->interrupt & GPIO_INTR_NEGEDGE);
    if (edge && p->interrupt <= GPIO_INTR_ANYEDGE && p->armed && p->handler && service)
        fb_irq("gpio", ESP_IRQ_PRIORITY, run_handler, p);
}

void esp_pin_drive(int gpio, bool level)
{
    pins[gpio].driven = true;
    pins[gpio].driven_level = level;
    settle(gpio);
}

void esp_pin_release(int gpio)
{
    pins[gpio].driven = false;
    settle(gpio);
}

bool esp_pin_level(int gpio) { return level_of(&pins[gpio]); }

static bool valid(gpio_num_t gpio, const char *call)
{
    fb_spend(200);
    if (esp_pin_exists(gpio))
        return true;
    esp_refuse(ESP_ERR_INVALID_ARG, call, "no such pin");
    return false;
}

esp_err_t gpio_config(const gpio_config_t *config)
{
    if (!config || config->pin_bit_mask == 0 || config->pin_bit_mask >> GPIO_PIN_COUNT)
        return esp_refuse(ESP_ERR_INVALID_ARG, "gpio_config", "no or unknown pins");
    for (int gpio = 0; gpio < GPIO_PIN_COUNT; gpio++) {
        if (!(config->pin_bit_mask >> gpio & 1))
            continue;
        if (!valid(gpio, "gpio_config"))
            return ESP_ERR_INVALID_ARG;
        struct pin *p = &pins[gpio];
        p->mode = config->mode;
        p->pull_up = config->pull_up_en;
        p->pull_down = config->pull_down_en;
        p->interrupt = config->intr_type;
        p->armed = config->intr_type != GPIO_INTR_DISABLE;
        p->peripheral = NULL;
        settle(gpio);
    }
    return ESP_OK;
}

esp_err_t gpio_reset_pin(gpio_num_t gpio)
{
    if (!valid(gpio, "gpio_reset_pin"))
        return ESP_ERR_INVALID_ARG;
    struct pin *p = &pins[gpio];
    *p = (struct pin){.pull_up = true, .driven = p->driven, .driven_level = p->driven_level, .level = p->level};
    settle(gpio);
    return ESP_OK;
}

#define SETTER(name, argument, statement)                                                                             \
    esp_err_t name(argument)                                                                                          \
    {                                                                                                                 \
        if (!valid(gpio, #name))                                                                                      \
            return ESP_ERR_INVALID_ARG;                                                                               \
        struct pin *p = &pins[gpio];                                                                                  \
        statement;                                                                                                    \
        settle(gpio);                                                                                                 \
        return ESP_OK;                                                                                                \
    }
#define ARGUMENTS(...) __VA_ARGS__
SETTER(gpio_set_direction, ARGUMENTS(gpio_num_t gpio, gpio_mode_t mode), (p->mode = mode, p->peripheral = NULL))
SETTER(gpio_set_level, ARGUMENTS(gpio_num_t gpio, uint32_t level), p->latch = level != 0)
SETTER(gpio_set_pull_mode, ARGUMENTS(gpio_num_t gpio, gpio_pull_mode_t pull),
       (p->pull_up = pull == GPIO_PULLUP_ONLY || pull == GPIO_PULLUP_PULLDOWN,
        p->pull_down = pull == GPIO_PULLDOWN_ONLY || pull == GPIO_PULLUP_PULLDOWN))
SETTER(gpio_pullup_en, gpio_num_t gpio, p->pull_up = true)
SETTER(gpio_pullup_dis, gpio_num_t gpio, p->pull_up = false)
SETTER(gpio_pulldown_en, gpio_num_t gpio, p->pull_down = true)
SETTER(gpio_pulldown_dis, gpio_num_t gpio, p->pull_down = false)
SETTER(gpio_set_drive_capability, ARGUMENTS(gpio_num_t gpio, gpio_drive_cap_t strength), (void)(p == NULL || strength))
SETTER(gpio_set_intr_type, ARGUMENTS(gpio_num_t gpio, gpio_int_type_t type),
       (p->interrupt = type, p->armed = type != GPIO_INTR_DISABLE))
SETTER(gpio_intr_enable, gpio_num_t gpio, p->armed = true)
SETTER(gpio_intr_disable, gpio_num_t gpio, p->armed = false)

int gpio_get_level(gpio_num_t gpio)
{
    if (!valid(gpio, "gpio_get_level"))
        return 0;
    return pins[gpio].mode & GPIO_MODE_INPUT ? level_of(&pins[gpio]) : 0;
}

esp_err_t gpio_install_isr_service(int flags)
{
    (void)flags;
    if (!esp_enter("gpio_install_isr_service"))
        return ESP_FAIL;
    if (service)
        return esp_refuse(ESP_ERR_INVALID_STATE, "gpio_install_isr_service", "it is already installed");
    service = true;
    return ESP_OK;
}

void gpio_uninstall_isr_service(void) { service = false; }

esp_err_t gpio_isr_handler_add(gpio_num_t gpio, gpio_isr_t handler, void *argument)
{
    if (!valid(gpio, "gpio_isr_handler_add") || !handler)
        return ESP_ERR_INVALID_ARG;
    if (!service)
        return esp_refuse(ESP_ERR_INVALID_STATE, "gpio_isr_handler_add", "gpio_install_isr_service comes first");
    pins[gpio].handler = handler;
    pins[gpio].argument = argument;
    pins[gpio].armed = pins[gpio].interrupt != GPIO_INTR_DISABLE;
    return ESP_OK;
}

esp_err_t gpio_isr_handler_remove(gpio_num_t gpio)
{
    if (!valid(gpio, "gpio_isr_handler_remove"))
        return ESP_ERR_INVALID_ARG;
    if (!service)
        return ESP_ERR_INVALID_STATE;
    pins[gpio].handler = NULL;
    return ESP_OK;
}
