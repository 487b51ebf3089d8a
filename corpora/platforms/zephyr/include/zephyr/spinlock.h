#ifndef ZEPHYR_SPINLOCK_H
#define ZEPHYR_SPINLOCK_H

#include <stdbool.h>
#include <zephyr/toolchain.h>

struct k_spinlock {
    const void *holder; /* zero is a valid initial state */
};
typedef struct z_spinlock_key {
    int key;
} k_spinlock_key_t;
k_spinlock_key_t k_spin_lock(struct k_spinlock *l);
int k_spin_trylock(struct k_spinlock *l, k_spinlock_key_t *k);
void k_spin_unlock(struct k_spinlock *l, k_spinlock_key_t key);
void k_spin_release(struct k_spinlock *l);
bool z_spin_is_locked(struct k_spinlock *l);
#define k_spin_is_locked(l) z_spin_is_locked(l)
struct fb_spin_scope {
    struct k_spinlock *lock;
    k_spinlock_key_t key;
};
static inline __attribute__((unused)) void fb_spin_leave(struct fb_spin_scope *scope)
{
    if (scope->lock)
        k_spin_unlock(scope->lock, scope->key);
}
#define K_SPINLOCK(lck) \
    for (struct fb_spin_scope fb_scope __attribute__((cleanup(fb_spin_leave))) = {(lck), k_spin_lock(lck)}; \
         fb_scope.lock; k_spin_unlock(fb_scope.lock, fb_scope.key), fb_scope.lock = NULL)
#define K_SPINLOCK_BREAK continue

#endif
