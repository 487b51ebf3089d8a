/* Locks that sleep. */
#ifndef _LINUX_MUTEX_H
#define _LINUX_MUTEX_H

#include "spinlock.h"

struct mutex {
    u32 magic;
    int taken;
    void *waiting;
    const char *name;
    const void *owner;
};
#define __MUTEX_INITIALIZER(name_) {.magic = LK_LOCK_MAGIC, .name = #name_}
#define DEFINE_MUTEX(name_) struct mutex name_ = __MUTEX_INITIALIZER(name_)
void lk_mutex_init(struct mutex *lock, const char *name);
#define mutex_init(lock) lk_mutex_init(lock, #lock)
struct device;
int lk_devm_mutex_init(struct device *dev, struct mutex *lock, const char *name);
#define devm_mutex_init(dev, lock) lk_devm_mutex_init(dev, lock, #lock)
void mutex_destroy(struct mutex *lock);
void mutex_lock(struct mutex *lock);
int mutex_lock_interruptible(struct mutex *lock) __must_check;
int mutex_lock_killable(struct mutex *lock) __must_check;
int mutex_trylock(struct mutex *lock);
void mutex_unlock(struct mutex *lock);
static inline bool mutex_is_locked(const struct mutex *lock) { return lock->taken; }
#define mutex_lock_nested(lock, class) mutex_lock(lock)
DEFINE_GUARD(mutex, struct mutex *, mutex_lock(_T), mutex_unlock(_T))
DEFINE_GUARD_COND(mutex, _try, mutex_trylock(_T))
DEFINE_GUARD_COND(mutex, _intr, mutex_lock_interruptible(_T) == 0)

struct semaphore {
    int count;
    void *waiting;
};
#define __SEMAPHORE_INITIALIZER(name, n) {.count = n}
#define DEFINE_SEMAPHORE(name, n) struct semaphore name = __SEMAPHORE_INITIALIZER(name, n)
static inline void sema_init(struct semaphore *sem, int count) { sem->count = count; sem->waiting = NULL; }
void down(struct semaphore *sem);
int down_interruptible(struct semaphore *sem) __must_check;
int down_trylock(struct semaphore *sem) __must_check;
void up(struct semaphore *sem);

/* One reader at a time: enough to find misuse, not to measure concurrency. */
struct rw_semaphore {
    struct mutex lock;
};
#define DECLARE_RWSEM(name) struct rw_semaphore name = {__MUTEX_INITIALIZER(name)}
#define init_rwsem(sem) lk_mutex_init(&(sem)->lock, #sem)
#define down_read(sem) mutex_lock(&(sem)->lock)
#define up_read(sem) mutex_unlock(&(sem)->lock)
#define down_write(sem) mutex_lock(&(sem)->lock)
#define up_write(sem) mutex_unlock(&(sem)->lock)

#endif
