/* One virtual clock, deterministic threads and interrupts, and a record of what happened: the base of every platform.
 *
 * Four kinds of context, all in one OS thread:
 *   thread     a coroutine; the most urgent ready one runs
 *   interrupt  runs to its end on the stack of what it interrupted; a more urgent one nests
 *   event      a function of a hardware model at a time; takes no time itself, calls no candidate code (raise an
 *              interrupt instead, which is delivered when the event function has returned)
 *   boot       scenario(), before anything runs
 *
 * Only fb_spend() lets time pass for who runs. The candidate spends by itself: it is compiled with
 * -fsanitize-coverage=trace-pc and -fsanitize=thread, so each basic block and each access to memory that others can see
 * is a call into coverage.c. What is due (events, interrupts, more urgent threads) comes in there, also between the read
 * and the write of `count++`. Waking a thread never switches by itself: a model's function first brings its own state in
 * order and then ends with fb_reschedule(). */
#ifndef FB_SIM_H
#define FB_SIM_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FB_FOREVER INT64_MAX
#define FB_US(n) ((int64_t)(n) * 1000)
#define FB_MS(n) ((int64_t)(n) * 1000000)
#define FB_S(n) ((int64_t)(n) * 1000000000)
#define FB_PRINTF(text, first) __attribute__((__format__(__printf__, text, first)))

/* ---- time ---- */
int64_t fb_now(void);      /* ns since boot */
void fb_spend(int64_t ns); /* the running context works for `ns`; what is due meanwhile comes in and takes its own time */
void fb_end_at(int64_t when); /* the run ends then (10 s unless said), or when nothing can ever run again */

/* ---- threads: a larger priority is more urgent; equal ones run in the order in which they became ready ---- */
typedef struct fb_thread fb_thread;
fb_thread *fb_thread_new(const char *name, int priority, void (*entry)(void *), void *arg); /* ready at once */
fb_thread *fb_self(void);    /* NULL in an interrupt */
fb_thread *fb_running(void); /* the running thread, or the one that the interrupt interrupted */
const char *fb_thread_name(const fb_thread *thread);
void fb_thread_rename(fb_thread *thread, const char *name);
int fb_thread_get_priority(const fb_thread *thread);
void **fb_thread_data(fb_thread *thread); /* one pointer that belongs to the platform */
void fb_thread_priority(fb_thread *thread, int priority);
void fb_thread_cooperative(fb_thread *thread, bool cooperative); /* true: gives the processor up only by itself */
void fb_thread_suspend(fb_thread *thread);
void fb_thread_resume(fb_thread *thread);
void fb_thread_abort(fb_thread *thread); /* does not return if it is the running one */
bool fb_thread_ended(const fb_thread *thread);
bool fb_thread_suspended(const fb_thread *thread);
bool fb_thread_waiting(const fb_thread *thread);
void fb_yield(void);                  /* behind the ready threads of the same priority */
__attribute__((noreturn)) void fb_exit(void); /* end the running thread */
void fb_sched_lock(void);             /* no other thread until unlocked; counts; belongs to the running thread */
void fb_sched_unlock(void);
bool fb_sched_locked(void);
void fb_reschedule(void);     /* take due interrupts and give way to a more urgent ready thread, if that is allowed here */
void fb_time_slice(int64_t ns); /* threads of equal priority take turns each `ns`; 0 (the start): never */

/* ---- waiting: most urgent first, then first come ---- */
typedef struct fb_queue {
    fb_thread *first;
} fb_queue;
#define FB_QUEUE_INIT {NULL}
int fb_wait(fb_queue *queue, int64_t until); /* 0 woken, -1 the time came; queue NULL: only the time (or fb_wake_thread) */
fb_thread *fb_wake(fb_queue *queue);         /* the woken thread, NULL if none waited */
int fb_wake_all(fb_queue *queue);            /* how many */
bool fb_wake_thread(fb_thread *thread);      /* end the wait of this one as if woken; false if it does not wait */
fb_thread *fb_first(const fb_queue *queue);  /* who would be woken next */
fb_thread *fb_next(const fb_thread *thread); /* who waits behind it */
fb_queue *fb_thread_queue(const fb_thread *thread); /* where it waits; NULL for a wait for time alone */

