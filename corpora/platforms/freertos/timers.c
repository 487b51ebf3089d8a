/* Software timers and the timer service task. A command takes effect at once; the callbacks run in the task. */
#include "rtos.h"
#include "timers.h"

#include <stdlib.h>

#include "rtos_timers.h"

#define TIMER_MAGIC 0x54494d52u

struct tmrTimerControl {
    uint32_t magic;
    const char *name;
    TickType_t period, expires;
    bool reloads, active;
    void *id;
    TimerCallbackFunction_t callback;
    struct tmrTimerControl *next;
    void *memory;
    const void *buffer;
};

typedef struct {
    PendedFunction_t function;
    void *first;
    uint32_t second;
} pended_call;

static TimerHandle_t timers;
static pended_call pended[configTIMER_QUEUE_LENGTH];
static size_t pended_count;
static Task *service;

static bool is_timer(TimerHandle_t timer, const char *call)
{
    return fb_rtos_is(timer, TIMER_MAGIC, call, "timer that exists");
}

static TimerHandle_t earliest(void)
{
    TimerHandle_t first = NULL;
    for (TimerHandle_t timer = timers; timer; timer = timer->next)
        if (timer->active && (!first || (int32_t)(timer->expires - first->expires) < 0))
            first = timer;
    return first;
}

static void run_pended(void)
{
    while (pended_count) {
        pended_call next = pended[0];
        pended_count--;
        for (size_t i = 0; i < pended_count; i++)
            pended[i] = pended[i + 1];
        next.function(next.first, next.second);
    }
}

static void run_due(void)
{
    for (TimerHandle_t timer; (timer = earliest()) && (int32_t)(timer->expires - fb_rtos_ticks()) <= 0;) {
        if (timer->reloads)
            timer->expires += timer->period;
        else
            timer->active = false;
        service->timer_service = true;
        timer->callback(timer);
        service->timer_service = false;
    }
}

static void serve(void *unused)
{
    (void)unused;
    for (;;) {
        run_pended();
        run_due();
        TimerHandle_t next = earliest();
        if (!pended_count && (!next || (int32_t)(next->expires - fb_rtos_ticks()) > 0))
            fb_wait(NULL, next ? (int64_t)next->expires * RTOS_TICK_NS : FB_FOREVER);
    }
}

void fb_rtos_start_timers(void)
{
    service = fb_rtos_new_task(serve, "Tmr Svc", configTIMER_TASK_STACK_DEPTH * sizeof(StackType_t), NULL,
                            configTIMER_TASK_PRIORITY);
}

TaskHandle_t xTimerGetTimerDaemonTaskHandle(void) { return service; }

static void attend(BaseType_t *woken)
{
    if (service)
        fb_rtos_wake_task(service, woken);
}

static TimerHandle_t make(const char *name, TickType_t period, BaseType_t reloads, void *id,
                          TimerCallbackFunction_t callback, void *memory, const void *buffer)
{
    TimerHandle_t timer = calloc(1, sizeof *timer);
    *timer = (struct tmrTimerControl){.magic = TIMER_MAGIC,
                                      .name = name,
                                      .period = period,
                                      .reloads = reloads != pdFALSE,
                                      .id = id,
                                      .callback = callback,
                                      .memory = memory,
                                      .buffer = buffer};
    TimerHandle_t *last = &timers;
    while (*last)
        last = &(*last)->next;
    *last = timer;
    return timer;
}

static bool sound(TickType_t period, TimerCallbackFunction_t callback, const char *call)
{
    if (period && callback)
        return true;
    fb_fault("invalid_argument", "%s is called %s", call, callback ? "with a period of 0 ticks" : "without a callback");
    return false;
}

TimerHandle_t xTimerCreate(const char *const name, const TickType_t period, const BaseType_t reloads, void *const id,
                           TimerCallbackFunction_t callback)
{
    static const char call[] = "xTimerCreate";
    void *memory = fb_rtos_enter(call) && sound(period, callback, call) ? pvPortMalloc(sizeof(StaticTimer_t)) : NULL;
    return memory ? make(name, period, reloads, id, callback, memory, NULL) : NULL;
}

TimerHandle_t xTimerCreateStatic(const char *const name, const TickType_t period, const BaseType_t reloads,
                                 void *const id, TimerCallbackFunction_t callback, StaticTimer_t *buffer)
{
    static const char call[] = "xTimerCreateStatic";
    if (!fb_rtos_enter(call) || !sound(period, callback, call) || !fb_rtos_claim(buffer, call))
        return NULL;
    return make(name, period, reloads, id, callback, NULL, buffer);
}

/* ---- commands ---- */

static BaseType_t start(TimerHandle_t timer, TickType_t period, BaseType_t *woken)
{
    timer->period = period;
    timer->expires = fb_rtos_ticks() + period;
    timer->active = true;
    attend(woken);
    return pdPASS;
}

static BaseType_t stop(TimerHandle_t timer)
{
    timer->active = false;
    return pdPASS;
}

static BaseType_t started(TimerHandle_t timer, const char *call)
{
    if (!fb_rtos_enter(call) || !is_timer(timer, call))
        return pdFAIL;
    BaseType_t result = start(timer, timer->period, NULL);
    fb_rtos_leave();
    return result;
}

