/* Tasks, notifications and the scheduler. */
#ifndef INC_TASK_H
#define INC_TASK_H

#ifndef INC_FREERTOS_H
#error "include FreeRTOS.h must appear in source files before include task.h"
#endif

typedef struct tskTaskControlBlock *TaskHandle_t;
typedef BaseType_t (*TaskHookFunction_t)(void *);

typedef enum { eRunning = 0, eReady, eBlocked, eSuspended, eDeleted, eInvalid } eTaskState;
typedef enum { eNoAction = 0, eSetBits, eIncrement, eSetValueWithOverwrite, eSetValueWithoutOverwrite } eNotifyAction;

typedef struct xTIME_OUT {
    BaseType_t xOverflowCount;
    TickType_t xTimeOnEntering;
} TimeOut_t;

typedef struct xTASK_STATUS {
    TaskHandle_t xHandle;
    const char *pcTaskName;
    UBaseType_t xTaskNumber;
    eTaskState eCurrentState;
    UBaseType_t uxCurrentPriority;
    UBaseType_t uxBasePriority;
    uint32_t ulRunTimeCounter;
    StackType_t *pxStackBase;
    uint16_t usStackHighWaterMark;
} TaskStatus_t;

#define tskIDLE_PRIORITY ((UBaseType_t)0U)
#define taskSCHEDULER_SUSPENDED ((BaseType_t)0)
#define taskSCHEDULER_NOT_STARTED ((BaseType_t)1)
#define taskSCHEDULER_RUNNING ((BaseType_t)2)
#define tskDEFAULT_INDEX_TO_NOTIFY ((UBaseType_t)0)

#define taskYIELD() portYIELD()
#ifdef ESP_PLATFORM
#define taskENTER_CRITICAL(mux) portENTER_CRITICAL(mux)
#define taskEXIT_CRITICAL(mux) portEXIT_CRITICAL(mux)
#define taskENTER_CRITICAL_ISR(mux) portENTER_CRITICAL_ISR(mux)
#define taskEXIT_CRITICAL_ISR(mux) portEXIT_CRITICAL_ISR(mux)
#else
#define taskENTER_CRITICAL() portENTER_CRITICAL()
#define taskEXIT_CRITICAL() portEXIT_CRITICAL()
#endif
#define taskENTER_CRITICAL_FROM_ISR() portSET_INTERRUPT_MASK_FROM_ISR()
#define taskEXIT_CRITICAL_FROM_ISR(mask) portCLEAR_INTERRUPT_MASK_FROM_ISR(mask)
#define taskDISABLE_INTERRUPTS() portDISABLE_INTERRUPTS()
#define taskENABLE_INTERRUPTS() portENABLE_INTERRUPTS()

BaseType_t xTaskCreate(TaskFunction_t pxTaskCode, const char *const pcName, const uint32_t uxStackDepth,
                       void *const pvParameters, UBaseType_t uxPriority, TaskHandle_t *const pxCreatedTask);
TaskHandle_t xTaskCreateStatic(TaskFunction_t pxTaskCode, const char *const pcName, const uint32_t uxStackDepth,
                               void *const pvParameters, UBaseType_t uxPriority, StackType_t *const puxStackBuffer,
                               StaticTask_t *const pxTaskBuffer);
#ifdef ESP_PLATFORM
BaseType_t xTaskCreatePinnedToCore(TaskFunction_t pxTaskCode, const char *const pcName, const uint32_t usStackDepth,
                                   void *const pvParameters, UBaseType_t uxPriority, TaskHandle_t *const pxCreatedTask,
                                   const BaseType_t xCoreID);
TaskHandle_t xTaskCreateStaticPinnedToCore(TaskFunction_t pxTaskCode, const char *const pcName,
                                           const uint32_t ulStackDepth, void *const pvParameters,
                                           UBaseType_t uxPriority, StackType_t *const puxStackBuffer,
                                           StaticTask_t *const pxTaskBuffer, const BaseType_t xCoreID);
