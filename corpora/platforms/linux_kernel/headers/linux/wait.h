/* Wait queues and completions. */
#ifndef _LINUX_WAIT_H
#define _LINUX_WAIT_H

#include "list.h"
#include "sched.h"
#include "spinlock.h"

typedef struct wait_queue_head {
    spinlock_t lock;
    u32 wakes;
    struct wait_queue_entry *first;
} wait_queue_head_t;
typedef struct wait_queue_entry {
    struct task_struct *task;
    struct wait_queue_entry *next;
    bool queued, exclusive;
} wait_queue_entry_t;
#define __WAIT_QUEUE_HEAD_INITIALIZER(name) {.lock = __SPIN_LOCK_UNLOCKED(name.lock)}
#define DECLARE_WAIT_QUEUE_HEAD(name) wait_queue_head_t name = __WAIT_QUEUE_HEAD_INITIALIZER(name)
#define DEFINE_WAIT(name) wait_queue_entry_t name = {.task = current}
#define DECLARE_WAITQUEUE(name, who) wait_queue_entry_t name = {.task = (who)}
void init_waitqueue_head(wait_queue_head_t *wq);
void lk_wake(wait_queue_head_t *wq, int exclusive, unsigned states);
void prepare_to_wait(wait_queue_head_t *wq, wait_queue_entry_t *entry, unsigned state);
void prepare_to_wait_exclusive(wait_queue_head_t *wq, wait_queue_entry_t *entry, unsigned state);
void finish_wait(wait_queue_head_t *wq, wait_queue_entry_t *entry);
void add_wait_queue(wait_queue_head_t *wq, wait_queue_entry_t *entry);
void remove_wait_queue(wait_queue_head_t *wq, wait_queue_entry_t *entry);
int waitqueue_active(wait_queue_head_t *wq);
#define wq_has_sleeper waitqueue_active
#define wake_up(wq) lk_wake(wq, 1, TASK_NORMAL)
#define wake_up_all(wq) lk_wake(wq, 0, TASK_NORMAL)
#define wake_up_interruptible(wq) lk_wake(wq, 1, TASK_INTERRUPTIBLE)
#define wake_up_interruptible_all(wq) lk_wake(wq, 0, TASK_INTERRUPTIBLE)
#define wake_up_interruptible_sync wake_up_interruptible
#define wake_up_poll(wq, events) wake_up(wq)
#define wake_up_interruptible_poll(wq, events) wake_up_interruptible(wq)
#define wake_up_locked wake_up

/* The condition is looked at after the entry is queued, as in the kernel, so that no wake-up is lost. */
#define lk_wait_event(wq, condition, state, exclusive_, timeout, before, after) \
    ({ \
        long left_ = (timeout), result_ = 0; \
        wait_queue_entry_t entry_ = {.task = current, .exclusive = (exclusive_)}; \
        might_sleep(); \
        for (;;) { \
            lk_prepare(&(wq), &entry_, state); \
            if (condition) { \
                result_ = (timeout) == MAX_SCHEDULE_TIMEOUT ? 0 : left_ ? left_ : 1; \
                break; \
            } \
            if (((state) & TASK_INTERRUPTIBLE) && signal_pending(current)) { \
                result_ = -ERESTARTSYS; \
                break; \
            } \
            if (!left_) \
                break; \
            before; \
            left_ = schedule_timeout(left_); \
            after; \
        } \
        finish_wait(&(wq), &entry_); \
        result_; \
    })
void lk_prepare(wait_queue_head_t *wq, wait_queue_entry_t *entry, unsigned state);
#define LK_NOTHING do { } while (0)
#define wait_event(wq, condition) \
    ((void)lk_wait_event(wq, condition, TASK_UNINTERRUPTIBLE, false, MAX_SCHEDULE_TIMEOUT, LK_NOTHING, LK_NOTHING))
#define wait_event_timeout(wq, condition, timeout) \
    lk_wait_event(wq, condition, TASK_UNINTERRUPTIBLE, false, (long)(timeout), LK_NOTHING, LK_NOTHING)
#define wait_event_interruptible(wq, condition) \
    ((int)lk_wait_event(wq, condition, TASK_INTERRUPTIBLE, false, MAX_SCHEDULE_TIMEOUT, LK_NOTHING, LK_NOTHING))
#define wait_event_interruptible_timeout(wq, condition, timeout) \
    lk_wait_event(wq, condition, TASK_INTERRUPTIBLE, false, (long)(timeout), LK_NOTHING, LK_NOTHING)
#define wait_event_interruptible_exclusive(wq, condition) \
    ((int)lk_wait_event(wq, condition, TASK_INTERRUPTIBLE, true, MAX_SCHEDULE_TIMEOUT, LK_NOTHING, LK_NOTHING))
#define wait_event_killable wait_event_interruptible
#define wait_event_lock_irq(wq, condition, lock) \
    ((void)lk_wait_event(wq, condition, TASK_UNINTERRUPTIBLE, false, MAX_SCHEDULE_TIMEOUT, spin_unlock_irq(&(lock)), \
                         spin_lock_irq(&(lock))))
#define wait_event_interruptible_lock_irq(wq, condition, lock) \
    ((int)lk_wait_event(wq, condition, TASK_INTERRUPTIBLE, false, MAX_SCHEDULE_TIMEOUT, spin_unlock_irq(&(lock)), \
                        spin_lock_irq(&(lock))))

struct completion {
    unsigned int done;
    wait_queue_head_t wait;
};
#define COMPLETION_INITIALIZER(name) {.wait = __WAIT_QUEUE_HEAD_INITIALIZER(name.wait)}
#define DECLARE_COMPLETION(name) struct completion name = COMPLETION_INITIALIZER(name)
#define DECLARE_COMPLETION_ONSTACK DECLARE_COMPLETION
void init_completion(struct completion *done);
void reinit_completion(struct completion *done);
void complete(struct completion *done);
void complete_all(struct completion *done);
bool try_wait_for_completion(struct completion *done);
bool completion_done(struct completion *done);
long lk_wait_for_completion(struct completion *done, unsigned state, long timeout);
#define wait_for_completion(done) ((void)lk_wait_for_completion(done, TASK_UNINTERRUPTIBLE, MAX_SCHEDULE_TIMEOUT))
#define wait_for_completion_timeout(done, timeout) \
    ((unsigned long)lk_wait_for_completion(done, TASK_UNINTERRUPTIBLE, (long)(timeout)))
#define wait_for_completion_interruptible(done) \
    ((int)lk_wait_for_completion(done, TASK_INTERRUPTIBLE, MAX_SCHEDULE_TIMEOUT))
#define wait_for_completion_interruptible_timeout(done, timeout) \
    lk_wait_for_completion(done, TASK_INTERRUPTIBLE, (long)(timeout))
#define wait_for_completion_killable wait_for_completion_interruptible

#endif
