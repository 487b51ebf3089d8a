/* Timers and work queues. */
#ifndef _LINUX_WORKQUEUE_H
#define _LINUX_WORKQUEUE_H

#include "kernel.h"
#include "sched.h"

struct timer_list {
    unsigned long expires;
    void (*function)(struct timer_list *);
    u32 flags;
    u32 magic;
    void *lk_event;
    bool lk_pending, lk_running, lk_shut;
};
#define LK_TIMER_MAGIC 0x71e3a5d0u
#define LK_HRTIMER_MAGIC 0x71e3a5d1u
#define TIMER_DEFERRABLE 0x1u
#define DEFINE_TIMER(name, function_) struct timer_list name = {.function = function_, .magic = LK_TIMER_MAGIC}
void timer_setup(struct timer_list *timer, void (*function)(struct timer_list *), unsigned flags);
int mod_timer(struct timer_list *timer, unsigned long expires);
void add_timer(struct timer_list *timer);
int timer_delete(struct timer_list *timer);
int timer_delete_sync(struct timer_list *timer);
int timer_shutdown(struct timer_list *timer);
int timer_shutdown_sync(struct timer_list *timer);
static inline int timer_pending(const struct timer_list *timer) { return timer->lk_pending; }
#define del_timer timer_delete
#define del_timer_sync timer_delete_sync
#define from_timer(var, timer, member) container_of(timer, __typeof__(*var), member)
#define timer_container_of from_timer
static inline unsigned long round_jiffies(unsigned long j) { return j; }
static inline unsigned long round_jiffies_relative(unsigned long j) { return j; }

enum hrtimer_restart { HRTIMER_NORESTART, HRTIMER_RESTART };
enum hrtimer_mode { HRTIMER_MODE_ABS, HRTIMER_MODE_REL, HRTIMER_MODE_ABS_PINNED, HRTIMER_MODE_REL_PINNED,
                    HRTIMER_MODE_ABS_SOFT, HRTIMER_MODE_REL_SOFT };
#ifndef CLOCK_MONOTONIC
#define CLOCK_REALTIME 0
#define CLOCK_MONOTONIC 1
#define CLOCK_BOOTTIME 7
#endif
struct hrtimer {
    ktime_t expires;
    enum hrtimer_restart (*function)(struct hrtimer *);
    u32 magic;
    void *lk_event;
    bool lk_pending, lk_running;
};
void hrtimer_init(struct hrtimer *timer, int clock, enum hrtimer_mode mode);
void hrtimer_setup(struct hrtimer *timer, enum hrtimer_restart (*function)(struct hrtimer *), int clock, enum hrtimer_mode mode);
void hrtimer_start(struct hrtimer *timer, ktime_t when, enum hrtimer_mode mode);
int hrtimer_cancel(struct hrtimer *timer);
int hrtimer_try_to_cancel(struct hrtimer *timer);
u64 hrtimer_forward(struct hrtimer *timer, ktime_t now, ktime_t interval);
static inline u64 hrtimer_forward_now(struct hrtimer *timer, ktime_t interval) { return hrtimer_forward(timer, ktime_get(), interval); }
static inline bool hrtimer_active(const struct hrtimer *timer) { return timer->lk_pending || timer->lk_running; }

struct work_struct;
struct workqueue_struct;
typedef void (*work_func_t)(struct work_struct *work);
struct work_struct {
    work_func_t func;
    u32 magic;
    struct workqueue_struct *lk_queue;
    struct work_struct *lk_next;
    bool lk_pending;
};
struct delayed_work {
    struct work_struct work;
    struct timer_list timer;
    struct workqueue_struct *lk_target;
};
#define LK_WORK_MAGIC 0x3042c0deu
#define __WORK_INITIALIZER(name, f) {.func = (f), .magic = LK_WORK_MAGIC}
#define DECLARE_WORK(name, f) struct work_struct name = __WORK_INITIALIZER(name, f)
void lk_delayed_work_timer(struct timer_list *timer);
#define DECLARE_DELAYED_WORK(name, f) \
    struct delayed_work name = {.work = __WORK_INITIALIZER(name, f), \
                                .timer = {.function = lk_delayed_work_timer, .magic = LK_TIMER_MAGIC}}
void lk_init_work(struct work_struct *work, work_func_t func);
void lk_init_delayed_work(struct delayed_work *work, work_func_t func);
#define INIT_WORK(work, func) lk_init_work(work, func)
#define INIT_DELAYED_WORK(work, func) lk_init_delayed_work(work, func)
#define INIT_WORK_ONSTACK INIT_WORK
#define INIT_DEFERRABLE_WORK INIT_DELAYED_WORK
static inline struct delayed_work *to_delayed_work(struct work_struct *work) { return container_of(work, struct delayed_work, work); }
static inline bool work_pending(const struct work_struct *work) { return work->lk_pending; }
#define delayed_work_pending(dwork) (work_pending(&(dwork)->work) || timer_pending(&(dwork)->timer))
#define work_busy(work) ((unsigned)work_pending(work))
extern struct workqueue_struct *system_wq, *system_highpri_wq, *system_long_wq, *system_unbound_wq, *system_freezable_wq,
    *system_power_efficient_wq;
#define WQ_UNBOUND 0x2u
#define WQ_FREEZABLE 0x4u
#define WQ_MEM_RECLAIM 0x8u
#define WQ_HIGHPRI 0x10u
#define WQ_CPU_INTENSIVE 0x20u
struct workqueue_struct *alloc_workqueue(const char *format, unsigned flags, int most, ...);
#define alloc_ordered_workqueue(format, flags, args...) alloc_workqueue(format, flags, 1, ##args)
#define create_singlethread_workqueue(name) alloc_workqueue("%s", 0, 1, name)
#define create_workqueue(name) alloc_workqueue("%s", 0, 0, name)
void destroy_workqueue(struct workqueue_struct *wq);
bool queue_work(struct workqueue_struct *wq, struct work_struct *work);
bool queue_delayed_work(struct workqueue_struct *wq, struct delayed_work *work, unsigned long ticks);
bool mod_delayed_work(struct workqueue_struct *wq, struct delayed_work *work, unsigned long ticks);
static inline bool schedule_work(struct work_struct *work) { return queue_work(system_wq, work); }
static inline bool schedule_delayed_work(struct delayed_work *work, unsigned long ticks)
{
    return queue_delayed_work(system_wq, work, ticks);
}
bool cancel_work(struct work_struct *work);
bool cancel_work_sync(struct work_struct *work);
bool cancel_delayed_work(struct delayed_work *work);
bool cancel_delayed_work_sync(struct delayed_work *work);
bool flush_work(struct work_struct *work);
bool flush_delayed_work(struct delayed_work *work);
void lk_flush_workqueue(struct workqueue_struct *wq);
#define flush_workqueue lk_flush_workqueue
#define drain_workqueue lk_flush_workqueue
#define flush_scheduled_work() lk_flush_workqueue(system_wq)
struct device;
int devm_work_autocancel(struct device *dev, struct work_struct *work, work_func_t func);
int devm_delayed_work_autocancel(struct device *dev, struct delayed_work *work, work_func_t func);

#endif
