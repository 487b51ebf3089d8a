/* UARTs: polling, interrupts, DMA, and reception up to an idle line. */
#ifndef STM32_HAL_UART_H
#define STM32_HAL_UART_H

#include "stm32_hal_dma.h"

typedef struct {
    uint32_t BaudRate, WordLength, StopBits, Parity, Mode, HwFlowCtl, OverSampling;
} UART_InitTypeDef;
typedef enum {
    HAL_UART_STATE_RESET = 0x00U,
    HAL_UART_STATE_READY = 0x20U,
    HAL_UART_STATE_BUSY = 0x24U,
    HAL_UART_STATE_BUSY_TX = 0x21U,
    HAL_UART_STATE_BUSY_RX = 0x22U,
    HAL_UART_STATE_BUSY_TX_RX = 0x23U,
    HAL_UART_STATE_TIMEOUT = 0xA0U,
    HAL_UART_STATE_ERROR = 0xE0U
} HAL_UART_StateTypeDef;
typedef uint32_t HAL_UART_RxTypeTypeDef;
typedef uint32_t HAL_UART_RxEventTypeTypeDef;
typedef struct __UART_HandleTypeDef {
    USART_TypeDef *Instance;
    UART_InitTypeDef Init;
    const uint8_t *pTxBuffPtr;
    uint16_t TxXferSize;
    __IO uint16_t TxXferCount;
    uint8_t *pRxBuffPtr;
    uint16_t RxXferSize;
    __IO uint16_t RxXferCount;
    __IO HAL_UART_RxTypeTypeDef ReceptionType;
    __IO HAL_UART_RxEventTypeTypeDef RxEventType;
    DMA_HandleTypeDef *hdmatx, *hdmarx;
    HAL_LockTypeDef Lock;
    __IO HAL_UART_StateTypeDef gState, RxState;
    __IO uint32_t ErrorCode;
} UART_HandleTypeDef;

#define HAL_UART_ERROR_NONE 0x0U
#define HAL_UART_ERROR_PE 0x1U
#define HAL_UART_ERROR_NE 0x2U
#define HAL_UART_ERROR_FE 0x4U
#define HAL_UART_ERROR_ORE 0x8U
#define HAL_UART_ERROR_DMA 0x10U
#define UART_WORDLENGTH_8B 0x0U
#define UART_WORDLENGTH_9B USART_CR1_M
#define UART_STOPBITS_1 0x0U
#define UART_STOPBITS_2 USART_CR2_STOP_1
#define UART_PARITY_NONE 0x0U
#define UART_PARITY_EVEN USART_CR1_PCE
#define UART_PARITY_ODD (USART_CR1_PCE | USART_CR1_PS)
#define UART_HWCONTROL_NONE 0x0U
#define UART_HWCONTROL_RTS USART_CR3_RTSE
#define UART_HWCONTROL_CTS USART_CR3_CTSE
#define UART_HWCONTROL_RTS_CTS (USART_CR3_RTSE | USART_CR3_CTSE)
#define UART_MODE_RX USART_CR1_RE
#define UART_MODE_TX USART_CR1_TE
#define UART_MODE_TX_RX (USART_CR1_TE | USART_CR1_RE)
#define UART_STATE_DISABLE 0x0U
#define UART_STATE_ENABLE USART_CR1_UE
#define UART_OVERSAMPLING_16 0x0U
#define UART_OVERSAMPLING_8 USART_CR1_OVER8
#define UART_FLAG_TXE USART_SR_TXE
#define UART_FLAG_TC USART_SR_TC
#define UART_FLAG_RXNE USART_SR_RXNE
#define UART_FLAG_IDLE USART_SR_IDLE
#define UART_FLAG_ORE USART_SR_ORE
#define UART_FLAG_NE USART_SR_NE
#define UART_FLAG_FE USART_SR_FE
#define UART_FLAG_PE USART_SR_PE
#define UART_IT_PE (0x10000000U | USART_CR1_PEIE)
#define UART_IT_TXE (0x10000000U | USART_CR1_TXEIE)
#define UART_IT_TC (0x10000000U | USART_CR1_TCIE)
#define UART_IT_RXNE (0x10000000U | USART_CR1_RXNEIE)
#define UART_IT_IDLE (0x10000000U | USART_CR1_IDLEIE)
#define UART_IT_ERR (0x30000000U | USART_CR3_EIE)
#define HAL_UART_RECEPTION_STANDARD 0x0U
#define HAL_UART_RECEPTION_TOIDLE 0x1U
#define HAL_UART_RXEVENT_TC 0x0U
#define HAL_UART_RXEVENT_HT 0x1U
#define HAL_UART_RXEVENT_IDLE 0x2U

#define __HAL_UART_FLUSH_DRREGISTER(handle) ((void)(handle)->Instance->DR)
#define __HAL_UART_GET_FLAG(handle, flag) (((handle)->Instance->SR & (flag)) == (flag))
#define __HAL_UART_CLEAR_FLAG(handle, flag) ((handle)->Instance->SR = ~(flag))
#define __HAL_UART_CLEAR_PEFLAG(handle)                                                                               \
    do {                                                                                                              \
        (void)(handle)->Instance->SR;                                                                                 \
        (void)(handle)->Instance->DR;                                                                                 \
    } while (0U)
