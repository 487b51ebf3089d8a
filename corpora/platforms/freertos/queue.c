/* Queues and queue sets. */
#include "rtos_queue.h"

#include <stdlib.h>
#include <string.h>

bool fb_rtos_queue_is(const Queue *queue, const char *call)
{
    return fb_rtos_is(queue, QUEUE_MAGIC, call, "queue, semaphore or mutex that exists");
}

Queue *fb_rtos_queue_new(UBaseType_t length, UBaseType_t item_size, uint8_t *storage, StaticQueue_t *buffer, uint8_t type,
                      const char *call)
{
    if (length == 0) {
        fb_fault("invalid_argument", "%s is called with length 0", call);
        return NULL;
    }
    void *memory = NULL;
    if (buffer) {
        if (item_size && !storage) {
            fb_fault("invalid_argument", "%s is called without storage for %u items", call, length);
            return NULL;
        }
        if (!fb_rtos_claim(buffer, call) || (storage && !fb_rtos_claim(storage, call)))
            return NULL;
    } else if (!(memory = pvPortMalloc(sizeof(StaticQueue_t) + (size_t)length * item_size))) {
        return NULL;
    }
    Queue *queue = calloc(1, sizeof *queue);
    *queue = (Queue){.magic = QUEUE_MAGIC,
                     .type = type,
                     .length = length,
                     .item_size = item_size,
                     .items = storage ? storage : (uint8_t *)memory + sizeof(StaticQueue_t),
                     .memory = memory,
                     .buffer = buffer,
                     .storage = storage};
    return queue;
}

QueueHandle_t xQueueGenericCreate(const UBaseType_t length, const UBaseType_t item_size, const uint8_t type)
{
    if (!fb_rtos_enter("xQueueCreate"))
        return NULL;
    return fb_rtos_queue_new(length, item_size, NULL, NULL, type, "xQueueCreate");
}

QueueHandle_t xQueueGenericCreateStatic(const UBaseType_t length, const UBaseType_t item_size, uint8_t *storage,
                                        StaticQueue_t *buffer, const uint8_t type)
{
    if (!fb_rtos_enter("xQueueCreateStatic"))
        return NULL;
    if (!buffer) {
        fb_fault("invalid_argument", "xQueueCreateStatic is called without a StaticQueue_t");
        return NULL;
    }
    return fb_rtos_queue_new(length, item_size, storage, buffer, type, "xQueueCreateStatic");
}

void vQueueDelete(QueueHandle_t queue)
{
    if (!fb_rtos_enter("vQueueDelete") || !fb_rtos_queue_is(queue, "vQueueDelete"))
        return;
    if (fb_first(&queue->readers) || fb_first(&queue->writers))
        fb_fault("deleted_in_use", "a queue or semaphore is deleted while task %s waits for it",
                 fb_thread_name(fb_first(&queue->readers) ? fb_first(&queue->readers) : fb_first(&queue->writers)));
    queue->magic = 0;
    vPortFree(queue->memory);
    fb_rtos_release(queue->buffer);
    fb_rtos_release(queue->storage);
}

BaseType_t xQueueGenericReset(QueueHandle_t queue, BaseType_t fresh)
{
    (void)fresh;
    if (!fb_rtos_enter("xQueueReset") || !fb_rtos_queue_is(queue, "xQueueReset"))
        return pdFAIL;
    queue->count = queue->first = 0;
    fb_rtos_wake(&queue->writers, NULL);
    fb_rtos_leave();
    return pdPASS;
}

/* ---- items ---- */

static uint8_t *slot(Queue *queue, UBaseType_t nth)
{
    return queue->items + (size_t)((queue->first + nth) % queue->length) * queue->item_size;
}

