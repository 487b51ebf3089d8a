/* Tasks: creation, deletion, priorities, suspension, and what can be asked about them. */
#include "rtos.h"

#include <stdlib.h>
#include <string.h>

#include "freertos_scenario.h"

#define SCENARIO_STACK_BYTES 65536
#define TASK_BYTES sizeof(StaticTask_t)

static Task *tasks;
static UBaseType_t numbers;
static const void *claimed[256];
static size_t claims;

Task *fb_rtos_tasks(void) { return tasks; }

bool fb_rtos_claim(const void *buffer, const char *call)
{
    if (!buffer) {
        fb_fault("invalid_argument", "%s is called without a buffer", call);
        return false;
    }
    for (size_t i = 0; i < claims; i++)
        if (claimed[i] == buffer) {
            fb_fault("static_reuse", "%s is called with a buffer that already holds another object", call);
            return false;
        }
    if (claims < sizeof claimed / sizeof *claimed)
        claimed[claims++] = buffer;
    return true;
}

void fb_rtos_release(const void *buffer)
{
    for (size_t i = 0; buffer && i < claims; i++)
        if (claimed[i] == buffer) {
            claimed[i] = claimed[--claims];
            return;
        }
}

static void run_task(void *argument)
{
    Task *task = argument;
    task->stack_top = __builtin_frame_address(0);
    task->entry(task->argument);
    fb_fault("task_return", "task %s returns; a task ends with vTaskDelete(NULL)", task->name);
    fb_rtos_end_task(task);
}

Task *fb_rtos_new_task(TaskFunction_t entry, const char *name, size_t stack_bytes, void *argument, UBaseType_t priority)
{
    Task *task = calloc(1, sizeof *task);
    strncpy(task->name, name ? name : "", sizeof task->name - 1);
    task->entry = entry;
    task->argument = argument;
    if (priority >= configMAX_PRIORITIES) {
        fb_fault("invalid_argument", "task %s is given priority %u, but configMAX_PRIORITIES is %d", task->name,
                 priority, configMAX_PRIORITIES);
        priority = configMAX_PRIORITIES - 1;
    }
    task->base = task->priority = priority;
    task->number = ++numbers;
    task->stack_bytes = stack_bytes;
    task->notification_awaited = -1;
    Task **last = &tasks;
    while (*last)
        last = &(*last)->next;
    *last = task;
    task->thread = fb_thread_new(task->name, (int)priority, run_task, task);
    *fb_thread_data(task->thread) = task;
    fb_trace("task", "create %s priority %u stack %zu", task->name, priority, stack_bytes);
    return task;
}

void freertos_task(const char *name, unsigned priority, void (*entry)(void *), void *argument)
{
    fb_rtos_new_task(entry, name, SCENARIO_STACK_BYTES, argument, priority);
}

static bool creatable(TaskFunction_t entry, const char *call)
{
    if (!fb_rtos_enter(call))
        return false;
    if (!entry)
        fb_fault("invalid_argument", "%s is called without a task function", call);
    return entry != NULL;
}

BaseType_t xTaskCreate(TaskFunction_t entry, const char *const name, const uint32_t depth, void *const argument,
                       UBaseType_t priority, TaskHandle_t *const created)
{
    if (!creatable(entry, "xTaskCreate"))
        return pdFAIL;
    size_t stack_bytes = (size_t)depth * sizeof(StackType_t);
    void *stack = pvPortMalloc(stack_bytes);
    void *memory = stack ? pvPortMalloc(TASK_BYTES) : NULL;
    if (!memory) {
        vPortFree(stack);
        return errCOULD_NOT_ALLOCATE_REQUIRED_MEMORY;
    }
    Task *task = fb_rtos_new_task(entry, name, stack_bytes, argument, priority);
    task->memory = memory;
    task->stack = stack;
    if (created)
        *created = task;
    fb_rtos_leave();
    return pdPASS;
}

TaskHandle_t xTaskCreateStatic(TaskFunction_t entry, const char *const name, const uint32_t depth,
                               void *const argument, UBaseType_t priority, StackType_t *const stack,
                               StaticTask_t *const buffer)
{
    if (!creatable(entry, "xTaskCreateStatic") || !fb_rtos_claim(buffer, "xTaskCreateStatic"))
        return NULL;
    if (!fb_rtos_claim(stack, "xTaskCreateStatic")) {
        fb_rtos_release(buffer);
        return NULL;
    }
    Task *task = fb_rtos_new_task(entry, name, (size_t)depth * sizeof(StackType_t), argument, priority);
    task->static_task = buffer;
    fb_rtos_leave();
    return task;
}

