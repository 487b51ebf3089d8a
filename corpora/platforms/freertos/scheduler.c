/* Calls, blocking, waking, ticks: how the kernel's functions use the virtual clock. */
#include "rtos.h"

#include <stdlib.h>
#include <string.h>

#include "freertos_scenario.h"

static bool started;
static Task *from_isr[64];
static size_t from_isr_count;
static fb_event *tick;

bool fb_rtos_started(void) { return started; }
void fb_rtos_start(void) { started = true; }

Task *fb_rtos_self(void)
{
    fb_thread *thread = fb_self();
    return thread ? *fb_thread_data(thread) : NULL;
}

TickType_t fb_rtos_ticks(void) { return (TickType_t)(fb_now() / RTOS_TICK_NS); }

int64_t fb_rtos_deadline(TickType_t ticks)
{
    return ticks == portMAX_DELAY ? FB_FOREVER : (fb_now() / RTOS_TICK_NS + ticks) * RTOS_TICK_NS;
}

void __attribute__((weak)) vApplicationStackOverflowHook(TaskHandle_t task, char *name)
{
    (void)task;
    (void)name;
}

static void look_at_stack(Task *task)
{
    const char *here = __builtin_frame_address(0);
    if (!task->stack_top || here > task->stack_top)
        return;
    size_t used = (size_t)(task->stack_top - here);
    used = used > RTOS_FRAME_SLACK ? used - RTOS_FRAME_SLACK : 0;
    bool over = task->stack_used > task->stack_bytes;
    if (used > task->stack_used)
        task->stack_used = used;
    if (!over && task->stack_used > task->stack_bytes) {
        fb_fault("stack_overflow", "task %s has a stack of %zu bytes and uses %zu", task->name, task->stack_bytes,
                 task->stack_used);
        vApplicationStackOverflowHook(task, task->name);
    }
}

bool fb_rtos_enter(const char *call)
{
    if (fb_in_isr()) {
        fb_fault("isr_call", "%s is called in an interrupt; only functions that end in FromISR may be", call);
        return false;
    }
    Task *self = fb_rtos_self();
    if (self)
        look_at_stack(self);
    fb_spend(RTOS_CALL_NS);
    return true;
}

void fb_rtos_enter_from_isr(const char *call)
{
#ifndef ESP_PLATFORM
    int priority = fb_isr_priority();
    if (priority >= 0 && priority < configLIBRARY_MAX_SYSCALL_INTERRUPT_PRIORITY)
        fb_fault("isr_priority", "%s is called in an interrupt of priority %d, which is more urgent than "
                 "configMAX_SYSCALL_INTERRUPT_PRIORITY (%d) allows", call, priority,
                 configLIBRARY_MAX_SYSCALL_INTERRUPT_PRIORITY);
#else
    (void)call;
#endif
    fb_spend(RTOS_CALL_NS);
}

bool fb_rtos_is(const void *handle, uint32_t magic, const char *call, const char *what)
{
    if (handle && *(const uint32_t *)handle == magic)
        return true;
    fb_fault("invalid_handle", "%s is called with %s that is no %s", call, handle ? "a handle" : "NULL,", what);
    return false;
}

void vAssertFailed(const char *condition, const char *file, int line)
{
    const char *name = strrchr(file, '/');
    fb_fault("assert", "configASSERT(%s) failed in %s, line %d", condition, name ? name + 1 : file, line);
    fb_panic("configASSERT(%s)", condition);
}

/* ---- waking out of an interrupt ---- */

static void take_from_isr(void)
{
    for (size_t i = 0; i < from_isr_count; i++) {
        from_isr[i]->woken_from_isr = false;
        if (from_isr[i]->thread)
            fb_wake_thread(from_isr[i]->thread);
    }
    from_isr_count = 0;
    fb_cancel(tick);
}

static void forget_from_isr(Task *task)
{
    task->woken_from_isr = false;
    for (size_t i = 0; i < from_isr_count; i++)
        if (from_isr[i] == task)
            from_isr[i] = from_isr[--from_isr_count];
}

