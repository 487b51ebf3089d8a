/* What the sources of the FreeRTOS model share. */
#ifndef FB_RTOS_H
#define FB_RTOS_H

#include "FreeRTOS.h"
#include "task.h"
#include "sim.h"

#define RTOS_TICK_NS (FB_S(1) / configTICK_RATE_HZ)
#define RTOS_CALL_NS 500        /* what a call of the kernel takes */
#define RTOS_CRITICAL_LEVELS 32 /* how deep critical sections nest */
#define RTOS_FRAME_SLACK 1024   /* by how much frames of the host may be larger than the target's, bytes */

typedef struct tskTaskControlBlock Task;

struct tskTaskControlBlock {
    fb_thread *thread;
    Task *next; /* all tasks that were not deleted */
    char name[configMAX_TASK_NAME_LEN];
    TaskFunction_t entry;
    void *argument;
    UBaseType_t base, priority; /* its own, and what it has now through inheritance */
    UBaseType_t number;
    unsigned mutexes; /* how many it holds */
    bool woken_from_isr;
    bool delay_aborted;
    bool timer_service;
    uint32_t notified[configTASK_NOTIFICATION_ARRAY_ENTRIES];
    bool notification_pending[configTASK_NOTIFICATION_ARRAY_ENTRIES];
    int notification_awaited; /* index, or -1 */
    uint32_t bits_wanted, bits_seen;
    bool bits_all, bits_clear, bits_met;
    unsigned critical;
    unsigned critical_keys[RTOS_CRITICAL_LEVELS];
    void *memory, *stack; /* from the heap, or NULL */
    const void *static_task;
    size_t stack_bytes, stack_used;
    const char *stack_top;
    void *local[configNUM_THREAD_LOCAL_STORAGE_POINTERS];
};

/* Who runs; NULL in an interrupt and before the scheduler was started. */
Task *fb_rtos_self(void);
bool fb_rtos_started(void);
void fb_rtos_start(void);
bool fb_rtos_static_only(void); /* built without a heap */
Task *fb_rtos_tasks(void);
Task *fb_rtos_new_task(TaskFunction_t entry, const char *name, size_t stack_bytes, void *argument, UBaseType_t priority);
void fb_rtos_end_task(Task *task);

/* Begin a call of the API: time passes, the stack is looked at. In an interrupt it is a fault, and false. */
bool fb_rtos_enter(const char *call);
/* Begin a FromISR call: a fault in an interrupt that is more urgent than the kernel may be called from. */
void fb_rtos_enter_from_isr(const char *call);
/* `handle` is of this kind of object; else a fault that names the call. */
bool fb_rtos_is(const void *handle, uint32_t magic, const char *call, const char *what);
/* `buffer` holds no other object; else a fault. NULL is one too. */
bool fb_rtos_claim(const void *buffer, const char *call);
void fb_rtos_release(const void *buffer);

TickType_t fb_rtos_ticks(void);
int64_t fb_rtos_deadline(TickType_t ticks);
/* Wait; false once the deadline has come, and at once where blocking is a fault. */
bool fb_rtos_block(fb_queue *queue, int64_t until, const char *call);
/* Wake the most urgent one that waits; in an interrupt it runs after portYIELD_FROM_ISR or at the next tick. */
bool fb_rtos_wake(fb_queue *queue, BaseType_t *woken);
void fb_rtos_wake_task(Task *task, BaseType_t *woken);
void fb_rtos_set_priority(Task *task, UBaseType_t priority);
/* End a call that may have made others ready. */
void fb_rtos_leave(void);

#endif
