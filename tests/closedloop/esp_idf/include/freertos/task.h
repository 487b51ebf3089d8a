#pragma once
#include "freertos/FreeRTOS.h"

TickType_t xTaskGetTickCount(void);
int xTaskCreate(void (*task)(void *), const char *name, uint32_t stack, void *argument, unsigned priority, void *made);
