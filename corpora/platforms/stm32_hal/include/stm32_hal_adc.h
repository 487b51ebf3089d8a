/* Analog-digital converters. */
#ifndef STM32_HAL_ADC_H
#define STM32_HAL_ADC_H

#include "stm32_hal_dma.h"

typedef struct {
    uint32_t ClockPrescaler, Resolution, DataAlign, ScanConvMode, EOCSelection;
    FunctionalState ContinuousConvMode;
    uint32_t NbrOfConversion;
    FunctionalState DiscontinuousConvMode;
    uint32_t NbrOfDiscConversion, ExternalTrigConv, ExternalTrigConvEdge;
    FunctionalState DMAContinuousRequests;
} ADC_InitTypeDef;
typedef struct {
    uint32_t Channel, Rank, SamplingTime, Offset;
} ADC_ChannelConfTypeDef;
typedef struct {
    uint32_t WatchdogMode, HighThreshold, LowThreshold, Channel;
    FunctionalState ITMode;
    uint32_t WatchdogNumber;
} ADC_AnalogWDGConfTypeDef;
typedef struct __ADC_HandleTypeDef {
    ADC_TypeDef *Instance;
    ADC_InitTypeDef Init;
    __IO uint32_t NbrOfCurrentConversionRank;
    DMA_HandleTypeDef *DMA_Handle;
    HAL_LockTypeDef Lock;
    __IO uint32_t State, ErrorCode;
} ADC_HandleTypeDef;

