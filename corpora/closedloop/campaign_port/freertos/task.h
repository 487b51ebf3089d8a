#ifndef FREERTOS_TASK_H
#define FREERTOS_TASK_H

#include "freertos/FreeRTOS.h"

/* The one task runs at once, in place of the scheduler, and does not return. */
BaseType_t xTaskCreate(TaskFunction_t code, const char *name, uint32_t stack, void *argument, UBaseType_t priority,
                       TaskHandle_t *handle);
TickType_t xTaskGetTickCount(void);
void vTaskDelay(TickType_t ticks);

#endif
