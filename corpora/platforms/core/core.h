/* What the core's own sources share. Platforms and scenarios include sim.h only. */
#ifndef FB_CORE_H
#define FB_CORE_H

#include "sim.h"

#include <signal.h>
#include <ucontext.h>

struct fb_thread {
    const char *name;
    int priority;
    void (*entry)(void *);
    void *arg;
    void *data;
    bool cooperative, waiting, suspended, dead, woken;
    int sched_locks;
    unsigned mask;
    uint64_t order; /* among ready threads of one priority, the smaller goes first */
    fb_queue *queue;
    fb_thread *behind; /* in that queue */
    fb_thread *next;   /* of all threads */
    fb_event *timeout;
    ucontext_t context;
    void *stack;
};

enum fb_phase { FB_BOOT, FB_RUN, FB_DONE };

typedef struct fb_isr {
    const char *name;
    int priority;
    struct fb_isr *under;
} fb_isr;

extern struct fb_core {
    int64_t now, end;
    int64_t quiet_until; /* before it nothing can come in: the short way of coverage.c */
    enum fb_phase phase;
    bool in_event;
    unsigned mask;
    fb_thread *running; /* also while an interrupt sits on its stack */
    fb_isr *isr;
    ucontext_t engine, outside;
    uint64_t blocks, events;
    const char *limit; /* which bound ended the run */
} fb_core;

#define FB_MOST_BLOCKS 300000000u
#define FB_MOST_EVENTS 5000000u
#define FB_MOST_RECORDS 200000u

#define FB_STACK_BYTES (256 << 10)

fb_thread *fb_most_urgent(void); /* of the ready ones; NULL if there is none */
void fb_bury(fb_thread *thread);   /* give a dead thread's stack back */
void fb_run(void); /* boot, and return when the run has ended */
void fb_finish(void) __attribute__((noreturn));
void fb_give_way(void); /* to a more urgent ready thread, if the running one may be preempted here */
void fb_take_interrupts(void);
bool fb_event_step(int64_t until); /* go to the next event up to `until` and run it; false if there is none */
int64_t fb_next_event(void);       /* FB_FOREVER if there is none */
bool fb_other_ready(void);         /* a thread other than the running one */
void fb_attend(void);              /* something may come in at the next spend */
void fb_record_end(void);
void fb_record_print(void);

#endif