/* ---- events: how models of hardware act at a time ---- */
typedef struct fb_event fb_event; /* a handle; one that has begun or was cancelled is void and harmless to cancel */
fb_event *fb_at(int64_t when, void (*fn)(void *), void *arg);
void fb_cancel(fb_event *event);
bool fb_pending(const fb_event *event);
int64_t fb_next_due(void); /* when the next one is, or the end of the run */

/* Memory-mapped registers: `accessed` is called before each access of the candidate to [first, last). What a write does
 * belongs into an event at fb_now(), which comes before the candidate's next access. */
extern struct fb_registers {
    char *first, *last;
    void (*accessed)(void *at, bool writes);
} fb_registers;

/* ---- interrupts: a smaller priority is more urgent, as a Cortex-M counts ---- */
/* Runs now, or once it is no longer masked, nested by a more urgent one only, and not inside an event function. The same
 * `isr` with the same `arg` is pending once, as a pending bit is. */
void fb_irq(const char *name, int priority, void (*isr)(void *), void *arg);
void fb_irq_cancel(void (*isr)(void *), void *arg); /* clear the pending bit */
unsigned fb_irq_lock(void);                         /* mask all; the mask belongs to the running thread */
void fb_irq_unlock(unsigned key);
bool fb_irq_locked(void);
bool fb_in_isr(void);
void fb_idle(void); /* the running thread does nothing until an interrupt was taken or another thread is ready */
int fb_isr_priority(void); /* of the interrupt that runs; -1 outside one */
const char *fb_isr_name(void); /* "" outside one */

/* ---- the record ---- */
/* The candidate misused the API: a blocking call in an interrupt, an unlock by another. Every run ends with the check
 * `no_api_misuse`, which fails on any. `kind` is a snake_case word. */
void fb_fault(const char *kind, const char *format, ...) FB_PRINTF(2, 3);
size_t fb_faults(const char *kind); /* how many; NULL: of any kind */
void fb_trace(const char *kind, const char *format, ...) FB_PRINTF(2, 3);
size_t fb_traced(const char *kind, const char *part); /* how many records of the kind contain part (NULL: any) */
size_t fb_traced_between(const char *kind, const char *part, int64_t from, int64_t to); /* from <= time < to */
int64_t fb_traced_at(const char *kind, const char *part, size_t nth);                   /* its time; -1 if there is none */
const char *fb_traced_text(const char *kind, const char *part, size_t nth);             /* "" if there is none */
const char *fb_traced_by(const char *kind, const char *part, size_t nth); /* its context: "thread:main", "isr:uart0" */
void fb_console(const char *text, size_t n); /* what printk, printf, ESP_LOG print; each line is traced as "console" */
void fb_console_format(const char *format, va_list args);
void fb_panic(const char *format, ...) FB_PRINTF(1, 2) __attribute__((noreturn)); /* the system stops: assert, k_panic */
void fb_stop(const char *reason) __attribute__((noreturn)); /* the run ends here, rightly: a reboot, main's return */

/* ---- what a scenario defines ---- */
void scenario(void); /* before the candidate's main: set up devices and stimuli */
void conclude(void); /* after the end: FB_CHECK(name, condition, expected, "saw %d", x) */
#define FB_CHECK(name, condition, expected, ...) fb_check(name, condition, expected, __VA_ARGS__)
bool fb_check(const char *name, bool pass, const char *expected, const char *format, ...) FB_PRINTF(4, 5);

/* ---- what a platform defines ---- */
void platform_boot(void); /* after scenario(): make the threads that a real system starts before, and with, main */

#endif