static void on_tick(void *unused)
{
    (void)unused;
    take_from_isr();
}

void fb_rtos_wake_task(Task *task, BaseType_t *woken)
{
    if (!fb_in_isr()) {
        fb_wake_thread(task->thread);
        return;
    }
    if (!task->woken_from_isr && from_isr_count < sizeof from_isr / sizeof *from_isr) {
        task->woken_from_isr = true;
        from_isr[from_isr_count++] = task;
        if (!fb_pending(tick))
            tick = fb_at((fb_now() / RTOS_TICK_NS + 1) * RTOS_TICK_NS, on_tick, NULL);
    }
    if (woken)
        *woken = pdTRUE;
}

bool fb_rtos_wake(fb_queue *queue, BaseType_t *woken)
{
    if (!fb_in_isr())
        return fb_wake(queue) != NULL;
    for (fb_thread *thread = fb_first(queue); thread; thread = fb_next(thread)) {
        Task *task = *fb_thread_data(thread);
        if (task && !task->woken_from_isr) {
            fb_rtos_wake_task(task, woken);
            return true;
        }
    }
    return false;
}

void vPortYieldFromISR(BaseType_t required)
{
    if (required != pdFALSE)
        take_from_isr();
    if (!fb_in_isr())
        vPortYield();
}

/* ---- blocking ---- */

bool fb_rtos_block(fb_queue *queue, int64_t until, const char *call)
{
    Task *self = fb_rtos_self();
    if (!started || !self) {
        fb_fault("scheduler_state", "%s would block before the scheduler was started", call);
        return false;
    }
    if (fb_sched_locked()) {
        fb_fault("scheduler_state", "%s would block while the scheduler is suspended", call);
        return false;
    }
    if (fb_irq_locked()) {
        fb_fault("blocking_in_critical", "%s would block in a critical section", call);
        return false;
    }
    if (self->timer_service)
        fb_fault("blocking_in_timer", "%s would block in a timer's callback, which stops all timers", call);
    if (until <= fb_now())
        return false;
    take_from_isr();
    bool woken = fb_wait(queue, until) == 0 && !self->delay_aborted;
    if (self->woken_from_isr) { /* its time came between the interrupt and the tick */
        forget_from_isr(self);
        woken = true;
    }
    self->delay_aborted = false;
    return woken;
}

void fb_rtos_leave(void)
{
    if (!fb_in_isr() && !fb_irq_locked() && !fb_sched_locked())
        fb_reschedule();
}

void vTaskDelay(const TickType_t ticks)
{
    if (!fb_rtos_enter("vTaskDelay"))
        return;
    if (ticks == 0)
        vPortYield();
    else
        fb_rtos_block(NULL, fb_rtos_deadline(ticks), "vTaskDelay");
}

BaseType_t xTaskDelayUntil(TickType_t *const previous, const TickType_t increment)
{
    if (!fb_rtos_enter("xTaskDelayUntil"))
        return pdFALSE;
    if (!previous || increment == 0) {
        fb_fault("invalid_argument", "xTaskDelayUntil needs a previous time and an increment above 0");
        return pdFALSE;
    }
    TickType_t now = fb_rtos_ticks();
    TickType_t ahead = *previous + increment - now;
    *previous += increment;
    if (ahead == 0 || ahead > increment)
        return pdFALSE;
    fb_rtos_block(NULL, fb_rtos_deadline(ahead), "xTaskDelayUntil");
    return pdTRUE;
}

void vPortYield(void)
{
    if (fb_in_isr()) {
        take_from_isr();
        return;
    }
    if (fb_irq_locked() || fb_sched_locked())
        return;
    take_from_isr();
    fb_yield();
}

/* ---- critical sections ---- */

static Task outside; /* interrupts, and main before the scheduler runs */

static Task *critical_owner(void)
{
    Task *self = fb_rtos_self();
    return self ? self : &outside;
}

