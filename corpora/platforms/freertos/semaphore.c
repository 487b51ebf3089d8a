/* Semaphores, and mutexes with priority inheritance. */
#include "rtos_queue.h"

bool fb_rtos_is_mutex(const Queue *queue)
{
    return queue->type == queueQUEUE_TYPE_MUTEX || queue->type == queueQUEUE_TYPE_RECURSIVE_MUTEX;
}

static Queue *semaphore(UBaseType_t most, UBaseType_t initial, StaticQueue_t *buffer, uint8_t type, const char *call)
{
    if (!fb_rtos_enter(call))
        return NULL;
    if (initial > most) {
        fb_fault("invalid_argument", "%s is called with an initial count of %u above the most, %u", call, initial, most);
        return NULL;
    }
    Queue *made = fb_rtos_queue_new(most, 0, NULL, buffer, type, call);
    if (made)
        made->count = initial;
    return made;
}

static bool given(const StaticQueue_t *buffer, const char *call)
{
    if (!buffer)
        fb_fault("invalid_argument", "%s is called without a StaticSemaphore_t", call);
    return buffer != NULL;
}

QueueHandle_t xQueueCreateMutex(const uint8_t type)
{
    return semaphore(1, 1, NULL, type, "xSemaphoreCreateMutex");
}

QueueHandle_t xQueueCreateMutexStatic(const uint8_t type, StaticQueue_t *buffer)
{
    static const char call[] = "xSemaphoreCreateMutexStatic";
    return given(buffer, call) ? semaphore(1, 1, buffer, type, call) : NULL;
}

QueueHandle_t xQueueCreateCountingSemaphore(const UBaseType_t most, const UBaseType_t initial)
{
    return semaphore(most, initial, NULL, queueQUEUE_TYPE_COUNTING_SEMAPHORE, "xSemaphoreCreateCounting");
}

QueueHandle_t xQueueCreateCountingSemaphoreStatic(const UBaseType_t most, const UBaseType_t initial,
                                                  StaticQueue_t *buffer)
{
    static const char call[] = "xSemaphoreCreateCountingStatic";
    return given(buffer, call) ? semaphore(most, initial, buffer, queueQUEUE_TYPE_COUNTING_SEMAPHORE, call) : NULL;
}

static void inherit(Queue *mutex, Task *waiter)
{
    if (mutex->holder && waiter && mutex->holder->priority < waiter->priority) {
        fb_trace("inherit", "%s gets priority %u", mutex->holder->name, waiter->priority);
        fb_rtos_set_priority(mutex->holder, waiter->priority);
    }
}

/* A waiter gave up: the holder falls back to what those that still wait lend it, if this is its only mutex. */
static void disinherit_after_timeout(Queue *mutex)
{
    Task *holder = mutex->holder;
    if (!holder || holder->mutexes != 1)
        return;
    UBaseType_t priority = holder->base;
    fb_thread *first = fb_first(&mutex->readers);
    if (first && (UBaseType_t)fb_thread_get_priority(first) > priority)
        priority = (UBaseType_t)fb_thread_get_priority(first);
    if (holder->priority != priority)
        fb_rtos_set_priority(holder, priority);
}

BaseType_t xQueueSemaphoreTake(QueueHandle_t queue, TickType_t ticks)
{
    if (!fb_rtos_enter("xSemaphoreTake") || !fb_rtos_queue_is(queue, "xSemaphoreTake"))
        return pdFAIL;
    Task *self = fb_rtos_self();
    bool mutex = fb_rtos_is_mutex(queue);
    if (mutex && self && queue->holder == self && ticks == portMAX_DELAY)
        fb_fault("self_deadlock", "task %s takes a mutex that it holds and will wait for ever", self->name);
    int64_t until = fb_rtos_deadline(ticks);
    while (queue->count == 0) {
        if (ticks == 0)
            return pdFAIL;
        if (mutex)
            inherit(queue, self);
        if (!fb_rtos_block(&queue->readers, until, "xSemaphoreTake") && queue->count == 0) {
            if (mutex)
                disinherit_after_timeout(queue);
            return pdFAIL;
        }
    }
    queue->count--;
    if (mutex) {
        queue->holder = self;
        if (self)
            self->mutexes++;
    }
    fb_rtos_leave();
    return pdPASS;
}

BaseType_t fb_rtos_mutex_give(Queue *mutex)
{
    Task *self = fb_rtos_self();
    if (mutex->count) {
        fb_fault("mutex_owner", "xSemaphoreGive is called with a mutex that nobody holds");
        return pdFAIL;
    }
    if (mutex->holder != self) {
        fb_fault("mutex_owner", "task %s gives a mutex that task %s holds", self ? self->name : "main",
                 mutex->holder ? mutex->holder->name : "main");
        return pdFAIL;
    }
    mutex->holder = NULL;
    mutex->count = 1;
    if (self && --self->mutexes == 0 && self->priority != self->base)
        fb_rtos_set_priority(self, self->base);
    fb_rtos_wake(&mutex->readers, NULL);
    fb_rtos_leave();
    return pdPASS;
}

BaseType_t xQueueGiveFromISR(QueueHandle_t queue, BaseType_t *const woken)
{
    fb_rtos_enter_from_isr("xSemaphoreGiveFromISR");
    if (!fb_rtos_queue_is(queue, "xSemaphoreGiveFromISR"))
        return pdFAIL;
    if (queue->item_size || fb_rtos_is_mutex(queue)) {
        fb_fault("mutex_owner", "xSemaphoreGiveFromISR is called with a %s", queue->item_size ? "queue" : "mutex");
        return pdFAIL;
    }
    if (queue->count == queue->length)
        return errQUEUE_FULL;
    fb_rtos_queue_put(queue, NULL, queueSEND_TO_BACK, woken);
    return pdPASS;
}

static bool recursive(Queue *mutex, const char *call)
{
    if (!fb_rtos_queue_is(mutex, call))
        return false;
    if (mutex->type != queueQUEUE_TYPE_RECURSIVE_MUTEX)
        fb_fault("invalid_handle", "%s is called with no recursive mutex", call);
    return mutex->type == queueQUEUE_TYPE_RECURSIVE_MUTEX;
}

BaseType_t xQueueTakeMutexRecursive(QueueHandle_t mutex, TickType_t ticks)
{
    if (!recursive(mutex, "xSemaphoreTakeRecursive"))
        return pdFAIL;
    if (mutex->count || mutex->holder != fb_rtos_self()) {
        if (xQueueSemaphoreTake(mutex, ticks) != pdPASS)
            return pdFAIL;
    }
    mutex->recursion++;
    return pdPASS;
}

BaseType_t xQueueGiveMutexRecursive(QueueHandle_t mutex)
{
    if (!recursive(mutex, "xSemaphoreGiveRecursive"))
        return pdFAIL;
    if (mutex->count || mutex->holder != fb_rtos_self())
        return pdFAIL;
    if (--mutex->recursion == 0)
        return fb_rtos_mutex_give(mutex);
    return pdPASS;
}

TaskHandle_t xQueueGetMutexHolder(QueueHandle_t mutex)
{
    return fb_rtos_queue_is(mutex, "xSemaphoreGetMutexHolder") && fb_rtos_is_mutex(mutex) ? mutex->holder : NULL;
}

TaskHandle_t xQueueGetMutexHolderFromISR(QueueHandle_t mutex) { return xQueueGetMutexHolder(mutex); }
