#include <stdint.h>
#include <stdbool.h>
#include "stm32f4xx_hal.h"
extern void report(uint16_t mean0, uint16_t mean1);
static ADC_HandleTypeDef adc = {0};
static DMA_HandleTypeDef dma = {0};
static TIM_HandleTypeDef tim = {0};
static volatile uint32_t buf[400];
static volatile int ready; /* 0 none, 1 first half, 2 second half */
void DMA2_Stream0_IRQHandler(void) {
    HAL_DMA_IRQHandler(&dma);
}
void ADC_IRQHandler(void) {
    HAL_ADC_IRQHandler(&adc);
}
void HAL_ADC_ConvHalfCpltCallback(ADC_HandleTypeDef *h) {
    if (h == &adc)
        ready = 1;
}
void HAL_ADC_ConvCpltCallback(ADC_HandleTypeDef *h) {
    if (h == &adc)
        ready = 2;
}
static void die(void) {
    while (true) {
    }
}
int main(void) {
    HAL_Init();
    __HAL_RCC_GPIOA_CLK_ENABLE();
    __HAL_RCC_ADC1_CLK_ENABLE();
    __HAL_RCC_DMA2_CLK_ENABLE();
    __HAL_RCC_TIM3_CLK_ENABLE();
    GPIO_InitTypeDef gpio = {.Pin = GPIO_PIN_0 | GPIO_PIN_1, .Mode = GPIO_MODE_ANALOG};
    HAL_GPIO_Init(GPIOA, &gpio);
    dma.Instance = DMA2_Stream0;
    dma.Init.Channel = DMA_CHANNEL_0;
    dma.Init.Direction = DMA_PERIPH_TO_MEMORY;
    dma.Init.PeriphInc = DMA_PINC_DISABLE;
    dma.Init.MemInc = DMA_MINC_ENABLE;
    dma.Init.PeriphDataAlignment = DMA_PDATAALIGN_WORD;
    dma.Init.MemDataAlignment = DMA_MDATAALIGN_WORD;
    dma.Init.Mode = DMA_CIRCULAR;
    dma.Init.Priority = DMA_PRIORITY_MEDIUM;
    dma.Init.FIFOMode = DMA_FIFOMODE_DISABLE;
    if (HAL_DMA_Init(&dma) != HAL_OK)
        die();
    __HAL_LINKDMA(&adc, DMA_Handle, dma);
    HAL_NVIC_SetPriority(DMA2_Stream0_IRQn, 0, 0);
    HAL_NVIC_EnableIRQ(DMA2_Stream0_IRQn);
    HAL_NVIC_SetPriority(ADC_IRQn, 0, 0);
    HAL_NVIC_EnableIRQ(ADC_IRQn);
    adc.Instance = ADC1;
    adc.Init = (ADC_InitTypeDef){.ClockPrescaler = ADC_CLOCK_SYNC_PCLK_DIV6,
                                 .Resolution = ADC_RESOLUTION_12B,
                                 .ScanConvMode = ENABLE,
                                 .ContinuousConvMode = DISABLE,
                                 .DiscontinuousConvMode = DISABLE,
                                 .ExternalTrigConvEdge = ADC_EXTERNALTRIGCONVEDGE_RISING,
                                 .ExternalTrigConv = ADC_EXTERNALTRIGCONV_T3_TRGO,
                                 .DataAlign = ADC_DATAALIGN_RIGHT,
                                 .NbrOfConversion = 2,
                                 .DMAContinuousRequests = ENABLE,
                                 .EOCSelection = ADC_EOC_SINGLE_CONV};
    if (HAL_ADC_Init(&adc) != HAL_OK)
        die();
    ADC_ChannelConfTypeDef ch = {
        .Channel = ADC_CHANNEL_0, .Rank = ADC_REGULAR_RANK_1, .SamplingTime = ADC_SAMPLETIME_15CYCLES};
    if (HAL_ADC_ConfigChannel(&adc, &ch) != HAL_OK)
        die();
    ch.Channel = ADC_CHANNEL_1;
    ch.Rank = ADC_REGULAR_RANK_2;
    if (HAL_ADC_ConfigChannel(&adc, &ch) != HAL_OK)
        die();
    tim.Instance = TIM3;
    tim.Init.Prescaler = 8399;
    tim.Init.Period = 9;
    tim.Init.CounterMode = TIM_COUNTERMODE_UP;
    tim.Init.ClockDivision = TIM_CLOCKDIVISION_DIV1;
    if (HAL_TIM_Base_Init(&tim) != HAL_OK)
        die();
    TIM_MasterConfigTypeDef m = {.MasterOutputTrigger = TIM_TRGO_UPDATE,
                                 .MasterSlaveMode = TIM_MASTERSLAVEMODE_DISABLE};
    HAL_TIMEx_MasterConfigSynchronization(&tim, &m);
    if (HAL_ADC_Start_DMA(&adc, (uint32_t *)buf, 400) != HAL_OK)
        die();
    HAL_TIM_Base_Start(&tim);
    for (;;) {
        int which = ready;
        if (!which) {
            __WFI();
            continue;
        }
        ready = 0;
        const volatile uint32_t *p = which == 1 ? buf : buf + 200;
        uint32_t a = 0, b = 0;
        for (int i = 0; i < 200; i += 2) {
            a += p[i] & 0xFFFF;
            b += p[i + 1] & 0xFFFF;
        }
        report(a / 100, b / 100);
    }
}
