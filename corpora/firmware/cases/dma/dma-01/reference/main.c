#include "stm32f7xx_hal.h"

#define BLOCK_BYTES 1000U
#define LINE_BYTES 32U
#define BUFFER_BYTES ((BLOCK_BYTES + LINE_BYTES - 1U) / LINE_BYTES * LINE_BYTES)

enum { COPYING, COPIED, FAILED };

int next_block(uint8_t *block);
void deliver(const uint8_t *copy);

static uint8_t source[BUFFER_BYTES] __ALIGNED(LINE_BYTES);
static uint8_t target[BUFFER_BYTES] __ALIGNED(LINE_BYTES);
static DMA_HandleTypeDef hdma;
static volatile int state;

static void copied(DMA_HandleTypeDef *handle)
{
    (void)handle;
    state = COPIED;
}

static void failed(DMA_HandleTypeDef *handle)
{
    (void)handle;
    state = FAILED;
}

void DMA2_Stream0_IRQHandler(void)
{
    HAL_DMA_IRQHandler(&hdma);
}

static HAL_StatusTypeDef dma_init(void)
{
    __HAL_RCC_DMA2_CLK_ENABLE();

    hdma.Instance = DMA2_Stream0;
    hdma.Init.Channel = DMA_CHANNEL_0;
    hdma.Init.Direction = DMA_MEMORY_TO_MEMORY;
    hdma.Init.PeriphInc = DMA_PINC_ENABLE;
    hdma.Init.MemInc = DMA_MINC_ENABLE;
    hdma.Init.PeriphDataAlignment = DMA_PDATAALIGN_WORD;
    hdma.Init.MemDataAlignment = DMA_MDATAALIGN_WORD;
    hdma.Init.Mode = DMA_NORMAL;
    hdma.Init.Priority = DMA_PRIORITY_MEDIUM;
    hdma.Init.FIFOMode = DMA_FIFOMODE_ENABLE;
    hdma.Init.FIFOThreshold = DMA_FIFO_THRESHOLD_FULL;
    hdma.Init.MemBurst = DMA_MBURST_SINGLE;
    hdma.Init.PeriphBurst = DMA_PBURST_SINGLE;
    if (HAL_DMA_Init(&hdma) != HAL_OK)
        return HAL_ERROR;
    HAL_DMA_RegisterCallback(&hdma, HAL_DMA_XFER_CPLT_CB_ID, copied);
    HAL_DMA_RegisterCallback(&hdma, HAL_DMA_XFER_ERROR_CB_ID, failed);

    HAL_NVIC_SetPriority(DMA2_Stream0_IRQn, 5, 0);
    HAL_NVIC_EnableIRQ(DMA2_Stream0_IRQn);
    return HAL_OK;
}

static int copy_block(void)
{
    SCB_CleanDCache_by_Addr((uint32_t *)source, BUFFER_BYTES);
    /* A dirty line of the target could be written back over what the DMA wrote. */
    SCB_CleanInvalidateDCache_by_Addr((uint32_t *)target, BUFFER_BYTES);

    state = COPYING;
    if (HAL_DMA_Start_IT(&hdma, (uint32_t)source, (uint32_t)target, BLOCK_BYTES / 4U) != HAL_OK)
        return 0;
    while (state == COPYING) {
    }
    /* The processor may have read ahead while the DMA wrote. */
    SCB_InvalidateDCache_by_Addr((uint32_t *)target, BUFFER_BYTES);
    return state == COPIED;
}

int main(void)
{
    HAL_Init();
    if (dma_init() != HAL_OK) {
        while (1) {
        }
    }

    while (1) {
        if (!next_block(source)) {
            HAL_Delay(1);
            continue;
        }
        if (copy_block())
            deliver(target);
    }
}
