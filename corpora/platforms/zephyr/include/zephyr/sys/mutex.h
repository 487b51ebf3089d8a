#ifndef ZEPHYR_SYS_MUTEX_H
#define ZEPHYR_SYS_MUTEX_H

#include <zephyr/kernel.h>

struct sys_mutex {
    struct k_mutex kernel_mutex;
};
#define SYS_MUTEX_DEFINE(name) struct sys_mutex name = {.kernel_mutex = Z_MUTEX_INITIALIZER(name.kernel_mutex)}

static inline void sys_mutex_init(struct sys_mutex *mutex)
{
    k_mutex_init(&mutex->kernel_mutex);
}

static inline int sys_mutex_lock(struct sys_mutex *mutex, k_timeout_t timeout)
{
    return k_mutex_lock(&mutex->kernel_mutex, timeout);
}

static inline int sys_mutex_unlock(struct sys_mutex *mutex)
{
    return k_mutex_unlock(&mutex->kernel_mutex);
}

#endif