#define ADC_SCAN_ENABLE 0x1U
#define ADC_SCAN_DISABLE 0x0U
#define HAL_ADC_STATE_RESET 0x0U
#define HAL_ADC_STATE_READY 0x1U
#define HAL_ADC_STATE_BUSY_INTERNAL 0x2U
#define HAL_ADC_STATE_TIMEOUT 0x4U
#define HAL_ADC_STATE_ERROR_INTERNAL 0x10U
#define HAL_ADC_STATE_ERROR_CONFIG 0x20U
#define HAL_ADC_STATE_ERROR_DMA 0x40U
#define HAL_ADC_STATE_REG_BUSY 0x100U
#define HAL_ADC_STATE_REG_EOC 0x200U
#define HAL_ADC_STATE_REG_OVR 0x400U
#define HAL_ADC_STATE_AWD1 0x10000U
#define HAL_ADC_ERROR_NONE 0x0U
#define HAL_ADC_ERROR_INTERNAL 0x1U
#define HAL_ADC_ERROR_OVR 0x2U
#define HAL_ADC_ERROR_DMA 0x4U
#define ADC_CLOCK_SYNC_PCLK_DIV2 0x0U
#define ADC_CLOCK_SYNC_PCLK_DIV4 0x10000U
#define ADC_CLOCK_SYNC_PCLK_DIV6 0x20000U
#define ADC_CLOCK_SYNC_PCLK_DIV8 0x30000U
#define ADC_CLOCKPRESCALER_PCLK_DIV2 ADC_CLOCK_SYNC_PCLK_DIV2
#define ADC_CLOCKPRESCALER_PCLK_DIV4 ADC_CLOCK_SYNC_PCLK_DIV4
#define ADC_RESOLUTION_12B 0x0U
#define ADC_RESOLUTION_10B ADC_CR1_RES_0
#define ADC_RESOLUTION_8B ADC_CR1_RES_1
#define ADC_RESOLUTION_6B ADC_CR1_RES
#define ADC_DATAALIGN_RIGHT 0x0U
#define ADC_DATAALIGN_LEFT ADC_CR2_ALIGN
#define ADC_EXTERNALTRIGCONVEDGE_NONE 0x0U
#define ADC_EXTERNALTRIGCONVEDGE_RISING 0x10000000U
#define ADC_EXTERNALTRIGCONVEDGE_FALLING 0x20000000U
#define ADC_EXTERNALTRIGCONVEDGE_RISINGFALLING 0x30000000U
#define ADC_EXTERNALTRIGCONV_T1_CC1 0x0U
#define ADC_EXTERNALTRIGCONV_T1_CC2 0x1000000U
#define ADC_EXTERNALTRIGCONV_T1_CC3 0x2000000U
#define ADC_EXTERNALTRIGCONV_T2_CC2 0x3000000U
#define ADC_EXTERNALTRIGCONV_T2_CC3 0x4000000U
#define ADC_EXTERNALTRIGCONV_T2_CC4 0x5000000U
#define ADC_EXTERNALTRIGCONV_T2_TRGO 0x6000000U
#define ADC_EXTERNALTRIGCONV_T3_CC1 0x7000000U
#define ADC_EXTERNALTRIGCONV_T3_TRGO 0x8000000U
#define ADC_EXTERNALTRIGCONV_T4_CC4 0x9000000U
#define ADC_EXTERNALTRIGCONV_T5_CC1 0xA000000U
#define ADC_EXTERNALTRIGCONV_T5_CC2 0xB000000U
#define ADC_EXTERNALTRIGCONV_T5_CC3 0xC000000U
#define ADC_EXTERNALTRIGCONV_T8_CC1 0xD000000U
#define ADC_EXTERNALTRIGCONV_T8_TRGO 0xE000000U
#define ADC_EXTERNALTRIGCONV_Ext_IT11 0xF000000U
#define ADC_SOFTWARE_START 0xF000001U
#define ADC_CHANNEL_0 0x0U
#define ADC_CHANNEL_1 0x1U
#define ADC_CHANNEL_2 0x2U
#define ADC_CHANNEL_3 0x3U
#define ADC_CHANNEL_4 0x4U
#define ADC_CHANNEL_5 0x5U
#define ADC_CHANNEL_6 0x6U
#define ADC_CHANNEL_7 0x7U
#define ADC_CHANNEL_8 0x8U
#define ADC_CHANNEL_9 0x9U
#define ADC_CHANNEL_10 0xAU
#define ADC_CHANNEL_11 0xBU
#define ADC_CHANNEL_12 0xCU
#define ADC_CHANNEL_13 0xDU
#define ADC_CHANNEL_14 0xEU
#define ADC_CHANNEL_15 0xFU
#define ADC_CHANNEL_16 0x10U
#define ADC_CHANNEL_17 0x11U
#define ADC_CHANNEL_18 0x12U
#define ADC_CHANNEL_VREFINT ADC_CHANNEL_17
#define ADC_CHANNEL_VBAT ADC_CHANNEL_18
#define ADC_CHANNEL_TEMPSENSOR 0x10000012U
#define ADC_SAMPLETIME_3CYCLES 0x0U
#define ADC_SAMPLETIME_15CYCLES 0x1U
#define ADC_SAMPLETIME_28CYCLES 0x2U
#define ADC_SAMPLETIME_56CYCLES 0x3U
#define ADC_SAMPLETIME_84CYCLES 0x4U
#define ADC_SAMPLETIME_112CYCLES 0x5U
#define ADC_SAMPLETIME_144CYCLES 0x6U
#define ADC_SAMPLETIME_480CYCLES 0x7U
#define ADC_REGULAR_RANK_1 0x1U
#define ADC_REGULAR_RANK_2 0x2U
#define ADC_REGULAR_RANK_3 0x3U
#define ADC_REGULAR_RANK_4 0x4U
#define ADC_REGULAR_RANK_5 0x5U
#define ADC_REGULAR_RANK_6 0x6U
#define ADC_REGULAR_RANK_7 0x7U
#define ADC_REGULAR_RANK_8 0x8U
#define ADC_REGULAR_RANK_9 0x9U
#define ADC_REGULAR_RANK_10 0xAU
#define ADC_REGULAR_RANK_11 0xBU
#define ADC_REGULAR_RANK_12 0xCU
#define ADC_REGULAR_RANK_13 0xDU
#define ADC_REGULAR_RANK_14 0xEU
#define ADC_REGULAR_RANK_15 0xFU
#define ADC_REGULAR_RANK_16 0x10U
#define ADC_EOC_SEQ_CONV 0x0U
#define ADC_EOC_SINGLE_CONV 0x1U
#define ADC_AWD_EVENT ADC_SR_AWD
#define ADC_OVR_EVENT ADC_SR_OVR
#define ADC_ANALOGWATCHDOG_SINGLE_REG (ADC_CR1_AWDSGL | ADC_CR1_AWDEN)
#define ADC_ANALOGWATCHDOG_ALL_REG ADC_CR1_AWDEN
#define ADC_ANALOGWATCHDOG_NONE 0x0U
#define ADC_IT_EOC ADC_CR1_EOCIE
#define ADC_IT_AWD ADC_CR1_AWDIE
#define ADC_IT_OVR ADC_CR1_OVRIE
#define ADC_FLAG_AWD ADC_SR_AWD
#define ADC_FLAG_EOC ADC_SR_EOC
#define ADC_FLAG_STRT ADC_SR_STRT
#define ADC_FLAG_OVR ADC_SR_OVR
#define __HAL_ADC_ENABLE(handle) ((handle)->Instance->CR2 |= ADC_CR2_ADON)
#define __HAL_ADC_DISABLE(handle) ((handle)->Instance->CR2 &= ~ADC_CR2_ADON)
#define __HAL_ADC_ENABLE_IT(handle, it) ((handle)->Instance->CR1 |= (it))
#define __HAL_ADC_DISABLE_IT(handle, it) ((handle)->Instance->CR1 &= ~(it))
#define __HAL_ADC_GET_IT_SOURCE(handle, it) (((handle)->Instance->CR1 & (it)) == (it))
#define __HAL_ADC_CLEAR_FLAG(handle, flag) ((handle)->Instance->SR = ~(flag))
#define __HAL_ADC_GET_FLAG(handle, flag) (((handle)->Instance->SR & (flag)) == (flag))