#endif
void vTaskDelete(TaskHandle_t xTaskToDelete);
void vTaskDelay(const TickType_t xTicksToDelay);
BaseType_t xTaskDelayUntil(TickType_t *const pxPreviousWakeTime, const TickType_t xTimeIncrement);
#define vTaskDelayUntil(pxPreviousWakeTime, xTimeIncrement)                                                           \
    do {                                                                                                              \
        (void)xTaskDelayUntil(pxPreviousWakeTime, xTimeIncrement);                                                    \
    } while (0)
UBaseType_t uxTaskPriorityGet(const TaskHandle_t xTask);
UBaseType_t uxTaskPriorityGetFromISR(const TaskHandle_t xTask);
UBaseType_t uxTaskBasePriorityGet(const TaskHandle_t xTask);
void vTaskPrioritySet(TaskHandle_t xTask, UBaseType_t uxNewPriority);
eTaskState eTaskGetState(TaskHandle_t xTask);
void vTaskSuspend(TaskHandle_t xTaskToSuspend);
void vTaskResume(TaskHandle_t xTaskToResume);
BaseType_t xTaskResumeFromISR(TaskHandle_t xTaskToResume);
BaseType_t xTaskAbortDelay(TaskHandle_t xTask);

void vTaskStartScheduler(void);
void vTaskEndScheduler(void);
void vTaskSuspendAll(void);
BaseType_t xTaskResumeAll(void);
BaseType_t xTaskGetSchedulerState(void);
TickType_t xTaskGetTickCount(void);
TickType_t xTaskGetTickCountFromISR(void);
void vTaskSetTimeOutState(TimeOut_t *const pxTimeOut);
BaseType_t xTaskCheckForTimeOut(TimeOut_t *const pxTimeOut, TickType_t *const pxTicksToWait);

UBaseType_t uxTaskGetNumberOfTasks(void);
char *pcTaskGetName(TaskHandle_t xTaskToQuery);
TaskHandle_t xTaskGetHandle(const char *pcNameToQuery);
TaskHandle_t xTaskGetCurrentTaskHandle(void);
TaskHandle_t xTaskGetIdleTaskHandle(void);
UBaseType_t uxTaskGetStackHighWaterMark(TaskHandle_t xTask);
uint32_t uxTaskGetStackHighWaterMark2(TaskHandle_t xTask);
void vTaskSetThreadLocalStoragePointer(TaskHandle_t xTaskToSet, BaseType_t xIndex, void *pvValue);
void *pvTaskGetThreadLocalStoragePointer(TaskHandle_t xTaskToQuery, BaseType_t xIndex);
void vTaskGetInfo(TaskHandle_t xTask, TaskStatus_t *pxTaskStatus, BaseType_t xGetFreeStackSpace, eTaskState eState);
UBaseType_t uxTaskGetSystemState(TaskStatus_t *const pxTaskStatusArray, const UBaseType_t uxArraySize,
                                 uint32_t *const pulTotalRunTime);

BaseType_t xTaskGenericNotify(TaskHandle_t xTaskToNotify, UBaseType_t uxIndexToNotify, uint32_t ulValue,
                              eNotifyAction eAction, uint32_t *pulPreviousNotificationValue);
BaseType_t xTaskGenericNotifyFromISR(TaskHandle_t xTaskToNotify, UBaseType_t uxIndexToNotify, uint32_t ulValue,
                                     eNotifyAction eAction, uint32_t *pulPreviousNotificationValue,
                                     BaseType_t *pxHigherPriorityTaskWoken);
void vTaskGenericNotifyGiveFromISR(TaskHandle_t xTaskToNotify, UBaseType_t uxIndexToNotify,
                                   BaseType_t *pxHigherPriorityTaskWoken);