#ifdef ESP_PLATFORM
static bool core_exists(BaseType_t core)
{
    if ((core >= 0 && core < portNUM_PROCESSORS) || core == tskNO_AFFINITY)
        return true;
    fb_fault("invalid_argument", "a task is pinned to core %d, which does not exist", core);
    return false;
}

BaseType_t xTaskCreatePinnedToCore(TaskFunction_t entry, const char *const name, const uint32_t depth,
                                   void *const argument, UBaseType_t priority, TaskHandle_t *const created,
                                   const BaseType_t core)
{
    return core_exists(core) ? xTaskCreate(entry, name, depth, argument, priority, created) : pdFAIL;
}

TaskHandle_t xTaskCreateStaticPinnedToCore(TaskFunction_t entry, const char *const name, const uint32_t depth,
                                           void *const argument, UBaseType_t priority, StackType_t *const stack,
                                           StaticTask_t *const buffer, const BaseType_t core)
{
    return core_exists(core) ? xTaskCreateStatic(entry, name, depth, argument, priority, stack, buffer) : NULL;
}
#endif

/* The block itself stays, so that a stale handle is found out and not followed. */
void fb_rtos_end_task(Task *task)
{
    fb_thread *thread = task->thread;
    for (Task **link = &tasks; *link; link = &(*link)->next)
        if (*link == task) {
            *link = task->next;
            break;
        }
    vPortFree(task->memory);
    vPortFree(task->stack);
    fb_rtos_release(task->static_task);
    task->thread = NULL;
    fb_trace("task", "delete %s", task->name);
    if (thread)
        fb_thread_abort(thread);
}

static bool alive(const Task *task)
{
    for (const Task *each = tasks; each; each = each->next)
        if (each == task)
            return true;
    return false;
}

static Task *find(TaskHandle_t handle, const char *call)
{
    Task *task = handle ? handle : fb_rtos_self();
    if (task && alive(task))
        return task;
    fb_fault("invalid_handle", "%s is called with %s", call,
             handle ? "the handle of a task that was deleted or never made" : "NULL outside a task");
    return NULL;
}

void vTaskDelete(TaskHandle_t handle)
{
    Task *task = fb_rtos_enter("vTaskDelete") ? find(handle, "vTaskDelete") : NULL;
    if (!task)
        return;
    if (task->mutexes)
        fb_fault("mutex_owner", "task %s is deleted while it holds a mutex", task->name);
    fb_rtos_end_task(task);
    fb_rtos_leave();
}

/* ---- priorities and suspension ---- */

void fb_rtos_set_priority(Task *task, UBaseType_t priority)
{
    task->priority = priority;
    if (task->thread)
        fb_thread_priority(task->thread, (int)priority);
}

UBaseType_t uxTaskPriorityGet(const TaskHandle_t handle)
{
    Task *task = find(handle, "uxTaskPriorityGet");
    return task ? task->priority : 0;
}

UBaseType_t uxTaskPriorityGetFromISR(const TaskHandle_t handle) { return uxTaskPriorityGet(handle); }

UBaseType_t uxTaskBasePriorityGet(const TaskHandle_t handle)
{
    Task *task = find(handle, "uxTaskBasePriorityGet");
    return task ? task->base : 0;
}

void vTaskPrioritySet(TaskHandle_t handle, UBaseType_t priority)
{
    Task *task = fb_rtos_enter("vTaskPrioritySet") ? find(handle, "vTaskPrioritySet") : NULL;
    if (!task)
        return;
    if (priority >= configMAX_PRIORITIES) {
        fb_fault("invalid_argument", "vTaskPrioritySet is given %u, but configMAX_PRIORITIES is %d", priority,
                 configMAX_PRIORITIES);
        priority = configMAX_PRIORITIES - 1;
    }
    bool own = task->priority == task->base;
    task->base = priority;
    if (own || priority > task->priority)
        fb_rtos_set_priority(task, priority);
    fb_rtos_leave();
}

void vTaskSuspend(TaskHandle_t handle)
{
    Task *task = fb_rtos_enter("vTaskSuspend") ? find(handle, "vTaskSuspend") : NULL;
    if (task)
        fb_thread_suspend(task->thread);
}

