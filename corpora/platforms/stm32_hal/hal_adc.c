/* HAL_ADC. */
#include "hw.h"

#define WEAK __attribute__((weak))

void WEAK HAL_ADC_MspInit(ADC_HandleTypeDef *hadc) { (void)hadc; }
void WEAK HAL_ADC_MspDeInit(ADC_HandleTypeDef *hadc) { (void)hadc; }
void WEAK HAL_ADC_ConvCpltCallback(ADC_HandleTypeDef *hadc) { (void)hadc; }
void WEAK HAL_ADC_ConvHalfCpltCallback(ADC_HandleTypeDef *hadc) { (void)hadc; }
void WEAK HAL_ADC_LevelOutOfWindowCallback(ADC_HandleTypeDef *hadc) { (void)hadc; }
void WEAK HAL_ADC_ErrorCallback(ADC_HandleTypeDef *hadc) { (void)hadc; }

static unsigned index_of(const ADC_HandleTypeDef *hadc) { return (unsigned)(hadc->Instance - fb_stm32.adc); }

static void clear_flags(ADC_HandleTypeDef *hadc, uint32_t flags)
{
    hadc->Instance->SR = ~flags;
    fb_hw_wrote(&hadc->Instance->SR);
}

HAL_StatusTypeDef HAL_ADC_Init(ADC_HandleTypeDef *hadc)
{
    fb_hw_enter();
    if (!hadc)
        return HAL_ERROR;
    if (hadc->State == HAL_ADC_STATE_RESET) {
        hadc->Lock = HAL_UNLOCKED;
        HAL_ADC_MspInit(hadc);
    }
    ADC_InitTypeDef *init = &hadc->Init;
    ADC_TypeDef *regs = hadc->Instance;
    if (init->NbrOfConversion > 16) {
        fb_fault("invalid_argument", "HAL_ADC_Init is called with %u conversions", init->NbrOfConversion);
        return HAL_ERROR;
    }
    ADC->CCR = (ADC->CCR & ~ADC_CCR_ADCPRE) | init->ClockPrescaler;
    bool external = init->ExternalTrigConv != ADC_SOFTWARE_START;
    change(&regs->CR1, ADC_CR1_SCAN | ADC_CR1_RES, (init->ScanConvMode ? ADC_CR1_SCAN : 0) | init->Resolution);
    change(&regs->SQR1, 0xFU << 20, ((init->NbrOfConversion ? init->NbrOfConversion : 1) - 1) << 20);
    change(&regs->CR2, ADC_CR2_ALIGN | ADC_CR2_EXTSEL | ADC_CR2_EXTEN | ADC_CR2_CONT | ADC_CR2_DDS | ADC_CR2_EOCS,
           init->DataAlign | (external ? init->ExternalTrigConv | init->ExternalTrigConvEdge : 0) |
               (init->ContinuousConvMode ? ADC_CR2_CONT : 0) | (init->DMAContinuousRequests ? ADC_CR2_DDS : 0) |
               (init->EOCSelection ? ADC_CR2_EOCS : 0));
    hadc->ErrorCode = HAL_ADC_ERROR_NONE;
    hadc->State = HAL_ADC_STATE_READY;
    return HAL_OK;
}

HAL_StatusTypeDef HAL_ADC_DeInit(ADC_HandleTypeDef *hadc)
{
    if (!hadc)
        return HAL_ERROR;
    change(&hadc->Instance->CR2, ADC_CR2_ADON, 0);
    HAL_ADC_MspDeInit(hadc);
    hadc->State = HAL_ADC_STATE_RESET;
    return HAL_OK;
}

HAL_StatusTypeDef HAL_ADC_ConfigChannel(ADC_HandleTypeDef *hadc, ADC_ChannelConfTypeDef *config)
{
    fb_hw_enter();
    unsigned channel = config->Channel & 0x1F, rank = config->Rank - 1;
    if (channel > 18 || rank > 15) {
        fb_fault("invalid_argument", "HAL_ADC_ConfigChannel is called with channel %u, rank %u", channel, config->Rank);
        return HAL_ERROR;
    }
    ADC_TypeDef *regs = hadc->Instance;
    volatile uint32_t *times = channel < 10 ? &regs->SMPR2 : &regs->SMPR1;
    volatile uint32_t *sequence = rank < 6 ? &regs->SQR3 : rank < 12 ? &regs->SQR2 : &regs->SQR1;
    change(times, 7U << (3 * (channel % 10)), config->SamplingTime << (3 * (channel % 10)));
    change(sequence, 0x1FU << (5 * (rank % 6)), channel << (5 * (rank % 6)));
    return HAL_OK;
}

