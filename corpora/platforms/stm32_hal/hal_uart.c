/* HAL_UART: sending and receiving by polling, interrupts and DMA. */
#include "hal_uart.h"

#define WEAK __attribute__((weak))

void WEAK HAL_UART_MspInit(UART_HandleTypeDef *huart) { (void)huart; }
void WEAK HAL_UART_MspDeInit(UART_HandleTypeDef *huart) { (void)huart; }
void WEAK HAL_UART_TxCpltCallback(UART_HandleTypeDef *huart) { (void)huart; }
void WEAK HAL_UART_TxHalfCpltCallback(UART_HandleTypeDef *huart) { (void)huart; }
void WEAK HAL_UART_RxCpltCallback(UART_HandleTypeDef *huart) { (void)huart; }
void WEAK HAL_UART_RxHalfCpltCallback(UART_HandleTypeDef *huart) { (void)huart; }
void WEAK HAL_UART_ErrorCallback(UART_HandleTypeDef *huart) { (void)huart; }
void WEAK HAL_UART_AbortReceiveCpltCallback(UART_HandleTypeDef *huart) { (void)huart; }

void WEAK HAL_UARTEx_RxEventCallback(UART_HandleTypeDef *huart, uint16_t size)
{
    (void)huart;
    (void)size;
}

HAL_StatusTypeDef HAL_UART_Init(UART_HandleTypeDef *huart)
{
    fb_hw_enter();
    if (!huart)
        return HAL_ERROR;
    if (huart->gState == HAL_UART_STATE_RESET) {
        huart->Lock = HAL_UNLOCKED;
        HAL_UART_MspInit(huart);
    }
    unsigned i = index_of(huart);
    uint32_t clock = i == 0 || i == 5 ? HAL_RCC_GetPCLK2Freq() : HAL_RCC_GetPCLK1Freq();
    USART_TypeDef *regs = huart->Instance;
    if (huart->Init.BaudRate == 0) {
        fb_fault("invalid_argument", "HAL_UART_Init is called with baud rate 0");
        return HAL_ERROR;
    }
    regs->BRR = (clock + huart->Init.BaudRate / 2) / huart->Init.BaudRate;
    regs->CR2 = huart->Init.StopBits;
    regs->CR3 = huart->Init.HwFlowCtl;
    regs->CR1 = huart->Init.WordLength | huart->Init.Parity | huart->Init.Mode | huart->Init.OverSampling | USART_CR1_UE;
    fb_hw_wrote(&regs->CR1);
    huart->ErrorCode = HAL_UART_ERROR_NONE;
    huart->gState = huart->RxState = HAL_UART_STATE_READY;
    huart->ReceptionType = HAL_UART_RECEPTION_STANDARD;
    return HAL_OK;
}

HAL_StatusTypeDef HAL_UART_DeInit(UART_HandleTypeDef *huart)
{
    if (!huart)
        return HAL_ERROR;
    change(&huart->Instance->CR1, 0xFFFF, 0);
    HAL_UART_MspDeInit(huart);
    huart->gState = huart->RxState = HAL_UART_STATE_RESET;
    return HAL_OK;
}

/* ---- polling ---- */

typedef struct {
    UART_HandleTypeDef *huart;
    uint32_t flags;
} flag;

static bool is_set(void *argument)
{
    const flag *wanted = argument;
    return fb_hw_read(&wanted->huart->Instance->SR) & wanted->flags;
}

HAL_StatusTypeDef HAL_UART_Transmit(UART_HandleTypeDef *huart, const uint8_t *data, uint16_t size, uint32_t timeout)
{
    fb_hw_enter();
    if (huart->gState != HAL_UART_STATE_READY)
        return HAL_BUSY;
    if (!data || size == 0)
        return HAL_ERROR;
    huart->gState = HAL_UART_STATE_BUSY_TX;
    uint32_t start = HAL_GetTick();
    HAL_StatusTypeDef status = HAL_OK;
    for (uint16_t n = 0; n < size && status == HAL_OK; n++) {
        status = fb_hw_wait(is_set, &(flag){huart, USART_SR_TXE}, start, timeout);
        if (status == HAL_OK)
            fb_hw_uart_put(index_of(huart), data[n]);
    }
    if (status == HAL_OK)
        status = fb_hw_wait(is_set, &(flag){huart, USART_SR_TC}, start, timeout);
    huart->gState = HAL_UART_STATE_READY;
    return status;
}