void vTaskResume(TaskHandle_t handle)
{
    Task *task = fb_rtos_enter("vTaskResume") ? find(handle, "vTaskResume") : NULL;
    if (task)
        fb_thread_resume(task->thread);
    fb_rtos_leave();
}

BaseType_t xTaskResumeFromISR(TaskHandle_t handle)
{
    fb_rtos_enter_from_isr("xTaskResumeFromISR");
    Task *task = find(handle, "xTaskResumeFromISR");
    if (!task || !fb_thread_suspended(task->thread))
        return pdFALSE;
    fb_thread_resume(task->thread);
    return pdTRUE;
}

BaseType_t xTaskAbortDelay(TaskHandle_t handle)
{
    Task *task = fb_rtos_enter("xTaskAbortDelay") ? find(handle, "xTaskAbortDelay") : NULL;
    if (!task || !fb_thread_waiting(task->thread))
        return pdFAIL;
    task->delay_aborted = true;
    fb_wake_thread(task->thread);
    fb_rtos_leave();
    return pdPASS;
}

/* ---- questions ---- */

eTaskState eTaskGetState(TaskHandle_t handle)
{
    if (!handle)
        return eInvalid;
    if (!alive(handle))
        return eDeleted;
    if (handle == fb_rtos_self())
        return eRunning;
    if (fb_thread_suspended(handle->thread))
        return eSuspended;
    return fb_thread_waiting(handle->thread) ? eBlocked : eReady;
}

UBaseType_t uxTaskGetNumberOfTasks(void)
{
    UBaseType_t count = 0;
    for (Task *task = tasks; task; task = task->next)
        count++;
    return count;
}

char *pcTaskGetName(TaskHandle_t handle)
{
    Task *task = find(handle, "pcTaskGetName");
    return task ? task->name : "";
}

TaskHandle_t xTaskGetHandle(const char *name)
{
    for (Task *task = tasks; task; task = task->next)
        if (strcmp(task->name, name) == 0)
            return task;
    return NULL;
}

TaskHandle_t xTaskGetCurrentTaskHandle(void) { return fb_rtos_self(); }

UBaseType_t uxTaskGetStackHighWaterMark(TaskHandle_t handle)
{
    if (!fb_rtos_enter("uxTaskGetStackHighWaterMark"))
        return 0;
    Task *task = find(handle, "uxTaskGetStackHighWaterMark");
    size_t left = task && task->stack_used < task->stack_bytes ? task->stack_bytes - task->stack_used : 0;
    return (UBaseType_t)(left / sizeof(StackType_t));
}

uint32_t uxTaskGetStackHighWaterMark2(TaskHandle_t handle) { return uxTaskGetStackHighWaterMark(handle); }

static bool local_index(BaseType_t index)
{
    if (index >= 0 && index < configNUM_THREAD_LOCAL_STORAGE_POINTERS)
        return true;
    fb_fault("invalid_argument", "thread local storage pointer %d does not exist", index);
    return false;
}

void vTaskSetThreadLocalStoragePointer(TaskHandle_t handle, BaseType_t index, void *value)
{
    Task *task = find(handle, "vTaskSetThreadLocalStoragePointer");
    if (task && local_index(index))
        task->local[index] = value;
}

void *pvTaskGetThreadLocalStoragePointer(TaskHandle_t handle, BaseType_t index)
{
    Task *task = find(handle, "pvTaskGetThreadLocalStoragePointer");
    return task && local_index(index) ? task->local[index] : NULL;
}

void vTaskGetInfo(TaskHandle_t handle, TaskStatus_t *status, BaseType_t free_stack, eTaskState state)
{
    Task *task = find(handle, "vTaskGetInfo");
    (void)free_stack;
    if (!task)
        return;
    *status = (TaskStatus_t){.xHandle = task,
                             .pcTaskName = task->name,
                             .xTaskNumber = task->number,
                             .eCurrentState = state == eInvalid ? eTaskGetState(task) : state,
                             .uxCurrentPriority = task->priority,
                             .uxBasePriority = task->base,
                             .usStackHighWaterMark = (uint16_t)uxTaskGetStackHighWaterMark(task)};
}

UBaseType_t uxTaskGetSystemState(TaskStatus_t *const array, const UBaseType_t size, uint32_t *const run_time)
{
    UBaseType_t count = 0;
    if (run_time)
        *run_time = 0;
    if (size < uxTaskGetNumberOfTasks())
        return 0;
    for (Task *task = tasks; task; task = task->next)
        vTaskGetInfo(task, &array[count++], pdTRUE, eInvalid);
    return count;
}