BaseType_t xTaskGenericNotifyWait(UBaseType_t uxIndexToWaitOn, uint32_t ulBitsToClearOnEntry,
                                  uint32_t ulBitsToClearOnExit, uint32_t *pulNotificationValue,
                                  TickType_t xTicksToWait);
uint32_t ulTaskGenericNotifyTake(UBaseType_t uxIndexToWaitOn, BaseType_t xClearCountOnExit, TickType_t xTicksToWait);
BaseType_t xTaskGenericNotifyStateClear(TaskHandle_t xTask, UBaseType_t uxIndexToClear);
uint32_t ulTaskGenericNotifyValueClear(TaskHandle_t xTask, UBaseType_t uxIndexToClear, uint32_t ulBitsToClear);

#define xTaskNotifyIndexed(task, index, value, action) xTaskGenericNotify(task, index, value, action, NULL)
#define xTaskNotify(task, value, action) xTaskGenericNotify(task, 0, value, action, NULL)
#define xTaskNotifyAndQueryIndexed(task, index, value, action, previous)                                              \
    xTaskGenericNotify(task, index, value, action, previous)
#define xTaskNotifyAndQuery(task, value, action, previous) xTaskGenericNotify(task, 0, value, action, previous)
#define xTaskNotifyGiveIndexed(task, index) xTaskGenericNotify(task, index, 0, eIncrement, NULL)
#define xTaskNotifyGive(task) xTaskGenericNotify(task, 0, 0, eIncrement, NULL)
#define xTaskNotifyIndexedFromISR(task, index, value, action, woken)                                                  \
    xTaskGenericNotifyFromISR(task, index, value, action, NULL, woken)
#define xTaskNotifyFromISR(task, value, action, woken) xTaskGenericNotifyFromISR(task, 0, value, action, NULL, woken)
#define xTaskNotifyAndQueryFromISR(task, value, action, previous, woken)                                              \
    xTaskGenericNotifyFromISR(task, 0, value, action, previous, woken)
#define vTaskNotifyGiveIndexedFromISR(task, index, woken) vTaskGenericNotifyGiveFromISR(task, index, woken)
#define vTaskNotifyGiveFromISR(task, woken) vTaskGenericNotifyGiveFromISR(task, 0, woken)
#define xTaskNotifyWaitIndexed(index, entry, exit, value, ticks) xTaskGenericNotifyWait(index, entry, exit, value, ticks)
#define xTaskNotifyWait(entry, exit, value, ticks) xTaskGenericNotifyWait(0, entry, exit, value, ticks)
#define ulTaskNotifyTakeIndexed(index, clear, ticks) ulTaskGenericNotifyTake(index, clear, ticks)
#define ulTaskNotifyTake(clear, ticks) ulTaskGenericNotifyTake(0, clear, ticks)
#define xTaskNotifyStateClearIndexed(task, index) xTaskGenericNotifyStateClear(task, index)
#define xTaskNotifyStateClear(task) xTaskGenericNotifyStateClear(task, 0)
#define ulTaskNotifyValueClearIndexed(task, index, bits) ulTaskGenericNotifyValueClear(task, index, bits)
#define ulTaskNotifyValueClear(task, bits) ulTaskGenericNotifyValueClear(task, 0, bits)

/* Hooks that the application may define. */
void vApplicationIdleHook(void);
void vApplicationMallocFailedHook(void);
void vApplicationStackOverflowHook(TaskHandle_t xTask, char *pcTaskName);
#ifndef ESP_PLATFORM
void vApplicationGetIdleTaskMemory(StaticTask_t **ppxIdleTaskTCBBuffer, StackType_t **ppxIdleTaskStackBuffer,
                                   uint32_t *pulIdleTaskStackSize);
void vApplicationGetTimerTaskMemory(StaticTask_t **ppxTimerTaskTCBBuffer, StackType_t **ppxTimerTaskStackBuffer,
                                    uint32_t *pulTimerTaskStackSize);
#endif

#endif
