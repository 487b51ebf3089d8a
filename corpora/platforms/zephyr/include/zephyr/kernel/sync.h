#ifndef ZEPHYR_KERNEL_SYNC_H
#define ZEPHYR_KERNEL_SYNC_H

#include <errno.h>
#include <limits.h>
#include <zephyr/kernel/thread.h>

/* An object that was initialised carries its magic number. */
#define FB_MAGIC_SEM 0x5e30a1u
#define FB_MAGIC_MUTEX 0x5e30a2u
#define FB_MAGIC_CONDVAR 0x5e30a3u
#define FB_MAGIC_EVENT 0x5e30a4u
#define FB_MAGIC_QUEUE 0x5e30a5u
#define FB_MAGIC_MSGQ 0x5e30a6u
#define FB_MAGIC_STACK 0x5e30a7u
#define FB_MAGIC_PIPE 0x5e30a8u
#define FB_MAGIC_TIMER 0x5e30a9u
#define FB_MAGIC_THREAD 0x5e30aau
#define FB_MAGIC_SLAB 0x5e30abu
#define FB_MAGIC_HEAP 0x5e30acu
#define FB_MAGIC_MBOX 0x5e30adu

struct k_sem {
    unsigned magic;
    unsigned int count, limit;
    fb_queue waiters;
};
#define K_SEM_MAX_LIMIT UINT_MAX
#define Z_SEM_INITIALIZER(obj, count_, limit_) {.magic = FB_MAGIC_SEM, .count = (count_), .limit = (limit_)}
#define K_SEM_DEFINE(name, initial_count, count_limit) \
    struct k_sem name = Z_SEM_INITIALIZER(name, initial_count, count_limit); \
    BUILD_ASSERT((count_limit) != 0 && (initial_count) <= (count_limit), "K_SEM_DEFINE: initial count above the limit")
int k_sem_init(struct k_sem *sem, unsigned int initial_count, unsigned int limit);
int k_sem_take(struct k_sem *sem, k_timeout_t timeout);
void k_sem_give(struct k_sem *sem);
void k_sem_reset(struct k_sem *sem);
unsigned int k_sem_count_get(struct k_sem *sem);

struct k_mutex {
    unsigned magic;
    struct k_thread *owner;
    uint32_t lock_count;
    struct k_mutex *also; /* the next one that the owner holds */
    fb_queue waiters;
};
#define Z_MUTEX_INITIALIZER(obj) {.magic = FB_MAGIC_MUTEX}
#define K_MUTEX_DEFINE(name) struct k_mutex name = Z_MUTEX_INITIALIZER(name)
int k_mutex_init(struct k_mutex *mutex);
int k_mutex_lock(struct k_mutex *mutex, k_timeout_t timeout);
int k_mutex_unlock(struct k_mutex *mutex);

struct k_condvar {
    unsigned magic;
    fb_queue waiters;
};
#define Z_CONDVAR_INITIALIZER(obj) {.magic = FB_MAGIC_CONDVAR}
#define K_CONDVAR_DEFINE(name) struct k_condvar name = Z_CONDVAR_INITIALIZER(name)
int k_condvar_init(struct k_condvar *condvar);
int k_condvar_signal(struct k_condvar *condvar);
int k_condvar_broadcast(struct k_condvar *condvar);
int k_condvar_wait(struct k_condvar *condvar, struct k_mutex *mutex, k_timeout_t timeout);

struct k_event {
    unsigned magic;
    uint32_t events;
    fb_queue waiters;
};
#define Z_EVENT_INITIALIZER(obj) {.magic = FB_MAGIC_EVENT}
#define K_EVENT_DEFINE(name) struct k_event name = Z_EVENT_INITIALIZER(name)
void k_event_init(struct k_event *event);
uint32_t k_event_post(struct k_event *event, uint32_t events);
uint32_t k_event_set(struct k_event *event, uint32_t events);
uint32_t k_event_set_masked(struct k_event *event, uint32_t events, uint32_t events_mask);
uint32_t k_event_clear(struct k_event *event, uint32_t events);
uint32_t k_event_test(struct k_event *event, uint32_t events_mask);
uint32_t k_event_wait(struct k_event *event, uint32_t events, bool reset, k_timeout_t timeout);
uint32_t k_event_wait_all(struct k_event *event, uint32_t events, bool reset, k_timeout_t timeout);

struct k_poll_signal {
    unsigned int signaled;
    int result;
};
enum k_poll_modes { K_POLL_MODE_NOTIFY_ONLY };
#define K_POLL_TYPE_IGNORE 0
#define K_POLL_TYPE_SIGNAL BIT(0)
#define K_POLL_TYPE_SEM_AVAILABLE BIT(1)
#define K_POLL_TYPE_DATA_AVAILABLE BIT(2)
#define K_POLL_TYPE_FIFO_DATA_AVAILABLE K_POLL_TYPE_DATA_AVAILABLE
#define K_POLL_TYPE_MSGQ_DATA_AVAILABLE BIT(3)
#define K_POLL_STATE_NOT_READY 0
#define K_POLL_STATE_SIGNALED BIT(0)
#define K_POLL_STATE_SEM_AVAILABLE BIT(1)
#define K_POLL_STATE_DATA_AVAILABLE BIT(2)
#define K_POLL_STATE_FIFO_DATA_AVAILABLE K_POLL_STATE_DATA_AVAILABLE
#define K_POLL_STATE_MSGQ_DATA_AVAILABLE BIT(3)
#define K_POLL_STATE_CANCELLED BIT(4)
struct k_poll_event {
    uint32_t tag, type, state, mode;
    union {
        void *obj, *typed_K_POLL_TYPE_IGNORE;
        struct k_poll_signal *signal, *typed_K_POLL_TYPE_SIGNAL;
        struct k_sem *sem, *typed_K_POLL_TYPE_SEM_AVAILABLE;
        struct k_fifo *fifo, *typed_K_POLL_TYPE_FIFO_DATA_AVAILABLE;
        struct k_queue *queue, *typed_K_POLL_TYPE_DATA_AVAILABLE;
        struct k_msgq *msgq, *typed_K_POLL_TYPE_MSGQ_DATA_AVAILABLE;
    };
};
#define K_POLL_SIGNAL_INITIALIZER(obj) {.signaled = 0, .result = 0}
#define K_POLL_EVENT_INITIALIZER(type_, mode_, obj_) {.type = (type_), .mode = (mode_), .obj = (void *)(obj_)}
#define K_POLL_EVENT_STATIC_INITIALIZER(type_, mode_, obj_, tag_) \
    {.tag = (tag_), .type = (type_), .mode = (mode_), .typed_##type_ = (obj_)}
void k_poll_event_init(struct k_poll_event *event, uint32_t type, int mode, void *obj);
int k_poll(struct k_poll_event *events, int num_events, k_timeout_t timeout);
void k_poll_signal_init(struct k_poll_signal *sig);
void k_poll_signal_reset(struct k_poll_signal *sig);
void k_poll_signal_check(struct k_poll_signal *sig, unsigned int *signaled, int *result);
int k_poll_signal_raise(struct k_poll_signal *sig, int result);

#endif
