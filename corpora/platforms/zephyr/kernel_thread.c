/* Threads. Zephyr counts a smaller priority as more urgent and a negative one as cooperative. */
#include "fb_zephyr.h"

#include <stdio.h>

#define SMALLEST_STACK 128

FB_LIST_DECLARE(threads);
static struct k_thread *every; /* that was ever started */
static struct k_thread main_thread;
static K_THREAD_STACK_DEFINE(main_stack, CONFIG_MAIN_STACK_SIZE);

struct k_thread *fb_thread_of(fb_thread *thread)
{
    return thread ? *fb_thread_data(thread) : NULL;
}

struct k_thread *fb_current(void)
{
    return fb_thread_of(fb_self());
}

static bool alive(const struct k_thread *thread)
{
    return thread->magic == FB_MAGIC_THREAD && thread->fb && !fb_thread_ended(thread->fb);
}

size_t fb_threads_alive(void)
{
    size_t count = 0;
    for (struct k_thread *one = every; one; one = one->next)
        count += alive(one) && one != &k_sys_work_q.thread && one->own_priority != K_IDLE_PRIO;
    return count;
}

struct k_thread *fb_thread_named(const char *name)
{
    for (struct k_thread *one = every; one; one = one->next)
        if (!strcmp(one->name, name))
            return one;
    return NULL;
}

bool fb_may_block(const char *call)
{
    if (fb_in_isr()) {
        fb_fault("blocking_in_isr", "%s waits in the interrupt %s", call, fb_isr_name());
        return false;
    }
    if (fb_spinlock_held()) {
        fb_fault("blocking_with_spinlock", "%s waits while a spinlock is held", call);
        return false;
    }
    return true;
}

int fb_pend(fb_queue *queue, k_timeout_t timeout, int busy, const char *call)
{
    if (K_TIMEOUT_EQ(timeout, K_NO_WAIT) || !fb_may_block(call))
        return busy;
    struct k_thread *self = fb_current();
    if (!self)
        return busy;
    self->swap_result = -EAGAIN;
    return fb_wait(queue, fb_deadline(timeout)) < 0 ? -EAGAIN : self->swap_result;
}

struct k_thread *fb_unpend(fb_queue *queue, int result)
{
    struct k_thread *thread = fb_thread_of(fb_wake(queue));
    if (thread)
        thread->swap_result = result;
    return thread;
}

static void over(struct k_thread *thread)
{
    if (thread->holds)
        fb_fault("mutex_never_unlocked", "thread %s ended while it held a mutex", thread->name);
    while (fb_unpend(&thread->joiners, 0))
        ;
}

static void run(void *arg)
{
    struct k_thread *thread = arg;
    thread->entry(thread->p1, thread->p2, thread->p3);
    over(thread);
    fb_exit();
}

static void start_now(void *arg)
{
    struct k_thread *thread = arg;
    thread->start = NULL;
    fb_thread_resume(thread->fb);
}

static const char *why_not(struct k_thread *thread, const k_thread_stack_t *stack, size_t size, k_thread_entry_t entry,
                           int prio)
{
    if (!thread || !stack || !entry)
        return "has no thread object, no stack or no entry function";
    if (size < SMALLEST_STACK)
        return "has a stack that is too small";
    if (prio < K_HIGHEST_THREAD_PRIO || prio > K_LOWEST_APPLICATION_THREAD_PRIO)
        return "has a priority out of range";
    for (struct k_thread *one = every; one; one = one->next) {
        if (one == thread && alive(one))
            return "uses the thread object of a thread that still runs";
        if (one->stack == stack && alive(one))
            return "uses the stack of a thread that still runs";
    }
    return NULL;
}