void fb_rtos_queue_put(Queue *queue, const void *item, BaseType_t position, BaseType_t *woken)
{
    bool replaces = position == queueOVERWRITE && queue->count == queue->length;
    if (position == queueSEND_TO_FRONT)
        queue->first = (queue->first + queue->length - 1) % queue->length;
    if (queue->item_size)
        memcpy(slot(queue, position == queueSEND_TO_FRONT || replaces ? 0 : queue->count), item, queue->item_size);
    if (!replaces)
        queue->count++;
    if (queue->set && !replaces) {
        if (queue->set->count < queue->set->length)
            fb_rtos_queue_put(queue->set, &queue, queueSEND_TO_BACK, woken);
        else
            fb_fault("queue_set_full", "a queue set is too short for what its members hold");
    } else {
        fb_rtos_wake(&queue->readers, woken);
    }
}

void fb_rtos_queue_get(Queue *queue, void *item, bool keep, BaseType_t *woken)
{
    if (queue->item_size && item)
        memcpy(item, slot(queue, 0), queue->item_size);
    if (keep) {
        fb_rtos_wake(&queue->readers, woken);
        return;
    }
    queue->first = (queue->first + 1) % queue->length;
    queue->count--;
    fb_rtos_wake(&queue->writers, woken);
}

BaseType_t xQueueGenericSend(QueueHandle_t queue, const void *const item, TickType_t ticks, const BaseType_t position)
{
    const char *call = queue && queue->item_size == 0 ? "xSemaphoreGive" : "xQueueSend";
    if (!fb_rtos_enter(call) || !fb_rtos_queue_is(queue, call))
        return pdFAIL;
    if (fb_rtos_is_mutex(queue))
        return fb_rtos_mutex_give(queue);
    if (queue->item_size && !item) {
        fb_fault("invalid_argument", "xQueueSend is called without an item");
        return pdFAIL;
    }
    if (position == queueOVERWRITE && queue->length != 1)
        fb_fault("invalid_argument", "xQueueOverwrite is called with a queue of length %u, not 1", queue->length);
    int64_t until = fb_rtos_deadline(ticks);
    while (queue->count == queue->length && position != queueOVERWRITE)
        if (ticks == 0 || (!fb_rtos_block(&queue->writers, until, call) && queue->count == queue->length))
            return errQUEUE_FULL;
    fb_rtos_queue_put(queue, item, position, NULL);
    fb_rtos_leave();
    return pdPASS;
}

static BaseType_t receive(Queue *queue, void *item, TickType_t ticks, bool keep, const char *call)
{
    if (!fb_rtos_enter(call) || !fb_rtos_queue_is(queue, call))
        return pdFAIL;
    if (queue->item_size && !item) {
        fb_fault("invalid_argument", "%s is called without a buffer", call);
        return pdFAIL;
    }
    int64_t until = fb_rtos_deadline(ticks);
    while (queue->count == 0)
        if (ticks == 0 || (!fb_rtos_block(&queue->readers, until, call) && queue->count == 0))
            return errQUEUE_EMPTY;
    fb_rtos_queue_get(queue, item, keep, NULL);
    fb_rtos_leave();
    return pdPASS;
}

BaseType_t xQueueReceive(QueueHandle_t queue, void *const item, TickType_t ticks)
{
    return receive(queue, item, ticks, false, "xQueueReceive");
}

BaseType_t xQueuePeek(QueueHandle_t queue, void *const item, TickType_t ticks)
{
    return receive(queue, item, ticks, true, "xQueuePeek");
}

UBaseType_t uxQueueMessagesWaiting(const QueueHandle_t queue)
{
    if (!fb_in_isr())
        fb_spend(RTOS_CALL_NS);
    return fb_rtos_queue_is(queue, "uxQueueMessagesWaiting") ? queue->count : 0;
}

UBaseType_t uxQueueSpacesAvailable(const QueueHandle_t queue)
{
    if (!fb_in_isr())
        fb_spend(RTOS_CALL_NS);
    return fb_rtos_queue_is(queue, "uxQueueSpacesAvailable") ? queue->length - queue->count : 0;
}

/* ---- from interrupts ---- */

