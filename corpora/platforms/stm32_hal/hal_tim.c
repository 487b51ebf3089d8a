/* HAL_TIM: time base, PWM, output compare, input capture. */
#include "hw.h"

#define WEAK __attribute__((weak))

#define MSP(kind)                                                                                                     \
    void WEAK HAL_TIM_##kind##_MspInit(TIM_HandleTypeDef *htim) { (void)htim; }                                      \
    void WEAK HAL_TIM_##kind##_MspDeInit(TIM_HandleTypeDef *htim) { (void)htim; }
MSP(Base)
MSP(PWM)
MSP(OC)
MSP(IC)
void WEAK HAL_TIM_PeriodElapsedCallback(TIM_HandleTypeDef *htim) { (void)htim; }
void WEAK HAL_TIM_OC_DelayElapsedCallback(TIM_HandleTypeDef *htim) { (void)htim; }
void WEAK HAL_TIM_IC_CaptureCallback(TIM_HandleTypeDef *htim) { (void)htim; }
void WEAK HAL_TIM_PWM_PulseFinishedCallback(TIM_HandleTypeDef *htim) { (void)htim; }

static HAL_StatusTypeDef init(TIM_HandleTypeDef *htim, void (*msp)(TIM_HandleTypeDef *))
{
    fb_hw_enter();
    if (!htim)
        return HAL_ERROR;
    if (htim->State == HAL_TIM_STATE_RESET) {
        htim->Lock = HAL_UNLOCKED;
        msp(htim);
    }
    TIM_TypeDef *regs = htim->Instance;
    bool wide = regs == TIM2 || regs == TIM5;
    if ((!wide && htim->Init.Period > 0xFFFF) || htim->Init.Prescaler > 0xFFFF)
        fb_fault("invalid_argument", "a timer is given prescaler %u and period %u, but it has 16 bits",
                 htim->Init.Prescaler, htim->Init.Period);
    change(&regs->CR1, TIM_CR1_DIR | TIM_CR1_CMS | TIM_CR1_ARPE | 0x300,
           htim->Init.CounterMode | htim->Init.ClockDivision | htim->Init.AutoReloadPreload);
    change(&regs->ARR, ~0U, htim->Init.Period);
    change(&regs->PSC, ~0U, htim->Init.Prescaler);
    if (regs == TIM1 || regs == TIM8)
        change(&regs->RCR, ~0U, htim->Init.RepetitionCounter);
    change(&regs->EGR, 0, TIM_EGR_UG);
    htim->State = HAL_TIM_STATE_READY;
    for (unsigned c = 0; c < 4; c++)
        htim->ChannelState[c] = htim->ChannelNState[c] = HAL_TIM_CHANNEL_STATE_READY;
    return HAL_OK;
}

static HAL_StatusTypeDef deinit(TIM_HandleTypeDef *htim, void (*msp)(TIM_HandleTypeDef *))
{
    change(&htim->Instance->CR1, TIM_CR1_CEN, 0);
    msp(htim);
    htim->State = HAL_TIM_STATE_RESET;
    return HAL_OK;
}

