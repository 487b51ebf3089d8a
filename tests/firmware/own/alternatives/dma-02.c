#include "stm32f4xx_hal.h"
#include <stdbool.h>
/* Bytes wait in a ring and are copied to a buffer of their own for each transfer; both count as queued. */
void work(void);
int log_write(const void *data, size_t size);
UART_HandleTypeDef huart2;
DMA_HandleTypeDef hdma_usart2_tx;
static uint8_t ring[256], out[64];
static volatile uint16_t rd, wr, pending, in_flight;
static void kick(void) {
    if (in_flight || !pending)
        return;
    uint16_t n = pending > sizeof out ? sizeof out : pending;
    for (uint16_t i = 0; i < n; i++) {
        out[i] = ring[rd];
        rd = (rd + 1) & 255;
    }
    pending -= n;
    in_flight = n;
    HAL_UART_Transmit_DMA(&huart2, out, n);
}
int log_write(const void *data, size_t size) {
    const uint8_t *p = data;
    if (!p || size < 1 || size > 64)
        return -1;
    uint32_t primask = __get_PRIMASK();
    __disable_irq();
    bool fits = size + pending + in_flight <= 256;
    if (fits) {
        for (size_t i = 0; i < size; i++) {
            ring[wr] = p[i];
            wr = (wr + 1) & 255;
        }
        pending += size;
        kick();
    }
    if (!primask)
        __enable_irq();
    return fits ? (int)size : -1;
}
void HAL_UART_TxCpltCallback(UART_HandleTypeDef *h) {
    if (h->Instance == USART2) {
        uint32_t m = __get_PRIMASK();
        __disable_irq();
        in_flight = 0;
        kick();
        __set_PRIMASK(m);
    }
}
void DMA1_Stream6_IRQHandler(void) {
    HAL_DMA_IRQHandler(&hdma_usart2_tx);
}
void USART2_IRQHandler(void) {
    HAL_UART_IRQHandler(&huart2);
}
int main(void) {
    HAL_Init();
    __HAL_RCC_GPIOA_CLK_ENABLE();
    __HAL_RCC_USART2_CLK_ENABLE();
    __HAL_RCC_DMA1_CLK_ENABLE();
    GPIO_InitTypeDef g = {GPIO_PIN_2, GPIO_MODE_AF_PP, GPIO_NOPULL, GPIO_SPEED_FREQ_VERY_HIGH,
                          GPIO_AF7_USART2};
    HAL_GPIO_Init(GPIOA, &g);
    huart2.Instance = USART2;
    huart2.Init.BaudRate = 115200;
    huart2.Init.Mode = UART_MODE_TX_RX;
    HAL_UART_Init(&huart2);
    hdma_usart2_tx.Instance = DMA1_Stream6;
    hdma_usart2_tx.Init.Channel = DMA_CHANNEL_4;
    hdma_usart2_tx.Init.Direction = DMA_MEMORY_TO_PERIPH;
    hdma_usart2_tx.Init.MemInc = DMA_MINC_ENABLE;
    HAL_DMA_Init(&hdma_usart2_tx);
    __HAL_LINKDMA(&huart2, hdmatx, hdma_usart2_tx);
    HAL_NVIC_SetPriority(USART2_IRQn, 0, 0);
    HAL_NVIC_EnableIRQ(USART2_IRQn);
    HAL_NVIC_SetPriority(DMA1_Stream6_IRQn, 0, 0);
    HAL_NVIC_EnableIRQ(DMA1_Stream6_IRQn);
    while (1)
        work();
}
