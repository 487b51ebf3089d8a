/* Linked queues (fifo, lifo), stacks of words, and message queues that copy. */
#include "fb_zephyr.h"

#include <stdlib.h>

struct node {
    uintptr_t next;
    void *data;
};
#define ALLOCATED ((uintptr_t)1)

static struct node *node_of(uintptr_t link)
{
    return (struct node *)(link & ~ALLOCATED);
}

static void *data_of(uintptr_t link)
{
    return link & ALLOCATED ? node_of(link)->data : (void *)link;
}

void k_queue_init(struct k_queue *queue)
{
    *queue = (struct k_queue){.magic = FB_MAGIC_QUEUE};
}

static bool fresh(struct k_queue *queue, void *data, const char *call)
{
    if (!fb_initialised(queue->magic, FB_MAGIC_QUEUE, call))
        return false;
    for (uintptr_t link = queue->first; link; link = node_of(link)->next)
        if (data_of(link) == data) {
            fb_fault("item_queued_twice", "%s of an item that is still in the queue", call);
            return false;
        }
    return true;
}

static void put(struct k_queue *queue, uintptr_t after, uintptr_t link)
{
    struct k_thread *waiter = fb_unpend(&queue->waiters, 0);
    if (waiter) {
        waiter->swap_data = data_of(link);
        if (link & ALLOCATED)
            k_free(node_of(link));
    } else {
        node_of(link)->next = after ? node_of(after)->next : queue->first;
        if (after)
            node_of(after)->next = link;
        else
            queue->first = link;
        if (!node_of(link)->next)
            queue->last = link;
        fb_poll_changed();
    }
    fb_reschedule();
}

static int32_t put_allocated(struct k_queue *queue, uintptr_t after, void *data)
{
    struct node *node = k_malloc(sizeof *node);
    if (!node)
        return -ENOMEM;
    node->data = data;
    put(queue, after, (uintptr_t)node | ALLOCATED);
    return 0;
}

void k_queue_append(struct k_queue *queue, void *data)
{
    if (fresh(queue, data, "k_queue_append"))
        put(queue, queue->first ? queue->last : 0, (uintptr_t)data);
}

void k_queue_prepend(struct k_queue *queue, void *data)
{
    if (fresh(queue, data, "k_queue_prepend"))
        put(queue, 0, (uintptr_t)data);
}

void k_queue_insert(struct k_queue *queue, void *prev, void *data)
{
    if (fresh(queue, data, "k_queue_insert"))
        put(queue, (uintptr_t)prev, (uintptr_t)data);
}

int32_t k_queue_alloc_append(struct k_queue *queue, void *data)
{
    if (!fb_initialised(queue->magic, FB_MAGIC_QUEUE, "k_queue_alloc_append"))
        return -EINVAL;
    return put_allocated(queue, queue->first ? queue->last : 0, data);
}

int32_t k_queue_alloc_prepend(struct k_queue *queue, void *data)
{
    if (!fb_initialised(queue->magic, FB_MAGIC_QUEUE, "k_queue_alloc_prepend"))
        return -EINVAL;
    return put_allocated(queue, 0, data);
}

static void *take(struct k_queue *queue, uintptr_t before)
{
    uintptr_t *at = before ? &node_of(before)->next : &queue->first;
    uintptr_t link = *at;
    void *data = data_of(link);
    *at = node_of(link)->next;
    if (queue->last == link)
        queue->last = before;
    if (link & ALLOCATED)
        k_free(node_of(link));
    return data;
}

void *k_queue_get(struct k_queue *queue, k_timeout_t timeout)
{
    if (!fb_initialised(queue->magic, FB_MAGIC_QUEUE, "k_queue_get"))
        return NULL;
    if (queue->first)
        return take(queue, 0);
    return fb_pend(&queue->waiters, timeout, -EBUSY, "k_queue_get") ? NULL : fb_current()->swap_data;
}

bool k_queue_remove(struct k_queue *queue, void *data)
{
    for (uintptr_t before = 0, link = queue->first; link; before = link, link = node_of(link)->next)
        if (data_of(link) == data) {
            take(queue, before);
            return true;
        }
    return false;
}

int k_queue_is_empty(struct k_queue *queue)
{
    return queue->first == 0;
}

void *k_queue_peek_head(struct k_queue *queue)
{
    return queue->first ? data_of(queue->first) : NULL;
}

void *k_queue_peek_tail(struct k_queue *queue)
{
    return queue->first ? data_of(queue->last) : NULL;
}

void k_queue_cancel_wait(struct k_queue *queue)
{
    fb_unpend(&queue->waiters, -ECANCELED);
    fb_poll_changed();
    fb_reschedule();
}

void k_stack_init(struct k_stack *stack, stack_data_t *buffer, uint32_t num_entries)
{
    *stack = (struct k_stack){.magic = FB_MAGIC_STACK, .base = buffer, .room = num_entries};
}

