/* Timers, high resolution timers, tasklets, work queues. */
#include "lk.h"

/* ---- timers ---- */
static void run_timer(void *arg)
{
    struct timer_list *timer = arg;
    timer->lk_pending = false;
    timer->lk_running = true;
    timer->function(timer);
    timer->lk_running = false;
}
static void expire(void *arg)
{
    ((struct timer_list *)arg)->lk_event = NULL;
    fb_irq("timer", LK_SOFTIRQ, run_timer, arg);
}
static void check_timer(const struct timer_list *timer)
{
    if (timer->magic != LK_TIMER_MAGIC)
        fb_fault("timer_not_initialised", "a timer is used before timer_setup");
}
void timer_setup(struct timer_list *timer, void (*function)(struct timer_list *), unsigned flags)
{
    *timer = (struct timer_list){.function = function, .flags = flags, .magic = LK_TIMER_MAGIC};
}
int timer_delete(struct timer_list *timer)
{
    check_timer(timer);
    int was = timer->lk_pending;
    fb_cancel(timer->lk_event);
    fb_irq_cancel(run_timer, timer);
    timer->lk_event = NULL;
    timer->lk_pending = false;
    return was;
}
int mod_timer(struct timer_list *timer, unsigned long expires)
{
    int was = timer_delete(timer);
    if (timer->lk_shut)
        return 0;
    unsigned long now = jiffies;
    long ticks = (long)(expires - now);
    timer->expires = expires;
    timer->lk_pending = true;
    int64_t at = (fb_now() / (NSEC_PER_SEC / HZ) + (ticks > 0 ? ticks : 1)) * (NSEC_PER_SEC / HZ);
    timer->lk_event = fb_at(at, expire, timer);
    return was;
}
void add_timer(struct timer_list *timer)
{
    if (timer->lk_pending)
        fb_fault("timer_already_pending", "add_timer of a pending timer");
    mod_timer(timer, timer->expires);
}
int timer_delete_sync(struct timer_list *timer)
{
    if (lk_in_hardirq())
        fb_fault("sync_in_interrupt", "del_timer_sync is called in an interrupt");
    if (timer->lk_running)
        fb_panic("deadlock: a timer waits for its own function to end");
    return timer_delete(timer);
}
int timer_shutdown(struct timer_list *timer)
{
    timer->lk_shut = true;
    return timer_delete(timer);
}
int timer_shutdown_sync(struct timer_list *timer)
{
    timer->lk_shut = true;
    return timer_delete_sync(timer);
}

static void fire(void *arg);
static void run_hrtimer(void *arg)
{
    struct hrtimer *timer = arg;
    timer->lk_pending = false;
    timer->lk_running = true;
    enum hrtimer_restart again = timer->function(timer);
    timer->lk_running = false;
    if (again == HRTIMER_RESTART && !timer->lk_pending) {
        if (timer->expires <= fb_now())
            fb_fault("hrtimer_not_forwarded", "an hrtimer restarts without a new time to expire");
        timer->lk_pending = true;
        timer->lk_event = fb_at(max(timer->expires, fb_now() + 1000), fire, timer);
    }
}
static void fire(void *arg)
{
    ((struct hrtimer *)arg)->lk_event = NULL;
    fb_irq("hrtimer", LK_HARDIRQ, run_hrtimer, arg);
}
void hrtimer_init(struct hrtimer *timer, int clock, enum hrtimer_mode mode)
{
    (void)clock;
    (void)mode;
    *timer = (struct hrtimer){.magic = LK_HRTIMER_MAGIC};
}
void hrtimer_setup(struct hrtimer *timer, enum hrtimer_restart (*function)(struct hrtimer *), int clock, enum hrtimer_mode mode)
{
    hrtimer_init(timer, clock, mode);
    timer->function = function;
}
static int cancel_hrtimer(struct hrtimer *timer)
{
    int was = timer->lk_pending;
    fb_cancel(timer->lk_event);
    fb_irq_cancel(run_hrtimer, timer);
    timer->lk_event = NULL;
    timer->lk_pending = false;
    return was;
}
void hrtimer_start(struct hrtimer *timer, ktime_t when, enum hrtimer_mode mode)
{
    if (timer->magic != LK_HRTIMER_MAGIC || !timer->function)
        fb_fault("timer_not_initialised", "an hrtimer is started before it has a function");
    cancel_hrtimer(timer);
    bool relative = mode == HRTIMER_MODE_REL || mode == HRTIMER_MODE_REL_PINNED || mode == HRTIMER_MODE_REL_SOFT;
    timer->expires = relative ? fb_now() + when : when;
    timer->lk_pending = true;
    timer->lk_event = fb_at(max(timer->expires, fb_now()), fire, timer);
}
int hrtimer_try_to_cancel(struct hrtimer *timer) { return timer->lk_running ? -1 : cancel_hrtimer(timer); }
int hrtimer_cancel(struct hrtimer *timer)
{
    if (timer->lk_running)
        fb_panic("deadlock: an hrtimer waits for its own function to end");
    return cancel_hrtimer(timer);
}
u64 hrtimer_forward(struct hrtimer *timer, ktime_t now, ktime_t interval)
{
    u64 steps = 0;
    while (timer->expires <= now && interval > 0) {
        timer->expires += interval;
        steps++;
    }
    return steps;
}