static k_tid_t create(struct k_thread *thread, k_thread_stack_t *stack, size_t stack_size, k_thread_entry_t entry,
                      void *p1, void *p2, void *p3, int prio, k_timeout_t delay, const char *name)
{
    const char *fault = why_not(thread, stack, stack_size, entry, prio);
    if (fault) {
        fb_fault("thread_create", "the thread %s (priority %d, stack of %zu bytes) %s", name, prio, stack_size, fault);
        return NULL;
    }
    struct k_thread **at = &every;
    while (*at && *at != thread)
        at = &(*at)->next;
    struct k_thread *next = *at == thread ? thread->next : NULL;
    *at = thread;
    *thread = (struct k_thread){.magic = FB_MAGIC_THREAD,
                                .entry = entry,
                                .p1 = p1,
                                .p2 = p2,
                                .p3 = p3,
                                .stack = stack,
                                .stack_size = stack_size,
                                .own_priority = prio,
                                .next = next};
    snprintf(thread->name, sizeof thread->name, "%s", name);
    thread->fb = fb_thread_new(thread->name, -prio, run, thread);
    *fb_thread_data(thread->fb) = thread;
    fb_thread_cooperative(thread->fb, prio < 0);
    if (!K_TIMEOUT_EQ(delay, K_NO_WAIT)) {
        fb_thread_suspend(thread->fb);
        if (!K_TIMEOUT_EQ(delay, K_FOREVER))
            thread->start = fb_at(fb_deadline(delay), start_now, thread);
    }
    fb_reschedule();
    return thread;
}

k_tid_t k_thread_create(struct k_thread *new_thread, k_thread_stack_t *stack, size_t stack_size, k_thread_entry_t entry,
                        void *p1, void *p2, void *p3, int prio, uint32_t options, k_timeout_t delay)
{
    (void)options;
    static unsigned unnamed;
    char name[24];
    if (fb_in_isr()) {
        fb_fault("thread_create", "k_thread_create was called in the interrupt %s", fb_isr_name());
        return NULL;
    }
    snprintf(name, sizeof name, "thread%u", unnamed++);
    return create(new_thread, stack, stack_size, entry, p1, p2, p3, prio, delay, name);
}

void fb_static_threads_start(void)
{
    fb_sched_lock();
    FB_LIST_FOREACH(threads, at)
    {
        const struct fb_static_thread *one = *at;
        k_timeout_t delay = one->delay_ms < 0 ? K_FOREVER : K_MSEC(one->delay_ms);
        create(one->thread, one->stack, one->stack_size, one->entry, one->p1, one->p2, one->p3, one->priority, delay,
               one->name);
    }
    fb_sched_unlock();
    fb_reschedule();
}

void fb_main_thread_start(void (*entry)(void *, void *, void *))
{
    create(&main_thread, main_stack, sizeof main_stack, entry, NULL, NULL, NULL, CONFIG_MAIN_THREAD_PRIORITY, K_NO_WAIT,
           "main");
}

void fb_idle_create(struct k_thread *thread, k_thread_stack_t *stack, size_t bytes, k_thread_entry_t entry)
{
    create(thread, stack, bytes, entry, NULL, NULL, NULL, K_LOWEST_APPLICATION_THREAD_PRIO, K_NO_WAIT, "idle");
    thread->own_priority = K_IDLE_PRIO;
    fb_thread_priority(thread->fb, -K_IDLE_PRIO);
}

static bool known(k_tid_t thread, const char *call)
{
    return thread && fb_initialised(thread->magic, FB_MAGIC_THREAD, call);
}

void k_thread_start(k_tid_t thread)
{
    k_thread_resume(thread);
}

void k_thread_abort(k_tid_t thread)
{
    if (!known(thread, "k_thread_abort") || !alive(thread))
        return;
    fb_cancel(thread->start);
    over(thread);
    fb_thread_abort(thread->fb);
    fb_reschedule();
}

int k_thread_join(struct k_thread *thread, k_timeout_t timeout)
{
    if (!known(thread, "k_thread_join"))
        return -EINVAL;
    if (!alive(thread))
        return 0;
    if (thread == fb_current())
        return -EDEADLK;
    return fb_pend(&thread->joiners, timeout, -EBUSY, "k_thread_join");
}

void k_thread_suspend(k_tid_t thread)
{
    if (known(thread, "k_thread_suspend") && alive(thread))
        fb_thread_suspend(thread->fb);
}

void k_thread_resume(k_tid_t thread)
{
    if (!known(thread, "k_thread_resume") || !alive(thread))
        return;
    fb_cancel(thread->start);
    thread->start = NULL;
    fb_thread_resume(thread->fb);
    fb_reschedule();
}

int k_thread_priority_get(k_tid_t thread)
{
    return known(thread, "k_thread_priority_get") ? -fb_thread_get_priority(thread->fb) : 0;
}

