/* The register block: which peripheral a register belongs to, whether it has a clock, and who acts on it. */
#include "hw.h"

#include <string.h>

struct fb_stm32 fb_stm32;
static struct fb_stm32 before; /* as the hardware last saw it */

#define WITHIN(reg, member)                                                                                           \
    ((const volatile char *)(reg) >= (const volatile char *)&fb_stm32.member &&                                      \
     (const volatile char *)(reg) < (const volatile char *)&fb_stm32.member + sizeof fb_stm32.member)
#define INDEX(reg, member)                                                                                            \
    ((unsigned)(((const volatile char *)(reg) - (const volatile char *)&fb_stm32.member) / sizeof fb_stm32.member[0]))

typedef struct {
    uint32_t enabled; /* 0: no clock */
    volatile void *registers;
    size_t bytes;
} part;

static const struct {
    volatile uint32_t *reg;
    uint32_t bit;
} tim_clock[FB_STM32_TIMERS] = {
    {&fb_stm32.rcc.APB2ENR, RCC_APB2ENR_TIM1EN},  {&fb_stm32.rcc.APB1ENR, RCC_APB1ENR_TIM2EN},
    {&fb_stm32.rcc.APB1ENR, RCC_APB1ENR_TIM3EN},  {&fb_stm32.rcc.APB1ENR, RCC_APB1ENR_TIM4EN},
    {&fb_stm32.rcc.APB1ENR, RCC_APB1ENR_TIM5EN},  {&fb_stm32.rcc.APB1ENR, RCC_APB1ENR_TIM6EN},
    {&fb_stm32.rcc.APB1ENR, RCC_APB1ENR_TIM7EN},  {&fb_stm32.rcc.APB2ENR, RCC_APB2ENR_TIM8EN},
    {&fb_stm32.rcc.APB2ENR, RCC_APB2ENR_TIM9EN},  {&fb_stm32.rcc.APB2ENR, RCC_APB2ENR_TIM10EN},
    {&fb_stm32.rcc.APB2ENR, RCC_APB2ENR_TIM11EN}, {&fb_stm32.rcc.APB1ENR, RCC_APB1ENR_TIM12EN},
    {&fb_stm32.rcc.APB1ENR, RCC_APB1ENR_TIM13EN}, {&fb_stm32.rcc.APB1ENR, RCC_APB1ENR_TIM14EN},
}, uart_clock[FB_STM32_USARTS] = {
    {&fb_stm32.rcc.APB2ENR, RCC_APB2ENR_USART1EN}, {&fb_stm32.rcc.APB1ENR, RCC_APB1ENR_USART2EN},
    {&fb_stm32.rcc.APB1ENR, RCC_APB1ENR_USART3EN}, {&fb_stm32.rcc.APB1ENR, RCC_APB1ENR_UART4EN},
    {&fb_stm32.rcc.APB1ENR, RCC_APB1ENR_UART5EN},  {&fb_stm32.rcc.APB2ENR, RCC_APB2ENR_USART6EN},
};

#define PART(member, clock) (part){clock, &fb_stm32.member, sizeof fb_stm32.member}

static part find(const volatile void *reg)
{
    const RCC_TypeDef *rcc = &fb_stm32.rcc;
    if (WITHIN(reg, gpio))
        return PART(gpio[INDEX(reg, gpio)], rcc->AHB1ENR & 1U << INDEX(reg, gpio));
    if (WITHIN(reg, dma[0]))
        return PART(dma[0], rcc->AHB1ENR & RCC_AHB1ENR_DMA1EN);
    if (WITHIN(reg, dma[1]))
        return PART(dma[1], rcc->AHB1ENR & RCC_AHB1ENR_DMA2EN);
    if (WITHIN(reg, stream)) {
        unsigned i = INDEX(reg, stream);
        return PART(stream[i], rcc->AHB1ENR & (i < 8 ? RCC_AHB1ENR_DMA1EN : RCC_AHB1ENR_DMA2EN));
    }
    if (WITHIN(reg, usart)) {
        unsigned i = INDEX(reg, usart);
        return PART(usart[i], *uart_clock[i].reg & uart_clock[i].bit);
    }
    if (WITHIN(reg, tim)) {
        unsigned i = INDEX(reg, tim);
        return PART(tim[i], *tim_clock[i].reg & tim_clock[i].bit);
    }
    if (WITHIN(reg, adc)) {
        unsigned i = INDEX(reg, adc);
        return PART(adc[i], rcc->APB2ENR & RCC_APB2ENR_ADC1EN << i);
    }
    if (WITHIN(reg, syscfg))
        return PART(syscfg, rcc->APB2ENR & RCC_APB2ENR_SYSCFGEN);
    return (part){1, NULL, 0};
}

