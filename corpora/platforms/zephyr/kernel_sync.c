/* Semaphores, mutexes with priority inheritance, and condition variables. */
#include "fb_zephyr.h"

bool fb_initialised(unsigned magic, unsigned wanted, const char *call)
{
    if (magic == wanted)
        return true;
    fb_fault("uninitialised_object", "%s on an object that was never initialised", call);
    return false;
}

int k_sem_init(struct k_sem *sem, unsigned int initial_count, unsigned int limit)
{
    if (limit == 0 || initial_count > limit) {
        fb_fault("bad_argument", "k_sem_init with count %u and limit %u", initial_count, limit);
        return -EINVAL;
    }
    *sem = (struct k_sem){.magic = FB_MAGIC_SEM, .count = initial_count, .limit = limit};
    return 0;
}

int k_sem_take(struct k_sem *sem, k_timeout_t timeout)
{
    if (!fb_initialised(sem->magic, FB_MAGIC_SEM, "k_sem_take"))
        return -EINVAL;
    if (sem->count > 0) {
        sem->count--;
        return 0;
    }
    return fb_pend(&sem->waiters, timeout, -EBUSY, "k_sem_take");
}

void k_sem_give(struct k_sem *sem)
{
    if (!fb_initialised(sem->magic, FB_MAGIC_SEM, "k_sem_give"))
        return;
    if (!fb_unpend(&sem->waiters, 0) && sem->count < sem->limit) {
        sem->count++;
        fb_poll_changed();
    }
    fb_reschedule();
}

void k_sem_reset(struct k_sem *sem)
{
    if (!fb_initialised(sem->magic, FB_MAGIC_SEM, "k_sem_reset"))
        return;
    while (fb_unpend(&sem->waiters, -EAGAIN))
        ;
    sem->count = 0;
    fb_reschedule();
}

unsigned int k_sem_count_get(struct k_sem *sem)
{
    return sem->count;
}

int k_mutex_init(struct k_mutex *mutex)
{
    *mutex = (struct k_mutex){.magic = FB_MAGIC_MUTEX};
    return 0;
}

/* A thread is as urgent as the most urgent one that waits for what it holds. */
static void inherit(struct k_thread *thread)
{
    int priority = thread->own_priority;
    for (struct k_mutex *one = thread->holds; one; one = one->also) {
        fb_thread *first = fb_first(&one->waiters);
        if (first && -fb_thread_get_priority(first) < priority)
            priority = -fb_thread_get_priority(first);
    }
    fb_thread_priority(thread->fb, -priority);
}

static void own(struct k_mutex *mutex, struct k_thread *thread)
{
    mutex->owner = thread;
    mutex->lock_count = 1;
    mutex->also = thread->holds;
    thread->holds = mutex;
}

static bool usable(struct k_mutex *mutex, const char *call)
{
    if (fb_in_isr()) {
        fb_fault("mutex_in_isr", "%s in the interrupt %s", call, fb_isr_name());
        return false;
    }
    return fb_initialised(mutex->magic, FB_MAGIC_MUTEX, call);
}

int k_mutex_lock(struct k_mutex *mutex, k_timeout_t timeout)
{
    struct k_thread *self = fb_current();
    if (!usable(mutex, "k_mutex_lock") || !self)
        return -EINVAL;
    if (!mutex->owner) {
        own(mutex, self);
        return 0;
    }
    if (mutex->owner == self) {
        mutex->lock_count++;
        return 0;
    }
    if (K_TIMEOUT_EQ(timeout, K_NO_WAIT))
        return -EBUSY;
    if (-fb_thread_get_priority(self->fb) < -fb_thread_get_priority(mutex->owner->fb))
        fb_thread_priority(mutex->owner->fb, fb_thread_get_priority(self->fb));
    int result = fb_pend(&mutex->waiters, timeout, -EBUSY, "k_mutex_lock");
    if (result && mutex->owner) {
        inherit(mutex->owner);
        fb_reschedule();
    }
    return result;
}

/* Without giving way: a condition variable waits before anything else may run. */
static int release(struct k_mutex *mutex, const char *call)
{
    struct k_thread *self = fb_current();
    if (!usable(mutex, call))
        return -EINVAL;
    if (!mutex->owner) {
        fb_fault("unlock_without_lock", "%s on a mutex that is not locked", call);
        return -EINVAL;
    }
    if (mutex->owner != self) {
        fb_fault("unlock_by_another", "%s by a thread that does not own the mutex", call);
        return -EPERM;
    }
    if (--mutex->lock_count > 0)
        return 0;
    struct k_mutex **at = &self->holds;
    while (*at != mutex)
        at = &(*at)->also;
    *at = mutex->also;
    struct k_thread *next = fb_unpend(&mutex->waiters, 0);
    mutex->owner = NULL;
    if (next) {
        own(mutex, next);
        inherit(next);
    }
    inherit(self);
    return 0;
}

int k_mutex_unlock(struct k_mutex *mutex)
{
    int result = release(mutex, "k_mutex_unlock");
    fb_reschedule();
    return result;
}

int k_condvar_init(struct k_condvar *condvar)
{
    *condvar = (struct k_condvar){.magic = FB_MAGIC_CONDVAR};
    return 0;
}

int k_condvar_signal(struct k_condvar *condvar)
{
    if (!fb_initialised(condvar->magic, FB_MAGIC_CONDVAR, "k_condvar_signal"))
        return -EINVAL;
    fb_unpend(&condvar->waiters, 0);
    fb_reschedule();
    return 0;
}

int k_condvar_broadcast(struct k_condvar *condvar)
{
    if (!fb_initialised(condvar->magic, FB_MAGIC_CONDVAR, "k_condvar_broadcast"))
        return -EINVAL;
    int woken = 0;
    while (fb_unpend(&condvar->waiters, 0))
        woken++;
    fb_reschedule();
    return woken;
}

int k_condvar_wait(struct k_condvar *condvar, struct k_mutex *mutex, k_timeout_t timeout)
{
    if (!fb_initialised(condvar->magic, FB_MAGIC_CONDVAR, "k_condvar_wait") || release(mutex, "k_condvar_wait"))
        return -EINVAL;
    int result = fb_pend(&condvar->waiters, timeout, -EAGAIN, "k_condvar_wait");
    k_mutex_lock(mutex, K_FOREVER);
    return result;
}
