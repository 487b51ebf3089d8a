/* HAL_UART: receiving by interrupts and DMA, stopping, and the interrupt. */
#include "hal_uart.h"

#define ERROR_FLAGS (USART_SR_PE | USART_SR_FE | USART_SR_NE | USART_SR_ORE)

/* ---- receiving by interrupts and DMA ---- */

static HAL_StatusTypeDef begin_receiving(UART_HandleTypeDef *huart, uint8_t *data, uint16_t size, uint32_t type)
{
    fb_hw_enter();
    if (huart->RxState != HAL_UART_STATE_READY)
        return HAL_BUSY;
    if (!data || size == 0)
        return HAL_ERROR;
    huart->ReceptionType = type;
    huart->RxEventType = HAL_UART_RXEVENT_TC;
    huart->pRxBuffPtr = data;
    huart->RxXferSize = huart->RxXferCount = size;
    huart->ErrorCode = HAL_UART_ERROR_NONE;
    huart->RxState = HAL_UART_STATE_BUSY_RX;
    return HAL_OK;
}

static void clear_line_flags(UART_HandleTypeDef *huart)
{
    fb_hw_read(&huart->Instance->SR);
    fb_hw_uart_get(index_of(huart));
}

static HAL_StatusTypeDef receive_it(UART_HandleTypeDef *huart, uint8_t *data, uint16_t size, uint32_t type)
{
    HAL_StatusTypeDef status = begin_receiving(huart, data, size, type);
    if (status != HAL_OK)
        return status;
    change(&huart->Instance->CR3, 0, USART_CR3_EIE);
    if (type == HAL_UART_RECEPTION_TOIDLE)
        clear_line_flags(huart);
    change(&huart->Instance->CR1, 0, USART_CR1_RXNEIE | (huart->Init.Parity ? USART_CR1_PEIE : 0) |
                                         (type == HAL_UART_RECEPTION_TOIDLE ? USART_CR1_IDLEIE : 0));
    return HAL_OK;
}

HAL_StatusTypeDef HAL_UART_Receive_IT(UART_HandleTypeDef *huart, uint8_t *data, uint16_t size)
{
    return receive_it(huart, data, size, HAL_UART_RECEPTION_STANDARD);
}

HAL_StatusTypeDef HAL_UARTEx_ReceiveToIdle_IT(UART_HandleTypeDef *huart, uint8_t *data, uint16_t size)
{
    return receive_it(huart, data, size, HAL_UART_RECEPTION_TOIDLE);
}

static void end_receiving(UART_HandleTypeDef *huart)
{
    change(&huart->Instance->CR1, USART_CR1_RXNEIE | USART_CR1_PEIE | USART_CR1_IDLEIE, 0);
    change(&huart->Instance->CR3, USART_CR3_EIE, 0);
    huart->RxState = HAL_UART_STATE_READY;
    huart->ReceptionType = HAL_UART_RECEPTION_STANDARD;
}

static void received(UART_HandleTypeDef *huart, uint32_t event, uint32_t type, uint16_t size)
{
    huart->RxEventType = event;
    if (type == HAL_UART_RECEPTION_TOIDLE)
        HAL_UARTEx_RxEventCallback(huart, size);
    else if (event == HAL_UART_RXEVENT_HT)
        HAL_UART_RxHalfCpltCallback(huart);
    else
        HAL_UART_RxCpltCallback(huart);
}

static void dma_received(DMA_HandleTypeDef *hdma)
{
    UART_HandleTypeDef *huart = hdma->Parent;
    uint32_t type = huart->ReceptionType;
    if (!(hdma->Instance->CR & DMA_SxCR_CIRC)) {
        huart->RxXferCount = 0;
        change(&huart->Instance->CR3, USART_CR3_DMAR, 0);
        end_receiving(huart);
    }
    received(huart, HAL_UART_RXEVENT_TC, type, huart->RxXferSize);
}

static void dma_half_received(DMA_HandleTypeDef *hdma)
{
    UART_HandleTypeDef *huart = hdma->Parent;
    received(huart, HAL_UART_RXEVENT_HT, huart->ReceptionType, huart->RxXferSize / 2);
}