#define LIFE(kind)                                                                                                    \
    HAL_StatusTypeDef HAL_TIM_##kind##_Init(TIM_HandleTypeDef *htim) { return init(htim, HAL_TIM_##kind##_MspInit); }   \
    HAL_StatusTypeDef HAL_TIM_##kind##_DeInit(TIM_HandleTypeDef *htim)                                                  \
    {                                                                                                                 \
        return deinit(htim, HAL_TIM_##kind##_MspDeInit);                                                              \
    }
LIFE(Base)
LIFE(PWM)
LIFE(OC)
LIFE(IC)

/* ---- start and stop ---- */

static HAL_StatusTypeDef base(TIM_HandleTypeDef *htim, bool on, uint32_t interrupts)
{
    fb_hw_enter();
    if (on && htim->State != HAL_TIM_STATE_READY)
        return HAL_ERROR;
    htim->State = on ? HAL_TIM_STATE_BUSY : HAL_TIM_STATE_READY;
    change(&htim->Instance->DIER, interrupts, on ? interrupts : 0);
    bool others = htim->Instance->CCER & 0x5555;
    if (on || !others)
        change(&htim->Instance->CR1, TIM_CR1_CEN, on ? TIM_CR1_CEN : 0);
    return HAL_OK;
}

HAL_StatusTypeDef HAL_TIM_Base_Start(TIM_HandleTypeDef *htim) { return base(htim, true, 0); }
HAL_StatusTypeDef HAL_TIM_Base_Stop(TIM_HandleTypeDef *htim) { return base(htim, false, 0); }
HAL_StatusTypeDef HAL_TIM_Base_Start_IT(TIM_HandleTypeDef *htim) { return base(htim, true, TIM_IT_UPDATE); }
HAL_StatusTypeDef HAL_TIM_Base_Stop_IT(TIM_HandleTypeDef *htim) { return base(htim, false, TIM_IT_UPDATE); }

static HAL_StatusTypeDef channel(TIM_HandleTypeDef *htim, uint32_t which, bool on, bool interrupt)
{
    fb_hw_enter();
    if (which > TIM_CHANNEL_4 || which % 4) {
        fb_fault("invalid_argument", "a timer's channel 0x%X does not exist", which);
        return HAL_ERROR;
    }
    unsigned c = which >> 2;
    TIM_TypeDef *regs = htim->Instance;
    if (on && htim->ChannelState[c] != HAL_TIM_CHANNEL_STATE_READY)
        return HAL_ERROR;
    htim->ChannelState[c] = on ? HAL_TIM_CHANNEL_STATE_BUSY : HAL_TIM_CHANNEL_STATE_READY;
    if (interrupt)
        change(&regs->DIER, TIM_IT_CC1 << c, on ? TIM_IT_CC1 << c : 0);
    change(&regs->CCER, 1U << which, on ? 1U << which : 0);
    if (regs == TIM1 || regs == TIM8) {
        if (on || !(regs->CCER & 0x5555))
            change(&regs->BDTR, TIM_BDTR_MOE, on ? TIM_BDTR_MOE : 0);
    }
    if (on || !(regs->CCER & 0x5555))
        change(&regs->CR1, TIM_CR1_CEN, on ? TIM_CR1_CEN : 0);
    return HAL_OK;
}

#define CHANNELS(kind)                                                                                                \
    HAL_StatusTypeDef HAL_TIM_##kind##_Start(TIM_HandleTypeDef *htim, uint32_t which)                                   \
    {                                                                                                                 \
        return channel(htim, which, true, false);                                                                     \
    }                                                                                                                 \
    HAL_StatusTypeDef HAL_TIM_##kind##_Stop(TIM_HandleTypeDef *htim, uint32_t which)                                    \
    {                                                                                                                 \
        return channel(htim, which, false, false);                                                                    \
    }                                                                                                                 \
    HAL_StatusTypeDef HAL_TIM_##kind##_Start_IT(TIM_HandleTypeDef *htim, uint32_t which)                                \
    {                                                                                                                 \
        return channel(htim, which, true, true);                                                                      \
    }                                                                                                                 \
    HAL_StatusTypeDef HAL_TIM_##kind##_Stop_IT(TIM_HandleTypeDef *htim, uint32_t which)                                 \
    {                                                                                                                 \
        return channel(htim, which, false, true);                                                                     \
    }
CHANNELS(PWM)
CHANNELS(OC)
CHANNELS(IC)

/* ---- channels ---- */

static HAL_StatusTypeDef set_mode(TIM_HandleTypeDef *htim, uint32_t which, uint32_t mode, uint32_t polarity)
{
    fb_hw_enter();
    if (which > TIM_CHANNEL_4 || which % 4)
        return HAL_ERROR;
    unsigned c = which >> 2;
    volatile uint32_t *ccmr = c < 2 ? &htim->Instance->CCMR1 : &htim->Instance->CCMR2;
    change(&htim->Instance->CCER, 0xFU << which, 0);
    change(ccmr, 0xFFU << (8 * (c % 2)), mode << (8 * (c % 2)));
    change(&htim->Instance->CCER, 0, polarity << which);
    return HAL_OK;
}

HAL_StatusTypeDef HAL_TIM_OC_ConfigChannel(TIM_HandleTypeDef *htim, const TIM_OC_InitTypeDef *config, uint32_t which)
{
    HAL_StatusTypeDef status = set_mode(htim, which, config->OCMode, config->OCPolarity & 2);
    if (status == HAL_OK)
        change(&htim->Instance->CCR1 + (which >> 2), ~0U, config->Pulse);
    return status;
}

HAL_StatusTypeDef HAL_TIM_PWM_ConfigChannel(TIM_HandleTypeDef *htim, const TIM_OC_InitTypeDef *config, uint32_t which)
{
    HAL_StatusTypeDef status = HAL_TIM_OC_ConfigChannel(htim, config, which);
    if (status == HAL_OK) {
        unsigned c = which >> 2;
        change(c < 2 ? &htim->Instance->CCMR1 : &htim->Instance->CCMR2, 0, 8U << (8 * (c % 2)));
    }
    return status;
}

HAL_StatusTypeDef HAL_TIM_IC_ConfigChannel(TIM_HandleTypeDef *htim, const TIM_IC_InitTypeDef *config, uint32_t which)
{
    return set_mode(htim, which, config->ICSelection | config->ICPrescaler | config->ICFilter << 4, config->ICPolarity);
}

HAL_StatusTypeDef HAL_TIM_ConfigClockSource(TIM_HandleTypeDef *htim, const TIM_ClockConfigTypeDef *config)
{
    (void)htim;
    if (config->ClockSource != TIM_CLOCKSOURCE_INTERNAL)
        fb_fault("not_modelled", "the model of the timers knows the internal clock only");
    return HAL_OK;
}

HAL_StatusTypeDef HAL_TIMEx_MasterConfigSynchronization(TIM_HandleTypeDef *htim, const TIM_MasterConfigTypeDef *config)
{
    fb_hw_enter();
    change(&htim->Instance->CR2, TIM_CR2_MMS, config->MasterOutputTrigger);
    return HAL_OK;
}

HAL_StatusTypeDef HAL_TIMEx_ConfigBreakDeadTime(TIM_HandleTypeDef *htim, const TIM_BreakDeadTimeConfigTypeDef *config)
{
    fb_hw_enter();
    change(&htim->Instance->BDTR, 0x7FFF, config->DeadTime | config->OffStateRunMode | config->OffStateIDLEMode |
                                              config->LockLevel | config->BreakState | config->BreakPolarity |
                                              config->AutomaticOutput);
    return HAL_OK;
}

HAL_StatusTypeDef HAL_TIM_GenerateEvent(TIM_HandleTypeDef *htim, uint32_t source)
{
    fb_hw_enter();
    change(&htim->Instance->EGR, 0, source);
    return HAL_OK;
}

uint32_t HAL_TIM_ReadCapturedValue(const TIM_HandleTypeDef *htim, uint32_t which)
{
    fb_spend(50);
    return (&htim->Instance->CCR1)[which >> 2];
}

/* ---- the interrupt ---- */

static void clear(TIM_HandleTypeDef *htim, uint32_t flag)
{
    htim->Instance->SR = ~flag;
    fb_hw_wrote(&htim->Instance->SR);
}

void HAL_TIM_IRQHandler(TIM_HandleTypeDef *htim)
{
    fb_spend(300);
    TIM_TypeDef *regs = htim->Instance;
    for (unsigned c = 0; c < 4; c++) {
        if (!(fb_hw_read(&regs->SR) & regs->DIER & TIM_IT_CC1 << c))
            continue;
        clear(htim, TIM_FLAG_CC1 << c);
        htim->Channel = (HAL_TIM_ActiveChannel)(1U << c);
        uint32_t mode = (c < 2 ? regs->CCMR1 : regs->CCMR2) >> (8 * (c % 2));
        if (mode & 3) {
            HAL_TIM_IC_CaptureCallback(htim);
        } else {
            HAL_TIM_OC_DelayElapsedCallback(htim);
            HAL_TIM_PWM_PulseFinishedCallback(htim);
        }
        htim->Channel = HAL_TIM_ACTIVE_CHANNEL_CLEARED;
    }
    if (fb_hw_read(&regs->SR) & regs->DIER & TIM_IT_UPDATE) {
        clear(htim, TIM_FLAG_UPDATE);
        HAL_TIM_PeriodElapsedCallback(htim);
    }
}

HAL_TIM_StateTypeDef HAL_TIM_Base_GetState(const TIM_HandleTypeDef *htim) { return htim->State; }
HAL_TIM_StateTypeDef HAL_TIM_PWM_GetState(const TIM_HandleTypeDef *htim) { return htim->State; }