HAL_StatusTypeDef HAL_ADC_AnalogWDGConfig(ADC_HandleTypeDef *hadc, ADC_AnalogWDGConfTypeDef *config)
{
    fb_hw_enter();
    ADC_TypeDef *regs = hadc->Instance;
    regs->HTR = config->HighThreshold;
    regs->LTR = config->LowThreshold;
    change(&regs->CR1, ADC_CR1_AWDSGL | ADC_CR1_AWDEN | ADC_CR1_AWDIE | 0x1F,
           config->WatchdogMode | (config->Channel & 0x1F) | (config->ITMode ? ADC_CR1_AWDIE : 0));
    return HAL_OK;
}

static HAL_StatusTypeDef start(ADC_HandleTypeDef *hadc, uint32_t interrupts)
{
    fb_hw_enter();
    ADC_TypeDef *regs = hadc->Instance;
    if (hadc->State == HAL_ADC_STATE_RESET) {
        fb_fault("not_initialised", "an ADC is started before HAL_ADC_Init");
        return HAL_ERROR;
    }
    change(&regs->CR2, 0, ADC_CR2_ADON);
    if (!(regs->CR2 & ADC_CR2_ADON)) {
        hadc->State |= HAL_ADC_STATE_ERROR_INTERNAL;
        hadc->ErrorCode |= HAL_ADC_ERROR_INTERNAL;
        return HAL_OK;
    }
    hadc->State = HAL_ADC_STATE_READY | HAL_ADC_STATE_REG_BUSY;
    hadc->ErrorCode = HAL_ADC_ERROR_NONE;
    clear_flags(hadc, ADC_SR_EOC | ADC_SR_OVR);
    change(&regs->CR1, 0, interrupts);
    return HAL_OK;
}

static void start_by_software(ADC_HandleTypeDef *hadc)
{
    if (!(hadc->Instance->CR2 & ADC_CR2_EXTEN))
        change(&hadc->Instance->CR2, 0, ADC_CR2_SWSTART);
}

HAL_StatusTypeDef HAL_ADC_Start(ADC_HandleTypeDef *hadc)
{
    HAL_StatusTypeDef status = start(hadc, 0);
    start_by_software(hadc);
    return status;
}

HAL_StatusTypeDef HAL_ADC_Start_IT(ADC_HandleTypeDef *hadc)
{
    HAL_StatusTypeDef status = start(hadc, ADC_IT_EOC | ADC_IT_OVR);
    start_by_software(hadc);
    return status;
}

HAL_StatusTypeDef HAL_ADC_Stop(ADC_HandleTypeDef *hadc)
{
    fb_hw_enter();
    change(&hadc->Instance->CR2, ADC_CR2_ADON, 0);
    hadc->State = HAL_ADC_STATE_READY;
    return HAL_OK;
}

HAL_StatusTypeDef HAL_ADC_Stop_IT(ADC_HandleTypeDef *hadc)
{
    change(&hadc->Instance->CR1, ADC_IT_EOC | ADC_IT_OVR, 0);
    return HAL_ADC_Stop(hadc);
}

static bool converted(void *argument)
{
    ADC_HandleTypeDef *hadc = argument;
    return fb_hw_read(&hadc->Instance->SR) & ADC_SR_EOC;
}

HAL_StatusTypeDef HAL_ADC_PollForConversion(ADC_HandleTypeDef *hadc, uint32_t timeout)
{
    fb_hw_enter();
    ADC_TypeDef *regs = hadc->Instance;
    if ((regs->CR2 & ADC_CR2_EOCS) && (regs->CR2 & ADC_CR2_DMA)) {
        hadc->State |= HAL_ADC_STATE_ERROR_CONFIG;
        return HAL_ERROR;
    }
    if (fb_hw_wait(converted, hadc, HAL_GetTick(), timeout) != HAL_OK) {
        hadc->State |= HAL_ADC_STATE_TIMEOUT;
        return HAL_TIMEOUT;
    }
    regs->SR = ~(ADC_SR_STRT | ADC_SR_EOC);
    fb_hw_wrote(&regs->SR);
    hadc->State |= HAL_ADC_STATE_REG_EOC;
    return HAL_OK;
}

uint32_t HAL_ADC_GetValue(ADC_HandleTypeDef *hadc)
{
    fb_spend(100);
    return fb_hw_clocked(hadc->Instance) ? fb_hw_adc_get(index_of(hadc)) : 0;
}

