/* Tasks, time in ticks, kernel threads. */
#ifndef _LINUX_SCHED_H
#define _LINUX_SCHED_H

#include "kernel.h"

#define TASK_RUNNING 0u
#define TASK_INTERRUPTIBLE 1u
#define TASK_UNINTERRUPTIBLE 2u
#define TASK_KILLABLE TASK_UNINTERRUPTIBLE
#define TASK_NORMAL (TASK_INTERRUPTIBLE | TASK_UNINTERRUPTIBLE)
#define TASK_COMM_LEN 16
struct task_struct {
    unsigned int __state;
    pid_t pid, tgid;
    char comm[TASK_COMM_LEN];
    bool lk_signalled, lk_stop, lk_ended, lk_user;
    int lk_locks;
    void *lk_thread;
    int (*lk_function)(void *);
    void *lk_data;
    int lk_result;
};
struct task_struct *lk_current(void);
#define current lk_current()
void schedule(void);
long schedule_timeout(long ticks);
long schedule_timeout_interruptible(long ticks);
long schedule_timeout_uninterruptible(long ticks);
#define MAX_SCHEDULE_TIMEOUT LONG_MAX
int signal_pending(struct task_struct *task);
#define fatal_signal_pending signal_pending
void cond_resched(void);
void yield(void);
int wake_up_process(struct task_struct *task);
#define set_current_state(state) ((void)(current->__state = (state)))
#define __set_current_state set_current_state
static inline pid_t task_pid_nr(struct task_struct *task) { return task->pid; }
static inline pid_t task_tgid_nr(struct task_struct *task) { return task->tgid; }

struct task_struct *lk_kthread_create(int (*function)(void *), void *data, const char *format, ...);
#define kthread_create lk_kthread_create
#define kthread_run(function, data, format...) \
    ({ struct task_struct *task_ = lk_kthread_create(function, data, format); \
       if (!IS_ERR(task_)) wake_up_process(task_); task_; })
int kthread_stop(struct task_struct *task);
bool kthread_should_stop(void);

#define HZ 250
unsigned long lk_jiffies(void);
#define jiffies lk_jiffies()
#define get_jiffies_64() ((u64)lk_jiffies())
static inline unsigned long msecs_to_jiffies(unsigned ms) { return ((unsigned long)ms * HZ + 999) / 1000; }
static inline unsigned long usecs_to_jiffies(unsigned us) { return ((unsigned long)us * HZ + 999999) / 1000000; }
static inline unsigned jiffies_to_msecs(unsigned long ticks) { return (unsigned)(ticks * 1000 / HZ); }
static inline unsigned jiffies_to_usecs(unsigned long ticks) { return (unsigned)(ticks * 1000000 / HZ); }
static inline unsigned long nsecs_to_jiffies(u64 ns) { return ns / (1000000000 / HZ); }
#define secs_to_jiffies(s) ((s) * HZ)
#define time_after(a, b) ((long)((b) - (a)) < 0)
#define time_before(a, b) time_after(b, a)
#define time_after_eq(a, b) ((long)((a) - (b)) >= 0)
#define time_before_eq(a, b) time_after_eq(b, a)
#define time_is_before_jiffies(a) time_after(jiffies, a)
#define time_is_after_jiffies(a) time_before(jiffies, a)

#define NSEC_PER_USEC 1000L
#define NSEC_PER_MSEC 1000000L
#define NSEC_PER_SEC 1000000000L
#define USEC_PER_MSEC 1000L
#define USEC_PER_SEC 1000000L
#define MSEC_PER_SEC 1000L
typedef s64 time64_t;
struct timespec64 {
    time64_t tv_sec;
    long tv_nsec;
};
ktime_t ktime_get(void);
#define ktime_get_boottime ktime_get
#define ktime_get_raw ktime_get
#define ktime_get_real ktime_get
#define ktime_get_ns() ((u64)ktime_get())
#define ktime_get_boottime_ns() ((u64)ktime_get())
#define ktime_get_real_ns() ((u64)ktime_get())
#define ktime_get_raw_ns() ((u64)ktime_get())
#define ktime_get_seconds() (ktime_get() / NSEC_PER_SEC)
#define ktime_get_real_seconds() (ktime_get() / NSEC_PER_SEC)
static inline ktime_t ktime_set(s64 seconds, unsigned long ns) { return seconds * NSEC_PER_SEC + (s64)ns; }
static inline ktime_t ns_to_ktime(u64 ns) { return (ktime_t)ns; }
static inline ktime_t us_to_ktime(u64 us) { return (ktime_t)us * NSEC_PER_USEC; }
static inline ktime_t ms_to_ktime(u64 ms) { return (ktime_t)ms * NSEC_PER_MSEC; }
static inline s64 ktime_to_ns(ktime_t t) { return t; }
static inline s64 ktime_to_us(ktime_t t) { return t / NSEC_PER_USEC; }
static inline s64 ktime_to_ms(ktime_t t) { return t / NSEC_PER_MSEC; }
static inline ktime_t ktime_add(ktime_t a, ktime_t b) { return a + b; }
static inline ktime_t ktime_sub(ktime_t a, ktime_t b) { return a - b; }
static inline ktime_t ktime_add_ns(ktime_t a, u64 ns) { return a + (s64)ns; }
static inline ktime_t ktime_add_us(ktime_t a, u64 us) { return a + (s64)us * NSEC_PER_USEC; }
static inline ktime_t ktime_add_ms(ktime_t a, u64 ms) { return a + (s64)ms * NSEC_PER_MSEC; }
static inline s64 ktime_us_delta(ktime_t later, ktime_t earlier) { return ktime_to_us(later - earlier); }
static inline s64 ktime_ms_delta(ktime_t later, ktime_t earlier) { return ktime_to_ms(later - earlier); }
static inline int ktime_compare(ktime_t a, ktime_t b) { return a < b ? -1 : a > b; }
static inline bool ktime_after(ktime_t a, ktime_t b) { return a > b; }
static inline bool ktime_before(ktime_t a, ktime_t b) { return a < b; }
void ktime_get_ts64(struct timespec64 *to);
#define ktime_get_real_ts64 ktime_get_ts64

void msleep(unsigned ms);
unsigned long msleep_interruptible(unsigned ms);
void ssleep(unsigned seconds);
void usleep_range(unsigned long least, unsigned long most);
void udelay(unsigned long us);
void ndelay(unsigned long ns);
void mdelay(unsigned long ms);
void fsleep(unsigned long us);

#endif