#define __HAL_UART_CLEAR_FEFLAG(handle) __HAL_UART_CLEAR_PEFLAG(handle)
#define __HAL_UART_CLEAR_NEFLAG(handle) __HAL_UART_CLEAR_PEFLAG(handle)
#define __HAL_UART_CLEAR_OREFLAG(handle) __HAL_UART_CLEAR_PEFLAG(handle)
#define __HAL_UART_CLEAR_IDLEFLAG(handle) __HAL_UART_CLEAR_PEFLAG(handle)
#define FB_UART_IT_REGISTER(handle, it) (*(((it) >> 28) == 3U ? &(handle)->Instance->CR3 : &(handle)->Instance->CR1))
#define __HAL_UART_ENABLE_IT(handle, it) (FB_UART_IT_REGISTER(handle, it) |= (it) & 0xFFFFU)
#define __HAL_UART_DISABLE_IT(handle, it) (FB_UART_IT_REGISTER(handle, it) &= ~((it) & 0xFFFFU))
#define __HAL_UART_GET_IT_SOURCE(handle, it) (FB_UART_IT_REGISTER(handle, it) & ((it) & 0xFFFFU))
#define __HAL_UART_ENABLE(handle) ((handle)->Instance->CR1 |= USART_CR1_UE)
#define __HAL_UART_DISABLE(handle) ((handle)->Instance->CR1 &= ~USART_CR1_UE)

HAL_StatusTypeDef HAL_UART_Init(UART_HandleTypeDef *huart);
HAL_StatusTypeDef HAL_UART_DeInit(UART_HandleTypeDef *huart);
void HAL_UART_MspInit(UART_HandleTypeDef *huart);
void HAL_UART_MspDeInit(UART_HandleTypeDef *huart);
HAL_StatusTypeDef HAL_UART_Transmit(UART_HandleTypeDef *huart, const uint8_t *pData, uint16_t Size, uint32_t Timeout);
HAL_StatusTypeDef HAL_UART_Receive(UART_HandleTypeDef *huart, uint8_t *pData, uint16_t Size, uint32_t Timeout);
HAL_StatusTypeDef HAL_UART_Transmit_IT(UART_HandleTypeDef *huart, const uint8_t *pData, uint16_t Size);
HAL_StatusTypeDef HAL_UART_Receive_IT(UART_HandleTypeDef *huart, uint8_t *pData, uint16_t Size);
HAL_StatusTypeDef HAL_UART_Transmit_DMA(UART_HandleTypeDef *huart, const uint8_t *pData, uint16_t Size);
HAL_StatusTypeDef HAL_UART_Receive_DMA(UART_HandleTypeDef *huart, uint8_t *pData, uint16_t Size);
HAL_StatusTypeDef HAL_UART_DMAStop(UART_HandleTypeDef *huart);
HAL_StatusTypeDef HAL_UARTEx_ReceiveToIdle(UART_HandleTypeDef *huart, uint8_t *pData, uint16_t Size, uint16_t *RxLen,
                                           uint32_t Timeout);
HAL_StatusTypeDef HAL_UARTEx_ReceiveToIdle_IT(UART_HandleTypeDef *huart, uint8_t *pData, uint16_t Size);
HAL_StatusTypeDef HAL_UARTEx_ReceiveToIdle_DMA(UART_HandleTypeDef *huart, uint8_t *pData, uint16_t Size);
HAL_UART_RxEventTypeTypeDef HAL_UARTEx_GetRxEventType(UART_HandleTypeDef *huart);
HAL_StatusTypeDef HAL_UART_Abort(UART_HandleTypeDef *huart);
HAL_StatusTypeDef HAL_UART_AbortTransmit(UART_HandleTypeDef *huart);
HAL_StatusTypeDef HAL_UART_AbortReceive(UART_HandleTypeDef *huart);
HAL_StatusTypeDef HAL_UART_AbortReceive_IT(UART_HandleTypeDef *huart);
void HAL_UART_IRQHandler(UART_HandleTypeDef *huart);
void HAL_UART_TxCpltCallback(UART_HandleTypeDef *huart);
void HAL_UART_TxHalfCpltCallback(UART_HandleTypeDef *huart);
void HAL_UART_RxCpltCallback(UART_HandleTypeDef *huart);
void HAL_UART_RxHalfCpltCallback(UART_HandleTypeDef *huart);
void HAL_UART_ErrorCallback(UART_HandleTypeDef *huart);
void HAL_UART_AbortReceiveCpltCallback(UART_HandleTypeDef *huart);
void HAL_UARTEx_RxEventCallback(UART_HandleTypeDef *huart, uint16_t Size);
HAL_UART_StateTypeDef HAL_UART_GetState(const UART_HandleTypeDef *huart);
uint32_t HAL_UART_GetError(const UART_HandleTypeDef *huart);

#endif
