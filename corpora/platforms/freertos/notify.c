/* Task notifications. */
#include "rtos.h"

static bool usable(Task *task, UBaseType_t index, const char *call)
{
    if (index >= configTASK_NOTIFICATION_ARRAY_ENTRIES) {
        fb_fault("invalid_argument", "%s is called with notification index %u of %d", call, index,
                 configTASK_NOTIFICATION_ARRAY_ENTRIES);
        return false;
    }
    for (Task *each = fb_rtos_tasks(); each; each = each->next)
        if (each == task)
            return true;
    fb_fault("invalid_handle", "%s is called with %s", call, task ? "a task that was deleted or never made" : "NULL");
    return false;
}

static BaseType_t notify(Task *task, UBaseType_t index, uint32_t value, eNotifyAction action, uint32_t *previous,
                         BaseType_t *woken)
{
    BaseType_t result = pdPASS;
    uint32_t *now = &task->notified[index];
    if (previous)
        *previous = *now;
    switch (action) {
    case eSetBits:
        *now |= value;
        break;
    case eIncrement:
        ++*now;
        break;
    case eSetValueWithoutOverwrite:
        if (task->notification_pending[index])
            result = pdFAIL;
        else
            *now = value;
        break;
    case eSetValueWithOverwrite:
        *now = value;
        break;
    case eNoAction:
        break;
    }
    task->notification_pending[index] = true;
    if (task->notification_awaited == (int)index)
        fb_rtos_wake_task(task, woken);
    return result;
}

BaseType_t xTaskGenericNotify(TaskHandle_t task, UBaseType_t index, uint32_t value, eNotifyAction action,
                              uint32_t *previous)
{
    if (!fb_rtos_enter("xTaskNotify") || !usable(task, index, "xTaskNotify"))
        return pdFAIL;
    BaseType_t result = notify(task, index, value, action, previous, NULL);
    fb_rtos_leave();
    return result;
}

BaseType_t xTaskGenericNotifyFromISR(TaskHandle_t task, UBaseType_t index, uint32_t value, eNotifyAction action,
                                     uint32_t *previous, BaseType_t *woken)
{
    fb_rtos_enter_from_isr("xTaskNotifyFromISR");
    return usable(task, index, "xTaskNotifyFromISR") ? notify(task, index, value, action, previous, woken) : pdFAIL;
}

void vTaskGenericNotifyGiveFromISR(TaskHandle_t task, UBaseType_t index, BaseType_t *woken)
{
    fb_rtos_enter_from_isr("vTaskNotifyGiveFromISR");
    if (usable(task, index, "vTaskNotifyGiveFromISR"))
        notify(task, index, 0, eIncrement, NULL, woken);
}

/* Wait until there is a notification (`counted`: a value above 0) or the time has come. */
static void await(Task *self, UBaseType_t index, bool counted, TickType_t ticks, const char *call)
{
    int64_t until = fb_rtos_deadline(ticks);
    while (counted ? self->notified[index] == 0 : !self->notification_pending[index]) {
        self->notification_awaited = (int)index;
        bool woken = ticks && fb_rtos_block(NULL, until, call);
        self->notification_awaited = -1;
        if (!woken)
            return;
    }
}

BaseType_t xTaskGenericNotifyWait(UBaseType_t index, uint32_t entry, uint32_t exit, uint32_t *value, TickType_t ticks)
{
    Task *self = fb_rtos_enter("xTaskNotifyWait") ? fb_rtos_self() : NULL;
    if (!usable(self, index, "xTaskNotifyWait"))
        return pdFALSE;
    if (!self->notification_pending[index])
        self->notified[index] &= ~entry;
    await(self, index, false, ticks, "xTaskNotifyWait");
    BaseType_t got = self->notification_pending[index] ? pdTRUE : pdFALSE;
    if (value)
        *value = self->notified[index];
    if (got)
        self->notified[index] &= ~exit;
    self->notification_pending[index] = false;
    return got;
}

uint32_t ulTaskGenericNotifyTake(UBaseType_t index, BaseType_t clear, TickType_t ticks)
{
    Task *self = fb_rtos_enter("ulTaskNotifyTake") ? fb_rtos_self() : NULL;
    if (!usable(self, index, "ulTaskNotifyTake"))
        return 0;
    await(self, index, true, ticks, "ulTaskNotifyTake");
    uint32_t value = self->notified[index];
    if (value)
        self->notified[index] = clear ? 0 : value - 1;
    self->notification_pending[index] = false;
    return value;
}

BaseType_t xTaskGenericNotifyStateClear(TaskHandle_t handle, UBaseType_t index)
{
    Task *task = handle ? handle : fb_rtos_self();
    if (!usable(task, index, "xTaskNotifyStateClear"))
        return pdFAIL;
    BaseType_t was = task->notification_pending[index] ? pdPASS : pdFAIL;
    task->notification_pending[index] = false;
    return was;
}

uint32_t ulTaskGenericNotifyValueClear(TaskHandle_t handle, UBaseType_t index, uint32_t bits)
{
    Task *task = handle ? handle : fb_rtos_self();
    if (!usable(task, index, "ulTaskNotifyValueClear"))
        return 0;
    uint32_t value = task->notified[index];
    task->notified[index] &= ~bits;
    return value;
}
