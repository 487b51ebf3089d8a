/* Threads as coroutines, and wait queues. */
#include "core.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>

#define GUARD_BYTES 4096
#ifdef MAP_32BIT
#define LOW_ADDRESSES MAP_32BIT /* some APIs hold an address in 32 bits */
#else
#define LOW_ADDRESSES 0
#endif

static fb_thread *threads; /* in the order in which they were made */
static uint64_t turns;
static int64_t slice;
static fb_event *slice_end;

fb_thread *fb_self(void)
{
    return fb_core.isr || fb_core.in_event ? NULL : fb_core.running;
}

fb_thread *fb_running(void)
{
    return fb_core.running;
}

const char *fb_thread_name(const fb_thread *thread)
{
    return thread->name;
}

void fb_thread_rename(fb_thread *thread, const char *name)
{
    thread->name = name;
}

int fb_thread_get_priority(const fb_thread *thread)
{
    return thread->priority;
}

void **fb_thread_data(fb_thread *thread)
{
    return &thread->data;
}

bool fb_thread_ended(const fb_thread *thread)
{
    return thread->dead;
}

bool fb_thread_suspended(const fb_thread *thread)
{
    return thread->suspended;
}

bool fb_thread_waiting(const fb_thread *thread)
{
    return thread->waiting;
}

static bool ready(const fb_thread *thread)
{
    return !thread->dead && !thread->waiting && !thread->suspended;
}

static void last_of_equals(fb_thread *thread)
{
    thread->order = turns++;
    fb_attend();
}

fb_thread *fb_most_urgent(void)
{
    fb_thread *best = NULL;
    for (fb_thread *one = threads; one; one = one->next)
        if (ready(one) &&
            (!best || one->priority > best->priority || (one->priority == best->priority && one->order < best->order)))
            best = one;
    return best;
}

bool fb_other_ready(void)
{
    for (fb_thread *one = threads; one; one = one->next)
        if (one != fb_core.running && ready(one))
            return true;
    return false;
}

/* From the running thread back into the engine; returns when the thread is chosen again. Each thread has its errno. */
static void switch_away(void)
{
    fb_thread *self = fb_core.running;
    int error = errno;
    self->mask = fb_core.mask;
    swapcontext(&self->context, &fb_core.engine);
    errno = error;
}

void fb_give_way(void)
{
    fb_thread *self = fb_core.running;
    if (fb_core.phase != FB_RUN || fb_core.isr || fb_core.in_event || !self)
        return;
    if (ready(self)) {
        if (fb_core.mask || self->sched_locks || self->cooperative || fb_most_urgent() == self)
            return;
    }
    switch_away();
}

void fb_reschedule(void)
{
    fb_take_interrupts();
    fb_give_way();
}

static void begin(void)
{
    fb_core.running->entry(fb_core.running->arg);
    fb_exit();
}

fb_thread *fb_thread_new(const char *name, int priority, void (*entry)(void *), void *arg)
{
    fb_thread *thread = calloc(1, sizeof *thread);
    thread->name = name;
    thread->priority = priority;
    thread->entry = entry;
    thread->arg = arg;
    thread->stack = mmap(NULL, FB_STACK_BYTES + GUARD_BYTES, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | LOW_ADDRESSES, -1, 0);
    if (thread->stack == MAP_FAILED)
        fb_panic("no memory for the stack of thread %s", name);
    mprotect(thread->stack, GUARD_BYTES, PROT_NONE);
    getcontext(&thread->context);
    thread->context.uc_stack.ss_sp = (char *)thread->stack + GUARD_BYTES;
    thread->context.uc_stack.ss_size = FB_STACK_BYTES;
    makecontext(&thread->context, begin, 0);
    fb_thread **end = &threads;
    while (*end)
        end = &(*end)->next;
    *end = thread;
    last_of_equals(thread);
    return thread;
}

static void enqueue(fb_queue *queue, fb_thread *thread)
{
    fb_thread **at = &queue->first;
    while (*at && (*at)->priority >= thread->priority)
        at = &(*at)->behind;
    thread->behind = *at;
    *at = thread;
    thread->queue = queue;
}

static void dequeue(fb_thread *thread)
{
    if (!thread->queue)
        return;
    fb_thread **at = &thread->queue->first;
    while (*at && *at != thread)
        at = &(*at)->behind;
    if (*at)
        *at = thread->behind;
    thread->queue = NULL;
    thread->behind = NULL;
}