BaseType_t xQueueGenericSendFromISR(QueueHandle_t queue, const void *const item, BaseType_t *const woken,
                                    const BaseType_t position)
{
    fb_rtos_enter_from_isr("xQueueSendFromISR");
    if (!fb_rtos_queue_is(queue, "xQueueSendFromISR"))
        return pdFAIL;
    if (queue->item_size && !item) {
        fb_fault("invalid_argument", "xQueueSendFromISR is called without an item");
        return pdFAIL;
    }
    if (queue->count == queue->length && position != queueOVERWRITE)
        return errQUEUE_FULL;
    fb_rtos_queue_put(queue, item, position, woken);
    return pdPASS;
}

BaseType_t xQueueReceiveFromISR(QueueHandle_t queue, void *const item, BaseType_t *const woken)
{
    fb_rtos_enter_from_isr("xQueueReceiveFromISR");
    if (!fb_rtos_queue_is(queue, "xQueueReceiveFromISR") || queue->count == 0)
        return pdFAIL;
    fb_rtos_queue_get(queue, item, false, woken);
    return pdPASS;
}

BaseType_t xQueuePeekFromISR(QueueHandle_t queue, void *const item)
{
    fb_rtos_enter_from_isr("xQueuePeekFromISR");
    if (!fb_rtos_queue_is(queue, "xQueuePeekFromISR") || queue->count == 0)
        return pdFAIL;
    fb_rtos_queue_get(queue, item, true, NULL);
    return pdPASS;
}

UBaseType_t uxQueueMessagesWaitingFromISR(const QueueHandle_t queue)
{
    return fb_rtos_queue_is(queue, "uxQueueMessagesWaitingFromISR") ? queue->count : 0;
}

BaseType_t xQueueIsQueueEmptyFromISR(const QueueHandle_t queue)
{
    return uxQueueMessagesWaitingFromISR(queue) == 0 ? pdTRUE : pdFALSE;
}

BaseType_t xQueueIsQueueFullFromISR(const QueueHandle_t queue)
{
    return fb_rtos_queue_is(queue, "xQueueIsQueueFullFromISR") && queue->count == queue->length ? pdTRUE : pdFALSE;
}

/* ---- sets and names ---- */

QueueSetHandle_t xQueueCreateSet(const UBaseType_t length)
{
    if (!fb_rtos_enter("xQueueCreateSet"))
        return NULL;
    return fb_rtos_queue_new(length, sizeof(Queue *), NULL, NULL, queueQUEUE_TYPE_SET, "xQueueCreateSet");
}

BaseType_t xQueueAddToSet(QueueSetMemberHandle_t member, QueueSetHandle_t set)
{
    if (!fb_rtos_queue_is(member, "xQueueAddToSet") || !fb_rtos_queue_is(set, "xQueueAddToSet"))
        return pdFAIL;
    if (member->set || member->count)
        return pdFAIL;
    member->set = set;
    return pdPASS;
}

BaseType_t xQueueRemoveFromSet(QueueSetMemberHandle_t member, QueueSetHandle_t set)
{
    if (!fb_rtos_queue_is(member, "xQueueRemoveFromSet") || member->set != set || member->count)
        return pdFAIL;
    member->set = NULL;
    return pdPASS;
}

QueueSetMemberHandle_t xQueueSelectFromSet(QueueSetHandle_t set, const TickType_t ticks)
{
    QueueSetMemberHandle_t member = NULL;
    return receive(set, &member, ticks, false, "xQueueSelectFromSet") == pdPASS ? member : NULL;
}

QueueSetMemberHandle_t xQueueSelectFromSetFromISR(QueueSetHandle_t set)
{
    QueueSetMemberHandle_t member = NULL;
    return xQueueReceiveFromISR(set, &member, NULL) == pdPASS ? member : NULL;
}

void vQueueAddToRegistry(QueueHandle_t queue, const char *name)
{
    if (fb_rtos_queue_is(queue, "vQueueAddToRegistry"))
        queue->name = name;
}

void vQueueUnregisterQueue(QueueHandle_t queue)
{
    if (fb_rtos_queue_is(queue, "vQueueUnregisterQueue"))
        queue->name = NULL;
}

const char *pcQueueGetName(QueueHandle_t queue)
{
    return fb_rtos_queue_is(queue, "pcQueueGetName") ? queue->name : NULL;
}
