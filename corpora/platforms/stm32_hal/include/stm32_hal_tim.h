/* Timers: time base, PWM, output compare and input capture. */
#ifndef STM32_HAL_TIM_H
#define STM32_HAL_TIM_H

#include "stm32_hal_dma.h"

typedef struct {
    uint32_t Prescaler, CounterMode, Period, ClockDivision, RepetitionCounter, AutoReloadPreload;
} TIM_Base_InitTypeDef;
typedef struct {
    uint32_t OCMode, Pulse, OCPolarity, OCNPolarity, OCFastMode, OCIdleState, OCNIdleState;
} TIM_OC_InitTypeDef;
typedef struct {
    uint32_t ICPolarity, ICSelection, ICPrescaler, ICFilter;
} TIM_IC_InitTypeDef;
typedef struct {
    uint32_t ClockSource, ClockPolarity, ClockPrescaler, ClockFilter;
} TIM_ClockConfigTypeDef;
typedef struct {
    uint32_t MasterOutputTrigger, MasterSlaveMode;
} TIM_MasterConfigTypeDef;
typedef struct {
    uint32_t OffStateRunMode, OffStateIDLEMode, LockLevel, DeadTime, BreakState, BreakPolarity, BreakFilter,
        AutomaticOutput;
} TIM_BreakDeadTimeConfigTypeDef;
typedef enum {
    HAL_TIM_STATE_RESET = 0x00U,
    HAL_TIM_STATE_READY = 0x01U,
    HAL_TIM_STATE_BUSY = 0x02U,
    HAL_TIM_STATE_TIMEOUT = 0x03U,
    HAL_TIM_STATE_ERROR = 0x04U
} HAL_TIM_StateTypeDef;
typedef enum {
    HAL_TIM_CHANNEL_STATE_RESET = 0x00U,
    HAL_TIM_CHANNEL_STATE_READY = 0x01U,
    HAL_TIM_CHANNEL_STATE_BUSY = 0x02U
} HAL_TIM_ChannelStateTypeDef;
typedef enum {
    HAL_TIM_ACTIVE_CHANNEL_1 = 0x01U,
    HAL_TIM_ACTIVE_CHANNEL_2 = 0x02U,
    HAL_TIM_ACTIVE_CHANNEL_3 = 0x04U,
    HAL_TIM_ACTIVE_CHANNEL_4 = 0x08U,
    HAL_TIM_ACTIVE_CHANNEL_CLEARED = 0x00U
} HAL_TIM_ActiveChannel;
typedef struct __TIM_HandleTypeDef {
    TIM_TypeDef *Instance;
    TIM_Base_InitTypeDef Init;
    HAL_TIM_ActiveChannel Channel;
    DMA_HandleTypeDef *hdma[7];
    HAL_LockTypeDef Lock;
    __IO HAL_TIM_StateTypeDef State;
    __IO HAL_TIM_ChannelStateTypeDef ChannelState[4], ChannelNState[4];
} TIM_HandleTypeDef;