HAL_StatusTypeDef HAL_ADC_Init(ADC_HandleTypeDef *hadc);
HAL_StatusTypeDef HAL_ADC_DeInit(ADC_HandleTypeDef *hadc);
void HAL_ADC_MspInit(ADC_HandleTypeDef *hadc);
void HAL_ADC_MspDeInit(ADC_HandleTypeDef *hadc);
HAL_StatusTypeDef HAL_ADC_ConfigChannel(ADC_HandleTypeDef *hadc, ADC_ChannelConfTypeDef *sConfig);
HAL_StatusTypeDef HAL_ADC_AnalogWDGConfig(ADC_HandleTypeDef *hadc, ADC_AnalogWDGConfTypeDef *AnalogWDGConfig);
HAL_StatusTypeDef HAL_ADC_Start(ADC_HandleTypeDef *hadc);
HAL_StatusTypeDef HAL_ADC_Stop(ADC_HandleTypeDef *hadc);
HAL_StatusTypeDef HAL_ADC_PollForConversion(ADC_HandleTypeDef *hadc, uint32_t Timeout);
HAL_StatusTypeDef HAL_ADC_Start_IT(ADC_HandleTypeDef *hadc);
HAL_StatusTypeDef HAL_ADC_Stop_IT(ADC_HandleTypeDef *hadc);
HAL_StatusTypeDef HAL_ADC_Start_DMA(ADC_HandleTypeDef *hadc, uint32_t *pData, uint32_t Length);
HAL_StatusTypeDef HAL_ADC_Stop_DMA(ADC_HandleTypeDef *hadc);
uint32_t HAL_ADC_GetValue(ADC_HandleTypeDef *hadc);
void HAL_ADC_IRQHandler(ADC_HandleTypeDef *hadc);
void HAL_ADC_ConvCpltCallback(ADC_HandleTypeDef *hadc);
void HAL_ADC_ConvHalfCpltCallback(ADC_HandleTypeDef *hadc);
void HAL_ADC_LevelOutOfWindowCallback(ADC_HandleTypeDef *hadc);
void HAL_ADC_ErrorCallback(ADC_HandleTypeDef *hadc);
uint32_t HAL_ADC_GetState(ADC_HandleTypeDef *hadc);
uint32_t HAL_ADC_GetError(ADC_HandleTypeDef *hadc);

#endif
