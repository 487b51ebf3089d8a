#ifndef ZEPHYR_KERNEL_DATA_H
#define ZEPHYR_KERNEL_DATA_H

#include <zephyr/kernel/sync.h>

/* Items link through their first word; the low bit marks an allocated node that points to the item. */
struct k_queue {
    unsigned magic;
    uintptr_t first, last;
    fb_queue waiters;
};
struct k_fifo {
    struct k_queue _queue;
};
struct k_lifo {
    struct k_queue _queue;
};
#define Z_QUEUE_INITIALIZER(obj) {.magic = FB_MAGIC_QUEUE}
#define K_QUEUE_DEFINE(name) struct k_queue name = Z_QUEUE_INITIALIZER(name)
#define K_FIFO_DEFINE(name) struct k_fifo name = {._queue = Z_QUEUE_INITIALIZER(name._queue)}
#define K_LIFO_DEFINE(name) struct k_lifo name = {._queue = Z_QUEUE_INITIALIZER(name._queue)}
void k_queue_init(struct k_queue *queue);
void k_queue_append(struct k_queue *queue, void *data);
void k_queue_prepend(struct k_queue *queue, void *data);
void k_queue_insert(struct k_queue *queue, void *prev, void *data);
int32_t k_queue_alloc_append(struct k_queue *queue, void *data);
int32_t k_queue_alloc_prepend(struct k_queue *queue, void *data);
void *k_queue_get(struct k_queue *queue, k_timeout_t timeout);
bool k_queue_remove(struct k_queue *queue, void *data);
int k_queue_is_empty(struct k_queue *queue);
void *k_queue_peek_head(struct k_queue *queue);
void *k_queue_peek_tail(struct k_queue *queue);
void k_queue_cancel_wait(struct k_queue *queue);
#define k_fifo_init(fifo) k_queue_init(&(fifo)->_queue)
#define k_fifo_put(fifo, data) k_queue_append(&(fifo)->_queue, data)
#define k_fifo_alloc_put(fifo, data) k_queue_alloc_append(&(fifo)->_queue, data)
#define k_fifo_get(fifo, timeout) k_queue_get(&(fifo)->_queue, timeout)
#define k_fifo_is_empty(fifo) k_queue_is_empty(&(fifo)->_queue)
#define k_fifo_peek_head(fifo) k_queue_peek_head(&(fifo)->_queue)
#define k_fifo_peek_tail(fifo) k_queue_peek_tail(&(fifo)->_queue)
#define k_fifo_cancel_wait(fifo) k_queue_cancel_wait(&(fifo)->_queue)
#define k_lifo_init(lifo) k_queue_init(&(lifo)->_queue)
#define k_lifo_put(lifo, data) k_queue_prepend(&(lifo)->_queue, data)
#define k_lifo_alloc_put(lifo, data) k_queue_alloc_prepend(&(lifo)->_queue, data)
#define k_lifo_get(lifo, timeout) k_queue_get(&(lifo)->_queue, timeout)

struct k_msgq {
    unsigned magic;
    size_t msg_size;
    uint32_t max_msgs, used_msgs, head;
    char *buffer;
    fb_queue getters, putters;
};
struct k_msgq_attrs {
    size_t msg_size;
    uint32_t max_msgs, used_msgs;
};
#define Z_MSGQ_INITIALIZER(obj, buffer_, size_, count_) \
    {.magic = FB_MAGIC_MSGQ, .msg_size = (size_), .max_msgs = (count_), .buffer = (buffer_)}