#define TIM_COUNTERMODE_UP 0x0U
#define TIM_COUNTERMODE_DOWN 0x10U
#define TIM_COUNTERMODE_CENTERALIGNED1 0x20U
#define TIM_COUNTERMODE_CENTERALIGNED2 0x40U
#define TIM_COUNTERMODE_CENTERALIGNED3 0x60U
#define TIM_CLOCKDIVISION_DIV1 0x0U
#define TIM_CLOCKDIVISION_DIV2 0x100U
#define TIM_CLOCKDIVISION_DIV4 0x200U
#define TIM_AUTORELOAD_PRELOAD_DISABLE 0x0U
#define TIM_AUTORELOAD_PRELOAD_ENABLE 0x80U
#define TIM_OCMODE_TIMING 0x0U
#define TIM_OCMODE_ACTIVE 0x10U
#define TIM_OCMODE_INACTIVE 0x20U
#define TIM_OCMODE_TOGGLE 0x30U
#define TIM_OCMODE_FORCED_INACTIVE 0x40U
#define TIM_OCMODE_FORCED_ACTIVE 0x50U
#define TIM_OCMODE_PWM1 0x60U
#define TIM_OCMODE_PWM2 0x70U
#define TIM_OCPOLARITY_HIGH 0x0U
#define TIM_OCPOLARITY_LOW 0x2U
#define TIM_OCNPOLARITY_HIGH 0x0U
#define TIM_OCNPOLARITY_LOW 0x8U
#define TIM_OCFAST_DISABLE 0x0U
#define TIM_OCFAST_ENABLE 0x4U
#define TIM_OCIDLESTATE_RESET 0x0U
#define TIM_OCIDLESTATE_SET 0x100U
#define TIM_OCNIDLESTATE_RESET 0x0U
#define TIM_OCNIDLESTATE_SET 0x200U
#define TIM_ICPOLARITY_RISING 0x0U
#define TIM_ICPOLARITY_FALLING 0x2U
#define TIM_ICPOLARITY_BOTHEDGE 0xAU
#define TIM_INPUTCHANNELPOLARITY_RISING 0x0U
#define TIM_INPUTCHANNELPOLARITY_FALLING 0x2U
#define TIM_INPUTCHANNELPOLARITY_BOTHEDGE 0xAU
#define TIM_ICSELECTION_DIRECTTI 0x1U
#define TIM_ICSELECTION_INDIRECTTI 0x2U
#define TIM_ICSELECTION_TRC 0x3U
#define TIM_ICPSC_DIV1 0x0U
#define TIM_ICPSC_DIV2 0x4U
#define TIM_ICPSC_DIV4 0x8U
#define TIM_ICPSC_DIV8 0xCU
#define TIM_CLOCKSOURCE_INTERNAL 0x1000U
#define TIM_TRGO_RESET 0x0U
#define TIM_TRGO_ENABLE 0x10U
#define TIM_TRGO_UPDATE 0x20U
#define TIM_TRGO_OC1 0x30U
#define TIM_TRGO_OC1REF 0x40U
#define TIM_TRGO_OC2REF 0x50U
#define TIM_TRGO_OC3REF 0x60U
#define TIM_TRGO_OC4REF 0x70U
#define TIM_MASTERSLAVEMODE_ENABLE 0x80U
#define TIM_MASTERSLAVEMODE_DISABLE 0x0U
#define TIM_OSSR_DISABLE 0x0U
#define TIM_OSSR_ENABLE 0x800U
#define TIM_OSSI_DISABLE 0x0U
#define TIM_OSSI_ENABLE 0x400U
#define TIM_LOCKLEVEL_OFF 0x0U
#define TIM_BREAK_DISABLE 0x0U
#define TIM_BREAK_ENABLE 0x1000U
#define TIM_BREAKPOLARITY_LOW 0x0U
#define TIM_BREAKPOLARITY_HIGH 0x2000U
#define TIM_AUTOMATICOUTPUT_DISABLE 0x0U
#define TIM_AUTOMATICOUTPUT_ENABLE 0x4000U
#define TIM_EVENTSOURCE_UPDATE 0x1U
#define TIM_EVENTSOURCE_CC1 0x2U
#define TIM_CHANNEL_1 0x0U
#define TIM_CHANNEL_2 0x4U
#define TIM_CHANNEL_3 0x8U
#define TIM_CHANNEL_4 0xCU
#define TIM_CHANNEL_ALL 0x3CU
#define TIM_IT_UPDATE 0x1U
#define TIM_IT_CC1 0x2U
#define TIM_IT_CC2 0x4U
#define TIM_IT_CC3 0x8U
#define TIM_IT_CC4 0x10U
#define TIM_FLAG_UPDATE 0x1U
#define TIM_FLAG_CC1 0x2U
#define TIM_FLAG_CC2 0x4U
#define TIM_FLAG_CC3 0x8U
#define TIM_FLAG_CC4 0x10U
#define TIM_FLAG_CC1OF 0x200U
#define TIM_FLAG_CC2OF 0x400U
#define TIM_FLAG_CC3OF 0x800U
#define TIM_FLAG_CC4OF 0x1000U

