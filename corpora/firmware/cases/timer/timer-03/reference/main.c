#include <stdbool.h>

#include "stm32f4xx_hal.h"

#define PERIODS 16U
#define LOST_MS 4000U

void period(uint32_t microseconds);
void signal_lost(void);

static TIM_HandleTypeDef htim3;
static volatile uint32_t overflows;
static uint32_t last_edge;
static volatile bool running;
static volatile uint32_t last_edge_tick;
static volatile uint32_t periods[PERIODS];
static volatile uint32_t period_in, period_out;

static void fail(void)
{
    while (1) {
    }
}

void HAL_TIM_IC_MspInit(TIM_HandleTypeDef *htim)
{
    GPIO_InitTypeDef pin = {0};

    (void)htim;
    __HAL_RCC_TIM3_CLK_ENABLE();
    __HAL_RCC_GPIOA_CLK_ENABLE();
    pin.Pin = GPIO_PIN_6;
    pin.Mode = GPIO_MODE_AF_PP;
    pin.Pull = GPIO_NOPULL;
    pin.Speed = GPIO_SPEED_FREQ_LOW;
    pin.Alternate = GPIO_AF2_TIM3;
    HAL_GPIO_Init(GPIOA, &pin);
    HAL_NVIC_SetPriority(TIM3_IRQn, 5, 0);
    HAL_NVIC_EnableIRQ(TIM3_IRQn);
}

void TIM3_IRQHandler(void)
{
    HAL_TIM_IRQHandler(&htim3);
}

void HAL_TIM_PeriodElapsedCallback(TIM_HandleTypeDef *htim)
{
    (void)htim;
    overflows++;
}

void HAL_TIM_IC_CaptureCallback(TIM_HandleTypeDef *htim)
{
    uint32_t low = HAL_TIM_ReadCapturedValue(htim, TIM_CHANNEL_1);
    uint32_t high = overflows;
    uint32_t edge;

    /* The HAL reports the capture first: an overflow that came before it may not be counted yet. */
    if (__HAL_TIM_GET_FLAG(htim, TIM_FLAG_UPDATE) && low < 0x8000U)
        high++;
    edge = high << 16 | low;

    if (running && period_in - period_out < PERIODS) {
        periods[period_in % PERIODS] = edge - last_edge;
        period_in++;
    }
    last_edge = edge;
    last_edge_tick = HAL_GetTick();
    running = true;
}

static void timer_init(void)
{
    TIM_IC_InitTypeDef input = {0};

    htim3.Instance = TIM3;
    htim3.Init.Prescaler = 84 - 1;
    htim3.Init.CounterMode = TIM_COUNTERMODE_UP;
    htim3.Init.Period = 0xFFFF;
    htim3.Init.ClockDivision = TIM_CLOCKDIVISION_DIV1;
    if (HAL_TIM_IC_Init(&htim3) != HAL_OK)
        fail();

    input.ICPolarity = TIM_ICPOLARITY_RISING;
    input.ICSelection = TIM_ICSELECTION_DIRECTTI;
    input.ICPrescaler = TIM_ICPSC_DIV1;
    input.ICFilter = 0;
    if (HAL_TIM_IC_ConfigChannel(&htim3, &input, TIM_CHANNEL_1) != HAL_OK)
        fail();
    __HAL_TIM_CLEAR_FLAG(&htim3, TIM_FLAG_UPDATE);
    __HAL_TIM_ENABLE_IT(&htim3, TIM_IT_UPDATE);
    if (HAL_TIM_IC_Start_IT(&htim3, TIM_CHANNEL_1) != HAL_OK)
        fail();
}

static bool is_lost(void)
{
    uint32_t mask = __get_PRIMASK();
    bool lost;

    __disable_irq();
    lost = running && HAL_GetTick() - last_edge_tick >= LOST_MS;
    if (lost)
        running = false;
    __set_PRIMASK(mask);
    return lost;
}

int main(void)
{
    HAL_Init();
    timer_init();

    while (1) {
        while (period_out != period_in) {
            uint32_t microseconds = periods[period_out % PERIODS];

            period_out++;
            period(microseconds);
        }
        if (is_lost())
            signal_lost();
        __WFI();
    }
}