static void run_tasklet(void *arg)
{
    struct tasklet_struct *tasklet = arg;
    tasklet->lk_scheduled = false;
    if (tasklet->callback)
        tasklet->callback(tasklet);
    else
        tasklet->func(tasklet->data);
}
void tasklet_setup(struct tasklet_struct *tasklet, void (*callback)(struct tasklet_struct *))
{
    *tasklet = (struct tasklet_struct){.callback = callback};
}
void tasklet_init(struct tasklet_struct *tasklet, void (*func)(unsigned long), unsigned long data)
{
    *tasklet = (struct tasklet_struct){.func = func, .data = data};
}
void tasklet_schedule(struct tasklet_struct *tasklet)
{
    if (tasklet->lk_scheduled)
        return;
    tasklet->lk_scheduled = true;
    fb_irq("tasklet", LK_SOFTIRQ, run_tasklet, tasklet);
}
void tasklet_kill(struct tasklet_struct *tasklet)
{
    lk_may_sleep("tasklet_kill");
    fb_irq_cancel(run_tasklet, tasklet);
    tasklet->lk_scheduled = false;
}

/* ---- work queues: a worker each ---- */
struct workqueue_struct {
    char name[24];
    struct work_struct *first, *running;
    fb_queue idle, done;
    struct task_struct *worker;
    bool ending;
};
static struct workqueue_struct events = {.name = "events"};
struct workqueue_struct *system_wq = &events, *system_highpri_wq = &events, *system_long_wq = &events,
                        *system_unbound_wq = &events, *system_freezable_wq = &events, *system_power_efficient_wq = &events;

