#include <string.h>

#include "FreeRTOS.h"
#include "task.h"
#include "queue.h"

#define BLOCKS 8
#define BLOCK_BYTES 128

struct block {
    size_t size;
    uint8_t data[BLOCK_BYTES];
};

void handle_frame(const uint8_t *data, size_t size);
void frame_received(const uint8_t *data, size_t size);
uint32_t frames_dropped(void);
uint32_t blocks_free(void);

static struct block pool[BLOCKS];
static QueueHandle_t free_blocks, full_blocks;
static volatile uint32_t dropped;

void frame_received(const uint8_t *data, size_t size)
{
    BaseType_t woken = pdFALSE;
    struct block *block;

    if (size == 0 || size > BLOCK_BYTES || xQueueReceiveFromISR(free_blocks, &block, &woken) != pdPASS) {
        dropped++;
        return;
    }
    memcpy(block->data, data, size);
    block->size = size;
    xQueueSendFromISR(full_blocks, &block, &woken);
    portYIELD_FROM_ISR(woken);
}

uint32_t frames_dropped(void)
{
    return dropped;
}

uint32_t blocks_free(void)
{
    return uxQueueMessagesWaiting(free_blocks);
}

static void frames(void *unused)
{
    (void)unused;
    for (;;) {
        struct block *block;

        if (xQueueReceive(full_blocks, &block, portMAX_DELAY) != pdPASS)
            continue;
        handle_frame(block->data, block->size);
        xQueueSend(free_blocks, &block, portMAX_DELAY);
    }
}

int main(void)
{
    free_blocks = xQueueCreate(BLOCKS, sizeof(struct block *));
    full_blocks = xQueueCreate(BLOCKS, sizeof(struct block *));
    configASSERT(free_blocks != NULL && full_blocks != NULL);
    for (int i = 0; i < BLOCKS; i++) {
        struct block *block = &pool[i];

        xQueueSend(free_blocks, &block, 0);
    }
    if (xTaskCreate(frames, "frames", 512, NULL, 4, NULL) == pdPASS)
        vTaskStartScheduler();
    for (;;) {
    }
}
