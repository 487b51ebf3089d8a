/* The configuration that the model is built with. */
#ifndef FREERTOS_CONFIG_H
#define FREERTOS_CONFIG_H

#ifdef ESP_PLATFORM
#define configTICK_RATE_HZ 100
#define configMAX_PRIORITIES 25
#define configMINIMAL_STACK_SIZE 1536
#define configTIMER_TASK_PRIORITY 1
#define configTIMER_TASK_STACK_DEPTH 2048
#define configTOTAL_HEAP_SIZE (200 * 1024)
#else
#define configTICK_RATE_HZ 1000
#define configMAX_PRIORITIES 8
#define configMINIMAL_STACK_SIZE 128
#define configTIMER_TASK_PRIORITY (configMAX_PRIORITIES - 1)
#define configTIMER_TASK_STACK_DEPTH 256
#define configTOTAL_HEAP_SIZE (32 * 1024)
#endif

#define configCPU_CLOCK_HZ 25000000UL
#define configSTACK_DEPTH_TYPE uint32_t
#define configUSE_PREEMPTION 1
#define configUSE_TIME_SLICING 1
#define configUSE_16_BIT_TICKS 0
#define configMAX_TASK_NAME_LEN 16
#define configUSE_MUTEXES 1
#define configUSE_RECURSIVE_MUTEXES 1
#define configUSE_COUNTING_SEMAPHORES 1
#define configUSE_QUEUE_SETS 1
#define configQUEUE_REGISTRY_SIZE 8
#define configUSE_TASK_NOTIFICATIONS 1
#define configTASK_NOTIFICATION_ARRAY_ENTRIES 3
#define configUSE_TIMERS 1
#define configTIMER_QUEUE_LENGTH 10
#define configSUPPORT_STATIC_ALLOCATION 1
#define configSUPPORT_DYNAMIC_ALLOCATION 1
#define configCHECK_FOR_STACK_OVERFLOW 2
#define configUSE_MALLOC_FAILED_HOOK 1
#define configUSE_IDLE_HOOK 1
#define configUSE_TICK_HOOK 0
#define configUSE_TRACE_FACILITY 1
#define configNUM_THREAD_LOCAL_STORAGE_POINTERS 2
#define configPRIO_BITS 4
#define configLIBRARY_LOWEST_INTERRUPT_PRIORITY 15
#define configLIBRARY_MAX_SYSCALL_INTERRUPT_PRIORITY 5
#define configKERNEL_INTERRUPT_PRIORITY (configLIBRARY_LOWEST_INTERRUPT_PRIORITY << (8 - configPRIO_BITS))
#define configMAX_SYSCALL_INTERRUPT_PRIORITY (configLIBRARY_MAX_SYSCALL_INTERRUPT_PRIORITY << (8 - configPRIO_BITS))

#define INCLUDE_vTaskPrioritySet 1
#define INCLUDE_uxTaskPriorityGet 1
#define INCLUDE_vTaskDelete 1
#define INCLUDE_vTaskSuspend 1
#define INCLUDE_vTaskDelayUntil 1
#define INCLUDE_vTaskDelay 1
#define INCLUDE_xTaskGetSchedulerState 1
#define INCLUDE_xTaskGetCurrentTaskHandle 1
#define INCLUDE_uxTaskGetStackHighWaterMark 1
#define INCLUDE_eTaskGetState 1
#define INCLUDE_xTimerPendFunctionCall 1
#define INCLUDE_xTaskGetHandle 1
#define INCLUDE_xSemaphoreGetMutexHolder 1
#define INCLUDE_xTaskResumeFromISR 1

void vAssertFailed(const char *condition, const char *file, int line);
#define configASSERT(condition) ((condition) ? (void)0 : vAssertFailed(#condition, __FILE__, __LINE__))

#endif
