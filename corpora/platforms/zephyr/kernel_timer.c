/* Timers: the expiry function runs in the interrupt of the system clock. */
#include "fb_zephyr.h"

void k_timer_init(struct k_timer *timer, k_timer_expiry_t expiry_fn, k_timer_stop_t stop_fn)
{
    *timer = (struct k_timer){.magic = FB_MAGIC_TIMER, .expiry_fn = expiry_fn, .stop_fn = stop_fn};
}

static void expired(void *arg)
{
    struct k_timer *timer = arg;
    timer->status += timer->missed;
    timer->missed = 0;
    if (timer->expiry_fn)
        timer->expiry_fn(timer);
    fb_unpend(&timer->waiters, 0);
}

static void due(void *arg)
{
    struct k_timer *timer = arg;
    timer->event = NULL;
    timer->missed++;
    if (timer->period_ns) {
        timer->next_ns += timer->period_ns;
        timer->event = fb_at(timer->next_ns, due, timer);
    }
    fb_irq("sys_clock", FB_IRQ_CLOCK, expired, timer);
}

static void stop(struct k_timer *timer)
{
    fb_cancel(timer->event);
    fb_irq_cancel(expired, timer);
    timer->event = NULL;
    timer->missed = 0;
}

void k_timer_start(struct k_timer *timer, k_timeout_t duration, k_timeout_t period)
{
    if (!fb_initialised(timer->magic, FB_MAGIC_TIMER, "k_timer_start"))
        return;
    stop(timer);
    timer->status = 0;
    timer->period_ns = period.ticks > 0 ? period.ticks * FB_TICK_NS : 0;
    timer->next_ns = fb_deadline(duration);
    if (timer->next_ns == FB_FOREVER)
        return;
    if (K_TIMEOUT_EQ(duration, K_NO_WAIT))
        timer->next_ns = fb_deadline(K_TICKS(1));
    timer->event = fb_at(timer->next_ns, due, timer);
}

void k_timer_stop(struct k_timer *timer)
{
    if (!fb_initialised(timer->magic, FB_MAGIC_TIMER, "k_timer_stop") || !timer->event)
        return;
    stop(timer);
    if (timer->stop_fn)
        timer->stop_fn(timer);
    fb_unpend(&timer->waiters, 0);
    fb_reschedule();
}

uint32_t k_timer_status_get(struct k_timer *timer)
{
    uint32_t status = timer->status;
    timer->status = 0;
    return status;
}

uint32_t k_timer_status_sync(struct k_timer *timer)
{
    if (!fb_initialised(timer->magic, FB_MAGIC_TIMER, "k_timer_status_sync"))
        return 0;
    if (!timer->status && timer->event)
        fb_pend(&timer->waiters, K_FOREVER, 0, "k_timer_status_sync");
    return k_timer_status_get(timer);
}

k_ticks_t k_timer_expires_ticks(const struct k_timer *timer)
{
    return timer->event ? timer->next_ns / FB_TICK_NS : 0;
}

k_ticks_t k_timer_remaining_ticks(const struct k_timer *timer)
{
    return timer->event ? timer->next_ns / FB_TICK_NS - k_uptime_ticks() : 0;
}

uint32_t k_timer_remaining_get(struct k_timer *timer)
{
    return k_ticks_to_ms_floor32((uint32_t)k_timer_remaining_ticks(timer));
}

void k_timer_user_data_set(struct k_timer *timer, void *user_data)
{
    timer->user_data = user_data;
}

void *k_timer_user_data_get(const struct k_timer *timer)
{
    return timer->user_data;
}
