#ifndef ZEPHYR_SYS_CLOCK_H
#define ZEPHYR_SYS_CLOCK_H

#include <stdbool.h>
#include <stdint.h>
#include <zephyr/sys/util.h>

typedef int64_t k_ticks_t;
typedef struct {
    k_ticks_t ticks;
} k_timeout_t;
typedef struct {
    uint64_t tick;
} k_timepoint_t;

#define FB_TICKS(per_second, rounding, n) \
    ((int64_t)((uint64_t)(n) * CONFIG_SYS_CLOCK_TICKS_PER_SEC + (rounding)) / (int64_t)(per_second))
#define FB_TIMEOUT(per_second, n) \
    ((k_timeout_t){.ticks = (n) <= 0 ? 0 : FB_TICKS(per_second, (uint64_t)(per_second) - 1, n)})
#define K_TICKS_FOREVER ((k_ticks_t)-1)
#define K_NO_WAIT ((k_timeout_t){.ticks = 0})
#define K_FOREVER ((k_timeout_t){.ticks = K_TICKS_FOREVER})
#define K_NSEC(n) FB_TIMEOUT(1000000000LL, (int64_t)(n))
#define K_USEC(n) FB_TIMEOUT(1000000LL, (int64_t)(n))
#define K_MSEC(n) FB_TIMEOUT(1000LL, (int64_t)(n))
#define K_SECONDS(n) FB_TIMEOUT(1LL, (int64_t)(n))
#define K_MINUTES(n) K_SECONDS((int64_t)(n) * 60)
#define K_HOURS(n) K_SECONDS((int64_t)(n) * 3600)
#define K_TICKS(n) ((k_timeout_t){.ticks = (n)})
#define K_CYC(n) K_NSEC((int64_t)(n) * 1000 / 64)
#define K_TIMEOUT_EQ(a, b) ((a).ticks == (b).ticks)
#define Z_TICK_ABS(t) (-2 - (t))
#define Z_IS_TIMEOUT_RELATIVE(timeout) (Z_TICK_ABS((timeout).ticks) < 0)
#define K_TIMEOUT_ABS_TICKS(t) ((k_timeout_t){.ticks = Z_TICK_ABS((k_ticks_t)MAX(t, 0))})
#define K_TIMEOUT_ABS_MS(t) K_TIMEOUT_ABS_TICKS(FB_TICKS(1000, 999, t))
#define K_TIMEOUT_ABS_US(t) K_TIMEOUT_ABS_TICKS(FB_TICKS(1000000, 999999, t))
#define K_TIMEOUT_ABS_NS(t) K_TIMEOUT_ABS_TICKS(FB_TICKS(1000000000LL, 999999999, t))
#define K_TIMEOUT_ABS_SEC(t) K_TIMEOUT_ABS_TICKS(FB_TICKS(1, 0, t))

static inline int sys_clock_hw_cycles_per_sec(void)
{
    return CONFIG_SYS_CLOCK_HW_CYCLES_PER_SEC;
}

/* k_<from>_to_<to>_<rounding><bits>(), all by one rule. */
#define FB_CONVERT(from, from_hz, to, to_hz) \
    FB_CONVERT_(from, from_hz, to, to_hz, floor, 0) \
    FB_CONVERT_(from, from_hz, to, to_hz, near, (from_hz) / 2) FB_CONVERT_(from, from_hz, to, to_hz, ceil, (from_hz) - 1)
#define FB_CONVERT_(from, from_hz, to, to_hz, rounding, add) \
    static inline uint64_t k_##from##_to_##to##_##rounding##64(uint64_t t) \
    { \
        return (uint64_t)(((unsigned __int128)t * (to_hz) + (add)) / (from_hz)); \
    } \
    static inline uint32_t k_##from##_to_##to##_##rounding##32(uint32_t t) \
    { \
        return (uint32_t)k_##from##_to_##to##_##rounding##64(t); \
    }
#define FB_HZ_ticks ((uint64_t)CONFIG_SYS_CLOCK_TICKS_PER_SEC)
#define FB_HZ_cyc ((uint64_t)CONFIG_SYS_CLOCK_HW_CYCLES_PER_SEC)
#define FB_HZ_sec ((uint64_t)1)
#define FB_HZ_ms ((uint64_t)1000)
#define FB_HZ_us ((uint64_t)1000000)
#define FB_HZ_ns ((uint64_t)1000000000)
#define FB_CONVERTS(from, to) FB_CONVERT(from, FB_HZ_##from, to, FB_HZ_##to) FB_CONVERT(to, FB_HZ_##to, from, FB_HZ_##from)
FB_CONVERTS(ticks, cyc)
FB_CONVERTS(ticks, sec)
FB_CONVERTS(ticks, ms)
FB_CONVERTS(ticks, us)
FB_CONVERTS(ticks, ns)
FB_CONVERTS(cyc, ms)
FB_CONVERTS(cyc, us)
FB_CONVERTS(cyc, ns)

int64_t k_uptime_ticks(void);
int64_t k_uptime_get(void);
uint32_t k_cycle_get_32(void);
uint64_t k_cycle_get_64(void);

static inline uint32_t k_uptime_get_32(void)
{
    return (uint32_t)k_uptime_get();
}

static inline uint32_t k_uptime_seconds(void)
{
    return (uint32_t)(k_uptime_get() / 1000);
}

static inline int64_t k_uptime_delta(int64_t *reftime)
{
    int64_t now = k_uptime_get(), delta = now - *reftime;
    *reftime = now;
    return delta;
}

static inline int64_t sys_clock_tick_get(void)
{
    return k_uptime_ticks();
}

static inline uint32_t sys_clock_tick_get_32(void)
{
    return (uint32_t)k_uptime_ticks();
}

k_timepoint_t sys_timepoint_calc(k_timeout_t timeout);
k_timeout_t sys_timepoint_timeout(k_timepoint_t timepoint);
bool sys_timepoint_expired(k_timepoint_t timepoint);

static inline int sys_timepoint_cmp(k_timepoint_t a, k_timepoint_t b)
{
    return a.tick == b.tick ? 0 : a.tick < b.tick ? -1 : 1;
}

#endif
