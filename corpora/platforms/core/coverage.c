/* Where the candidate's own code lets time pass: gcc calls these at each basic block (-fsanitize-coverage=trace-pc) and
 * before each access to memory that something else may see (-fsanitize=thread). Linked without either option. */
#include "core.h"

/* About ten cycles a block and two an access at 64 MHz. */
#define BLOCK_NS 160
#define ACCESS_NS 32

struct fb_registers fb_registers;

static inline void spend(int64_t ns)
{
    if (fb_core.now + ns < fb_core.quiet_until)
        fb_core.now += ns;
    else
        fb_spend(ns);
}

void __sanitizer_cov_trace_pc(void);
void __sanitizer_cov_trace_pc(void)
{
    if (fb_core.phase != FB_RUN)
        return;
    if (++fb_core.blocks > FB_MOST_BLOCKS) {
        fb_core.limit = "too much code was run";
        fb_finish();
    }
    spend(BLOCK_NS);
}

static inline void access(void)
{
    if (fb_core.phase == FB_RUN)
        spend(ACCESS_NS);
}

/* A register of a modelled peripheral: what was written before takes effect, then the peripheral looks at this access. */
static inline void access_at(void *at, bool writes)
{
    access();
    if ((char *)at >= fb_registers.first && (char *)at < fb_registers.last && fb_core.phase == FB_RUN)
        fb_registers.accessed(at, writes);
}

#define ACCESS(name, writes) \
    void __tsan_##name(void *at); \
    void __tsan_##name(void *at) \
    { \
        access_at(at, writes); \
    }
#define ACCESSES(size) \
    ACCESS(read##size, false) ACCESS(write##size, true) \
    ACCESS(volatile_read##size, false) ACCESS(volatile_write##size, true)
#define UNALIGNED(size) \
    ACCESS(unaligned_read##size, false) ACCESS(unaligned_write##size, true) \
    ACCESS(unaligned_volatile_read##size, false) ACCESS(unaligned_volatile_write##size, true)
ACCESSES(1) ACCESSES(2) ACCESSES(4) ACCESSES(8) ACCESSES(16)
UNALIGNED(2) UNALIGNED(4) UNALIGNED(8) UNALIGNED(16)

#define RANGE(name) \
    void __tsan_##name(void *at, size_t bytes); \
    void __tsan_##name(void *at, size_t bytes) \
    { \
        (void)at; \
        (void)bytes; \
        access(); \
    }
RANGE(read_range) RANGE(write_range)

#define NOTHING(name, argument) \
    void name(argument); \
    void name(argument) {}
NOTHING(__tsan_init, void)
NOTHING(__tsan_func_exit, void)
void __tsan_func_entry(void *from);
void __tsan_func_entry(void *from)
{
    (void)from;
}

/* gcc turns __atomic and __sync built-ins into these; what is due comes in before, never within. */
typedef int memory_order;
#define FETCH(bits, type, name) \
    type __tsan_atomic##bits##_fetch_##name(volatile type *at, type value, memory_order order); \
    type __tsan_atomic##bits##_fetch_##name(volatile type *at, type value, memory_order order) \
    { \
        (void)order; \
        access(); \
        return __atomic_fetch_##name(at, value, __ATOMIC_SEQ_CST); \
    }
#define COMPARE(bits, type, name) \
    int __tsan_atomic##bits##_compare_exchange_##name(volatile type *at, type *expected, type wanted, \
                                                      memory_order success, memory_order failure); \
    int __tsan_atomic##bits##_compare_exchange_##name(volatile type *at, type *expected, type wanted, \
                                                      memory_order success, memory_order failure) \
    { \
        (void)success; \
        (void)failure; \
        access(); \
        return __atomic_compare_exchange_n(at, expected, wanted, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
    }
#define ATOMIC(bits, type) \
    type __tsan_atomic##bits##_load(const volatile type *at, memory_order order); \
    type __tsan_atomic##bits##_load(const volatile type *at, memory_order order) \
    { \
        (void)order; \
        access(); \
        return __atomic_load_n(at, __ATOMIC_SEQ_CST); \
    } \
    void __tsan_atomic##bits##_store(volatile type *at, type value, memory_order order); \
    void __tsan_atomic##bits##_store(volatile type *at, type value, memory_order order) \
    { \
        (void)order; \
        access(); \
        __atomic_store_n(at, value, __ATOMIC_SEQ_CST); \
    } \
    type __tsan_atomic##bits##_exchange(volatile type *at, type value, memory_order order); \
    type __tsan_atomic##bits##_exchange(volatile type *at, type value, memory_order order) \
    { \
        (void)order; \
        access(); \
        return __atomic_exchange_n(at, value, __ATOMIC_SEQ_CST); \
    } \
    FETCH(bits, type, add) FETCH(bits, type, sub) FETCH(bits, type, and) FETCH(bits, type, or) FETCH(bits, type, xor) \
    FETCH(bits, type, nand) COMPARE(bits, type, strong) COMPARE(bits, type, weak)
ATOMIC(8, uint8_t) ATOMIC(16, uint16_t) ATOMIC(32, uint32_t) ATOMIC(64, uint64_t)

void __tsan_atomic_thread_fence(memory_order order);
void __tsan_atomic_thread_fence(memory_order order)
{
    (void)order;
}
void __tsan_atomic_signal_fence(memory_order order);
void __tsan_atomic_signal_fence(memory_order order)
{
    (void)order;
}
