#ifndef ZEPHYR_SYS_ATOMIC_H
#define ZEPHYR_SYS_ATOMIC_H

#include <stdbool.h>
#include <stddef.h>
#include <zephyr/sys/util.h>

typedef long atomic_t;
typedef atomic_t atomic_val_t;
typedef void *atomic_ptr_t;
typedef atomic_ptr_t atomic_ptr_val_t;

#define ATOMIC_INIT(i) (i)
#define ATOMIC_PTR_INIT(p) (p)
#define ATOMIC_BITS (sizeof(atomic_val_t) * 8)
#define ATOMIC_MASK(bit) BIT((unsigned long)(bit) & (ATOMIC_BITS - 1U))
#define ATOMIC_ELEM(addr, bit) ((addr) + ((bit) / ATOMIC_BITS))
#define ATOMIC_BITMAP_SIZE(num_bits) (1 + ((num_bits)-1) / ATOMIC_BITS)
#define ATOMIC_DEFINE(name, num_bits) atomic_t name[ATOMIC_BITMAP_SIZE(num_bits)]

static inline bool atomic_cas(atomic_t *target, atomic_val_t old_value, atomic_val_t new_value)
{
    return __atomic_compare_exchange_n(target, &old_value, new_value, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

static inline bool atomic_ptr_cas(atomic_ptr_t *target, atomic_ptr_val_t old_value, atomic_ptr_val_t new_value)
{
    return __atomic_compare_exchange_n(target, &old_value, new_value, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

#define FB_ATOMIC(name, builtin) \
    static inline atomic_val_t atomic_##name(atomic_t *target, atomic_val_t value) \
    { \
        return builtin(target, value, __ATOMIC_SEQ_CST); \
    }
FB_ATOMIC(add, __atomic_fetch_add)
FB_ATOMIC(sub, __atomic_fetch_sub)
FB_ATOMIC(or, __atomic_fetch_or)
FB_ATOMIC(xor, __atomic_fetch_xor)
FB_ATOMIC(and, __atomic_fetch_and)
FB_ATOMIC(nand, __atomic_fetch_nand)
FB_ATOMIC(set, __atomic_exchange_n)

static inline atomic_val_t atomic_inc(atomic_t *target)
{
    return atomic_add(target, 1);
}

static inline atomic_val_t atomic_dec(atomic_t *target)
{
    return atomic_sub(target, 1);
}

static inline atomic_val_t atomic_get(const atomic_t *target)
{
    return __atomic_load_n(target, __ATOMIC_SEQ_CST);
}

static inline atomic_val_t atomic_clear(atomic_t *target)
{
    return atomic_set(target, 0);
}

static inline void *atomic_ptr_get(const atomic_ptr_t *target)
{
    return __atomic_load_n(target, __ATOMIC_SEQ_CST);
}

static inline void *atomic_ptr_set(atomic_ptr_t *target, void *value)
{
    return __atomic_exchange_n(target, value, __ATOMIC_SEQ_CST);
}

static inline void *atomic_ptr_clear(atomic_ptr_t *target)
{
    return atomic_ptr_set(target, NULL);
}

static inline bool atomic_test_bit(const atomic_t *target, int bit)
{
    return (atomic_get(ATOMIC_ELEM(target, bit)) & (atomic_val_t)ATOMIC_MASK(bit)) != 0;
}

static inline bool atomic_test_and_clear_bit(atomic_t *target, int bit)
{
    atomic_val_t mask = (atomic_val_t)ATOMIC_MASK(bit);
    return (atomic_and(ATOMIC_ELEM(target, bit), ~mask) & mask) != 0;
}

static inline bool atomic_test_and_set_bit(atomic_t *target, int bit)
{
    atomic_val_t mask = (atomic_val_t)ATOMIC_MASK(bit);
    return (atomic_or(ATOMIC_ELEM(target, bit), mask) & mask) != 0;
}

static inline void atomic_clear_bit(atomic_t *target, int bit)
{
    (void)atomic_test_and_clear_bit(target, bit);
}

static inline void atomic_set_bit(atomic_t *target, int bit)
{
    (void)atomic_test_and_set_bit(target, bit);
}

static inline void atomic_set_bit_to(atomic_t *target, int bit, bool value)
{
    if (value)
        atomic_set_bit(target, bit);
    else
        atomic_clear_bit(target, bit);
}

#endif