HAL_StatusTypeDef HAL_UARTEx_ReceiveToIdle(UART_HandleTypeDef *huart, uint8_t *data, uint16_t size, uint16_t *length,
                                           uint32_t timeout)
{
    fb_hw_enter();
    if (huart->RxState != HAL_UART_STATE_READY)
        return HAL_BUSY;
    if (!data || size == 0)
        return HAL_ERROR;
    huart->RxState = HAL_UART_STATE_BUSY_RX;
    uint32_t start = HAL_GetTick();
    uint16_t dummy, *got = length ? length : &dummy;
    uint32_t end = length ? USART_SR_IDLE : 0;
    HAL_StatusTypeDef status = HAL_OK;
    for (*got = 0; *got < size;) {
        status = fb_hw_wait(is_set, &(flag){huart, USART_SR_RXNE | end}, start, timeout);
        uint32_t seen = status == HAL_OK ? fb_hw_read(&huart->Instance->SR) : 0;
        if (status != HAL_OK || !(seen & USART_SR_RXNE)) {
            if (seen & end)
                fb_hw_uart_get(index_of(huart));
            if (seen & end && *got == 0)
                continue;
            break;
        }
        data[(*got)++] = fb_hw_uart_get(index_of(huart));
    }
    huart->RxXferCount = (uint16_t)(size - *got);
    huart->RxState = HAL_UART_STATE_READY;
    return status;
}

HAL_StatusTypeDef HAL_UART_Receive(UART_HandleTypeDef *huart, uint8_t *data, uint16_t size, uint32_t timeout)
{
    return HAL_UARTEx_ReceiveToIdle(huart, data, size, NULL, timeout);
}

/* ---- sending by interrupts and DMA ---- */

static HAL_StatusTypeDef begin_sending(UART_HandleTypeDef *huart, const uint8_t *data, uint16_t size)
{
    fb_hw_enter();
    if (huart->gState != HAL_UART_STATE_READY)
        return HAL_BUSY;
    if (!data || size == 0)
        return HAL_ERROR;
    huart->pTxBuffPtr = data;
    huart->TxXferSize = huart->TxXferCount = size;
    huart->ErrorCode = HAL_UART_ERROR_NONE;
    huart->gState = HAL_UART_STATE_BUSY_TX;
    return HAL_OK;
}

HAL_StatusTypeDef HAL_UART_Transmit_IT(UART_HandleTypeDef *huart, const uint8_t *data, uint16_t size)
{
    HAL_StatusTypeDef status = begin_sending(huart, data, size);
    if (status == HAL_OK)
        change(&huart->Instance->CR1, 0, USART_CR1_TXEIE);
    return status;
}

static void dma_sent(DMA_HandleTypeDef *hdma)
{
    UART_HandleTypeDef *huart = hdma->Parent;
    if (hdma->Instance->CR & DMA_SxCR_CIRC) {
        HAL_UART_TxCpltCallback(huart);
        return;
    }
    huart->TxXferCount = 0;
    change(&huart->Instance->CR3, USART_CR3_DMAT, 0);
    change(&huart->Instance->CR1, 0, USART_CR1_TCIE);
}

static void dma_half_sent(DMA_HandleTypeDef *hdma) { HAL_UART_TxHalfCpltCallback(hdma->Parent); }

void fb_hal_uart_dma_failed(DMA_HandleTypeDef *hdma)
{
    UART_HandleTypeDef *huart = hdma->Parent;
    huart->ErrorCode |= HAL_UART_ERROR_DMA;
    huart->gState = huart->RxState = HAL_UART_STATE_READY;
    HAL_UART_ErrorCallback(huart);
}

bool fb_hal_uart_linked(DMA_HandleTypeDef *hdma, const char *call)
{
    if (hdma && hdma->Parent)
        return true;
    fb_fault("dma_not_linked", "%s is called, but no DMA handle was linked with __HAL_LINKDMA", call);
    return false;
}

HAL_StatusTypeDef HAL_UART_Transmit_DMA(UART_HandleTypeDef *huart, const uint8_t *data, uint16_t size)
{
    if (!fb_hal_uart_linked(huart->hdmatx, "HAL_UART_Transmit_DMA"))
        return HAL_ERROR;
    HAL_StatusTypeDef status = begin_sending(huart, data, size);
    if (status != HAL_OK)
        return status;
    huart->hdmatx->XferCpltCallback = dma_sent;
    huart->hdmatx->XferHalfCpltCallback = dma_half_sent;
    huart->hdmatx->XferErrorCallback = fb_hal_uart_dma_failed;
    if (HAL_DMA_Start_IT(huart->hdmatx, (uint32_t)(uintptr_t)data, (uint32_t)(uintptr_t)&huart->Instance->DR, size) !=
        HAL_OK) {
        huart->ErrorCode = HAL_UART_ERROR_DMA;
        huart->gState = HAL_UART_STATE_READY;
        return HAL_ERROR;
    }
    change(&huart->Instance->CR3, 0, USART_CR3_DMAT);
    return HAL_OK;
}

HAL_UART_StateTypeDef HAL_UART_GetState(const UART_HandleTypeDef *huart) { return huart->gState | huart->RxState; }
uint32_t HAL_UART_GetError(const UART_HandleTypeDef *huart) { return huart->ErrorCode; }
