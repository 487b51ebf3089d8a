/* FreeRTOS 10/11: types of statically allocated objects, memory and hooks. */
#ifndef INC_FREERTOS_H
#define INC_FREERTOS_H

#include <stdint.h>
#include <stdlib.h>

#include "projdefs.h"
#include "FreeRTOSConfig.h"
#include "portmacro.h"

#define tskKERNEL_VERSION_NUMBER "V11.1.0"
#define tskKERNEL_VERSION_MAJOR 11
#define tskKERNEL_VERSION_MINOR 1
#define tskKERNEL_VERSION_BUILD 0

/* The names of before version 8, which configENABLE_BACKWARD_COMPATIBILITY keeps. */
#define eTaskStateGet eTaskGetState
#define portTickType TickType_t
#define xTaskHandle TaskHandle_t
#define xQueueHandle QueueHandle_t
#define xSemaphoreHandle SemaphoreHandle_t
#define xQueueSetHandle QueueSetHandle_t
#define xQueueSetMemberHandle QueueSetMemberHandle_t
#define xTimeOutType TimeOut_t
#define xTaskStatusType TaskStatus_t
#define xTimerHandle TimerHandle_t
#define pcTaskGetTaskName pcTaskGetName
#define pcTimerGetTimerName pcTimerGetName
#define pcQueueGetQueueName pcQueueGetName
#define vTaskGetTaskInfo vTaskGetInfo
#define tmrTIMER_CALLBACK TimerCallbackFunction_t
#define pdTASK_CODE TaskFunction_t

/* Storage for one object, as large as on a 32-bit target. What is inside is the kernel's. */
#define fbSTORAGE(name, bytes)                                                                                        \
    typedef struct name {                                                                                             \
        uint32_t ulOpaque[(bytes) / 4];                                                                               \
    } name
fbSTORAGE(StaticTask_t, 108);
fbSTORAGE(StaticQueue_t, 80);
fbSTORAGE(StaticEventGroup_t, 32);
fbSTORAGE(StaticTimer_t, 44);
fbSTORAGE(StaticStreamBuffer_t, 36);
typedef StaticQueue_t StaticSemaphore_t;
typedef StaticStreamBuffer_t StaticMessageBuffer_t;

typedef struct xHeapStats {
    size_t xAvailableHeapSpaceInBytes;
    size_t xSizeOfLargestFreeBlockInBytes;
    size_t xSizeOfSmallestFreeBlockInBytes;
    size_t xNumberOfFreeBlocks;
    size_t xMinimumEverFreeBytesRemaining;
    size_t xNumberOfSuccessfulAllocations;
    size_t xNumberOfSuccessfulFrees;
} HeapStats_t;

void *pvPortMalloc(size_t xWantedSize);
void *pvPortCalloc(size_t xNum, size_t xSize);
void vPortFree(void *pv);
size_t xPortGetFreeHeapSize(void);
size_t xPortGetMinimumEverFreeHeapSize(void);
void vPortGetHeapStats(HeapStats_t *pxHeapStats);

#endif
