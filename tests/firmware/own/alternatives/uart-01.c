#include "stm32f4xx_hal.h"
#include <string.h>

/* Circular reception; the position of the DMA tells where a frame ends. */
#define RING 256

UART_HandleTypeDef uart;
DMA_HandleTypeDef dma_rx;
static uint8_t ring[RING];
static volatile uint16_t queue[8], start_of[8];
static volatile uint8_t queue_in, queue_out, sending;
static uint16_t frame_start;
static uint8_t reply[2];

void Error_Handler(void) {
    __disable_irq();
    for (;;) {
    }
}

static void start_rx(void) {
    frame_start = 0;
    if (HAL_UARTEx_ReceiveToIdle_DMA(&uart, ring, RING) != HAL_OK)
        Error_Handler();
    __HAL_DMA_DISABLE_IT(&dma_rx, DMA_IT_HT);
    __HAL_DMA_DISABLE_IT(&dma_rx, DMA_IT_TC);
}

void HAL_UARTEx_RxEventCallback(UART_HandleTypeDef *h, uint16_t pos) {
    if (h->Instance != USART2)
        return;
    uint16_t end = pos % RING;
    uint16_t len = (end + RING - frame_start) % RING;
    if (len == 0)
        return;
    start_of[queue_in % 8] = frame_start;
    queue[queue_in % 8] = len;
    queue_in++;
    frame_start = end;
}

void HAL_UART_ErrorCallback(UART_HandleTypeDef *h) {
    HAL_UART_AbortReceive(h);
    start_rx();
}

void HAL_UART_TxCpltCallback(UART_HandleTypeDef *h) {
    (void)h;
    sending = 0;
}
void DMA1_Stream5_IRQHandler(void) {
    HAL_DMA_IRQHandler(&dma_rx);
}
void USART2_IRQHandler(void) {
    HAL_UART_IRQHandler(&uart);
}

int main(void) {
    HAL_Init();
    __HAL_RCC_GPIOA_CLK_ENABLE();
    __HAL_RCC_USART2_CLK_ENABLE();
    __HAL_RCC_DMA1_CLK_ENABLE();
    GPIO_InitTypeDef g = {.Pin = GPIO_PIN_2 | GPIO_PIN_3,
                          .Mode = GPIO_MODE_AF_PP,
                          .Pull = GPIO_NOPULL,
                          .Speed = GPIO_SPEED_FREQ_HIGH,
                          .Alternate = GPIO_AF7_USART2};
    HAL_GPIO_Init(GPIOA, &g);
    uart = (UART_HandleTypeDef){.Instance = USART2,
                                .Init = {.BaudRate = 115200,
                                         .WordLength = UART_WORDLENGTH_8B,
                                         .StopBits = UART_STOPBITS_1,
                                         .Parity = UART_PARITY_NONE,
                                         .Mode = UART_MODE_TX_RX,
                                         .HwFlowCtl = UART_HWCONTROL_NONE,
                                         .OverSampling = UART_OVERSAMPLING_16}};
    if (HAL_UART_Init(&uart) != HAL_OK)
        Error_Handler();
    dma_rx.Instance = DMA1_Stream5;
    dma_rx.Init = (DMA_InitTypeDef){.Channel = DMA_CHANNEL_4,
                                    .Direction = DMA_PERIPH_TO_MEMORY,
                                    .PeriphInc = DMA_PINC_DISABLE,
                                    .MemInc = DMA_MINC_ENABLE,
                                    .PeriphDataAlignment = DMA_PDATAALIGN_BYTE,
                                    .MemDataAlignment = DMA_MDATAALIGN_BYTE,
                                    .Mode = DMA_CIRCULAR,
                                    .Priority = DMA_PRIORITY_HIGH,
                                    .FIFOMode = DMA_FIFOMODE_DISABLE};
    HAL_DMA_Init(&dma_rx);
    __HAL_LINKDMA(&uart, hdmarx, dma_rx);
    HAL_NVIC_SetPriority(USART2_IRQn, 1, 0);
    HAL_NVIC_EnableIRQ(USART2_IRQn);
    HAL_NVIC_SetPriority(DMA1_Stream5_IRQn, 1, 0);
    HAL_NVIC_EnableIRQ(DMA1_Stream5_IRQn);
    start_rx();
    while (1) {
        if (queue_in == queue_out || sending) {
            __WFI();
            continue;
        }
        uint16_t len = queue[queue_out % 8], at = start_of[queue_out % 8];
        queue_out++;
        reply[0] = len;
        reply[1] = 0;
        for (uint16_t i = 0; i < len; i++)
            reply[1] ^= ring[(at + i) % RING];
        sending = 1;
        HAL_UART_Transmit_IT(&uart, reply, 2);
    }
}