BaseType_t xTimerStart(TimerHandle_t timer, TickType_t ticks)
{
    (void)ticks;
    return started(timer, "xTimerStart");
}

BaseType_t xTimerReset(TimerHandle_t timer, TickType_t ticks)
{
    (void)ticks;
    return started(timer, "xTimerReset");
}

BaseType_t xTimerStop(TimerHandle_t timer, TickType_t ticks)
{
    (void)ticks;
    return fb_rtos_enter("xTimerStop") && is_timer(timer, "xTimerStop") ? stop(timer) : pdFAIL;
}

BaseType_t xTimerChangePeriod(TimerHandle_t timer, TickType_t period, TickType_t ticks)
{
    static const char call[] = "xTimerChangePeriod";
    (void)ticks;
    if (!fb_rtos_enter(call) || !is_timer(timer, call) || !sound(period, timer->callback, call))
        return pdFAIL;
    BaseType_t result = start(timer, period, NULL);
    fb_rtos_leave();
    return result;
}

BaseType_t xTimerDelete(TimerHandle_t timer, TickType_t ticks)
{
    (void)ticks;
    if (!fb_rtos_enter("xTimerDelete") || !is_timer(timer, "xTimerDelete"))
        return pdFAIL;
    for (TimerHandle_t *link = &timers; *link; link = &(*link)->next)
        if (*link == timer) {
            *link = timer->next;
            break;
        }
    timer->magic = 0;
    vPortFree(timer->memory);
    fb_rtos_release(timer->buffer);
    return pdPASS;
}

static BaseType_t from_isr(TimerHandle_t timer, TickType_t period, BaseType_t *woken, const char *call)
{
    fb_rtos_enter_from_isr(call);
    if (!is_timer(timer, call))
        return pdFAIL;
    return start(timer, period ? period : timer->period, woken);
}

BaseType_t xTimerStartFromISR(TimerHandle_t timer, BaseType_t *woken)
{
    return from_isr(timer, 0, woken, "xTimerStartFromISR");
}

BaseType_t xTimerResetFromISR(TimerHandle_t timer, BaseType_t *woken)
{
    return from_isr(timer, 0, woken, "xTimerResetFromISR");
}

BaseType_t xTimerChangePeriodFromISR(TimerHandle_t timer, TickType_t period, BaseType_t *woken)
{
    return from_isr(timer, period, woken, "xTimerChangePeriodFromISR");
}

BaseType_t xTimerStopFromISR(TimerHandle_t timer, BaseType_t *woken)
{
    (void)woken;
    fb_rtos_enter_from_isr("xTimerStopFromISR");
    return is_timer(timer, "xTimerStopFromISR") ? stop(timer) : pdFAIL;
}

/* ---- questions ---- */

BaseType_t xTimerIsTimerActive(TimerHandle_t timer)
{
    return is_timer(timer, "xTimerIsTimerActive") && timer->active ? pdTRUE : pdFALSE;
}

void *pvTimerGetTimerID(const TimerHandle_t timer)
{
    return is_timer(timer, "pvTimerGetTimerID") ? timer->id : NULL;
}

void vTimerSetTimerID(TimerHandle_t timer, void *id)
{
    if (is_timer(timer, "vTimerSetTimerID"))
        timer->id = id;
}

const char *pcTimerGetName(TimerHandle_t timer) { return is_timer(timer, "pcTimerGetName") ? timer->name : ""; }
TickType_t xTimerGetPeriod(TimerHandle_t timer) { return is_timer(timer, "xTimerGetPeriod") ? timer->period : 0; }

TickType_t xTimerGetExpiryTime(TimerHandle_t timer)
{
    return is_timer(timer, "xTimerGetExpiryTime") ? timer->expires : 0;
}

void vTimerSetReloadMode(TimerHandle_t timer, const BaseType_t reloads)
{
    if (is_timer(timer, "vTimerSetReloadMode"))
        timer->reloads = reloads != pdFALSE;
}

BaseType_t xTimerGetReloadMode(TimerHandle_t timer)
{
    return is_timer(timer, "xTimerGetReloadMode") && timer->reloads ? pdTRUE : pdFALSE;
}

UBaseType_t uxTimerGetReloadMode(TimerHandle_t timer) { return (UBaseType_t)xTimerGetReloadMode(timer); }

/* ---- pended functions ---- */

static BaseType_t pend(PendedFunction_t function, void *first, uint32_t second, BaseType_t *woken)
{
    if (pended_count == configTIMER_QUEUE_LENGTH)
        return pdFAIL;
    pended[pended_count++] = (pended_call){function, first, second};
    attend(woken);
    return pdPASS;
}

BaseType_t xTimerPendFunctionCall(PendedFunction_t function, void *first, uint32_t second, TickType_t ticks)
{
    (void)ticks;
    if (!fb_rtos_enter("xTimerPendFunctionCall"))
        return pdFAIL;
    BaseType_t result = pend(function, first, second, NULL);
    fb_rtos_leave();
    return result;
}

BaseType_t xTimerPendFunctionCallFromISR(PendedFunction_t function, void *first, uint32_t second, BaseType_t *woken)
{
    fb_rtos_enter_from_isr("xTimerPendFunctionCallFromISR");
    return pend(function, first, second, woken);
}
