#include "stm32f4xx_hal.h"
int next_setting(uint32_t *frequency_hz, uint16_t *duty_permille);
static TIM_HandleTypeDef t;
int main(void) {
    HAL_Init();
    __HAL_RCC_GPIOA_CLK_ENABLE();
    __HAL_RCC_TIM3_CLK_ENABLE();
    t.Instance = TIM3;
    t.Init.Prescaler = 0;
    t.Init.Period = 0xFFFE;
    t.Init.CounterMode = TIM_COUNTERMODE_UP;
    t.Init.AutoReloadPreload = TIM_AUTORELOAD_PRELOAD_ENABLE;
    if (HAL_TIM_PWM_Init(&t) != HAL_OK)
        while (1)
            ;
    TIM_OC_InitTypeDef oc = {.OCMode = TIM_OCMODE_PWM1, .Pulse = 0, .OCPolarity = TIM_OCPOLARITY_HIGH};
    if (HAL_TIM_PWM_ConfigChannel(&t, &oc, TIM_CHANNEL_1) != HAL_OK)
        while (1)
            ;
    GPIO_InitTypeDef g = {
        .Pin = GPIO_PIN_6, .Mode = GPIO_MODE_AF_PP, .Speed = GPIO_SPEED_FREQ_LOW, .Alternate = GPIO_AF2_TIM3};
    int started = 0;
    for (;;) {
        uint32_t f;
        uint16_t d;
        if (!next_setting(&f, &d)) {
            __WFI();
            continue;
        }
        if (f < 20 || f > 20000 || d > 1000)
            continue;
        uint32_t total = 84000000u / f, psc = total / 65535u, arr;
        arr = 84000000u / ((psc + 1) * f);
        uint32_t ccr = (uint32_t)((uint64_t)arr * d / 1000);
        __disable_irq();
        TIM3->CR1 |= TIM_CR1_UDIS;
        TIM3->PSC = psc;
        TIM3->ARR = arr - 1;
        TIM3->CCR1 = ccr;
        TIM3->CR1 &= ~TIM_CR1_UDIS;
        __enable_irq();
        if (!started) {
            TIM3->EGR = TIM_EGR_UG;
            HAL_GPIO_Init(GPIOA, &g);
            HAL_TIM_PWM_Start(&t, TIM_CHANNEL_1);
            started = 1;
        }
    }
}