static void enter_critical(void)
{
    unsigned key = fb_irq_lock();
    Task *owner = critical_owner();
    if (owner->critical < RTOS_CRITICAL_LEVELS)
        owner->critical_keys[owner->critical] = key;
    owner->critical++;
}

static void exit_critical(const char *call)
{
    Task *owner = critical_owner();
    if (owner->critical == 0) {
        fb_fault("critical_unbalanced", "%s is called without its enter", call);
        return;
    }
    owner->critical--;
    if (owner->critical < RTOS_CRITICAL_LEVELS)
        fb_irq_unlock(owner->critical_keys[owner->critical]);
    if (owner->critical == 0)
        fb_rtos_leave();
}

void vPortEnterCritical(void)
{
    if (fb_in_isr())
        fb_fault("isr_call", "taskENTER_CRITICAL is called in an interrupt; use taskENTER_CRITICAL_FROM_ISR");
    enter_critical();
}

void vPortExitCritical(void) { exit_critical("taskEXIT_CRITICAL"); }

#ifdef ESP_PLATFORM
void vPortEnterSpinlock(portMUX_TYPE *mux, const char *call)
{
    if (!mux || (mux->owner != portMUX_FREE_VAL && mux->count == 0))
        fb_fault("spinlock", "%s is called with a spinlock that was not initialised", call);
    enter_critical();
    if (mux) {
        mux->owner = 0xCDCD;
        mux->count++;
    }
}

void vPortExitSpinlock(portMUX_TYPE *mux, const char *call)
{
    if (!mux || mux->count == 0) {
        fb_fault("spinlock", "%s is called with a spinlock that is not held", call);
        return;
    }
    if (--mux->count == 0)
        mux->owner = portMUX_FREE_VAL;
    exit_critical(call);
}
#endif

UBaseType_t uxPortSetInterruptMask(void) { return fb_irq_lock(); }

void vPortClearInterruptMask(UBaseType_t mask)
{
    fb_irq_unlock(mask);
    fb_rtos_leave();
}

BaseType_t xPortIsInsideInterrupt(void) { return fb_in_isr() ? pdTRUE : pdFALSE; }

void vTaskSuspendAll(void)
{
    if (fb_rtos_enter("vTaskSuspendAll") && started)
        fb_sched_lock();
}

BaseType_t xTaskResumeAll(void)
{
    if (!fb_rtos_enter("xTaskResumeAll") || !started)
        return pdFALSE;
    if (!fb_sched_locked()) {
        fb_fault("scheduler_state", "xTaskResumeAll is called without vTaskSuspendAll");
        return pdFALSE;
    }
    fb_sched_unlock();
    fb_rtos_leave();
    return pdFALSE;
}

BaseType_t xTaskGetSchedulerState(void)
{
    if (!started)
        return taskSCHEDULER_NOT_STARTED;
    return fb_sched_locked() ? taskSCHEDULER_SUSPENDED : taskSCHEDULER_RUNNING;
}

TickType_t xTaskGetTickCount(void)
{
    if (!fb_in_isr())
        fb_spend(RTOS_CALL_NS / 5);
    return started ? fb_rtos_ticks() : 0;
}

TickType_t xTaskGetTickCountFromISR(void) { return fb_rtos_ticks(); }

void vTaskSetTimeOutState(TimeOut_t *const out)
{
    out->xOverflowCount = 0;
    out->xTimeOnEntering = fb_rtos_ticks();
}

BaseType_t xTaskCheckForTimeOut(TimeOut_t *const out, TickType_t *const left)
{
    TickType_t elapsed = fb_rtos_ticks() - out->xTimeOnEntering;
    if (*left == portMAX_DELAY)
        return pdFALSE;
    if (elapsed >= *left) {
        *left = 0;
        return pdTRUE;
    }
    *left -= elapsed;
    vTaskSetTimeOutState(out);
    return pdFALSE;
}
