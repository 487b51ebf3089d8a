#include "stm32f4xx_hal.h"

#define TIMER_HZ 84000000U
#define COUNTS_MAX 65535U

int next_setting(uint32_t *frequency_hz, uint16_t *duty_permille);

static TIM_HandleTypeDef htim3;

static void fail(void)
{
    while (1) {
    }
}

void HAL_TIM_PWM_MspInit(TIM_HandleTypeDef *htim)
{
    GPIO_InitTypeDef pin = {0};

    (void)htim;
    __HAL_RCC_TIM3_CLK_ENABLE();
    __HAL_RCC_GPIOA_CLK_ENABLE();
    pin.Pin = GPIO_PIN_6;
    pin.Mode = GPIO_MODE_AF_PP;
    pin.Pull = GPIO_PULLDOWN;
    pin.Speed = GPIO_SPEED_FREQ_HIGH;
    pin.Alternate = GPIO_AF2_TIM3;
    HAL_GPIO_Init(GPIOA, &pin);
}

static void pwm_init(void)
{
    TIM_OC_InitTypeDef output = {0};

    htim3.Instance = TIM3;
    htim3.Init.Prescaler = 84 - 1;
    htim3.Init.CounterMode = TIM_COUNTERMODE_UP;
    htim3.Init.Period = 1000 - 1;
    htim3.Init.ClockDivision = TIM_CLOCKDIVISION_DIV1;
    htim3.Init.AutoReloadPreload = TIM_AUTORELOAD_PRELOAD_ENABLE;
    if (HAL_TIM_PWM_Init(&htim3) != HAL_OK)
        fail();

    output.OCMode = TIM_OCMODE_PWM1;
    output.Pulse = 0;
    output.OCPolarity = TIM_OCPOLARITY_HIGH;
    output.OCFastMode = TIM_OCFAST_DISABLE;
    if (HAL_TIM_PWM_ConfigChannel(&htim3, &output, TIM_CHANNEL_1) != HAL_OK)
        fail();
    if (HAL_TIM_PWM_Start(&htim3, TIM_CHANNEL_1) != HAL_OK)
        fail();
}

static void apply(uint32_t frequency_hz, uint16_t duty_permille)
{
    uint32_t ticks = (TIMER_HZ + frequency_hz / 2) / frequency_hz;
    uint32_t prescaler = (ticks + COUNTS_MAX - 1) / COUNTS_MAX;
    uint32_t counts = (ticks + prescaler / 2) / prescaler;
    uint32_t high = (counts * duty_permille + 500) / 1000;

    /* No update event may come in between. */
    htim3.Instance->CR1 |= TIM_CR1_UDIS;
    __HAL_TIM_SET_PRESCALER(&htim3, prescaler - 1);
    __HAL_TIM_SET_AUTORELOAD(&htim3, counts - 1);
    __HAL_TIM_SET_COMPARE(&htim3, TIM_CHANNEL_1, high);
    htim3.Instance->CR1 &= ~TIM_CR1_UDIS;
}

int main(void)
{
    HAL_Init();
    pwm_init();

    while (1) {
        uint32_t frequency_hz;
        uint16_t duty_permille;

        if (next_setting(&frequency_hz, &duty_permille) && frequency_hz >= 20 && frequency_hz <= 20000 &&
            duty_permille <= 1000)
            apply(frequency_hz, duty_permille);
    }
}