#define FB_TIM_CCR(handle, channel) ((&(handle)->Instance->CCR1)[(channel) >> 2])
#define __HAL_TIM_ENABLE(handle) ((handle)->Instance->CR1 |= TIM_CR1_CEN)
#define __HAL_TIM_DISABLE(handle) ((handle)->Instance->CR1 &= ~TIM_CR1_CEN)
#define __HAL_TIM_ENABLE_IT(handle, it) ((handle)->Instance->DIER |= (it))
#define __HAL_TIM_DISABLE_IT(handle, it) ((handle)->Instance->DIER &= ~(it))
#define __HAL_TIM_GET_IT_SOURCE(handle, it) ((((handle)->Instance->DIER & (it)) == (it)) ? SET : RESET)
#define __HAL_TIM_GET_FLAG(handle, flag) (((handle)->Instance->SR & (flag)) == (flag))
#define __HAL_TIM_CLEAR_FLAG(handle, flag) ((handle)->Instance->SR = ~(flag))
#define __HAL_TIM_CLEAR_IT(handle, it) ((handle)->Instance->SR = ~(it))
#define __HAL_TIM_SET_COUNTER(handle, counter) ((handle)->Instance->CNT = (counter))
#define __HAL_TIM_GET_COUNTER(handle) ((handle)->Instance->CNT)
#define __HAL_TIM_SET_PRESCALER(handle, prescaler) ((handle)->Instance->PSC = (prescaler))
#define __HAL_TIM_SET_AUTORELOAD(handle, autoreload)                                                                  \
    do {                                                                                                              \
        (handle)->Instance->ARR = (autoreload);                                                                       \
        (handle)->Init.Period = (autoreload);                                                                         \
    } while (0)
#define __HAL_TIM_GET_AUTORELOAD(handle) ((handle)->Instance->ARR)
#define __HAL_TIM_SET_COMPARE(handle, channel, compare) (FB_TIM_CCR(handle, channel) = (compare))
#define __HAL_TIM_GET_COMPARE(handle, channel) (FB_TIM_CCR(handle, channel))
#define __HAL_TIM_SetCompare __HAL_TIM_SET_COMPARE
#define __HAL_TIM_GetCompare __HAL_TIM_GET_COMPARE
#define __HAL_TIM_SetCounter __HAL_TIM_SET_COUNTER
#define __HAL_TIM_GetCounter __HAL_TIM_GET_COUNTER
#define __HAL_TIM_SetAutoreload __HAL_TIM_SET_AUTORELOAD
#define __HAL_TIM_URS_ENABLE(handle) ((handle)->Instance->CR1 |= TIM_CR1_URS)
#define __HAL_TIM_URS_DISABLE(handle) ((handle)->Instance->CR1 &= ~TIM_CR1_URS)
#define __HAL_TIM_MOE_ENABLE(handle) ((handle)->Instance->BDTR |= TIM_BDTR_MOE)
#define __HAL_TIM_MOE_DISABLE(handle) ((handle)->Instance->BDTR &= ~TIM_BDTR_MOE)
#define FB_TIM_CCMR(handle, channel) (*((channel) < TIM_CHANNEL_3 ? &(handle)->Instance->CCMR1 : &(handle)->Instance->CCMR2))
#define __HAL_TIM_ENABLE_OCxPRELOAD(handle, channel) (FB_TIM_CCMR(handle, channel) |= 0x8U << (((channel) & 4U) * 2U))
#define __HAL_TIM_DISABLE_OCxPRELOAD(handle, channel) (FB_TIM_CCMR(handle, channel) &= ~(0x8U << (((channel) & 4U) * 2U)))
#define __HAL_TIM_SET_CAPTUREPOLARITY(handle, channel, polarity)                                                      \
    ((handle)->Instance->CCER = ((handle)->Instance->CCER & ~(0xAU << (channel))) | ((polarity) << (channel)))