void k_thread_priority_set(k_tid_t thread, int prio)
{
    if (!known(thread, "k_thread_priority_set") || !alive(thread))
        return;
    if (fb_in_isr() || prio < K_HIGHEST_THREAD_PRIO || prio > K_LOWEST_APPLICATION_THREAD_PRIO) {
        fb_fault("thread_priority", "k_thread_priority_set was called in an interrupt or with %d, out of range", prio);
        return;
    }
    thread->own_priority = prio;
    fb_thread_priority(thread->fb, -prio);
    fb_thread_cooperative(thread->fb, prio < 0);
    fb_reschedule();
}

int k_thread_name_set(k_tid_t thread, const char *name)
{
    struct k_thread *one = thread ? thread : fb_current();
    if (one)
        snprintf(one->name, sizeof one->name, "%s", name);
    return 0;
}

const char *k_thread_name_get(k_tid_t thread)
{
    return thread ? thread->name : NULL;
}

int k_thread_name_copy(k_tid_t thread, char *buf, size_t size)
{
    if (!thread)
        return -EINVAL;
    snprintf(buf, size, "%s", thread->name);
    return 0;
}

const char *k_thread_state_str(k_tid_t thread, char *buf, size_t size)
{
    snprintf(buf, size, "%s",
             !alive(thread)                    ? "dead"
             : fb_thread_suspended(thread->fb) ? "suspended"
             : fb_thread_waiting(thread->fb)   ? "pending"
                                               : "queued");
    return buf;
}

void k_thread_custom_data_set(void *value)
{
    if (fb_current())
        fb_current()->custom_data = value;
}

void *k_thread_custom_data_get(void)
{
    return fb_current() ? fb_current()->custom_data : NULL;
}

int k_thread_stack_space_get(const struct k_thread *thread, size_t *unused)
{
    *unused = thread->stack_size / 2;
    return 0;
}

void k_thread_foreach(k_thread_user_cb_t user_cb, void *user_data)
{
    for (struct k_thread *one = every; one; one = one->next)
        if (alive(one))
            user_cb(one, user_data);
}

k_tid_t k_current_get(void)
{
    return fb_thread_of(fb_running());
}

k_tid_t k_sched_current_thread_query(void)
{
    return k_current_get();
}

int32_t k_sleep(k_timeout_t timeout)
{
    if (!fb_may_block("k_sleep"))
        return 0;
    if (K_TIMEOUT_EQ(timeout, K_NO_WAIT)) {
        k_yield();
        return 0;
    }
    int64_t until = fb_deadline(timeout);
    if (fb_wait(NULL, until) < 0)
        return 0;
    return until == FB_FOREVER ? (int32_t)K_TICKS_FOREVER : (int32_t)((until - fb_now()) / 1000000);
}

int32_t k_usleep(int32_t us)
{
    int64_t until = fb_deadline(K_USEC(us));
    k_sleep(K_USEC(us));
    return until > fb_now() ? (int32_t)((until - fb_now()) / 1000) : 0;
}

void k_yield(void)
{
    if (fb_may_block("k_yield"))
        fb_yield();
}

void k_wakeup(k_tid_t thread)
{
    if (known(thread, "k_wakeup") && alive(thread) && fb_thread_waiting(thread->fb) && !fb_thread_queue(thread->fb)) {
        fb_wake_thread(thread->fb);
        fb_reschedule();
    }
}

void k_sched_lock(void)
{
    if (fb_may_block("k_sched_lock"))
        fb_sched_lock();
}

void k_sched_unlock(void)
{
    if (!fb_may_block("k_sched_unlock"))
        return;
    if (!fb_sched_locked())
        fb_fault("unlock_without_lock", "k_sched_unlock without k_sched_lock");
    fb_sched_unlock();
    fb_reschedule();
}

void k_sched_time_slice_set(int32_t slice_ms, int prio)
{
    (void)prio;
    fb_time_slice(FB_MS(slice_ms));
}

bool k_is_in_isr(void)
{
    return fb_in_isr();
}

int k_is_preempt_thread(void)
{
    return fb_current() && fb_current()->own_priority >= 0 && !fb_sched_locked();
}

bool k_is_pre_kernel(void)
{
    return !fb_running() && !fb_in_isr();
}

bool k_can_yield(void)
{
    return fb_self() != NULL;
}