static HAL_StatusTypeDef receive_dma(UART_HandleTypeDef *huart, uint8_t *data, uint16_t size, uint32_t type)
{
    if (!fb_hal_uart_linked(huart->hdmarx, "HAL_UART_Receive_DMA"))
        return HAL_ERROR;
    HAL_StatusTypeDef status = begin_receiving(huart, data, size, type);
    if (status != HAL_OK)
        return status;
    huart->hdmarx->XferCpltCallback = dma_received;
    huart->hdmarx->XferHalfCpltCallback = dma_half_received;
    huart->hdmarx->XferErrorCallback = fb_hal_uart_dma_failed;
    if (HAL_DMA_Start_IT(huart->hdmarx, (uint32_t)(uintptr_t)&huart->Instance->DR, (uint32_t)(uintptr_t)data, size) !=
        HAL_OK) {
        huart->ErrorCode = HAL_UART_ERROR_DMA;
        huart->RxState = HAL_UART_STATE_READY;
        return HAL_ERROR;
    }
    clear_line_flags(huart);
    change(&huart->Instance->CR3, 0, USART_CR3_EIE | USART_CR3_DMAR);
    change(&huart->Instance->CR1, 0, (huart->Init.Parity ? USART_CR1_PEIE : 0) |
                                         (type == HAL_UART_RECEPTION_TOIDLE ? USART_CR1_IDLEIE : 0));
    return HAL_OK;
}

HAL_StatusTypeDef HAL_UART_Receive_DMA(UART_HandleTypeDef *huart, uint8_t *data, uint16_t size)
{
    return receive_dma(huart, data, size, HAL_UART_RECEPTION_STANDARD);
}

HAL_StatusTypeDef HAL_UARTEx_ReceiveToIdle_DMA(UART_HandleTypeDef *huart, uint8_t *data, uint16_t size)
{
    return receive_dma(huart, data, size, HAL_UART_RECEPTION_TOIDLE);
}

HAL_UART_RxEventTypeTypeDef HAL_UARTEx_GetRxEventType(UART_HandleTypeDef *huart) { return huart->RxEventType; }

/* ---- stopping ---- */

HAL_StatusTypeDef HAL_UART_AbortReceive(UART_HandleTypeDef *huart)
{
    fb_hw_enter();
    end_receiving(huart);
    if (huart->Instance->CR3 & USART_CR3_DMAR) {
        change(&huart->Instance->CR3, USART_CR3_DMAR, 0);
        if (huart->hdmarx)
            HAL_DMA_Abort(huart->hdmarx);
    }
    huart->RxXferCount = 0;
    return HAL_OK;
}

HAL_StatusTypeDef HAL_UART_AbortReceive_IT(UART_HandleTypeDef *huart)
{
    HAL_UART_AbortReceive(huart);
    HAL_UART_AbortReceiveCpltCallback(huart);
    return HAL_OK;
}

HAL_StatusTypeDef HAL_UART_AbortTransmit(UART_HandleTypeDef *huart)
{
    fb_hw_enter();
    change(&huart->Instance->CR1, USART_CR1_TXEIE | USART_CR1_TCIE, 0);
    if (huart->Instance->CR3 & USART_CR3_DMAT) {
        change(&huart->Instance->CR3, USART_CR3_DMAT, 0);
        if (huart->hdmatx)
            HAL_DMA_Abort(huart->hdmatx);
    }
    huart->TxXferCount = 0;
    huart->gState = HAL_UART_STATE_READY;
    return HAL_OK;
}

HAL_StatusTypeDef HAL_UART_Abort(UART_HandleTypeDef *huart)
{
    HAL_UART_AbortTransmit(huart);
    return HAL_UART_AbortReceive(huart);
}

/* Transfers by interrupt go on. */
HAL_StatusTypeDef HAL_UART_DMAStop(UART_HandleTypeDef *huart)
{
    if (huart->Instance->CR3 & USART_CR3_DMAT)
        HAL_UART_AbortTransmit(huart);
    return huart->Instance->CR3 & USART_CR3_DMAR ? HAL_UART_AbortReceive(huart) : HAL_OK;
}

/* ---- the interrupt ---- */

static void take_byte(UART_HandleTypeDef *huart)
{
    if (huart->RxState != HAL_UART_STATE_BUSY_RX) {
        fb_hw_uart_get(index_of(huart));
        return;
    }
    *huart->pRxBuffPtr++ = fb_hw_uart_get(index_of(huart));
    if (--huart->RxXferCount)
        return;
    uint32_t type = huart->ReceptionType;
    end_receiving(huart);
    received(huart, HAL_UART_RXEVENT_TC, type, huart->RxXferSize);
}

