#include "FreeRTOS.h"
#include "task.h"
#include "semphr.h"
#include <string.h>
/* A free list and a ring of full blocks, both touched with interrupts masked; a notification wakes the task.
 */
void handle_frame(const uint8_t *data, size_t size);
static uint8_t memory[8][128];
static size_t sizes[8];
static uint8_t free_list[8] = {0, 1, 2, 3, 4, 5, 6, 7}, full[8];
static volatile uint8_t free_count = 8, head, count;
static volatile uint32_t drops;
static TaskHandle_t task;
void frame_received(const uint8_t *data, size_t size) {
    BaseType_t hpw = pdFALSE;
    UBaseType_t saved = taskENTER_CRITICAL_FROM_ISR();
    if (size < 1 || size > 128 || free_count == 0) {
        drops++;
        taskEXIT_CRITICAL_FROM_ISR(saved);
        return;
    }
    uint8_t i = free_list[--free_count];
    memcpy(memory[i], data, size);
    sizes[i] = size;
    full[(head + count) % 8] = i;
    count++;
    taskEXIT_CRITICAL_FROM_ISR(saved);
    vTaskNotifyGiveFromISR(task, &hpw);
    portYIELD_FROM_ISR(hpw);
}
uint32_t frames_dropped(void) {
    return drops;
}
uint32_t blocks_free(void) {
    uint32_t n;
    taskENTER_CRITICAL();
    n = free_count;
    taskEXIT_CRITICAL();
    return n;
}
static void frames(void *arg) {
    (void)arg;
    while (1) {
        ulTaskNotifyTake(pdFALSE, portMAX_DELAY);
        uint8_t i;
        taskENTER_CRITICAL();
        if (count == 0) {
            taskEXIT_CRITICAL();
            continue;
        }
        i = full[head];
        head = (head + 1) % 8;
        count--;
        taskEXIT_CRITICAL();
        handle_frame(memory[i], sizes[i]);
        taskENTER_CRITICAL();
        free_list[free_count++] = i;
        taskEXIT_CRITICAL();
    }
}
int main(void) {
    configASSERT(xTaskCreate(frames, "frames", configMINIMAL_STACK_SIZE * 2, NULL, 4, &task) == pdPASS);
    vTaskStartScheduler();
    for (;;)
        ;
}
