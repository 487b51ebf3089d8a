/* Event groups. */
#include "rtos.h"
#include "event_groups.h"

#include <stdlib.h>

#define GROUP_MAGIC 0x45564752u
#define CONTROL_BITS 0xff000000u

struct EventGroupDef_t {
    uint32_t magic;
    EventBits_t bits;
    fb_queue waiters;
    void *memory;
    const void *buffer;
};

static bool is_group(EventGroupHandle_t group, const char *call)
{
    return fb_rtos_is(group, GROUP_MAGIC, call, "event group that exists");
}

static bool plain(EventBits_t bits, const char *call)
{
    if (bits & CONTROL_BITS)
        fb_fault("invalid_argument", "%s is called with bits above the 24 that a group has", call);
    return !(bits & CONTROL_BITS);
}

static EventGroupHandle_t make(void *memory, const void *buffer)
{
    EventGroupHandle_t group = calloc(1, sizeof *group);
    *group = (struct EventGroupDef_t){.magic = GROUP_MAGIC, .memory = memory, .buffer = buffer};
    return group;
}

EventGroupHandle_t xEventGroupCreate(void)
{
    void *memory = fb_rtos_enter("xEventGroupCreate") ? pvPortMalloc(sizeof(StaticEventGroup_t)) : NULL;
    return memory ? make(memory, NULL) : NULL;
}

EventGroupHandle_t xEventGroupCreateStatic(StaticEventGroup_t *buffer)
{
    static const char call[] = "xEventGroupCreateStatic";
    return fb_rtos_enter(call) && fb_rtos_claim(buffer, call) ? make(NULL, buffer) : NULL;
}

void vEventGroupDelete(EventGroupHandle_t group)
{
    if (!fb_rtos_enter("vEventGroupDelete") || !is_group(group, "vEventGroupDelete"))
        return;
    for (fb_thread *thread; (thread = fb_first(&group->waiters));)
        fb_wake_thread(thread);
    group->magic = 0;
    vPortFree(group->memory);
    fb_rtos_release(group->buffer);
    fb_rtos_leave();
}

static bool met(EventBits_t bits, EventBits_t wanted, bool all)
{
    return all ? (bits & wanted) == wanted : (bits & wanted) != 0;
}

static EventBits_t set(EventGroupHandle_t group, EventBits_t bits)
{
    EventBits_t clear = 0;
    group->bits |= bits;
    for (fb_thread *thread = fb_first(&group->waiters), *next; thread; thread = next) {
        next = fb_next(thread);
        Task *task = *fb_thread_data(thread);
        if (!met(group->bits, task->bits_wanted, task->bits_all))
            continue;
        task->bits_seen = group->bits;
        task->bits_met = true;
        if (task->bits_clear)
            clear |= task->bits_wanted;
        fb_wake_thread(thread);
    }
    group->bits &= ~clear;
    return group->bits;
}

/* Wait as the current task; returns the bits at the moment when the condition was met or the time came. */
static EventBits_t await(EventGroupHandle_t group, EventBits_t wanted, bool clear, bool all, TickType_t ticks,
                         const char *call)
{
    EventBits_t bits = group->bits;
    Task *self = fb_rtos_self();
    bool done = met(bits, wanted, all);
    if (!done && ticks) {
        int64_t until = fb_rtos_deadline(ticks);
        if (self) {
            self->bits_wanted = wanted;
            self->bits_all = all;
            self->bits_clear = clear;
            self->bits_met = false;
        }
        fb_rtos_block(&group->waiters, until, call);
        if (self && self->bits_met)
            return self->bits_seen;
        if (group->magic != GROUP_MAGIC)
            return 0;
        bits = group->bits;
        done = met(bits, wanted, all);
    }
    if (done && clear)
        group->bits &= ~wanted;
    return bits;
}

EventBits_t xEventGroupWaitBits(EventGroupHandle_t group, const EventBits_t wanted, const BaseType_t clear,
                                const BaseType_t all, TickType_t ticks)
{
    static const char call[] = "xEventGroupWaitBits";
    if (!fb_rtos_enter(call) || !is_group(group, call) || !plain(wanted, call))
        return 0;
    if (wanted == 0) {
        fb_fault("invalid_argument", "%s is called with no bits", call);
        return 0;
    }
    return await(group, wanted, clear != pdFALSE, all != pdFALSE, ticks, call);
}

EventBits_t xEventGroupSetBits(EventGroupHandle_t group, const EventBits_t bits)
{
    static const char call[] = "xEventGroupSetBits";
    if (!fb_rtos_enter(call) || !is_group(group, call) || !plain(bits, call))
        return 0;
    EventBits_t now = set(group, bits);
    fb_rtos_leave();
    return now;
}

EventBits_t xEventGroupClearBits(EventGroupHandle_t group, const EventBits_t bits)
{
    static const char call[] = "xEventGroupClearBits";
    if (!fb_rtos_enter(call) || !is_group(group, call) || !plain(bits, call))
        return 0;
    EventBits_t before = group->bits;
    group->bits &= ~bits;
    return before;
}

EventBits_t xEventGroupSync(EventGroupHandle_t group, const EventBits_t bits, const EventBits_t wanted,
                            TickType_t ticks)
{
    static const char call[] = "xEventGroupSync";
    if (!fb_rtos_enter(call) || !is_group(group, call) || !plain(bits | wanted, call))
        return 0;
    if (met(group->bits | bits, wanted, true)) {
        EventBits_t all = group->bits | bits;
        set(group, bits);
        group->bits &= ~wanted;
        fb_rtos_leave();
        return all;
    }
    set(group, bits);
    return await(group, wanted, true, true, ticks, call);
}

EventBits_t xEventGroupGetBitsFromISR(EventGroupHandle_t group)
{
    return is_group(group, "xEventGroupGetBitsFromISR") ? group->bits : 0;
}

static void set_later(void *group, uint32_t bits) { xEventGroupSetBits(group, bits); }
static void clear_later(void *group, uint32_t bits) { xEventGroupClearBits(group, bits); }

BaseType_t xEventGroupSetBitsFromISR(EventGroupHandle_t group, const EventBits_t bits, BaseType_t *woken)
{
    if (!is_group(group, "xEventGroupSetBitsFromISR"))
        return pdFAIL;
    return xTimerPendFunctionCallFromISR(set_later, group, bits, woken);
}

BaseType_t xEventGroupClearBitsFromISR(EventGroupHandle_t group, const EventBits_t bits)
{
    if (!is_group(group, "xEventGroupClearBitsFromISR"))
        return pdFAIL;
    return xTimerPendFunctionCallFromISR(clear_later, group, bits, NULL);
}
