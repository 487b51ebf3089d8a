/* What a scenario does to, and sees of, the outside of the chip. */
#ifndef STM32_SCENARIO_H
#define STM32_SCENARIO_H

#include "stm32_hal_all.h"

/* Pins. Drive one from an event function; release lets its pull decide. */
void stm32_pin_drive(GPIO_TypeDef *port, uint16_t pin, bool level);
void stm32_pin_release(GPIO_TypeDef *port, uint16_t pin);
bool stm32_pin_level(GPIO_TypeDef *port, uint16_t pin);
/* The level of each pin is traced as kind "pin", "PA5 1", when it changes while it is an output. */

/* PWM as a scope on the pin shows it: off where the pin is not given to the timer's channel, or this does not run.
 * Each change is traced as kind "pwm", "PA6 period 20000000 high 1500000" in ns or "PA6 off", and as kind "pwm_glitch" a
 * period that is cut short or, because the counter had passed a new reload value, goes on to the counter's top. */
typedef struct {
    bool on;
    int64_t period_ns, high_ns;
} stm32_pwm;
stm32_pwm stm32_pin_pwm(GPIO_TypeDef *port, uint16_t pin);

/* Serial lines. Bytes begin at `at` and follow each other at `baud`; another rate than the receiver's gives framing
 * errors. Each byte sent is recorded, if its pin is given to the UART, and traced as kind "uart", "USART2 0x41". */
void stm32_uart_feed(USART_TypeDef *usart, int64_t at, const void *bytes, size_t count, uint32_t baud);
const uint8_t *stm32_uart_sent(USART_TypeDef *usart, size_t *count);
int64_t stm32_uart_sent_at(USART_TypeDef *usart, size_t nth);

/* The voltage of an input, as the 12-bit value that an ideal converter reads: fixed, or a function of the time. */
void stm32_adc_input(ADC_TypeDef *adc, unsigned channel, uint16_t value);
void stm32_adc_signal(ADC_TypeDef *adc, unsigned channel, uint16_t (*value)(int64_t now));
size_t stm32_adc_conversions(ADC_TypeDef *adc);

/* The start of a transfer is traced as kind "dma", "DMA2_Stream0 starts 250 items of 4 bytes". The next one of a
 * stream can be made to end with a transfer error. */
void stm32_dma_fail_next(DMA_Stream_TypeDef *stream);

/* Whether main has begun with the data cache on, as the startup file of a project may do. */
void stm32_dcache_on(void);

#endif