#define K_MSGQ_DEFINE(name, size_, count_, align_) \
    static char __aligned(align_) _k_fifo_buf_##name[(count_) * (size_)]; \
    struct k_msgq name = Z_MSGQ_INITIALIZER(name, _k_fifo_buf_##name, size_, count_)
void k_msgq_init(struct k_msgq *msgq, char *buffer, size_t msg_size, uint32_t max_msgs);
int k_msgq_alloc_init(struct k_msgq *msgq, size_t msg_size, uint32_t max_msgs);
int k_msgq_cleanup(struct k_msgq *msgq);
int k_msgq_put(struct k_msgq *msgq, const void *data, k_timeout_t timeout);
int k_msgq_get(struct k_msgq *msgq, void *data, k_timeout_t timeout);
int k_msgq_peek(struct k_msgq *msgq, void *data);
int k_msgq_peek_at(struct k_msgq *msgq, void *data, uint32_t idx);
void k_msgq_purge(struct k_msgq *msgq);
uint32_t k_msgq_num_free_get(struct k_msgq *msgq);
uint32_t k_msgq_num_used_get(struct k_msgq *msgq);
void k_msgq_get_attrs(struct k_msgq *msgq, struct k_msgq_attrs *attrs);

typedef uintptr_t stack_data_t;
struct k_stack {
    unsigned magic;
    stack_data_t *base;
    uint32_t used, room;
    fb_queue waiters;
};
#define K_STACK_DEFINE(name, entries) \
    static stack_data_t _k_stack_buf_##name[entries]; \
    struct k_stack name = {.magic = FB_MAGIC_STACK, .base = _k_stack_buf_##name, .room = (entries)}
void k_stack_init(struct k_stack *stack, stack_data_t *buffer, uint32_t num_entries);
int32_t k_stack_alloc_init(struct k_stack *stack, uint32_t num_entries);
int k_stack_push(struct k_stack *stack, stack_data_t data);
int k_stack_pop(struct k_stack *stack, stack_data_t *data, k_timeout_t timeout);

/* 4.1 has both the older calls with a minimum (put, get) and the newer ones (write, read). */
struct k_pipe {
    unsigned magic;
    unsigned char *buffer;
    size_t size, used, head;
    bool open;
    fb_queue readers, writers;
};
#define K_PIPE_DEFINE(name, size_, align_) \
    static unsigned char __aligned(align_) _k_pipe_buf_##name[size_]; \
    struct k_pipe name = {.magic = FB_MAGIC_PIPE, .buffer = _k_pipe_buf_##name, .size = (size_), .open = true}
void k_pipe_init(struct k_pipe *pipe, unsigned char *buffer, size_t size);
int k_pipe_put(struct k_pipe *pipe, const void *data, size_t bytes_to_write, size_t *bytes_written, size_t min_xfer,
               k_timeout_t timeout);
int k_pipe_get(struct k_pipe *pipe, void *data, size_t bytes_to_read, size_t *bytes_read, size_t min_xfer,
               k_timeout_t timeout);
int k_pipe_write(struct k_pipe *pipe, const uint8_t *data, size_t len, k_timeout_t timeout);
int k_pipe_read(struct k_pipe *pipe, uint8_t *data, size_t len, k_timeout_t timeout);
size_t k_pipe_read_avail(struct k_pipe *pipe);
size_t k_pipe_write_avail(struct k_pipe *pipe);
void k_pipe_reset(struct k_pipe *pipe);
void k_pipe_close(struct k_pipe *pipe);

struct k_mem_slab {
    unsigned magic;
    char *buffer;
    uint32_t num_blocks, num_used, max_used;
    size_t block_size;
    void *free_list;
    fb_queue waiters;
};
#define K_MEM_SLAB_DEFINE(name, size_, count_, align_) \
    static char __aligned(WB_UP(align_)) _k_mem_slab_buf_##name[(count_) * WB_UP(size_)]; \
    struct k_mem_slab name = {.buffer = _k_mem_slab_buf_##name, .num_blocks = (count_), .block_size = WB_UP(size_)}; \
    FB_LIST_ENTRY(slabs, _k_mem_slab_entry_##name, &name)
#define K_MEM_SLAB_DEFINE_STATIC(name, size_, count_, align_) \
    static char __aligned(WB_UP(align_)) _k_mem_slab_buf_##name[(count_) * WB_UP(size_)]; \
    static struct k_mem_slab name = { \
        .buffer = _k_mem_slab_buf_##name, .num_blocks = (count_), .block_size = WB_UP(size_)}; \
    FB_LIST_ENTRY(slabs, _k_mem_slab_entry_##name, &name)
int k_mem_slab_init(struct k_mem_slab *slab, void *buffer, size_t block_size, uint32_t num_blocks);
int k_mem_slab_alloc(struct k_mem_slab *slab, void **mem, k_timeout_t timeout);
void k_mem_slab_free(struct k_mem_slab *slab, void *mem);
uint32_t k_mem_slab_num_used_get(struct k_mem_slab *slab);
uint32_t k_mem_slab_max_used_get(struct k_mem_slab *slab);
uint32_t k_mem_slab_num_free_get(struct k_mem_slab *slab);

struct k_heap {
    unsigned magic;
    size_t size, used;
    fb_queue waiters;
};
#define K_HEAP_DEFINE(name, bytes) struct k_heap name = {.magic = FB_MAGIC_HEAP, .size = (bytes)}
void k_heap_init(struct k_heap *heap, void *mem, size_t bytes);
void *k_heap_alloc(struct k_heap *heap, size_t bytes, k_timeout_t timeout);
void *k_heap_aligned_alloc(struct k_heap *heap, size_t align, size_t bytes, k_timeout_t timeout);
void *k_heap_calloc(struct k_heap *heap, size_t num, size_t size, k_timeout_t timeout);
void k_heap_free(struct k_heap *heap, void *mem);
void *k_malloc(size_t size);
void *k_calloc(size_t nmemb, size_t size);
void *k_realloc(void *ptr, size_t size);
void *k_aligned_alloc(size_t align, size_t size);
void k_free(void *ptr);

#endif