static void end_wait(fb_thread *thread, bool woken)
{
    dequeue(thread);
    fb_cancel(thread->timeout);
    thread->timeout = NULL;
    thread->waiting = false;
    thread->woken = woken;
    last_of_equals(thread);
}

static void time_came(void *arg)
{
    end_wait(arg, false);
}

int fb_wait(fb_queue *queue, int64_t until)
{
    fb_thread *self = fb_self();
    if (!self) {
        fb_fault("blocking_in_isr", "a call that waits was made outside a thread");
        return -1;
    }
    if (until <= fb_core.now)
        return -1;
    self->waiting = true;
    if (queue)
        enqueue(queue, self);
    if (until != FB_FOREVER)
        self->timeout = fb_at(until, time_came, self);
    switch_away();
    return self->woken ? 0 : -1;
}

fb_thread *fb_first(const fb_queue *queue)
{
    return queue->first;
}

fb_thread *fb_next(const fb_thread *thread)
{
    return thread->behind;
}

fb_queue *fb_thread_queue(const fb_thread *thread)
{
    return thread->queue;
}

bool fb_wake_thread(fb_thread *thread)
{
    if (!thread->waiting)
        return false;
    end_wait(thread, true);
    return true;
}

fb_thread *fb_wake(fb_queue *queue)
{
    fb_thread *first = queue->first;
    if (first)
        end_wait(first, true);
    return first;
}

int fb_wake_all(fb_queue *queue)
{
    int woken = 0;
    while (fb_wake(queue))
        woken++;
    return woken;
}

void fb_thread_priority(fb_thread *thread, int priority)
{
    if (thread->priority == priority)
        return;
    thread->priority = priority;
    fb_queue *queue = thread->queue;
    if (queue) {
        dequeue(thread);
        enqueue(queue, thread);
    }
    last_of_equals(thread);
}

void fb_thread_cooperative(fb_thread *thread, bool cooperative)
{
    thread->cooperative = cooperative;
    fb_attend();
}

void fb_thread_suspend(fb_thread *thread)
{
    thread->suspended = true;
    fb_give_way();
    fb_attend();
}

void fb_thread_resume(fb_thread *thread)
{
    if (!thread->suspended)
        return;
    thread->suspended = false;
    last_of_equals(thread);
}

void fb_bury(fb_thread *thread)
{
    if (thread->dead && thread->stack) {
        munmap(thread->stack, FB_STACK_BYTES + GUARD_BYTES);
        thread->stack = NULL;
    }
}

/* Its handle goes on to say that it has ended. */
static void die(fb_thread *thread)
{
    thread->dead = true;
    fb_thread **at = &threads;
    while (*at && *at != thread)
        at = &(*at)->next;
    if (*at)
        *at = thread->next;
}

void fb_thread_abort(fb_thread *thread)
{
    dequeue(thread);
    fb_cancel(thread->timeout);
    die(thread);
    if (thread != fb_core.running)
        fb_bury(thread);
    fb_attend();
    fb_give_way();
}

void fb_exit(void)
{
    die(fb_core.running);
    switch_away();
    __builtin_unreachable();
}

void fb_yield(void)
{
    fb_thread *self = fb_self();
    if (!self) {
        fb_fault("blocking_in_isr", "a call that yields was made outside a thread");
        return;
    }
    last_of_equals(self);
    if (!self->sched_locks && fb_most_urgent() != self)
        switch_away();
}

void fb_sched_lock(void)
{
    if (fb_core.running)
        fb_core.running->sched_locks++;
}

void fb_sched_unlock(void)
{
    if (fb_core.running && fb_core.running->sched_locks) {
        fb_core.running->sched_locks--;
        fb_attend();
    }
}

bool fb_sched_locked(void)
{
    return fb_core.running && fb_core.running->sched_locks;
}

static void slice_ended(void *arg)
{
    fb_thread *self = fb_core.running;
    if (self && ready(self))
        last_of_equals(self);
    slice_end = fb_at(fb_core.now + slice, slice_ended, arg);
}

void fb_time_slice(int64_t ns)
{
    fb_cancel(slice_end);
    slice = ns;
    slice_end = ns > 0 ? fb_at(fb_core.now + ns, slice_ended, NULL) : NULL;
}
