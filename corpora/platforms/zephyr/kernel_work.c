/* Work items, delayable work and work queues. */
#include "fb_zephyr.h"

struct k_work_q k_sys_work_q;
static K_THREAD_STACK_DEFINE(system_stack, CONFIG_SYSTEM_WORKQUEUE_STACK_SIZE);
static fb_queue settled; /* who waits for an item, or a queue, to come to rest */

void k_work_init(struct k_work *work, k_work_handler_t handler)
{
    *work = (struct k_work){.handler = handler};
}

int k_work_busy_get(const struct k_work *work)
{
    return (int)(work->flags & (K_WORK_RUNNING | K_WORK_CANCELING | K_WORK_QUEUED | K_WORK_DELAYED));
}

bool k_work_is_pending(const struct k_work *work)
{
    return k_work_busy_get(work) != 0;
}

int k_work_submit_to_queue(struct k_work_q *queue, struct k_work *work)
{
    if (!work->handler) {
        fb_fault("uninitialised_object", "work was submitted that was never initialised");
        return -EINVAL;
    }
    if (work->flags & K_WORK_CANCELING)
        return -EBUSY;
    if (work->flags & K_WORK_QUEUED)
        return 0;
    /* An item that runs goes to the queue that runs it, so that it never runs twice at once. */
    struct k_work_q *target = work->flags & K_WORK_RUNNING ? work->queue : queue;
    if (!target)
        return -EINVAL;
    if (!target->started)
        return -ENODEV;
    if (target->plugged || (target->draining && fb_current() != &target->thread))
        return -EBUSY;
    struct k_work **at = &target->first;
    while (*at)
        at = &(*at)->next;
    *at = work;
    work->next = NULL;
    work->queue = target;
    int result = work->flags & K_WORK_RUNNING ? 2 : 1;
    work->flags |= K_WORK_QUEUED;
    fb_unpend(&target->idle, 0);
    fb_reschedule();
    return result;
}

int k_work_submit(struct k_work *work)
{
    return k_work_submit_to_queue(&k_sys_work_q, work);
}

static void settle(void)
{
    while (fb_unpend(&settled, 0))
        ;
}

static void serve(void *p1, void *p2, void *p3)
{
    (void)p2;
    (void)p3;
    struct k_work_q *queue = p1;
    for (;;) {
        struct k_work *work = queue->first;
        if (!work) {
            queue->draining = false;
            settle();
            fb_wait(&queue->idle, FB_FOREVER);
            continue;
        }
        queue->first = work->next;
        work->flags = (work->flags & ~(uint32_t)K_WORK_QUEUED) | K_WORK_RUNNING;
        k_work_handler_t handler = work->handler;
        handler(work);
        work->flags &= ~(uint32_t)(K_WORK_RUNNING | K_WORK_CANCELING);
        settle();
        if (!queue->no_yield)
            fb_yield();
    }
}

static bool unqueue(struct k_work *work)
{
    if (!(work->flags & K_WORK_QUEUED))
        return false;
    struct k_work **at = &work->queue->first;
    while (*at != work)
        at = &(*at)->next;
    *at = work->next;
    work->flags &= ~(uint32_t)K_WORK_QUEUED;
    return true;
}

int k_work_cancel(struct k_work *work)
{
    unqueue(work);
    if (work->flags & K_WORK_RUNNING)
        work->flags |= K_WORK_CANCELING;
    return k_work_busy_get(work);
}

static bool wait_until_not(struct k_work *work, uint32_t flags, const char *call)
{
    bool waited = false;
    while (work->flags & flags) {
        if (!fb_may_block(call))
            break;
        if (work->queue && fb_current() == &work->queue->thread) {
            fb_fault("deadlock", "%s in the thread of the work's own queue", call);
            break;
        }
        waited = true;
        fb_wait(&settled, FB_FOREVER);
    }
    return waited;
}

bool k_work_cancel_sync(struct k_work *work, struct k_work_sync *sync)
{
    (void)sync;
    bool pending = k_work_is_pending(work);
    k_work_cancel(work);
    wait_until_not(work, K_WORK_RUNNING, "k_work_cancel_sync");
    return pending;
}

bool k_work_flush(struct k_work *work, struct k_work_sync *sync)
{
    (void)sync;
    return wait_until_not(work, K_WORK_RUNNING | K_WORK_QUEUED, "k_work_flush");
}

void k_work_init_delayable(struct k_work_delayable *dwork, k_work_handler_t handler)
{
    *dwork = (struct k_work_delayable){.work = {.handler = handler}};
}

struct k_work_delayable *k_work_delayable_from_work(struct k_work *work)
{
    return CONTAINER_OF(work, struct k_work_delayable, work);
}

static void delay_over(void *arg)
{
    struct k_work_delayable *dwork = arg;
    if (dwork->work.flags & K_WORK_DELAYED) {
        dwork->work.flags &= ~(uint32_t)K_WORK_DELAYED;
        k_work_submit_to_queue(dwork->queue, &dwork->work);
    }
}

static void due(void *arg)
{
    struct k_work_delayable *dwork = arg;
    dwork->event = NULL;
    fb_irq("sys_clock", FB_IRQ_CLOCK, delay_over, dwork);
}

