/* What the sources of the ESP-IDF model share. */
#ifndef FB_ESP_H
#define FB_ESP_H

#include "freertos/FreeRTOS.h"
#include "freertos/task.h"

#include "esp_err.h"
#include "esp_scenario.h"
#include "rtos.h"
#include "sim.h"

#define ESP_IRQ_PRIORITY 1
#define ESP_CALL_NS 1000

/* Begin a driver's call that a task only may make; a fault, and false, in an interrupt. */
bool esp_enter(const char *call);
/* An error that a correct program does not provoke: traced, and returned. */
esp_err_t esp_refuse(esp_err_t code, const char *call, const char *why);
bool esp_pin_exists(int gpio);
/* A pin is given to a peripheral: its level is not the GPIO's any more. */
void esp_pin_give(int gpio, const char *peripheral);
void esp_pwm_pins_changed(void);

#endif
