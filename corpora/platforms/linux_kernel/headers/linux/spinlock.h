/* Spinlocks. The model has one processor: a lock that is found taken is a deadlock and ends the run. */
#ifndef _LINUX_SPINLOCK_H
#define _LINUX_SPINLOCK_H

#include "kernel.h"

#define LK_LOCK_MAGIC 0x5b1dead4u
typedef struct spinlock {
    u32 magic;
    int taken;
    u32 seen; /* in which contexts it was taken: the bits of locks.c */
    const char *name;
    const void *owner;
} spinlock_t;
typedef spinlock_t raw_spinlock_t;
#define __SPIN_LOCK_UNLOCKED(name_) {.magic = LK_LOCK_MAGIC, .name = #name_}
#define DEFINE_SPINLOCK(name) spinlock_t name = __SPIN_LOCK_UNLOCKED(name)
#define DEFINE_RAW_SPINLOCK DEFINE_SPINLOCK
void lk_spin_init(spinlock_t *lock, const char *name);
void spin_lock(spinlock_t *lock);
void spin_unlock(spinlock_t *lock);
void spin_lock_irq(spinlock_t *lock);
void spin_unlock_irq(spinlock_t *lock);
void spin_lock_bh(spinlock_t *lock);
void spin_unlock_bh(spinlock_t *lock);
int spin_trylock(spinlock_t *lock);
unsigned long lk_spin_lock_irqsave(spinlock_t *lock);
void spin_unlock_irqrestore(spinlock_t *lock, unsigned long flags);
unsigned long lk_irq_save(void);
void local_irq_restore(unsigned long flags);
void local_irq_disable(void);
void local_irq_enable(void);
void local_bh_disable(void);
void local_bh_enable(void);
void preempt_disable(void);
void preempt_enable(void);
static inline int spin_is_locked(const spinlock_t *lock) { return lock->taken; }
#define spin_lock_init(lock) lk_spin_init(lock, #lock)
#define spin_lock_irqsave(lock, flags) ((flags) = lk_spin_lock_irqsave(lock))
#define spin_trylock_irqsave(lock, flags) \
    ({ (flags) = lk_irq_save(); int got_ = spin_trylock(lock); if (!got_) local_irq_restore(flags); got_; })
#define local_irq_save(flags) ((flags) = lk_irq_save())
#define assert_spin_locked(lock) WARN_ON(!(lock)->taken)
#define lockdep_assert_held(lock) WARN_ON(!lk_is_taken(lock))
#define lk_is_taken(lock) ((lock)->taken)
#define raw_spin_lock_init spin_lock_init
#define raw_spin_lock spin_lock
#define raw_spin_unlock spin_unlock
#define raw_spin_lock_irqsave spin_lock_irqsave
#define raw_spin_unlock_irqrestore spin_unlock_irqrestore

/* Readers do not run beside each other here: enough to find misuse, not to measure concurrency. */
typedef spinlock_t rwlock_t;
#define DEFINE_RWLOCK DEFINE_SPINLOCK
#define rwlock_init spin_lock_init
#define read_lock spin_lock
#define read_unlock spin_unlock
#define write_lock spin_lock
#define write_unlock spin_unlock
#define read_lock_irqsave spin_lock_irqsave
#define read_unlock_irqrestore spin_unlock_irqrestore
#define write_lock_irqsave spin_lock_irqsave
#define write_unlock_irqrestore spin_unlock_irqrestore

DEFINE_GUARD(spinlock, spinlock_t *, spin_lock(_T), spin_unlock(_T))
DEFINE_GUARD(spinlock_irq, spinlock_t *, spin_lock_irq(_T), spin_unlock_irq(_T))
DEFINE_GUARD(spinlock_bh, spinlock_t *, spin_lock_bh(_T), spin_unlock_bh(_T))
typedef struct {
    spinlock_t *lock;
    unsigned long flags;
} class_spinlock_irqsave_t;
static inline void class_spinlock_irqsave_destructor(class_spinlock_irqsave_t *held)
{
    spin_unlock_irqrestore(held->lock, held->flags);
}
static inline class_spinlock_irqsave_t class_spinlock_irqsave_constructor(spinlock_t *lock)
{
    class_spinlock_irqsave_t held = {lock, lk_spin_lock_irqsave(lock)};
    return held;
}

#endif