HAL_StatusTypeDef HAL_TIM_Base_Init(TIM_HandleTypeDef *htim);
HAL_StatusTypeDef HAL_TIM_Base_DeInit(TIM_HandleTypeDef *htim);
void HAL_TIM_Base_MspInit(TIM_HandleTypeDef *htim);
void HAL_TIM_Base_MspDeInit(TIM_HandleTypeDef *htim);
HAL_StatusTypeDef HAL_TIM_Base_Start(TIM_HandleTypeDef *htim);
HAL_StatusTypeDef HAL_TIM_Base_Stop(TIM_HandleTypeDef *htim);
HAL_StatusTypeDef HAL_TIM_Base_Start_IT(TIM_HandleTypeDef *htim);
HAL_StatusTypeDef HAL_TIM_Base_Stop_IT(TIM_HandleTypeDef *htim);
HAL_StatusTypeDef HAL_TIM_PWM_Init(TIM_HandleTypeDef *htim);
HAL_StatusTypeDef HAL_TIM_PWM_DeInit(TIM_HandleTypeDef *htim);
void HAL_TIM_PWM_MspInit(TIM_HandleTypeDef *htim);
void HAL_TIM_PWM_MspDeInit(TIM_HandleTypeDef *htim);
HAL_StatusTypeDef HAL_TIM_PWM_Start(TIM_HandleTypeDef *htim, uint32_t Channel);
HAL_StatusTypeDef HAL_TIM_PWM_Stop(TIM_HandleTypeDef *htim, uint32_t Channel);
HAL_StatusTypeDef HAL_TIM_PWM_Start_IT(TIM_HandleTypeDef *htim, uint32_t Channel);
HAL_StatusTypeDef HAL_TIM_PWM_Stop_IT(TIM_HandleTypeDef *htim, uint32_t Channel);
HAL_StatusTypeDef HAL_TIM_OC_Init(TIM_HandleTypeDef *htim);
HAL_StatusTypeDef HAL_TIM_OC_DeInit(TIM_HandleTypeDef *htim);
void HAL_TIM_OC_MspInit(TIM_HandleTypeDef *htim);
void HAL_TIM_OC_MspDeInit(TIM_HandleTypeDef *htim);
HAL_StatusTypeDef HAL_TIM_OC_Start(TIM_HandleTypeDef *htim, uint32_t Channel);
HAL_StatusTypeDef HAL_TIM_OC_Stop(TIM_HandleTypeDef *htim, uint32_t Channel);
HAL_StatusTypeDef HAL_TIM_OC_Start_IT(TIM_HandleTypeDef *htim, uint32_t Channel);
HAL_StatusTypeDef HAL_TIM_OC_Stop_IT(TIM_HandleTypeDef *htim, uint32_t Channel);
HAL_StatusTypeDef HAL_TIM_IC_Init(TIM_HandleTypeDef *htim);
HAL_StatusTypeDef HAL_TIM_IC_DeInit(TIM_HandleTypeDef *htim);
void HAL_TIM_IC_MspInit(TIM_HandleTypeDef *htim);
void HAL_TIM_IC_MspDeInit(TIM_HandleTypeDef *htim);
HAL_StatusTypeDef HAL_TIM_IC_Start(TIM_HandleTypeDef *htim, uint32_t Channel);
HAL_StatusTypeDef HAL_TIM_IC_Stop(TIM_HandleTypeDef *htim, uint32_t Channel);
HAL_StatusTypeDef HAL_TIM_IC_Start_IT(TIM_HandleTypeDef *htim, uint32_t Channel);
HAL_StatusTypeDef HAL_TIM_IC_Stop_IT(TIM_HandleTypeDef *htim, uint32_t Channel);
HAL_StatusTypeDef HAL_TIM_PWM_ConfigChannel(TIM_HandleTypeDef *htim, const TIM_OC_InitTypeDef *sConfig,
                                            uint32_t Channel);
HAL_StatusTypeDef HAL_TIM_OC_ConfigChannel(TIM_HandleTypeDef *htim, const TIM_OC_InitTypeDef *sConfig,
                                           uint32_t Channel);
HAL_StatusTypeDef HAL_TIM_IC_ConfigChannel(TIM_HandleTypeDef *htim, const TIM_IC_InitTypeDef *sConfig,
                                           uint32_t Channel);
HAL_StatusTypeDef HAL_TIM_ConfigClockSource(TIM_HandleTypeDef *htim, const TIM_ClockConfigTypeDef *sClockSourceConfig);
HAL_StatusTypeDef HAL_TIMEx_MasterConfigSynchronization(TIM_HandleTypeDef *htim,
                                                        const TIM_MasterConfigTypeDef *sMasterConfig);
HAL_StatusTypeDef HAL_TIMEx_ConfigBreakDeadTime(TIM_HandleTypeDef *htim,
                                                const TIM_BreakDeadTimeConfigTypeDef *sBreakDeadTimeConfig);
HAL_StatusTypeDef HAL_TIM_GenerateEvent(TIM_HandleTypeDef *htim, uint32_t EventSource);
uint32_t HAL_TIM_ReadCapturedValue(const TIM_HandleTypeDef *htim, uint32_t Channel);
void HAL_TIM_IRQHandler(TIM_HandleTypeDef *htim);
void HAL_TIM_PeriodElapsedCallback(TIM_HandleTypeDef *htim);
void HAL_TIM_OC_DelayElapsedCallback(TIM_HandleTypeDef *htim);
void HAL_TIM_IC_CaptureCallback(TIM_HandleTypeDef *htim);
void HAL_TIM_PWM_PulseFinishedCallback(TIM_HandleTypeDef *htim);
HAL_TIM_StateTypeDef HAL_TIM_Base_GetState(const TIM_HandleTypeDef *htim);
HAL_TIM_StateTypeDef HAL_TIM_PWM_GetState(const TIM_HandleTypeDef *htim);

#endif
