/* What the modelled hardware shares. A peripheral's registers are the truth; `look` acts on what was written to them. */
#ifndef STM32_HW_H
#define STM32_HW_H

#include "sim.h"
#include "stm32_scenario.h"

#define HW_CALL_NS 500 /* what a call of the HAL takes */
#define HW_CLOCK_HZ 84000000LL

/* ---- registers.c ---- */
bool fb_hw_clocked(const volatile void *reg);
/* The register was written: it takes effect, or, with the peripheral's clock off, the write is lost. */
void fb_hw_wrote(volatile void *reg);
/* What reading gives: 0 with the clock off. */
uint32_t fb_hw_read(volatile uint32_t *reg);
void fb_hw_registers_boot(void);
/* Clear and set bits of a register, as the program would. */
static inline void change(volatile uint32_t *reg, uint32_t clear, uint32_t set)
{
    *reg = (*reg & ~clear) | set;
    fb_hw_wrote(reg);
}

/* ---- chip.c: interrupts, the tick, waiting ---- */
void fb_hw_lines_changed(void); /* some peripheral asserts or has dropped its interrupt line */
/* Begin a call of the HAL: writes before it take effect, and it takes time. */
void fb_hw_enter(void);
/* Let time pass until something may have happened. */
void fb_hw_idle(void);
/* Wait until `ready(arg)`; HAL_TIMEOUT once `timeout` ms of the tick have gone since `start`. */
HAL_StatusTypeDef fb_hw_wait(bool (*ready)(void *arg), void *arg, uint32_t start, uint32_t timeout);

/* ---- gpio.c ---- */
typedef enum { HW_TIM, HW_UART_TX, HW_UART_RX } fb_hw_signal;
void fb_hw_gpio_look(unsigned port);
void fb_hw_exti_look(const volatile void *reg);
bool fb_hw_exti_asserts(unsigned lines);
/* Is a pin given to this signal? `channel` 0 to 3 for timers. */
bool fb_hw_routed(fb_hw_signal signal, unsigned index, unsigned channel);
bool fb_hw_pin_signal(const GPIO_TypeDef *port, uint16_t pin, fb_hw_signal signal, unsigned *index, unsigned *channel);

#define HW_MOST_ROUTES 64
void fb_hw_each_timer_pin(void (*visit)(unsigned route, unsigned port, unsigned pin, bool active, unsigned index,
                                     unsigned channel));

/* ---- memory.c: what DMA sees ---- */
void fb_hw_bus_read(uint32_t address, void *to, size_t bytes);
void fb_hw_bus_write(uint32_t address, const void *from, size_t bytes);
void fb_hw_memory_boot(void);

/* ---- dma.c ---- */
void fb_hw_dma_look(unsigned stream);
void fb_hw_dma_flags_look(unsigned controller);
bool fb_hw_dma_asserts(unsigned stream);
typedef enum { HW_NO_REQUEST, HW_SERVED, HW_SERVED_LAST } fb_hw_request;
/* A peripheral wants one item moved to or from its data register. */
fb_hw_request fb_hw_dma_request(volatile uint32_t *data, bool to_memory);

/* ---- uart.c ---- */
void fb_hw_uart_look(unsigned index, const volatile void *reg);
void fb_hw_uart_before_read(unsigned index, const volatile void *reg);
bool fb_hw_uart_asserts(unsigned index);
void fb_hw_uart_put(unsigned index, uint8_t byte);
uint8_t fb_hw_uart_get(unsigned index);

/* ---- adc.c ---- */
void fb_hw_adc_look(unsigned index, const volatile void *reg);
void fb_hw_adc_before_read(unsigned index, const volatile void *reg);
bool fb_hw_adc_asserts(unsigned unused);
uint16_t fb_hw_adc_get(unsigned index);
void fb_hw_adc_trigger(uint32_t source); /* an ADC_EXTERNALTRIGCONV_ value */

/* ---- tim.c ---- */
void fb_hw_tim_look(unsigned index, const volatile void *reg);
void fb_hw_tim_before_read(unsigned index, const volatile void *reg);
bool fb_hw_tim_asserts(unsigned index_and_flags); /* index << 16 | the flags that the line carries */
void fb_hw_tim_edge(unsigned index, unsigned channel, bool rising);
void fb_hw_tim_pins_changed(void);
stm32_pwm fb_hw_tim_pwm(unsigned index, unsigned channel);

#endif
