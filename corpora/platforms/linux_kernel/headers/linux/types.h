/* Types and compiler words of the kernel. */
#ifndef _LINUX_TYPES_H
#define _LINUX_TYPES_H

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef signed char s8;
typedef short s16;
typedef int s32;
typedef long long s64;
typedef u8 __u8;
typedef u16 __u16;
typedef u32 __u32;
typedef u64 __u64;
typedef s8 __s8;
typedef s16 __s16;
typedef s32 __s32;
typedef s64 __s64;
typedef u16 __le16, __be16;
typedef u32 __le32, __be32;
typedef u64 __le64, __be64;

#ifndef _STDINT_H
typedef u8 uint8_t;
typedef u16 uint16_t;
typedef u32 uint32_t;
typedef u64 uint64_t;
typedef s8 int8_t;
typedef s16 int16_t;
typedef s32 int32_t;
typedef s64 int64_t;
typedef unsigned long uintptr_t;
typedef long intptr_t;
#endif
typedef unsigned char u_char, unchar;
typedef unsigned int uint, u_int;
typedef unsigned long ulong, u_long;
typedef __SIZE_TYPE__ size_t;
typedef long ssize_t;
typedef long ptrdiff_t;
typedef long long loff_t;
typedef long off_t;
typedef u32 dev_t;
typedef unsigned short umode_t;
typedef unsigned int fmode_t;
typedef unsigned int gfp_t;
typedef unsigned int __poll_t;
typedef int pid_t;
typedef u64 phys_addr_t, resource_size_t, dma_addr_t;
typedef s64 ktime_t;
typedef unsigned long kernel_ulong_t;
typedef struct {
    int counter;
} atomic_t;
typedef struct {
    s64 counter;
} atomic64_t;
typedef atomic64_t atomic_long_t;

#ifndef bool
#define bool _Bool
#define true 1
#define false 0
#endif
#ifndef NULL
#define NULL ((void *)0)
#endif

struct list_head {
    struct list_head *next, *prev;
};
struct hlist_node {
    struct hlist_node *next, **pprev;
};
struct hlist_head {
    struct hlist_node *first;
};

#define __user
#define __iomem
#define __force
#define __percpu
#define __rcu
#define __bitwise
#define __must_check __attribute__((warn_unused_result))
#define __init
#define __exit
#define __initdata
#define __initconst
#define __exitdata
#define __devinit
#define __read_mostly
#define __ro_after_init
#define __refdata
#define __ref
#define __sched
#define __cold
#define __hot
#define __weak __attribute__((weak))
#define __packed __attribute__((packed))
#define __aligned(bytes) __attribute__((aligned(bytes)))
#define __maybe_unused __attribute__((unused))
#define __always_unused __attribute__((unused))
#define __used __attribute__((used))
#define __section(name) __attribute__((section(name)))
#define __printf(format_at, first) __attribute__((format(printf, format_at, first)))
#define __malloc __attribute__((malloc))
#define __cacheline_aligned __attribute__((aligned(64)))
#define ____cacheline_aligned __attribute__((aligned(64)))
#ifndef __always_inline
#define __always_inline inline __attribute__((always_inline))
#endif
#define noinline __attribute__((noinline))
#define __acquires(lock)
#define __releases(lock)
#define __must_hold(lock)
#define __counted_by(member)
#define fallthrough __attribute__((fallthrough))
#ifndef offsetof
#define offsetof(type, member) __builtin_offsetof(type, member)
#endif
#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)
#define barrier() __asm__ __volatile__("" ::: "memory")
#define mb() __sync_synchronize()
#define rmb() __sync_synchronize()
#define wmb() __sync_synchronize()
#define smp_mb() __sync_synchronize()
#define smp_rmb() __sync_synchronize()
#define smp_wmb() __sync_synchronize()
#define smp_mb__before_atomic() __sync_synchronize()
#define smp_mb__after_atomic() __sync_synchronize()
#define READ_ONCE(x) (*(const volatile __typeof__(x) *)&(x))
#define WRITE_ONCE(x, value) (*(volatile __typeof__(x) *)&(x) = (value))
#define smp_load_acquire(p) ({ __typeof__(*(p)) acquired = READ_ONCE(*(p)); smp_mb(); acquired; })
#define smp_store_release(p, value) do { smp_mb(); WRITE_ONCE(*(p), value); } while (0)
#define typeof __typeof__
#define asmlinkage
#define __same_type(a, b) __builtin_types_compatible_p(__typeof__(a), __typeof__(b))

/* Scope-based clean-up, as in linux/cleanup.h. */
#define __cleanup(function) __attribute__((cleanup(function)))
#define DEFINE_FREE(name, type, free) \
    static inline __attribute__((unused)) void __free_##name(void *p) \
    { \
        type _T = *(type *)p; \
        free; \
    }
#define __free(name) __cleanup(__free_##name)
#define no_free_ptr(p) ({ __typeof__(p) *at = &(p), kept = *at; *at = NULL; kept; })
#define return_ptr(p) return no_free_ptr(p)
#define DEFINE_GUARD(name, type, lock, unlock) \
    typedef type class_##name##_t; \
    static inline __attribute__((unused)) void class_##name##_destructor(type *p) \
    { \
        type _T = *p; \
        if (_T) { \
            unlock; \
        } \
    } \
    static inline __attribute__((unused)) type class_##name##_constructor(type _T) \
    { \
        lock; \
        return _T; \
    }
#define LK_JOIN_(a, b) a##b
#define LK_JOIN(a, b) LK_JOIN_(a, b)
#define CLASS(name, var) \
    class_##name##_t var __attribute__((cleanup(class_##name##_destructor), unused)) = class_##name##_constructor
#define guard(name) CLASS(name, LK_JOIN(guard_, __COUNTER__))
/* The same, if the lock can be had; else `scope` is NULL. */
#define DEFINE_GUARD_COND(name, suffix, taken) \
    typedef class_##name##_t class_##name##suffix##_t; \
    static inline __attribute__((unused)) void class_##name##suffix##_destructor(class_##name##_t *p) \
    { \
        class_##name##_destructor(p); \
    } \
    static inline __attribute__((unused)) class_##name##_t class_##name##suffix##_constructor(class_##name##_t _T) \
    { \
        return (taken) ? _T : NULL; \
    }
#define scoped_cond_guard(name, fail, args...) \
    for (CLASS(name, scope)(args), *done = NULL; !done; done = (void *)1) \
        if (!scope) { \
            fail; \
        } else
#define scoped_guard(name, args...) \
    for (CLASS(name, scope)(args), *done = NULL; !done; done = (void *)1)

#endif
