/* What a queue, semaphore or mutex is inside. */
#ifndef FB_RTOS_QUEUE_H
#define FB_RTOS_QUEUE_H

#include "rtos.h"
#include "queue.h"

#define QUEUE_MAGIC 0x51554555u

struct QueueDefinition {
    uint32_t magic; /* 0 once deleted */
    uint8_t type;
    UBaseType_t length, item_size, count, first;
    uint8_t *items;
    fb_queue readers, writers;
    Task *holder;
    UBaseType_t recursion;
    struct QueueDefinition *set;
    const char *name;
    void *memory; /* from the heap, or NULL */
    const void *buffer, *storage;
};

typedef struct QueueDefinition Queue;

/* A queue of this shape without storage; NULL when the heap is empty. `buffer` NULL: from the heap. */
Queue *fb_rtos_queue_new(UBaseType_t length, UBaseType_t item_size, uint8_t *storage, StaticQueue_t *buffer, uint8_t type,
                      const char *call);
bool fb_rtos_queue_is(const Queue *queue, const char *call);
bool fb_rtos_is_mutex(const Queue *queue);
/* Put an item in (NULL for semaphores), wake a reader, tell the set. There is room. */
void fb_rtos_queue_put(Queue *queue, const void *item, BaseType_t position, BaseType_t *woken);
/* Take the first item out (`item` may be NULL) and wake a writer. There is one. */
void fb_rtos_queue_get(Queue *queue, void *item, bool keep, BaseType_t *woken);
BaseType_t fb_rtos_mutex_give(Queue *mutex);

#endif
