#include "stm32f4xx_hal.h"

/* The interrupt works on the registers; the time of the last edge is kept in 64 bits of microseconds. */
void period(uint32_t microseconds);
void signal_lost(void);

static volatile uint64_t rounds, last;
static volatile int seen;
static volatile uint32_t ring[32], in, out, tick_of_edge;

void TIM3_IRQHandler(void)
{
    uint32_t sr = TIM3->SR;

    if (sr & TIM_SR_CC1IF) {
        uint32_t count = TIM3->CCR1;
        uint64_t now = rounds * 65536u + count;

        if ((sr & TIM_SR_UIF) && count < 32768)
            now += 65536;
        if (seen)
            ring[in++ % 32] = (uint32_t)(now - last);
        last = now;
        seen = 1;
        tick_of_edge = uwTick;
    }
    if (sr & TIM_SR_UIF) {
        TIM3->SR = ~TIM_SR_UIF;
        rounds++;
    }
}

int main(void)
{
    TIM_HandleTypeDef tim = {.Instance = TIM3, .Init = {.Prescaler = 83, .Period = 65535}};
    TIM_IC_InitTypeDef input = {.ICPolarity = TIM_INPUTCHANNELPOLARITY_RISING, .ICSelection = TIM_ICSELECTION_DIRECTTI};
    GPIO_InitTypeDef pin = {.Pin = GPIO_PIN_6, .Mode = GPIO_MODE_AF_PP, .Alternate = GPIO_AF2_TIM3};

    HAL_Init();
    __HAL_RCC_GPIOA_CLK_ENABLE();
    __HAL_RCC_TIM3_CLK_ENABLE();
    HAL_GPIO_Init(GPIOA, &pin);
    HAL_TIM_IC_Init(&tim);
    HAL_TIM_IC_ConfigChannel(&tim, &input, TIM_CHANNEL_1);
    TIM3->SR = 0;
    HAL_NVIC_SetPriority(TIM3_IRQn, 5, 0);
    HAL_NVIC_EnableIRQ(TIM3_IRQn);
    TIM3->DIER |= TIM_DIER_UIE | TIM_DIER_CC1IE;
    HAL_TIM_IC_Start(&tim, TIM_CHANNEL_1);

    for (;;) {
        if (out != in)
            period(ring[out++ % 32]);
        HAL_NVIC_DisableIRQ(TIM3_IRQn);
        int lost = seen && uwTick - tick_of_edge >= 4000;
        if (lost)
            seen = 0;
        HAL_NVIC_EnableIRQ(TIM3_IRQn);
        if (lost)
            signal_lost();
    }
}
