/* HAL_DMA. */
#include "hw.h"

#define IRQ_FLAGS 61u
enum { TE = 8, HT = 16, TC = 32 };

static uint32_t flags_of(const DMA_HandleTypeDef *hdma)
{
    return FB_DMA_PLACE(hdma, LISR, HISR) >> FB_DMA_SHIFT(hdma) & 0x3F;
}

static void clear(const DMA_HandleTypeDef *hdma, uint32_t mask)
{
    volatile uint32_t *reg = &FB_DMA_PLACE(hdma, LIFCR, HIFCR);
    *reg = mask << FB_DMA_SHIFT(hdma);
    fb_hw_wrote(reg);
}

HAL_StatusTypeDef HAL_DMA_Init(DMA_HandleTypeDef *hdma)
{
    fb_hw_enter();
    if (!hdma)
        return HAL_ERROR;
    hdma->Lock = HAL_UNLOCKED;
    DMA_InitTypeDef *init = &hdma->Init;
    hdma->Instance->CR &= ~DMA_SxCR_EN;
    fb_hw_wrote(&hdma->Instance->CR);
    hdma->Instance->CR = init->Channel | init->Direction | init->PeriphInc | init->MemInc | init->PeriphDataAlignment |
                         init->MemDataAlignment | init->Mode | init->Priority;
    hdma->Instance->FCR = init->FIFOMode | init->FIFOThreshold;
    fb_hw_wrote(&hdma->Instance->CR);
    clear(hdma, IRQ_FLAGS);
    hdma->StreamIndex = FB_DMA_INDEX(hdma) % 8;
    hdma->ErrorCode = HAL_DMA_ERROR_NONE;
    hdma->State = HAL_DMA_STATE_READY;
    return HAL_OK;
}

HAL_StatusTypeDef HAL_DMA_DeInit(DMA_HandleTypeDef *hdma)
{
    if (!hdma || hdma->State == HAL_DMA_STATE_BUSY)
        return hdma ? HAL_BUSY : HAL_ERROR;
    hdma->Instance->CR = 0;
    fb_hw_wrote(&hdma->Instance->CR);
    hdma->State = HAL_DMA_STATE_RESET;
    return HAL_OK;
}

static HAL_StatusTypeDef start(DMA_HandleTypeDef *hdma, uint32_t from, uint32_t to, uint32_t length, bool interrupts)
{
    fb_hw_enter();
    if (!hdma)
        return HAL_ERROR;
    if (length == 0 || length > 0xFFFF)
        fb_fault("invalid_argument", "a DMA transfer of %u items is started; 1 to 65535 are possible", length);
    if (hdma->State != HAL_DMA_STATE_READY)
        return HAL_BUSY;
    hdma->State = HAL_DMA_STATE_BUSY;
    hdma->ErrorCode = HAL_DMA_ERROR_NONE;
    bool out = hdma->Init.Direction == DMA_MEMORY_TO_PERIPH;
    hdma->Instance->NDTR = length;
    hdma->Instance->PAR = out ? to : from;
    hdma->Instance->M0AR = out ? from : to;
    clear(hdma, IRQ_FLAGS);
    hdma->Instance->CR &= ~(DMA_IT_TC | DMA_IT_HT | DMA_IT_TE | DMA_IT_DME);
    if (interrupts)
        hdma->Instance->CR |= DMA_IT_TC | DMA_IT_TE | DMA_IT_DME | (hdma->XferHalfCpltCallback ? DMA_IT_HT : 0);
    hdma->Instance->CR |= DMA_SxCR_EN;
    fb_hw_wrote(&hdma->Instance->CR);
    return HAL_OK;
}

HAL_StatusTypeDef HAL_DMA_Start(DMA_HandleTypeDef *hdma, uint32_t from, uint32_t to, uint32_t length)
{
    return start(hdma, from, to, length, false);
}

HAL_StatusTypeDef HAL_DMA_Start_IT(DMA_HandleTypeDef *hdma, uint32_t from, uint32_t to, uint32_t length)
{
    return start(hdma, from, to, length, true);
}

HAL_StatusTypeDef HAL_DMA_Abort(DMA_HandleTypeDef *hdma)
{
    fb_hw_enter();
    if (hdma->State != HAL_DMA_STATE_BUSY) {
        hdma->ErrorCode = HAL_DMA_ERROR_NO_XFER;
        return HAL_ERROR;
    }
    hdma->Instance->CR &= ~(DMA_IT_TC | DMA_IT_HT | DMA_IT_TE | DMA_IT_DME | DMA_SxCR_EN);
    fb_hw_wrote(&hdma->Instance->CR);
    clear(hdma, IRQ_FLAGS);
    hdma->State = HAL_DMA_STATE_READY;
    return HAL_OK;
}

HAL_StatusTypeDef HAL_DMA_Abort_IT(DMA_HandleTypeDef *hdma)
{
    HAL_StatusTypeDef status = HAL_DMA_Abort(hdma);
    if (status == HAL_OK && hdma->XferAbortCallback)
        hdma->XferAbortCallback(hdma);
    return status;
}

