#ifndef ZEPHYR_SYS_SEM_H
#define ZEPHYR_SYS_SEM_H

#include <zephyr/kernel.h>

struct sys_sem {
    struct k_sem kernel_sem;
};
#define SYS_SEM_DEFINE(name, initial, limit) \
    struct sys_sem name = {.kernel_sem = Z_SEM_INITIALIZER(name.kernel_sem, initial, limit)}

static inline int sys_sem_init(struct sys_sem *sem, unsigned int initial_count, unsigned int limit)
{
    return k_sem_init(&sem->kernel_sem, initial_count, limit);
}

static inline int sys_sem_give(struct sys_sem *sem)
{
    k_sem_give(&sem->kernel_sem);
    return 0;
}

static inline int sys_sem_take(struct sys_sem *sem, k_timeout_t timeout)
{
    return k_sem_take(&sem->kernel_sem, timeout) ? -ETIMEDOUT : 0;
}

static inline unsigned int sys_sem_count_get(struct sys_sem *sem)
{
    return k_sem_count_get(&sem->kernel_sem);
}

#endif
