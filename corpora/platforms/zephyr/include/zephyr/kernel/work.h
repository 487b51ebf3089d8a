#ifndef ZEPHYR_KERNEL_WORK_H
#define ZEPHYR_KERNEL_WORK_H

#include <zephyr/kernel/sync.h>

struct k_timer;
typedef void (*k_timer_expiry_t)(struct k_timer *timer);
typedef void (*k_timer_stop_t)(struct k_timer *timer);
struct k_timer {
    unsigned magic;
    k_timer_expiry_t expiry_fn;
    k_timer_stop_t stop_fn;
    fb_event *event;
    int64_t next_ns, period_ns;
    uint32_t status, missed;
    void *user_data;
    fb_queue waiters;
};
#define Z_TIMER_INITIALIZER(obj, expiry, stop) {.magic = FB_MAGIC_TIMER, .expiry_fn = (expiry), .stop_fn = (stop)}
#define K_TIMER_DEFINE(name, expiry, stop) struct k_timer name = Z_TIMER_INITIALIZER(name, expiry, stop)
void k_timer_init(struct k_timer *timer, k_timer_expiry_t expiry_fn, k_timer_stop_t stop_fn);
void k_timer_start(struct k_timer *timer, k_timeout_t duration, k_timeout_t period);
void k_timer_stop(struct k_timer *timer);
uint32_t k_timer_status_get(struct k_timer *timer);
uint32_t k_timer_status_sync(struct k_timer *timer);
k_ticks_t k_timer_expires_ticks(const struct k_timer *timer);
k_ticks_t k_timer_remaining_ticks(const struct k_timer *timer);
uint32_t k_timer_remaining_get(struct k_timer *timer);
void k_timer_user_data_set(struct k_timer *timer, void *user_data);
void *k_timer_user_data_get(const struct k_timer *timer);

struct k_work;
struct k_work_q;
typedef void (*k_work_handler_t)(struct k_work *work);
enum {
    K_WORK_RUNNING = BIT(0),
    K_WORK_CANCELING = BIT(1),
    K_WORK_QUEUED = BIT(2),
    K_WORK_DELAYED = BIT(3),
    K_WORK_FLUSHING = BIT(4),
};
struct k_work {
    struct k_work *next;
    k_work_handler_t handler;
    struct k_work_q *queue;
    uint32_t flags;
};
struct k_work_delayable {
    struct k_work work;
    fb_event *event;
    int64_t due_ns;
    struct k_work_q *queue;
};
struct k_work_sync {
    int unused;
};
struct k_work_queue_config {
    const char *name;
    bool no_yield;
    bool essential;
    uint32_t work_timeout_ms;
};
struct k_work_q {
    struct k_thread thread;
    struct k_work *first;
    fb_queue idle;
    bool started, no_yield, plugged, draining;
};
extern struct k_work_q k_sys_work_q;
#define Z_WORK_INITIALIZER(handler_) {.handler = (handler_)}
#define K_WORK_INITIALIZER(handler_) Z_WORK_INITIALIZER(handler_)
#define K_WORK_DEFINE(work, handler_) struct k_work work = Z_WORK_INITIALIZER(handler_)
#define Z_WORK_DELAYABLE_INITIALIZER(handler_) {.work = {.handler = (handler_), .flags = 0}}
#define K_WORK_DELAYABLE_DEFINE(work, handler_) struct k_work_delayable work = Z_WORK_DELAYABLE_INITIALIZER(handler_)
void k_work_init(struct k_work *work, k_work_handler_t handler);
int k_work_submit(struct k_work *work);
int k_work_submit_to_queue(struct k_work_q *queue, struct k_work *work);
int k_work_busy_get(const struct k_work *work);
bool k_work_is_pending(const struct k_work *work);
int k_work_cancel(struct k_work *work);
bool k_work_cancel_sync(struct k_work *work, struct k_work_sync *sync);
bool k_work_flush(struct k_work *work, struct k_work_sync *sync);
void k_work_init_delayable(struct k_work_delayable *dwork, k_work_handler_t handler);
struct k_work_delayable *k_work_delayable_from_work(struct k_work *work);
int k_work_schedule(struct k_work_delayable *dwork, k_timeout_t delay);
int k_work_schedule_for_queue(struct k_work_q *queue, struct k_work_delayable *dwork, k_timeout_t delay);
int k_work_reschedule(struct k_work_delayable *dwork, k_timeout_t delay);
int k_work_reschedule_for_queue(struct k_work_q *queue, struct k_work_delayable *dwork, k_timeout_t delay);
int k_work_delayable_busy_get(const struct k_work_delayable *dwork);
bool k_work_delayable_is_pending(const struct k_work_delayable *dwork);
k_ticks_t k_work_delayable_expires_get(const struct k_work_delayable *dwork);
k_ticks_t k_work_delayable_remaining_get(const struct k_work_delayable *dwork);
int k_work_cancel_delayable(struct k_work_delayable *dwork);
bool k_work_cancel_delayable_sync(struct k_work_delayable *dwork, struct k_work_sync *sync);
bool k_work_flush_delayable(struct k_work_delayable *dwork, struct k_work_sync *sync);
void k_work_queue_init(struct k_work_q *queue);
void k_work_queue_start(struct k_work_q *queue, k_thread_stack_t *stack, size_t stack_size, int prio,
                        const struct k_work_queue_config *cfg);
k_tid_t k_work_queue_thread_get(struct k_work_q *queue);
int k_work_queue_drain(struct k_work_q *queue, bool plug);
int k_work_queue_unplug(struct k_work_q *queue);

#endif