/* An overrun, and any error under DMA, ends the reception; others are only reported. */
static void handle_errors(UART_HandleTypeDef *huart, uint32_t seen)
{
    USART_TypeDef *regs = huart->Instance;
    huart->ErrorCode |= (seen & USART_SR_PE ? HAL_UART_ERROR_PE : 0) | (seen & USART_SR_NE ? HAL_UART_ERROR_NE : 0) |
                        (seen & USART_SR_FE ? HAL_UART_ERROR_FE : 0) | (seen & USART_SR_ORE ? HAL_UART_ERROR_ORE : 0);
    bool by_dma = regs->CR3 & USART_CR3_DMAR;
    if ((seen & USART_SR_RXNE) && (regs->CR1 & USART_CR1_RXNEIE))
        take_byte(huart);
    else
        fb_hw_uart_get(index_of(huart));
    if ((huart->ErrorCode & HAL_UART_ERROR_ORE) || by_dma) {
        uint32_t code = huart->ErrorCode;
        HAL_UART_AbortReceive(huart);
        huart->ErrorCode = code;
        HAL_UART_ErrorCallback(huart);
    } else {
        HAL_UART_ErrorCallback(huart);
        huart->ErrorCode = HAL_UART_ERROR_NONE;
    }
}

static void handle_idle(UART_HandleTypeDef *huart)
{
    USART_TypeDef *regs = huart->Instance;
    fb_hw_uart_get(index_of(huart));
    if (regs->CR3 & USART_CR3_DMAR) {
        uint16_t left = (uint16_t)huart->hdmarx->Instance->NDTR;
        bool circular = huart->hdmarx->Instance->CR & DMA_SxCR_CIRC;
        if (left == huart->RxXferSize && circular) {
            received(huart, HAL_UART_RXEVENT_IDLE, HAL_UART_RECEPTION_TOIDLE, huart->RxXferSize);
        } else if (left > 0 && left < huart->RxXferSize) {
            huart->RxXferCount = left;
            if (!circular) {
                change(&regs->CR3, USART_CR3_DMAR, 0);
                end_receiving(huart);
                HAL_DMA_Abort(huart->hdmarx);
            }
            received(huart, HAL_UART_RXEVENT_IDLE, HAL_UART_RECEPTION_TOIDLE, (uint16_t)(huart->RxXferSize - left));
        }
        return;
    }
    uint16_t got = (uint16_t)(huart->RxXferSize - huart->RxXferCount);
    if (huart->RxXferCount > 0 && got > 0) {
        end_receiving(huart);
        received(huart, HAL_UART_RXEVENT_IDLE, HAL_UART_RECEPTION_TOIDLE, got);
    }
}

void HAL_UART_IRQHandler(UART_HandleTypeDef *huart)
{
    fb_spend(500);
    USART_TypeDef *regs = huart->Instance;
    uint32_t seen = fb_hw_read(&regs->SR);
    if ((seen & ERROR_FLAGS) && ((regs->CR3 & USART_CR3_EIE) || (regs->CR1 & (USART_CR1_RXNEIE | USART_CR1_PEIE)))) {
        handle_errors(huart, seen);
        return;
    }
    if ((seen & USART_SR_RXNE) && (regs->CR1 & USART_CR1_RXNEIE)) {
        take_byte(huart);
        return;
    }
    if (huart->ReceptionType == HAL_UART_RECEPTION_TOIDLE && (seen & USART_SR_IDLE) && (regs->CR1 & USART_CR1_IDLEIE)) {
        handle_idle(huart);
        return;
    }
    if ((seen & USART_SR_TXE) && (regs->CR1 & USART_CR1_TXEIE)) {
        fb_hw_uart_put(index_of(huart), *huart->pTxBuffPtr++);
        if (--huart->TxXferCount == 0)
            change(&regs->CR1, USART_CR1_TXEIE, USART_CR1_TCIE);
        return;
    }
    if ((seen & USART_SR_TC) && (regs->CR1 & USART_CR1_TCIE)) {
        change(&regs->CR1, USART_CR1_TCIE, 0);
        huart->gState = HAL_UART_STATE_READY;
        HAL_UART_TxCpltCallback(huart);
    }
}
