/* Contexts that must not sleep, spinlocks, mutexes, semaphores.
 *
 * What lockdep does on one processor: a lock that an interrupt takes and that is also taken with interrupts on can
 * deadlock, whether it did in this run or not. */
#include "lk.h"

enum { SEEN_HARD = 1, SEEN_SOFT = 2, SEEN_HARD_ON = 4, SEEN_SOFT_ON = 8, TOLD = 16 };

static int bottom_halves_off;

bool lk_atomic(void)
{
    return fb_in_isr() || fb_irq_locked() || fb_sched_locked();
}

int lk_in_hardirq(void) { return fb_in_isr() && fb_isr_priority() < LK_SOFTIRQ; }
int lk_in_interrupt(void) { return fb_in_isr() || bottom_halves_off; }
int in_atomic(void) { return lk_atomic(); }
int irqs_disabled(void) { return fb_irq_locked() || lk_in_hardirq(); }

void lk_may_sleep(const char *call)
{
    if (lk_atomic())
        fb_fault("sleeping_in_atomic", "%s may sleep, but is called %s", call,
                 fb_in_isr() ? "in an interrupt" : "with a spinlock held or interrupts off");
    else if (fb_self())
        fb_reschedule();
}

void might_sleep(void) { lk_may_sleep("this function"); }

void lk_check_lock(u32 magic, const char *what)
{
    if (magic != LK_LOCK_MAGIC)
        fb_fault("lock_not_initialised", "a %s is used before it is initialised", what);
}

void lk_spin_init(spinlock_t *lock, const char *name)
{
    *lock = (spinlock_t){.magic = LK_LOCK_MAGIC, .name = name};
}

static void note(spinlock_t *lock)
{
    lock->seen |= lk_in_hardirq() ? SEEN_HARD : fb_in_isr() ? SEEN_SOFT : 0;
    if (!fb_irq_locked() && !lk_in_hardirq()) {
        lock->seen |= SEEN_HARD_ON;
        if (!fb_in_isr() && !bottom_halves_off)
            lock->seen |= SEEN_SOFT_ON;
    }
    bool unsafe = (lock->seen & SEEN_HARD && lock->seen & SEEN_HARD_ON) || (lock->seen & SEEN_SOFT && lock->seen & SEEN_SOFT_ON);
    if (unsafe && !(lock->seen & TOLD)) {
        lock->seen |= TOLD;
        fb_fault("irq_unsafe_lock", "spinlock %s is taken in an interrupt and also with that interrupt enabled",
                 lock->name ? lock->name : "");
    }
}

static void take(spinlock_t *lock)
{
    lk_check_lock(lock->magic, "spinlock");
    note(lock);
    if (lock->taken)
        fb_panic("deadlock: spinlock %s is already taken, and its holder cannot go on", lock->name ? lock->name : "");
    lock->taken = 1;
    lock->owner = fb_self();
    fb_sched_lock();
}

static void give(spinlock_t *lock)
{
    if (!lock->taken)
        fb_fault("unlock_not_locked", "spinlock %s is released but not taken", lock->name ? lock->name : "");
    else
        fb_sched_unlock();
    lock->taken = 0;
}

void spin_lock(spinlock_t *lock) { take(lock); }
void spin_unlock(spinlock_t *lock)
{
    give(lock);
    fb_reschedule();
}
int spin_trylock(spinlock_t *lock)
{
    if (lock->taken)
        return 0;
    take(lock);
    return 1;
}
unsigned long lk_irq_save(void) { return fb_irq_lock(); }
void local_irq_restore(unsigned long flags)
{
    fb_irq_unlock((unsigned)flags);
    fb_reschedule();
}
void local_irq_disable(void) { fb_irq_lock(); }
void local_irq_enable(void)
{
    fb_irq_unlock(0);
    fb_reschedule();
}
unsigned long lk_spin_lock_irqsave(spinlock_t *lock)
{
    unsigned long flags = lk_irq_save();
    take(lock);
    return flags;
}
void spin_unlock_irqrestore(spinlock_t *lock, unsigned long flags)
{
    give(lock);
    local_irq_restore(flags);
}
void spin_lock_irq(spinlock_t *lock)
{
    if (fb_irq_locked())
        fb_fault("irqs_already_off", "spin_lock_irq with interrupts off; its unlock would turn them on too early");
    local_irq_disable();
    take(lock);
}
void spin_unlock_irq(spinlock_t *lock)
{
    give(lock);
    local_irq_enable();
}

