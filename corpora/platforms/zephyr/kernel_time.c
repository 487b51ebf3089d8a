/* Uptime, cycles and timeouts. A tick is 100 us, a cycle 1/64 us. */
#include "fb_zephyr.h"

int64_t k_uptime_ticks(void)
{
    return fb_now() / FB_TICK_NS;
}

int64_t k_uptime_get(void)
{
    return fb_now() / 1000000;
}

uint64_t k_cycle_get_64(void)
{
    return (uint64_t)fb_now() * (CONFIG_SYS_CLOCK_HW_CYCLES_PER_SEC / 1000000) / 1000;
}

uint32_t k_cycle_get_32(void)
{
    return (uint32_t)k_cycle_get_64();
}

/* It watches the cycle counter: what comes in between counts, too. */
void k_busy_wait(uint32_t usec_to_wait)
{
    int64_t end = fb_now() + FB_US(usec_to_wait);
    while (fb_now() < end)
        fb_spend(MIN(end - fb_now(), FB_US(10)));
}

/* Timeouts end at ticks: never early, up to a tick late. */
int64_t fb_deadline(k_timeout_t timeout)
{
    if (timeout.ticks == K_TICKS_FOREVER)
        return FB_FOREVER;
    if (timeout.ticks == 0)
        return fb_now();
    if (timeout.ticks < 0)
        return (-2 - timeout.ticks) * FB_TICK_NS;
    return ((fb_now() + FB_TICK_NS - 1) / FB_TICK_NS + timeout.ticks) * FB_TICK_NS;
}

k_timepoint_t sys_timepoint_calc(k_timeout_t timeout)
{
    if (timeout.ticks == K_TICKS_FOREVER)
        return (k_timepoint_t){UINT64_MAX};
    if (timeout.ticks == 0)
        return (k_timepoint_t){0};
    return (k_timepoint_t){(uint64_t)(fb_deadline(timeout) / FB_TICK_NS)};
}

k_timeout_t sys_timepoint_timeout(k_timepoint_t timepoint)
{
    if (timepoint.tick == UINT64_MAX)
        return K_FOREVER;
    int64_t left = (int64_t)timepoint.tick - k_uptime_ticks();
    return timepoint.tick == 0 || left <= 0 ? K_NO_WAIT : K_TICKS(left);
}

bool sys_timepoint_expired(k_timepoint_t timepoint)
{
    return K_TIMEOUT_EQ(sys_timepoint_timeout(timepoint), K_NO_WAIT);
}