typedef struct {
    const DMA_HandleTypeDef *hdma;
    uint32_t flag;
} level;

static bool reached(void *argument)
{
    const level *wanted = argument;
    return flags_of(wanted->hdma) & (wanted->flag | TE);
}

HAL_StatusTypeDef HAL_DMA_PollForTransfer(DMA_HandleTypeDef *hdma, HAL_DMA_LevelCompleteTypeDef what, uint32_t timeout)
{
    fb_hw_enter();
    if (hdma->State != HAL_DMA_STATE_BUSY) {
        hdma->ErrorCode = HAL_DMA_ERROR_NO_XFER;
        return HAL_ERROR;
    }
    if (hdma->Instance->CR & DMA_SxCR_CIRC) {
        hdma->ErrorCode = HAL_DMA_ERROR_NOT_SUPPORTED;
        return HAL_ERROR;
    }
    level wanted = {hdma, what == HAL_DMA_FULL_TRANSFER ? TC : HT};
    if (fb_hw_wait(reached, &wanted, HAL_GetTick(), timeout) != HAL_OK) {
        hdma->ErrorCode = HAL_DMA_ERROR_TIMEOUT;
        hdma->State = HAL_DMA_STATE_READY;
        return HAL_TIMEOUT;
    }
    bool failed = flags_of(hdma) & TE;
    clear(hdma, what == HAL_DMA_FULL_TRANSFER || failed ? IRQ_FLAGS : HT);
    if (failed)
        hdma->ErrorCode = HAL_DMA_ERROR_TE;
    if (failed || what == HAL_DMA_FULL_TRANSFER)
        hdma->State = HAL_DMA_STATE_READY;
    return failed ? HAL_ERROR : HAL_OK;
}

void HAL_DMA_IRQHandler(DMA_HandleTypeDef *hdma)
{
    fb_spend(400);
    uint32_t seen = flags_of(hdma), cr = hdma->Instance->CR;
    if ((seen & TE) && (cr & DMA_IT_TE)) {
        clear(hdma, TE);
        hdma->ErrorCode |= HAL_DMA_ERROR_TE;
    }
    if ((seen & HT) && (cr & DMA_IT_HT)) {
        clear(hdma, HT);
        if (!(cr & DMA_SxCR_CIRC)) {
            hdma->Instance->CR &= ~DMA_IT_HT;
            fb_hw_wrote(&hdma->Instance->CR);
        }
        if (hdma->XferHalfCpltCallback)
            hdma->XferHalfCpltCallback(hdma);
    }
    if ((seen & TC) && (cr & DMA_IT_TC)) {
        clear(hdma, TC);
        if (!(cr & DMA_SxCR_CIRC)) {
            hdma->Instance->CR &= ~(DMA_IT_TC | DMA_IT_TE | DMA_IT_DME);
            fb_hw_wrote(&hdma->Instance->CR);
            hdma->State = HAL_DMA_STATE_READY;
        }
        if (hdma->XferCpltCallback)
            hdma->XferCpltCallback(hdma);
    }
    if (hdma->ErrorCode & HAL_DMA_ERROR_TE) {
        hdma->State = HAL_DMA_STATE_READY;
        if (hdma->XferErrorCallback)
            hdma->XferErrorCallback(hdma);
    }
}

typedef void (*callback)(DMA_HandleTypeDef *);

static callback *place(DMA_HandleTypeDef *hdma, HAL_DMA_CallbackIDTypeDef id)
{
    switch (id) {
    case HAL_DMA_XFER_CPLT_CB_ID:
        return &hdma->XferCpltCallback;
    case HAL_DMA_XFER_HALFCPLT_CB_ID:
        return &hdma->XferHalfCpltCallback;
    case HAL_DMA_XFER_ERROR_CB_ID:
        return &hdma->XferErrorCallback;
    case HAL_DMA_XFER_ABORT_CB_ID:
        return &hdma->XferAbortCallback;
    default:
        return NULL;
    }
}

HAL_StatusTypeDef HAL_DMA_RegisterCallback(DMA_HandleTypeDef *hdma, HAL_DMA_CallbackIDTypeDef id, callback function)
{
    callback *where = place(hdma, id);
    if (!where || hdma->State != HAL_DMA_STATE_READY)
        return HAL_ERROR;
    *where = function;
    return HAL_OK;
}

HAL_StatusTypeDef HAL_DMA_UnRegisterCallback(DMA_HandleTypeDef *hdma, HAL_DMA_CallbackIDTypeDef id)
{
    if (id != HAL_DMA_XFER_ALL_CB_ID)
        return HAL_DMA_RegisterCallback(hdma, id, NULL);
    hdma->XferCpltCallback = hdma->XferHalfCpltCallback = hdma->XferErrorCallback = hdma->XferAbortCallback = NULL;
    return HAL_OK;
}

HAL_DMA_StateTypeDef HAL_DMA_GetState(DMA_HandleTypeDef *hdma) { return hdma->State; }
uint32_t HAL_DMA_GetError(DMA_HandleTypeDef *hdma) { return hdma->ErrorCode; }
