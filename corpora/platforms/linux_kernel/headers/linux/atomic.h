/* Atomic integers and reference counts. */
#ifndef _LINUX_ATOMIC_H
#define _LINUX_ATOMIC_H

#include "kernel.h"

#define ATOMIC_INIT(value) {(value)}
#define ATOMIC64_INIT(value) {(value)}
#define LK_ATOMIC(prefix, type, value_type) \
    static inline value_type prefix##_read(const type *v) { return __atomic_load_n(&v->counter, __ATOMIC_SEQ_CST); } \
    static inline void prefix##_set(type *v, value_type i) { __atomic_store_n(&v->counter, i, __ATOMIC_SEQ_CST); } \
    static inline value_type prefix##_add_return(value_type i, type *v) { return __atomic_add_fetch(&v->counter, i, __ATOMIC_SEQ_CST); } \
    static inline value_type prefix##_sub_return(value_type i, type *v) { return __atomic_sub_fetch(&v->counter, i, __ATOMIC_SEQ_CST); } \
    static inline value_type prefix##_fetch_add(value_type i, type *v) { return __atomic_fetch_add(&v->counter, i, __ATOMIC_SEQ_CST); } \
    static inline value_type prefix##_fetch_sub(value_type i, type *v) { return __atomic_fetch_sub(&v->counter, i, __ATOMIC_SEQ_CST); } \
    static inline value_type prefix##_fetch_or(value_type i, type *v) { return __atomic_fetch_or(&v->counter, i, __ATOMIC_SEQ_CST); } \
    static inline value_type prefix##_fetch_and(value_type i, type *v) { return __atomic_fetch_and(&v->counter, i, __ATOMIC_SEQ_CST); } \
    static inline void prefix##_add(value_type i, type *v) { prefix##_add_return(i, v); } \
    static inline void prefix##_sub(value_type i, type *v) { prefix##_sub_return(i, v); } \
    static inline void prefix##_or(value_type i, type *v) { prefix##_fetch_or(i, v); } \
    static inline void prefix##_and(value_type i, type *v) { prefix##_fetch_and(i, v); } \
    static inline void prefix##_inc(type *v) { prefix##_add_return(1, v); } \
    static inline void prefix##_dec(type *v) { prefix##_sub_return(1, v); } \
    static inline value_type prefix##_inc_return(type *v) { return prefix##_add_return(1, v); } \
    static inline value_type prefix##_dec_return(type *v) { return prefix##_sub_return(1, v); } \
    static inline value_type prefix##_fetch_inc(type *v) { return prefix##_fetch_add(1, v); } \
    static inline value_type prefix##_fetch_dec(type *v) { return prefix##_fetch_sub(1, v); } \
    static inline bool prefix##_dec_and_test(type *v) { return prefix##_sub_return(1, v) == 0; } \
    static inline bool prefix##_inc_and_test(type *v) { return prefix##_add_return(1, v) == 0; } \
    static inline bool prefix##_sub_and_test(value_type i, type *v) { return prefix##_sub_return(i, v) == 0; } \
    static inline value_type prefix##_xchg(type *v, value_type i) { return __atomic_exchange_n(&v->counter, i, __ATOMIC_SEQ_CST); } \
    static inline value_type prefix##_cmpxchg(type *v, value_type old, value_type i) \
    { \
        __atomic_compare_exchange_n(&v->counter, &old, i, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
        return old; \
    } \
    static inline bool prefix##_add_unless(type *v, value_type i, value_type unless) \
    { \
        value_type now = prefix##_read(v); \
        while (now != unless) \
            if (__atomic_compare_exchange_n(&v->counter, &now, now + i, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) \
                return true; \
        return false; \
    } \
    static inline bool prefix##_inc_not_zero(type *v) { return prefix##_add_unless(v, 1, 0); } \
    static inline value_type prefix##_dec_if_positive(type *v) \
    { \
        value_type now = prefix##_read(v); \
        while (now > 0 && !__atomic_compare_exchange_n(&v->counter, &now, now - 1, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) \
            ; \
        return now - 1; \
    }
LK_ATOMIC(atomic, atomic_t, int)
LK_ATOMIC(atomic64, atomic64_t, s64)
#define atomic_long_read atomic64_read
#define atomic_long_set atomic64_set
#define atomic_long_inc atomic64_inc
#define atomic_long_dec atomic64_dec
#define atomic_long_add atomic64_add
#define atomic_long_inc_return atomic64_inc_return
#define xchg(at, value) __atomic_exchange_n(at, value, __ATOMIC_SEQ_CST)
#define cmpxchg(at, old, value) __sync_val_compare_and_swap(at, old, value)

typedef struct {
    atomic_t refs;
} refcount_t;
#define REFCOUNT_INIT(n) {ATOMIC_INIT(n)}
static inline unsigned refcount_read(const refcount_t *r) { return (unsigned)atomic_read(&r->refs); }
static inline void refcount_set(refcount_t *r, int n) { atomic_set(&r->refs, n); }
void lk_refcount_fault(const char *what);
static inline void refcount_inc(refcount_t *r)
{
    if (atomic_fetch_inc(&r->refs) <= 0)
        lk_refcount_fault("incremented from 0");
}
static inline bool refcount_inc_not_zero(refcount_t *r) { return atomic_inc_not_zero(&r->refs); }
static inline bool refcount_dec_and_test(refcount_t *r)
{
    int left = atomic_dec_return(&r->refs);
    if (left < 0)
        lk_refcount_fault("decremented below 0");
    return left == 0;
}
static inline void refcount_dec(refcount_t *r) { refcount_dec_and_test(r); }
struct kref {
    refcount_t refcount;
};
static inline void kref_init(struct kref *kref) { refcount_set(&kref->refcount, 1); }
static inline void kref_get(struct kref *kref) { refcount_inc(&kref->refcount); }
static inline int kref_get_unless_zero(struct kref *kref) { return refcount_inc_not_zero(&kref->refcount); }
static inline unsigned kref_read(const struct kref *kref) { return refcount_read(&kref->refcount); }
static inline int kref_put(struct kref *kref, void (*release)(struct kref *kref))
{
    if (!refcount_dec_and_test(&kref->refcount))
        return 0;
    release(kref);
    return 1;
}

#endif