bool fb_hw_clocked(const volatile void *reg) { return find(reg).enabled != 0; }

void fb_hw_wrote(volatile void *reg)
{
    part owner = find(reg);
    size_t offset = owner.registers ? (size_t)((char *)owner.registers - (char *)&fb_stm32) : 0;
    if (!owner.enabled) {
        memcpy((void *)owner.registers, (char *)&before + offset, owner.bytes);
        return;
    }
    if (WITHIN(reg, gpio))
        fb_hw_gpio_look(INDEX(reg, gpio));
    else if (WITHIN(reg, exti))
        fb_hw_exti_look(reg);
    else if (WITHIN(reg, dma))
        fb_hw_dma_flags_look(INDEX(reg, dma));
    else if (WITHIN(reg, stream))
        fb_hw_dma_look(INDEX(reg, stream));
    else if (WITHIN(reg, usart))
        fb_hw_uart_look(INDEX(reg, usart), reg);
    else if (WITHIN(reg, adc))
        fb_hw_adc_look(INDEX(reg, adc), reg);
    else if (WITHIN(reg, tim))
        fb_hw_tim_look(INDEX(reg, tim), reg);
    if (owner.registers)
        memcpy((char *)&before + offset, (void *)owner.registers, owner.bytes);
    fb_hw_lines_changed();
}

static void before_read(const volatile void *reg)
{
    if (WITHIN(reg, usart))
        fb_hw_uart_before_read(INDEX(reg, usart), reg);
    else if (WITHIN(reg, adc))
        fb_hw_adc_before_read(INDEX(reg, adc), reg);
    else if (WITHIN(reg, tim))
        fb_hw_tim_before_read(INDEX(reg, tim), reg);
    else if (WITHIN(reg, dwt) && (fb_stm32.dwt.CTRL & DWT_CTRL_CYCCNTENA_Msk))
        fb_stm32.dwt.CYCCNT = (uint32_t)(fb_now() * HW_CLOCK_HZ / 1000000000LL);
}

uint32_t fb_hw_read(volatile uint32_t *reg)
{
    if (!fb_hw_clocked(reg))
        return 0;
    before_read(reg);
    return *reg;
}

static void wrote(void *reg) { fb_hw_wrote(reg); }

static void accessed(void *reg, bool writes)
{
    if (writes)
        fb_at(fb_now(), wrote, reg);
    else
        before_read(reg);
}

void fb_hw_registers_boot(void)
{
    for (unsigned i = 0; i < FB_STM32_USARTS; i++)
        fb_stm32.usart[i].SR = USART_SR_TXE | USART_SR_TC;
    for (unsigned i = 0; i < FB_STM32_TIMERS; i++)
        fb_stm32.tim[i].ARR = i == 1 || i == 4 ? 0xFFFFFFFFU : 0xFFFFU;
    for (unsigned i = 0; i < FB_STM32_ADCS; i++)
        fb_stm32.adc[i].HTR = 0xFFF;
    before = fb_stm32;
    fb_registers.first = (char *)&fb_stm32;
    fb_registers.last = (char *)(&fb_stm32 + 1);
    fb_registers.accessed = accessed;
}