static bool unschedule(struct k_work_delayable *dwork)
{
    bool was = dwork->work.flags & K_WORK_DELAYED;
    fb_cancel(dwork->event);
    fb_irq_cancel(delay_over, dwork);
    dwork->event = NULL;
    dwork->work.flags &= ~(uint32_t)K_WORK_DELAYED;
    return was;
}

static int schedule(struct k_work_q *queue, struct k_work_delayable *dwork, k_timeout_t delay)
{
    if (!dwork->work.handler) {
        fb_fault("uninitialised_object", "delayable work was scheduled that was never initialised");
        return -EINVAL;
    }
    if (dwork->work.flags & K_WORK_CANCELING)
        return -EBUSY;
    if (K_TIMEOUT_EQ(delay, K_NO_WAIT))
        return k_work_submit_to_queue(queue, &dwork->work);
    dwork->queue = queue;
    dwork->due_ns = fb_deadline(delay);
    dwork->work.flags |= K_WORK_DELAYED;
    if (dwork->due_ns != FB_FOREVER)
        dwork->event = fb_at(dwork->due_ns, due, dwork);
    return 1;
}

int k_work_schedule_for_queue(struct k_work_q *queue, struct k_work_delayable *dwork, k_timeout_t delay)
{
    if (dwork->work.flags & (K_WORK_DELAYED | K_WORK_QUEUED))
        return 0;
    return schedule(queue, dwork, delay);
}

int k_work_schedule(struct k_work_delayable *dwork, k_timeout_t delay)
{
    return k_work_schedule_for_queue(&k_sys_work_q, dwork, delay);
}

int k_work_reschedule_for_queue(struct k_work_q *queue, struct k_work_delayable *dwork, k_timeout_t delay)
{
    unschedule(dwork);
    return schedule(queue, dwork, delay);
}

int k_work_reschedule(struct k_work_delayable *dwork, k_timeout_t delay)
{
    return k_work_reschedule_for_queue(&k_sys_work_q, dwork, delay);
}

int k_work_delayable_busy_get(const struct k_work_delayable *dwork)
{
    return k_work_busy_get(&dwork->work);
}

bool k_work_delayable_is_pending(const struct k_work_delayable *dwork)
{
    return k_work_is_pending(&dwork->work);
}

k_ticks_t k_work_delayable_expires_get(const struct k_work_delayable *dwork)
{
    return dwork->event ? dwork->due_ns / FB_TICK_NS : 0;
}

k_ticks_t k_work_delayable_remaining_get(const struct k_work_delayable *dwork)
{
    return dwork->event ? dwork->due_ns / FB_TICK_NS - k_uptime_ticks() : 0;
}

int k_work_cancel_delayable(struct k_work_delayable *dwork)
{
    unschedule(dwork);
    return k_work_cancel(&dwork->work);
}

bool k_work_cancel_delayable_sync(struct k_work_delayable *dwork, struct k_work_sync *sync)
{
    bool pending = k_work_delayable_is_pending(dwork);
    unschedule(dwork);
    k_work_cancel_sync(&dwork->work, sync);
    return pending;
}

bool k_work_flush_delayable(struct k_work_delayable *dwork, struct k_work_sync *sync)
{
    if (unschedule(dwork))
        k_work_submit_to_queue(dwork->queue, &dwork->work);
    return k_work_flush(&dwork->work, sync);
}

void k_work_queue_init(struct k_work_q *queue)
{
    *queue = (struct k_work_q){0};
}

void k_work_queue_start(struct k_work_q *queue, k_thread_stack_t *stack, size_t stack_size, int prio,
                        const struct k_work_queue_config *cfg)
{
    if (queue->started) {
        fb_fault("started_twice", "k_work_queue_start on a queue that was already started");
        return;
    }
    queue->started = true;
    queue->no_yield = cfg && cfg->no_yield;
    fb_sched_lock();
    if (k_thread_create(&queue->thread, stack, stack_size, serve, queue, NULL, NULL, prio, 0, K_NO_WAIT))
        k_thread_name_set(&queue->thread, cfg && cfg->name ? cfg->name : "workq");
    fb_sched_unlock();
    fb_reschedule();
}

void fb_system_queue_start(void)
{
    static const struct k_work_queue_config config = {.name = "sysworkq"};
    k_work_queue_start(&k_sys_work_q, system_stack, sizeof system_stack, CONFIG_SYSTEM_WORKQUEUE_PRIORITY, &config);
}

k_tid_t k_work_queue_thread_get(struct k_work_q *queue)
{
    return &queue->thread;
}

int k_work_queue_drain(struct k_work_q *queue, bool plug)
{
    if (!fb_may_block("k_work_queue_drain"))
        return -EINVAL;
    queue->draining = queue->first != NULL;
    while (queue->draining)
        fb_wait(&settled, FB_FOREVER);
    queue->plugged |= plug;
    return 0;
}

int k_work_queue_unplug(struct k_work_q *queue)
{
    if (!queue->plugged)
        return -EALREADY;
    queue->plugged = false;
    return 0;
}
