#include "stm32f4xx_hal.h"

#define CHANNELS 2
#define SCANS 100
#define HALF (SCANS * CHANNELS)

void report(uint16_t mean0, uint16_t mean1);

static ADC_HandleTypeDef hadc1;
static DMA_HandleTypeDef hdma_adc;
static TIM_HandleTypeDef htim3;
static uint16_t samples[2 * HALF];
static volatile uint8_t half_full;
static volatile uint8_t whole_full;

static void require(HAL_StatusTypeDef status)
{
    if (status == HAL_OK)
        return;
    __disable_irq();
    while (1) {
    }
}

void HAL_ADC_MspInit(ADC_HandleTypeDef *hadc)
{
    GPIO_InitTypeDef pins = {0};

    __HAL_RCC_ADC1_CLK_ENABLE();
    __HAL_RCC_GPIOA_CLK_ENABLE();
    __HAL_RCC_DMA2_CLK_ENABLE();

    pins.Pin = GPIO_PIN_0 | GPIO_PIN_1;
    pins.Mode = GPIO_MODE_ANALOG;
    pins.Pull = GPIO_NOPULL;
    HAL_GPIO_Init(GPIOA, &pins);

    hdma_adc.Instance = DMA2_Stream0;
    hdma_adc.Init.Channel = DMA_CHANNEL_0;
    hdma_adc.Init.Direction = DMA_PERIPH_TO_MEMORY;
    hdma_adc.Init.PeriphInc = DMA_PINC_DISABLE;
    hdma_adc.Init.MemInc = DMA_MINC_ENABLE;
    hdma_adc.Init.PeriphDataAlignment = DMA_PDATAALIGN_HALFWORD;
    hdma_adc.Init.MemDataAlignment = DMA_MDATAALIGN_HALFWORD;
    hdma_adc.Init.Mode = DMA_CIRCULAR;
    hdma_adc.Init.Priority = DMA_PRIORITY_HIGH;
    hdma_adc.Init.FIFOMode = DMA_FIFOMODE_DISABLE;
    require(HAL_DMA_Init(&hdma_adc));
    __HAL_LINKDMA(hadc, DMA_Handle, hdma_adc);

    HAL_NVIC_SetPriority(DMA2_Stream0_IRQn, 4, 0);
    HAL_NVIC_EnableIRQ(DMA2_Stream0_IRQn);
}

void HAL_TIM_Base_MspInit(TIM_HandleTypeDef *htim)
{
    (void)htim;
    __HAL_RCC_TIM3_CLK_ENABLE();
}

static void adc_init(void)
{
    ADC_ChannelConfTypeDef channel = {0};

    hadc1.Instance = ADC1;
    hadc1.Init.ClockPrescaler = ADC_CLOCK_SYNC_PCLK_DIV4;
    hadc1.Init.Resolution = ADC_RESOLUTION_12B;
    hadc1.Init.DataAlign = ADC_DATAALIGN_RIGHT;
    hadc1.Init.ScanConvMode = ENABLE;
    hadc1.Init.EOCSelection = ADC_EOC_SEQ_CONV;
    hadc1.Init.ContinuousConvMode = DISABLE;
    hadc1.Init.NbrOfConversion = CHANNELS;
    hadc1.Init.DiscontinuousConvMode = DISABLE;
    hadc1.Init.ExternalTrigConv = ADC_EXTERNALTRIGCONV_T3_TRGO;
    hadc1.Init.ExternalTrigConvEdge = ADC_EXTERNALTRIGCONVEDGE_RISING;
    hadc1.Init.DMAContinuousRequests = ENABLE;
    require(HAL_ADC_Init(&hadc1));

    channel.SamplingTime = ADC_SAMPLETIME_84CYCLES;
    channel.Channel = ADC_CHANNEL_0;
    channel.Rank = 1;
    require(HAL_ADC_ConfigChannel(&hadc1, &channel));
    channel.Channel = ADC_CHANNEL_1;
    channel.Rank = 2;
    require(HAL_ADC_ConfigChannel(&hadc1, &channel));
}

static void timer_init(void)
{
    TIM_MasterConfigTypeDef master = {0};

    htim3.Instance = TIM3;
    htim3.Init.Prescaler = 84 - 1;
    htim3.Init.CounterMode = TIM_COUNTERMODE_UP;
    htim3.Init.Period = 1000 - 1;
    htim3.Init.ClockDivision = TIM_CLOCKDIVISION_DIV1;
    htim3.Init.AutoReloadPreload = TIM_AUTORELOAD_PRELOAD_ENABLE;
    require(HAL_TIM_Base_Init(&htim3));

    master.MasterOutputTrigger = TIM_TRGO_UPDATE;
    master.MasterSlaveMode = TIM_MASTERSLAVEMODE_DISABLE;
    require(HAL_TIMEx_MasterConfigSynchronization(&htim3, &master));
}

void DMA2_Stream0_IRQHandler(void)
{
    HAL_DMA_IRQHandler(&hdma_adc);
}

void HAL_ADC_ConvHalfCpltCallback(ADC_HandleTypeDef *hadc)
{
    (void)hadc;
    half_full = 1;
}

void HAL_ADC_ConvCpltCallback(ADC_HandleTypeDef *hadc)
{
    (void)hadc;
    whole_full = 1;
}

static void report_half(const uint16_t *from)
{
    uint32_t sums[CHANNELS] = {0};

    for (int scan = 0; scan < SCANS; scan++)
        for (int i = 0; i < CHANNELS; i++)
            sums[i] += from[scan * CHANNELS + i];
    report((uint16_t)(sums[0] / SCANS), (uint16_t)(sums[1] / SCANS));
}

int main(void)
{
    HAL_Init();
    timer_init();
    adc_init();
    require(HAL_ADC_Start_DMA(&hadc1, (uint32_t *)samples, 2 * HALF));
    require(HAL_TIM_Base_Start(&htim3));

    while (1) {
        if (half_full) {
            half_full = 0;
            report_half(&samples[0]);
        }
        if (whole_full) {
            whole_full = 0;
            report_half(&samples[HALF]);
        }
    }
}