static void work_loop(void *arg)
{
    struct workqueue_struct *wq = arg;
    while (!wq->ending) {
        struct work_struct *work = wq->first;
        if (!work) {
            fb_wait(&wq->idle, FB_FOREVER);
            continue;
        }
        wq->first = work->lk_next;
        work->lk_pending = false;
        wq->running = work;
        work->func(work);
        if (current->lk_locks || lk_atomic())
            fb_fault("lock_left", "a work function returns with a lock held");
        wq->running = NULL;
        fb_wake_all(&wq->done);
        fb_reschedule();
    }
}
static void start_worker(struct workqueue_struct *wq)
{
    if (!wq->worker)
        wq->worker = lk_task_new(wq->name, LK_TASK, work_loop, wq);
}
struct workqueue_struct *alloc_workqueue(const char *format, unsigned flags, int most, ...)
{
    (void)flags;
    __builtin_va_list args;
    __builtin_va_start(args, most);
    struct workqueue_struct *wq = calloc(1, sizeof *wq);
    lk_vsnprintf(wq->name, sizeof wq->name, format, args);
    __builtin_va_end(args);
    lk_may_sleep("alloc_workqueue");
    if (lk_refuses(LK_QUEUE, wq->name))
        return NULL;
    lk_hold(LK_QUEUE, wq, wq->name);
    return wq;
}
static void check_work(const struct work_struct *work)
{
    if (work->magic != LK_WORK_MAGIC)
        fb_fault("work_not_initialised", "a work item is used before INIT_WORK");
}
void lk_init_work(struct work_struct *work, work_func_t func)
{
    *work = (struct work_struct){.func = func, .magic = LK_WORK_MAGIC};
}
void lk_delayed_work_timer(struct timer_list *timer)
{
    struct delayed_work *dwork = container_of(timer, struct delayed_work, timer);
    queue_work(dwork->lk_target, &dwork->work);
}
void lk_init_delayed_work(struct delayed_work *work, work_func_t func)
{
    lk_init_work(&work->work, func);
    timer_setup(&work->timer, lk_delayed_work_timer, 0);
    work->lk_target = NULL;
}
bool queue_work(struct workqueue_struct *wq, struct work_struct *work)
{
    check_work(work);
    if (work->lk_pending)
        return false;
    start_worker(wq);
    struct work_struct **end = &wq->first;
    while (*end)
        end = &(*end)->lk_next;
    *end = work;
    work->lk_next = NULL;
    work->lk_pending = true;
    work->lk_queue = wq;
    fb_wake(&wq->idle);
    return true;
}
bool queue_delayed_work(struct workqueue_struct *wq, struct delayed_work *work, unsigned long ticks)
{
    check_work(&work->work);
    if (work->work.lk_pending || work->timer.lk_pending)
        return false;
    if (!ticks)
        return queue_work(wq, &work->work);
    work->lk_target = wq;
    mod_timer(&work->timer, jiffies + ticks);
    return true;
}
bool mod_delayed_work(struct workqueue_struct *wq, struct delayed_work *work, unsigned long ticks)
{
    bool was = cancel_delayed_work(work);
    queue_delayed_work(wq, work, ticks);
    return was;
}
bool cancel_work(struct work_struct *work)
{
    check_work(work);
    if (!work->lk_pending)
        return false;
    struct work_struct **at = &work->lk_queue->first;
    while (*at && *at != work)
        at = &(*at)->lk_next;
    if (*at)
        *at = work->lk_next;
    work->lk_pending = false;
    return true;
}
static void wait_while_running(struct work_struct *work)
{
    struct workqueue_struct *wq = work->lk_queue;
    if (wq && wq->running == work && wq->worker == current)
        return; /* a work item that cancels itself: the kernel would wait forever for a flush only */
    while (wq && wq->running == work)
        fb_wait(&wq->done, FB_FOREVER);
}
bool cancel_work_sync(struct work_struct *work)
{
    lk_may_sleep("cancel_work_sync");
    bool was;
    do {
        was = cancel_work(work);
        wait_while_running(work);
    } while (work->lk_pending);
    return was;
}
bool cancel_delayed_work(struct delayed_work *work)
{
    bool timer = timer_delete(&work->timer);
    return cancel_work(&work->work) || timer;
}
bool cancel_delayed_work_sync(struct delayed_work *work)
{
    bool was = false;
    lk_may_sleep("cancel_delayed_work_sync");
    do {
        was |= timer_delete(&work->timer);
        was |= cancel_work(&work->work);
        wait_while_running(&work->work);
    } while (work->work.lk_pending || work->timer.lk_pending);
    return was;
}
bool flush_work(struct work_struct *work)
{
    check_work(work);
    lk_may_sleep("flush_work");
    bool was = work->lk_pending || (work->lk_queue && work->lk_queue->running == work);
    while (work->lk_pending)
        fb_wait(&work->lk_queue->done, FB_FOREVER);
    wait_while_running(work);
    return was;
}
bool flush_delayed_work(struct delayed_work *work)
{
    if (timer_delete(&work->timer))
        queue_work(work->lk_target, &work->work);
    return flush_work(&work->work);
}
void lk_flush_workqueue(struct workqueue_struct *wq)
{
    lk_may_sleep("flush_workqueue");
    while (wq->first || wq->running)
        fb_wait(&wq->done, FB_FOREVER);
}
void destroy_workqueue(struct workqueue_struct *wq)
{
    lk_may_sleep("destroy_workqueue");
    lk_flush_workqueue(wq);
    if (!lk_let_go(LK_QUEUE, wq))
        fb_fault("double_release", "destroy_workqueue of a queue that is not there");
    wq->ending = true;
    fb_wake(&wq->idle);
}
static void cancel_work_action(void *work) { cancel_work_sync(work); }
static void cancel_delayed_work_action(void *work) { cancel_delayed_work_sync(work); }
int devm_work_autocancel(struct device *dev, struct work_struct *work, work_func_t func)
{
    INIT_WORK(work, func);
    return devm_add_action(dev, cancel_work_action, work);
}
int devm_delayed_work_autocancel(struct device *dev, struct delayed_work *work, work_func_t func)
{
    INIT_DELAYED_WORK(work, func);
    return devm_add_action(dev, cancel_delayed_work_action, work);
}

/* Memory is about to be freed: nothing alive may lie in it. Members are found by the mark their initialiser leaves. */
#define ALIVE(type, magic_, what, condition) \
    if (mark == (magic_) && at + 1 > offsetof(type, magic)) { \
        size_t start = at - offsetof(type, magic); \
        const type *one = (const void *)(from + start); \
        if (bytes - start >= sizeof *one && (condition)) \
            fb_fault("free_active", "memory is freed that holds " what); \
    }
void lk_free_checks(const char *from, size_t bytes)
{
    for (size_t at = 0; at + sizeof(u32) <= bytes; at += sizeof(u32)) {
        u32 mark;
        memcpy(&mark, from + at, sizeof mark);
        ALIVE(struct timer_list, LK_TIMER_MAGIC, "a pending timer", one->lk_pending)
        ALIVE(struct hrtimer, LK_HRTIMER_MAGIC, "a pending hrtimer", one->lk_pending)
        ALIVE(struct work_struct, LK_WORK_MAGIC, "a work item that is queued or runs",
              one->lk_pending || (one->lk_queue && one->lk_queue->running == one))
        ALIVE(struct mutex, LK_LOCK_MAGIC, "a locked mutex", one->taken == 1 && one->owner && one->name)
    }
}
