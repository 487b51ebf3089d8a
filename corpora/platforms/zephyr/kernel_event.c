/* Event objects and polling. */
#include "fb_zephyr.h"

static fb_queue pollers;

void k_event_init(struct k_event *event)
{
    *event = (struct k_event){.magic = FB_MAGIC_EVENT};
}

/* swap_data is not NULL for a thread that waits for all. */
static uint32_t matching(uint32_t have, uint32_t wanted, bool all)
{
    uint32_t match = have & wanted;
    return all && match != wanted ? 0 : match;
}

static uint32_t change(struct k_event *event, uint32_t events, uint32_t mask, const char *call)
{
    if (!fb_initialised(event->magic, FB_MAGIC_EVENT, call))
        return 0;
    uint32_t before = event->events & mask;
    event->events = (event->events & ~mask) | (events & mask);
    for (fb_thread *one = fb_first(&event->waiters), *next; one; one = next) {
        next = fb_next(one);
        struct k_thread *thread = fb_thread_of(one);
        uint32_t match = matching(event->events, thread->swap_events, thread->swap_data != NULL);
        if (match) {
            thread->swap_events = match;
            thread->swap_result = 0;
            fb_wake_thread(one);
        }
    }
    fb_reschedule();
    return before;
}

uint32_t k_event_post(struct k_event *event, uint32_t events)
{
    return change(event, events, events, "k_event_post");
}

uint32_t k_event_set(struct k_event *event, uint32_t events)
{
    return change(event, events, UINT32_MAX, "k_event_set");
}

uint32_t k_event_set_masked(struct k_event *event, uint32_t events, uint32_t events_mask)
{
    return change(event, events, events_mask, "k_event_set_masked");
}

uint32_t k_event_clear(struct k_event *event, uint32_t events)
{
    return change(event, 0, events, "k_event_clear");
}

uint32_t k_event_test(struct k_event *event, uint32_t events_mask)
{
    return event->events & events_mask;
}

static uint32_t wait(struct k_event *event, uint32_t events, bool reset, bool all, k_timeout_t timeout,
                     const char *call)
{
    if (!fb_initialised(event->magic, FB_MAGIC_EVENT, call))
        return 0;
    if (reset)
        event->events = 0;
    uint32_t match = matching(event->events, events, all);
    struct k_thread *self = fb_current();
    if (match || !self)
        return match;
    self->swap_events = events;
    self->swap_data = all ? event : NULL;
    return fb_pend(&event->waiters, timeout, -EAGAIN, call) ? 0 : self->swap_events;
}

uint32_t k_event_wait(struct k_event *event, uint32_t events, bool reset, k_timeout_t timeout)
{
    return wait(event, events, reset, false, timeout, "k_event_wait");
}

uint32_t k_event_wait_all(struct k_event *event, uint32_t events, bool reset, k_timeout_t timeout)
{
    return wait(event, events, reset, true, timeout, "k_event_wait_all");
}

/* Whoever polls looks again at whatever changed. */
void fb_poll_changed(void)
{
    while (fb_unpend(&pollers, 0))
        ;
}

void k_poll_event_init(struct k_poll_event *event, uint32_t type, int mode, void *obj)
{
    *event = (struct k_poll_event){.type = type, .mode = (uint32_t)mode, .obj = obj};
}

static uint32_t state_of(const struct k_poll_event *event)
{
    switch (event->type) {
    case K_POLL_TYPE_SIGNAL:
        return event->signal->signaled ? K_POLL_STATE_SIGNALED : 0;
    case K_POLL_TYPE_SEM_AVAILABLE:
        return event->sem->count ? K_POLL_STATE_SEM_AVAILABLE : 0;
    case K_POLL_TYPE_DATA_AVAILABLE:
        return k_queue_is_empty(event->queue) ? 0 : K_POLL_STATE_DATA_AVAILABLE;
    case K_POLL_TYPE_MSGQ_DATA_AVAILABLE:
        return event->msgq->used_msgs ? K_POLL_STATE_MSGQ_DATA_AVAILABLE : 0;
    default:
        return 0;
    }
}

int k_poll(struct k_poll_event *events, int num_events, k_timeout_t timeout)
{
    int64_t until = fb_deadline(timeout);
    for (;;) {
        bool any = false;
        for (int i = 0; i < num_events; i++) {
            events[i].state |= state_of(&events[i]);
            any |= events[i].state != K_POLL_STATE_NOT_READY;
        }
        if (any)
            return 0;
        if (K_TIMEOUT_EQ(timeout, K_NO_WAIT) || !fb_may_block("k_poll") || fb_wait(&pollers, until) < 0)
            return -EAGAIN;
    }
}

void k_poll_signal_init(struct k_poll_signal *sig)
{
    *sig = (struct k_poll_signal){0};
}

void k_poll_signal_reset(struct k_poll_signal *sig)
{
    sig->signaled = 0;
}

void k_poll_signal_check(struct k_poll_signal *sig, unsigned int *signaled, int *result)
{
    *signaled = sig->signaled;
    *result = sig->result;
}

int k_poll_signal_raise(struct k_poll_signal *sig, int result)
{
    sig->signaled = 1;
    sig->result = result;
    fb_poll_changed();
    fb_reschedule();
    return 0;
}
