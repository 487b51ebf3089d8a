/* HAL_GPIO: pins set up and moved through their registers. */
#include "hw.h"

static void set_field(volatile uint32_t *reg, unsigned bit, uint32_t mask, uint32_t value)
{
    *reg = (*reg & ~(mask << bit)) | (value & mask) << bit;
}

static void set_bit(volatile uint32_t *reg, unsigned bit, bool value) { set_field(reg, bit, 1, value); }

void HAL_GPIO_Init(GPIO_TypeDef *port, GPIO_InitTypeDef *init)
{
    fb_hw_enter();
    if (init->Pin == 0 || init->Pin > 0xFFFF) {
        fb_fault("invalid_argument", "HAL_GPIO_Init is called with pins 0x%X", init->Pin);
        return;
    }
    for (unsigned pin = 0; pin < 16; pin++) {
        if (!(init->Pin >> pin & 1))
            continue;
        if ((init->Mode & 3) == GPIO_MODE_AF_PP)
            set_field(&port->AFR[pin / 8], 4 * (pin % 8), 0xF, init->Alternate);
        set_field(&port->MODER, 2 * pin, 3, init->Mode);
        set_field(&port->OSPEEDR, 2 * pin, 3, init->Speed);
        set_field(&port->PUPDR, 2 * pin, 3, init->Pull);
        set_bit(&port->OTYPER, pin, init->Mode >> 4 & 1);
        if (!(init->Mode & 0x30000U))
            continue;
        __HAL_RCC_SYSCFG_CLK_ENABLE();
        set_field(&SYSCFG->EXTICR[pin / 4], 4 * (pin % 4), 0xF, (uint32_t)(port - fb_stm32.gpio));
        set_bit(&EXTI->RTSR, pin, init->Mode >> 20 & 1);
        set_bit(&EXTI->FTSR, pin, init->Mode >> 21 & 1);
        set_bit(&EXTI->EMR, pin, init->Mode >> 17 & 1);
        set_bit(&EXTI->IMR, pin, init->Mode >> 16 & 1);
    }
    fb_hw_wrote(&port->MODER);
}

void HAL_GPIO_DeInit(GPIO_TypeDef *port, uint32_t mask)
{
    fb_hw_enter();
    for (unsigned pin = 0; pin < 16; pin++)
        if (mask >> pin & 1) {
            set_field(&port->MODER, 2 * pin, 3, GPIO_MODE_INPUT);
            set_field(&port->PUPDR, 2 * pin, 3, GPIO_NOPULL);
            set_bit(&EXTI->IMR, pin, false);
        }
    fb_hw_wrote(&port->MODER);
}

GPIO_PinState HAL_GPIO_ReadPin(GPIO_TypeDef *port, uint16_t pin)
{
    fb_spend(100);
    return fb_hw_read(&port->IDR) & pin ? GPIO_PIN_SET : GPIO_PIN_RESET;
}

void HAL_GPIO_WritePin(GPIO_TypeDef *port, uint16_t pin, GPIO_PinState state)
{
    fb_spend(100);
    port->BSRR = state != GPIO_PIN_RESET ? pin : (uint32_t)pin << 16;
    fb_hw_wrote(&port->BSRR);
}

void HAL_GPIO_TogglePin(GPIO_TypeDef *port, uint16_t pin)
{
    fb_spend(100);
    uint32_t odr = port->ODR;
    port->BSRR = (odr & pin) << 16 | (~odr & pin);
    fb_hw_wrote(&port->BSRR);
}

HAL_StatusTypeDef HAL_GPIO_LockPin(GPIO_TypeDef *port, uint16_t pin)
{
    (void)port;
    (void)pin;
    return HAL_OK;
}

void __attribute__((weak)) HAL_GPIO_EXTI_Callback(uint16_t pin) { (void)pin; }

void HAL_GPIO_EXTI_IRQHandler(uint16_t pin)
{
    fb_spend(200);
    if (!(EXTI->PR & pin))
        return;
    EXTI->PR = pin;
    fb_hw_wrote(&EXTI->PR);
    HAL_GPIO_EXTI_Callback(pin);
}