int32_t k_stack_alloc_init(struct k_stack *stack, uint32_t num_entries)
{
    stack_data_t *buffer = k_malloc(num_entries * sizeof *buffer);
    if (!buffer)
        return -ENOMEM;
    k_stack_init(stack, buffer, num_entries);
    return 0;
}

int k_stack_push(struct k_stack *stack, stack_data_t data)
{
    if (!fb_initialised(stack->magic, FB_MAGIC_STACK, "k_stack_push"))
        return -EINVAL;
    if (stack->used == stack->room)
        return -ENOMEM;
    struct k_thread *waiter = fb_unpend(&stack->waiters, 0);
    if (waiter)
        waiter->swap_data = (void *)data;
    else
        stack->base[stack->used++] = data;
    fb_reschedule();
    return 0;
}

int k_stack_pop(struct k_stack *stack, stack_data_t *data, k_timeout_t timeout)
{
    if (!fb_initialised(stack->magic, FB_MAGIC_STACK, "k_stack_pop"))
        return -EINVAL;
    if (stack->used) {
        *data = stack->base[--stack->used];
        return 0;
    }
    int result = fb_pend(&stack->waiters, timeout, -EBUSY, "k_stack_pop");
    if (!result)
        *data = (stack_data_t)fb_current()->swap_data;
    return result;
}

void k_msgq_init(struct k_msgq *msgq, char *buffer, size_t msg_size, uint32_t max_msgs)
{
    *msgq = (struct k_msgq){.magic = FB_MAGIC_MSGQ, .msg_size = msg_size, .max_msgs = max_msgs, .buffer = buffer};
}

int k_msgq_alloc_init(struct k_msgq *msgq, size_t msg_size, uint32_t max_msgs)
{
    char *buffer = k_malloc(msg_size * max_msgs);
    if (!buffer)
        return -ENOMEM;
    k_msgq_init(msgq, buffer, msg_size, max_msgs);
    return 0;
}

int k_msgq_cleanup(struct k_msgq *msgq)
{
    if (fb_first(&msgq->getters) || fb_first(&msgq->putters))
        return -EBUSY;
    k_free(msgq->buffer);
    msgq->magic = 0;
    return 0;
}

static char *place(struct k_msgq *msgq, uint32_t index)
{
    return msgq->buffer + (msgq->head + index) % msgq->max_msgs * msgq->msg_size;
}

int k_msgq_put(struct k_msgq *msgq, const void *data, k_timeout_t timeout)
{
    if (!fb_initialised(msgq->magic, FB_MAGIC_MSGQ, "k_msgq_put"))
        return -EINVAL;
    if (msgq->used_msgs == msgq->max_msgs) {
        struct k_thread *self = fb_current();
        if (self)
            self->swap_data = (void *)data;
        return fb_pend(&msgq->putters, timeout, -ENOMSG, "k_msgq_put");
    }
    struct k_thread *getter = fb_unpend(&msgq->getters, 0);
    if (getter) {
        memcpy(getter->swap_data, data, msgq->msg_size);
    } else {
        memcpy(place(msgq, msgq->used_msgs++), data, msgq->msg_size);
        fb_poll_changed();
    }
    fb_reschedule();
    return 0;
}

int k_msgq_get(struct k_msgq *msgq, void *data, k_timeout_t timeout)
{
    if (!fb_initialised(msgq->magic, FB_MAGIC_MSGQ, "k_msgq_get"))
        return -EINVAL;
    if (!msgq->used_msgs) {
        struct k_thread *self = fb_current();
        if (self)
            self->swap_data = data;
        return fb_pend(&msgq->getters, timeout, -ENOMSG, "k_msgq_get");
    }
    memcpy(data, place(msgq, 0), msgq->msg_size);
    msgq->head = (msgq->head + 1) % msgq->max_msgs;
    msgq->used_msgs--;
    struct k_thread *putter = fb_unpend(&msgq->putters, 0);
    if (putter)
        memcpy(place(msgq, msgq->used_msgs++), putter->swap_data, msgq->msg_size);
    fb_reschedule();
    return 0;
}

int k_msgq_peek_at(struct k_msgq *msgq, void *data, uint32_t idx)
{
    if (idx >= msgq->used_msgs)
        return -ENOMSG;
    memcpy(data, place(msgq, idx), msgq->msg_size);
    return 0;
}

int k_msgq_peek(struct k_msgq *msgq, void *data)
{
    return k_msgq_peek_at(msgq, data, 0);
}

void k_msgq_purge(struct k_msgq *msgq)
{
    while (fb_unpend(&msgq->putters, -ENOMSG))
        ;
    msgq->used_msgs = 0;
    fb_reschedule();
}

uint32_t k_msgq_num_free_get(struct k_msgq *msgq)
{
    return msgq->max_msgs - msgq->used_msgs;
}

uint32_t k_msgq_num_used_get(struct k_msgq *msgq)
{
    return msgq->used_msgs;
}

void k_msgq_get_attrs(struct k_msgq *msgq, struct k_msgq_attrs *attrs)
{
    *attrs = (struct k_msgq_attrs){msgq->msg_size, msgq->max_msgs, msgq->used_msgs};
}
