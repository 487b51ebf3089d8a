/* The types and the tick of FreeRTOS as ESP-IDF sets it up: 100 Hz. */
#ifndef FREERTOS_H
#define FREERTOS_H

#include <stdbool.h>
#include <stdint.h>

typedef uint32_t TickType_t;
typedef int BaseType_t;
typedef unsigned UBaseType_t;
typedef void *TaskHandle_t;
typedef void (*TaskFunction_t)(void *);

#define portTICK_PERIOD_MS 10U
#define portMAX_DELAY 0xffffffffU
#define pdMS_TO_TICKS(ms) ((TickType_t)((ms) / portTICK_PERIOD_MS))
#define pdTRUE 1
#define pdFALSE 0
#define pdPASS pdTRUE
#define pdFAIL pdFALSE

#endif
