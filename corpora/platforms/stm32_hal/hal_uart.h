/* What the two halves of HAL_UART share. */
#ifndef STM32_HAL_UART_INTERNAL_H
#define STM32_HAL_UART_INTERNAL_H

#include "hw.h"

static inline unsigned index_of(const UART_HandleTypeDef *huart) { return (unsigned)(huart->Instance - fb_stm32.usart); }

void fb_hal_uart_dma_failed(DMA_HandleTypeDef *hdma);
bool fb_hal_uart_linked(DMA_HandleTypeDef *hdma, const char *call);

#endif