/* ---- DMA ---- */

static void dma_done(DMA_HandleTypeDef *hdma)
{
    ADC_HandleTypeDef *hadc = hdma->Parent;
    hadc->State |= HAL_ADC_STATE_REG_EOC;
    HAL_ADC_ConvCpltCallback(hadc);
}

static void dma_half(DMA_HandleTypeDef *hdma) { HAL_ADC_ConvHalfCpltCallback(hdma->Parent); }

static void dma_failed(DMA_HandleTypeDef *hdma)
{
    ADC_HandleTypeDef *hadc = hdma->Parent;
    hadc->State = HAL_ADC_STATE_ERROR_DMA;
    hadc->ErrorCode |= HAL_ADC_ERROR_DMA;
    HAL_ADC_ErrorCallback(hadc);
}

HAL_StatusTypeDef HAL_ADC_Start_DMA(ADC_HandleTypeDef *hadc, uint32_t *data, uint32_t length)
{
    if (!hadc->DMA_Handle || !hadc->DMA_Handle->Parent) {
        fb_fault("dma_not_linked", "HAL_ADC_Start_DMA is called, but no DMA handle was linked with __HAL_LINKDMA");
        return HAL_ERROR;
    }
    HAL_StatusTypeDef status = start(hadc, ADC_IT_OVR);
    if (status != HAL_OK || !(hadc->Instance->CR2 & ADC_CR2_ADON))
        return status;
    hadc->DMA_Handle->XferCpltCallback = dma_done;
    hadc->DMA_Handle->XferHalfCpltCallback = dma_half;
    hadc->DMA_Handle->XferErrorCallback = dma_failed;
    change(&hadc->Instance->CR2, 0, ADC_CR2_DMA);
    status = HAL_DMA_Start_IT(hadc->DMA_Handle, (uint32_t)(uintptr_t)&hadc->Instance->DR, (uint32_t)(uintptr_t)data,
                              length);
    start_by_software(hadc);
    return status;
}

HAL_StatusTypeDef HAL_ADC_Stop_DMA(ADC_HandleTypeDef *hadc)
{
    HAL_ADC_Stop(hadc);
    change(&hadc->Instance->CR2, ADC_CR2_DMA, 0);
    if (hadc->DMA_Handle && hadc->DMA_Handle->State == HAL_DMA_STATE_BUSY)
        HAL_DMA_Abort(hadc->DMA_Handle);
    change(&hadc->Instance->CR1, ADC_IT_OVR, 0);
    return HAL_OK;
}

/* ---- the interrupt ---- */

void HAL_ADC_IRQHandler(ADC_HandleTypeDef *hadc)
{
    fb_spend(400);
    ADC_TypeDef *regs = hadc->Instance;
    uint32_t seen = regs->SR, cr1 = regs->CR1;
    if ((seen & ADC_SR_EOC) && (cr1 & ADC_IT_EOC)) {
        bool single = !(regs->CR2 & (ADC_CR2_EXTEN | ADC_CR2_CONT));
        bool whole = !(regs->SQR1 >> 20 & 0xF) || !(regs->CR2 & ADC_CR2_EOCS);
        if (single && whole)
            change(&regs->CR1, ADC_IT_EOC | ADC_IT_OVR, 0);
        hadc->State |= HAL_ADC_STATE_REG_EOC;
        HAL_ADC_ConvCpltCallback(hadc);
        clear_flags(hadc, ADC_SR_STRT | ADC_SR_EOC);
    }
    if ((seen & ADC_SR_AWD) && (cr1 & ADC_IT_AWD)) {
        hadc->State |= HAL_ADC_STATE_AWD1;
        HAL_ADC_LevelOutOfWindowCallback(hadc);
        clear_flags(hadc, ADC_SR_AWD);
    }
    if ((seen & ADC_SR_OVR) && (cr1 & ADC_IT_OVR)) {
        hadc->ErrorCode |= HAL_ADC_ERROR_OVR;
        clear_flags(hadc, ADC_SR_OVR);
        HAL_ADC_ErrorCallback(hadc);
        clear_flags(hadc, ADC_SR_OVR);
    }
}

uint32_t HAL_ADC_GetState(ADC_HandleTypeDef *hadc) { return hadc->State; }
uint32_t HAL_ADC_GetError(ADC_HandleTypeDef *hadc) { return hadc->ErrorCode; }
