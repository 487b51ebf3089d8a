/* What a scenario does to, and sees of, the outside of the chip. */
#ifndef ESP_SCENARIO_H
#define ESP_SCENARIO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Pins, by GPIO number. Each change of an output's level is traced as kind "pin", "GPIO5 1". */
void esp_pin_drive(int gpio, bool level);
void esp_pin_release(int gpio);
bool esp_pin_level(int gpio);

/* PWM on a pin. Changes outside of a fade are traced as kind "pwm", "GPIO5 period 20000000 high 1500000" in ns or
 * "GPIO5 off"; a fade as kind "fade", "GPIO5 to 4096 in 500 ms". */
typedef struct {
    bool on;
    int64_t period_ns, high_ns;
} esp_pwm;
esp_pwm esp_pin_pwm(int gpio);

/* Serial lines, by the GPIO that receives or sends. Bytes begin at `at` and follow each other at `baud`. */
void esp_uart_feed(int rx_gpio, int64_t at, const void *bytes, size_t count, uint32_t baud);
const uint8_t *esp_uart_sent(int tx_gpio, size_t *count);
int64_t esp_uart_sent_at(int tx_gpio, size_t nth);
size_t esp_uart_lost(void); /* bytes that came when FIFO and buffer were full */

/* The voltage of an ADC input in mV: fixed, or a function of the time. The raw values have the gain and the offset of a
 * real chip, which the calibration scheme knows. */
void esp_adc_input(int gpio, int millivolts);
void esp_adc_signal(int gpio, int (*millivolts)(int64_t now));
size_t esp_adc_conversions(void);
/* So many of the next single conversions time out. */
void esp_adc_fail_next(unsigned count);

/* nvs_flash_init finds a partition of an older version until it is erased. */
void esp_nvs_needs_erase(void);
/* There is SPIRAM of this size. Without the call there is none. */
void esp_spiram(size_t bytes);
void esp_internal_heap(size_t bytes);

#endif
