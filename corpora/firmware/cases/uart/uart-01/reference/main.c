#include "stm32f4xx_hal.h"

#define FRAME_MAX 64

static UART_HandleTypeDef huart2;
static DMA_HandleTypeDef hdma_rx;
static uint8_t rx_buffer[FRAME_MAX];
static uint8_t frame[FRAME_MAX];
static volatile uint16_t frame_length;

static void fail(void)
{
    __disable_irq();
    while (1) {
    }
}

static HAL_StatusTypeDef receive(void)
{
    return HAL_UARTEx_ReceiveToIdle_DMA(&huart2, rx_buffer, sizeof rx_buffer);
}

void HAL_UARTEx_RxEventCallback(UART_HandleTypeDef *huart, uint16_t size)
{
    if (HAL_UARTEx_GetRxEventType(huart) == HAL_UART_RXEVENT_HT)
        return;
    for (uint16_t i = 0; i < size; i++)
        frame[i] = rx_buffer[i];
    frame_length = size;
    receive();
}

void HAL_UART_ErrorCallback(UART_HandleTypeDef *huart)
{
    (void)huart;
    receive();
}

void HAL_UART_MspInit(UART_HandleTypeDef *huart)
{
    GPIO_InitTypeDef pins = {0};

    __HAL_RCC_USART2_CLK_ENABLE();
    __HAL_RCC_GPIOA_CLK_ENABLE();
    __HAL_RCC_DMA1_CLK_ENABLE();

    pins.Pin = GPIO_PIN_2 | GPIO_PIN_3;
    pins.Mode = GPIO_MODE_AF_PP;
    pins.Pull = GPIO_PULLUP;
    pins.Speed = GPIO_SPEED_FREQ_VERY_HIGH;
    pins.Alternate = GPIO_AF7_USART2;
    HAL_GPIO_Init(GPIOA, &pins);

    hdma_rx.Instance = DMA1_Stream5;
    hdma_rx.Init.Channel = DMA_CHANNEL_4;
    hdma_rx.Init.Direction = DMA_PERIPH_TO_MEMORY;
    hdma_rx.Init.PeriphInc = DMA_PINC_DISABLE;
    hdma_rx.Init.MemInc = DMA_MINC_ENABLE;
    hdma_rx.Init.PeriphDataAlignment = DMA_PDATAALIGN_BYTE;
    hdma_rx.Init.MemDataAlignment = DMA_MDATAALIGN_BYTE;
    hdma_rx.Init.Mode = DMA_NORMAL;
    hdma_rx.Init.Priority = DMA_PRIORITY_LOW;
    hdma_rx.Init.FIFOMode = DMA_FIFOMODE_DISABLE;
    if (HAL_DMA_Init(&hdma_rx) != HAL_OK)
        fail();
    __HAL_LINKDMA(huart, hdmarx, hdma_rx);

    HAL_NVIC_SetPriority(DMA1_Stream5_IRQn, 5, 0);
    HAL_NVIC_EnableIRQ(DMA1_Stream5_IRQn);
    HAL_NVIC_SetPriority(USART2_IRQn, 5, 0);
    HAL_NVIC_EnableIRQ(USART2_IRQn);
}

void DMA1_Stream5_IRQHandler(void)
{
    HAL_DMA_IRQHandler(&hdma_rx);
}

void USART2_IRQHandler(void)
{
    HAL_UART_IRQHandler(&huart2);
}

int main(void)
{
    HAL_Init();

    huart2.Instance = USART2;
    huart2.Init.BaudRate = 115200;
    huart2.Init.WordLength = UART_WORDLENGTH_8B;
    huart2.Init.StopBits = UART_STOPBITS_1;
    huart2.Init.Parity = UART_PARITY_NONE;
    huart2.Init.Mode = UART_MODE_TX_RX;
    huart2.Init.HwFlowCtl = UART_HWCONTROL_NONE;
    huart2.Init.OverSampling = UART_OVERSAMPLING_16;
    if (HAL_UART_Init(&huart2) != HAL_OK || receive() != HAL_OK)
        fail();

    while (1) {
        uint8_t answer[2] = {0, 0};

        if (frame_length == 0)
            continue;
        answer[0] = (uint8_t)frame_length;
        for (uint16_t i = 0; i < frame_length; i++)
            answer[1] ^= frame[i];
        frame_length = 0;
        HAL_UART_Transmit(&huart2, answer, sizeof answer, 10);
    }
}
