/* Semaphores and mutexes. */
#ifndef SEMAPHORE_H
#define SEMAPHORE_H

#ifndef INC_FREERTOS_H
#error "include FreeRTOS.h must appear in source files before include semphr.h"
#endif
#include "queue.h"

typedef QueueHandle_t SemaphoreHandle_t;

#define xSemaphoreCreateBinary() xQueueGenericCreate(1, 0, queueQUEUE_TYPE_BINARY_SEMAPHORE)
#define xSemaphoreCreateBinaryStatic(buffer)                                                                          \
    xQueueGenericCreateStatic(1, 0, NULL, buffer, queueQUEUE_TYPE_BINARY_SEMAPHORE)
#define xSemaphoreCreateCounting(most, initial) xQueueCreateCountingSemaphore(most, initial)
#define xSemaphoreCreateCountingStatic(most, initial, buffer)                                                         \
    xQueueCreateCountingSemaphoreStatic(most, initial, buffer)
#define xSemaphoreCreateMutex() xQueueCreateMutex(queueQUEUE_TYPE_MUTEX)
#define xSemaphoreCreateMutexStatic(buffer) xQueueCreateMutexStatic(queueQUEUE_TYPE_MUTEX, buffer)
#define xSemaphoreCreateRecursiveMutex() xQueueCreateMutex(queueQUEUE_TYPE_RECURSIVE_MUTEX)
#define xSemaphoreCreateRecursiveMutexStatic(buffer) xQueueCreateMutexStatic(queueQUEUE_TYPE_RECURSIVE_MUTEX, buffer)
#define xSemaphoreTake(semaphore, ticks) xQueueSemaphoreTake(semaphore, ticks)
#define xSemaphoreGive(semaphore) xQueueGenericSend(semaphore, NULL, 0, queueSEND_TO_BACK)
#define xSemaphoreTakeRecursive(mutex, ticks) xQueueTakeMutexRecursive(mutex, ticks)
#define xSemaphoreGiveRecursive(mutex) xQueueGiveMutexRecursive(mutex)
#define xSemaphoreGiveFromISR(semaphore, woken) xQueueGiveFromISR(semaphore, woken)
#define xSemaphoreTakeFromISR(semaphore, woken) xQueueReceiveFromISR(semaphore, NULL, woken)
#define xSemaphoreGetMutexHolder(mutex) xQueueGetMutexHolder(mutex)
#define xSemaphoreGetMutexHolderFromISR(mutex) xQueueGetMutexHolderFromISR(mutex)
#define uxSemaphoreGetCount(semaphore) uxQueueMessagesWaiting(semaphore)
#define uxSemaphoreGetCountFromISR(semaphore) uxQueueMessagesWaitingFromISR(semaphore)
#define vSemaphoreDelete(semaphore) vQueueDelete(semaphore)

#endif