/* Bottom halves are off by keeping all interrupts off, which is stricter than the kernel and never visible to a driver. */
static unsigned bottom_key;
void local_bh_disable(void)
{
    if (!bottom_halves_off++)
        bottom_key = fb_irq_lock();
}
void local_bh_enable(void)
{
    if (bottom_halves_off && !--bottom_halves_off) {
        fb_irq_unlock(bottom_key);
        fb_reschedule();
    }
}
void spin_lock_bh(spinlock_t *lock)
{
    bool irqs_on = !fb_irq_locked() && !lk_in_hardirq();
    local_bh_disable();
    take(lock);
    if (irqs_on && lock->seen & SEEN_HARD)
        fb_fault("irq_unsafe_lock", "spinlock %s is taken in a hard interrupt, and here with only bottom halves off", lock->name);
}
void spin_unlock_bh(spinlock_t *lock)
{
    give(lock);
    local_bh_enable();
}
void preempt_disable(void) { fb_sched_lock(); }
void preempt_enable(void)
{
    fb_sched_unlock();
    fb_reschedule();
}

/* ---- mutexes ---- */
void lk_mutex_init(struct mutex *lock, const char *name)
{
    *lock = (struct mutex){.magic = LK_LOCK_MAGIC, .name = name};
}

void mutex_destroy(struct mutex *lock)
{
    if (lock->taken)
        fb_fault("destroy_locked", "mutex %s is destroyed while it is locked", lock->name ? lock->name : "");
    lock->magic = 0;
}

static fb_queue *queue_of(void **waiting) { return (fb_queue *)waiting; }

static int lock_mutex(struct mutex *lock, bool interruptible)
{
    lk_may_sleep("mutex_lock");
    lk_check_lock(lock->magic, "mutex");
    if (lock->taken && lock->owner == current)
        fb_panic("deadlock: %s locks mutex %s, which it holds", current->comm, lock->name ? lock->name : "");
    while (lock->taken) {
        if (interruptible && signal_pending(current))
            return -EINTR;
        current->__state = interruptible ? TASK_INTERRUPTIBLE : TASK_UNINTERRUPTIBLE;
        fb_wait(queue_of(&lock->waiting), FB_FOREVER);
        current->__state = TASK_RUNNING;
    }
    lock->taken = 1;
    lock->owner = current;
    current->lk_locks++;
    return 0;
}
void mutex_lock(struct mutex *lock) { (void)lock_mutex(lock, false); }
int mutex_lock_interruptible(struct mutex *lock) { return lock_mutex(lock, true); }
int mutex_lock_killable(struct mutex *lock) { return lock_mutex(lock, true); }
int mutex_trylock(struct mutex *lock)
{
    lk_check_lock(lock->magic, "mutex");
    if (fb_in_isr())
        fb_fault("mutex_in_interrupt", "mutex_trylock is called in an interrupt");
    if (lock->taken)
        return 0;
    lock->taken = 1;
    lock->owner = current;
    current->lk_locks++;
    return 1;
}
void mutex_unlock(struct mutex *lock)
{
    lk_check_lock(lock->magic, "mutex");
    if (!lock->taken) {
        fb_fault("unlock_not_locked", "mutex %s is unlocked but not locked", lock->name ? lock->name : "");
        return;
    }
    if (lock->owner != current)
        fb_fault("unlock_by_another", "mutex %s is unlocked by a task that does not hold it", lock->name ? lock->name : "");
    else
        current->lk_locks--;
    lock->taken = 0;
    lock->owner = NULL;
    fb_wake(queue_of(&lock->waiting));
    if (!lk_atomic())
        fb_reschedule();
}
static void destroy_mutex(void *lock) { mutex_destroy(lock); }
int lk_devm_mutex_init(struct device *dev, struct mutex *lock, const char *name)
{
    lk_mutex_init(lock, name);
    return devm_add_action_or_reset(dev, destroy_mutex, lock);
}

int down_trylock(struct semaphore *sem)
{
    if (sem->count <= 0)
        return 1;
    sem->count--;
    return 0;
}
static int lower(struct semaphore *sem, bool interruptible)
{
    lk_may_sleep("down");
    while (down_trylock(sem)) {
        if (interruptible && signal_pending(current))
            return -EINTR;
        current->__state = interruptible ? TASK_INTERRUPTIBLE : TASK_UNINTERRUPTIBLE;
        fb_wait(queue_of(&sem->waiting), FB_FOREVER);
        current->__state = TASK_RUNNING;
    }
    return 0;
}
void down(struct semaphore *sem) { (void)lower(sem, false); }
int down_interruptible(struct semaphore *sem) { return lower(sem, true); }
void up(struct semaphore *sem)
{
    sem->count++;
    fb_wake(queue_of(&sem->waiting));
    if (!lk_atomic())
        fb_reschedule();
}
