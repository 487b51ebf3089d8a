#include <string.h>

#include "stm32f4xx_hal.h"

#define QUEUE_BYTES 256U
#define RECORD_MAX 64U

void work(void);
int log_write(const void *data, size_t size);

static UART_HandleTypeDef huart2;
static DMA_HandleTypeDef hdma_tx;
static uint8_t queue[QUEUE_BYTES];
static volatile uint32_t head;
static volatile uint32_t used;
static volatile uint32_t sending;

static void fail(void)
{
    while (1) {
    }
}

static uint32_t lock(void)
{
    uint32_t mask = __get_PRIMASK();

    __disable_irq();
    return mask;
}

/* Called with interrupts locked: send up to the end of the ring. */
static void send_next(void)
{
    uint32_t length = used;

    if (sending || length == 0)
        return;
    if (length > QUEUE_BYTES - head)
        length = QUEUE_BYTES - head;
    if (HAL_UART_Transmit_DMA(&huart2, &queue[head], (uint16_t)length) == HAL_OK)
        sending = length;
}

int log_write(const void *data, size_t size)
{
    int result = -1;
    uint32_t mask;

    if (data == NULL || size == 0 || size > RECORD_MAX)
        return -1;

    mask = lock();
    if (size <= QUEUE_BYTES - used) {
        uint32_t tail = (head + used) % QUEUE_BYTES;
        size_t first = QUEUE_BYTES - tail;

        if (first > size)
            first = size;
        memcpy(&queue[tail], data, first);
        memcpy(queue, (const uint8_t *)data + first, size - first);
        used += size;
        send_next();
        result = (int)size;
    }
    __set_PRIMASK(mask);
    return result;
}

static void transfer_ended(void)
{
    uint32_t mask = lock();

    head = (head + sending) % QUEUE_BYTES;
    used -= sending;
    sending = 0;
    send_next();
    __set_PRIMASK(mask);
}

void HAL_UART_TxCpltCallback(UART_HandleTypeDef *huart)
{
    (void)huart;
    transfer_ended();
}

void DMA1_Stream6_IRQHandler(void)
{
    HAL_DMA_IRQHandler(&hdma_tx);
}

void USART2_IRQHandler(void)
{
    HAL_UART_IRQHandler(&huart2);
}

void HAL_UART_MspInit(UART_HandleTypeDef *huart)
{
    GPIO_InitTypeDef pin = {0};

    __HAL_RCC_USART2_CLK_ENABLE();
    __HAL_RCC_GPIOA_CLK_ENABLE();
    __HAL_RCC_DMA1_CLK_ENABLE();

    pin.Pin = GPIO_PIN_2;
    pin.Mode = GPIO_MODE_AF_PP;
    pin.Pull = GPIO_NOPULL;
    pin.Speed = GPIO_SPEED_FREQ_HIGH;
    pin.Alternate = GPIO_AF7_USART2;
    HAL_GPIO_Init(GPIOA, &pin);

    hdma_tx.Instance = DMA1_Stream6;
    hdma_tx.Init.Channel = DMA_CHANNEL_4;
    hdma_tx.Init.Direction = DMA_MEMORY_TO_PERIPH;
    hdma_tx.Init.PeriphInc = DMA_PINC_DISABLE;
    hdma_tx.Init.MemInc = DMA_MINC_ENABLE;
    hdma_tx.Init.PeriphDataAlignment = DMA_PDATAALIGN_BYTE;
    hdma_tx.Init.MemDataAlignment = DMA_MDATAALIGN_BYTE;
    hdma_tx.Init.Mode = DMA_NORMAL;
    hdma_tx.Init.Priority = DMA_PRIORITY_LOW;
    hdma_tx.Init.FIFOMode = DMA_FIFOMODE_DISABLE;
    if (HAL_DMA_Init(&hdma_tx) != HAL_OK)
        fail();
    __HAL_LINKDMA(huart, hdmatx, hdma_tx);

    HAL_NVIC_SetPriority(DMA1_Stream6_IRQn, 2, 0);
    HAL_NVIC_EnableIRQ(DMA1_Stream6_IRQn);
    HAL_NVIC_SetPriority(USART2_IRQn, 2, 0);
    HAL_NVIC_EnableIRQ(USART2_IRQn);
}

int main(void)
{
    HAL_Init();

    huart2.Instance = USART2;
    huart2.Init.BaudRate = 115200;
    huart2.Init.WordLength = UART_WORDLENGTH_8B;
    huart2.Init.StopBits = UART_STOPBITS_1;
    huart2.Init.Parity = UART_PARITY_NONE;
    huart2.Init.Mode = UART_MODE_TX;
    huart2.Init.HwFlowCtl = UART_HWCONTROL_NONE;
    huart2.Init.OverSampling = UART_OVERSAMPLING_16;
    if (HAL_UART_Init(&huart2) != HAL_OK)
        fail();

    while (1) {
        work();
    }
}
