#ifndef ZEPHYR_TOOLCHAIN_H
#define ZEPHYR_TOOLCHAIN_H

#include <stddef.h>

#ifndef __packed
#define __packed __attribute__((__packed__))
#endif
#ifndef __aligned
#define __aligned(bytes) __attribute__((__aligned__(bytes)))
#endif
#ifndef __used
#define __used __attribute__((__used__))
#endif
#ifndef __unused
#define __unused __attribute__((__unused__))
#endif
#ifndef __maybe_unused
#define __maybe_unused __attribute__((__unused__))
#endif
#ifndef __weak
#define __weak __attribute__((__weak__))
#endif
#ifndef __deprecated
#define __deprecated __attribute__((deprecated))
#endif
#ifndef __printf_like
#define __printf_like(text, first) __attribute__((__format__(__printf__, text, first)))
#endif
#ifndef __fallthrough
#define __fallthrough __attribute__((__fallthrough__))
#endif
#define FUNC_NORETURN __attribute__((__noreturn__))
#define CODE_UNREACHABLE __builtin_unreachable()
#define ALWAYS_INLINE inline __attribute__((__always_inline__))
#define __noinit
#define __ramfunc
#define __syscall
#define __isr
#define __pinned_bss
#define ARG_UNUSED(x) (void)(x)
#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)
#define compiler_barrier() __asm__ volatile("" ::: "memory")
#define barrier_dmem_fence_full() __sync_synchronize()
#define barrier_dsync_fence_full() __sync_synchronize()
#define barrier_isync_fence_full() __sync_synchronize()
#define popcount(x) __builtin_popcount(x)
#define BUILD_ASSERT(condition, ...) _Static_assert((condition), "" __VA_ARGS__)
#define UNALIGNED_GET(p) \
    __extension__({ \
        struct __attribute__((__packed__)) { \
            __typeof__(*(p)) __v; \
        } *__p = (__typeof__(__p))(p); \
        __p->__v; \
    })
#define TOOLCHAIN_DISABLE_WARNING(warning)
#define TOOLCHAIN_ENABLE_WARNING(warning)

/* Objects that are defined statically put a pointer into a named section; these walk it. */
#define FB_LIST_ENTRY(list, name, pointer) \
    static const void *const __attribute__((section("fb_" #list), used)) name = (pointer)
#define FB_LIST_DECLARE(list) \
    extern const void *const __start_fb_##list[] __attribute__((weak)); \
    extern const void *const __stop_fb_##list[] __attribute__((weak))
#define FB_LIST_FOREACH(list, at) \
    for (const void *const *at = __start_fb_##list; at && at < __stop_fb_##list; at++)

#endif
