/* Tasks, sleeping and waking, wait queues, completions, time. */
#include "lk.h"

#define TICK_NS (1000000000LL / HZ)

static struct task_struct idle = {.comm = "swapper"};

struct task_struct *lk_current(void)
{
    fb_thread *self = fb_self();
    return self && *fb_thread_data(self) ? *fb_thread_data(self) : &idle;
}

typedef struct start {
    struct task_struct *task;
    void (*entry)(void *);
    void *arg;
} start;

static void begin(void *arg)
{
    start *s = arg;
    s->entry(s->arg);
    s->task->lk_ended = true;
}

struct task_struct *lk_task_new(const char *name, int priority, void (*entry)(void *), void *arg)
{
    static pid_t last = 100;
    start *s = calloc(1, sizeof *s);
    struct task_struct *task = calloc(1, sizeof *task);
    *s = (start){task, entry, arg};
    task->pid = task->tgid = ++last;
    lk_strscpy(task->comm, name, sizeof task->comm);
    fb_thread *thread = fb_thread_new(task->comm, priority, begin, s);
    *fb_thread_data(thread) = task;
    task->lk_thread = thread;
    return task;
}

int signal_pending(struct task_struct *task) { return task->lk_signalled; }

long schedule_timeout(long ticks)
{
    struct task_struct *self = current;
    if (lk_atomic() || !fb_self()) {
        fb_fault("sleeping_in_atomic", "schedule is called %s",
                 fb_in_isr() ? "in an interrupt" : "with a spinlock held or interrupts off");
        self->__state = TASK_RUNNING;
        return 0;
    }
    int64_t from = fb_now(), until = ticks == MAX_SCHEDULE_TIMEOUT ? FB_FOREVER : from + ticks * TICK_NS;
    if (self->__state == TASK_RUNNING)
        fb_yield();
    else if (!(self->__state & TASK_INTERRUPTIBLE && self->lk_signalled))
        fb_wait(NULL, until);
    self->__state = TASK_RUNNING;
    if (until == FB_FOREVER)
        return MAX_SCHEDULE_TIMEOUT;
    return fb_now() >= until ? 0 : (long)((until - fb_now() + TICK_NS - 1) / TICK_NS);
}
void schedule(void) { schedule_timeout(MAX_SCHEDULE_TIMEOUT); }
long schedule_timeout_interruptible(long ticks)
{
    current->__state = TASK_INTERRUPTIBLE;
    return schedule_timeout(ticks);
}
long schedule_timeout_uninterruptible(long ticks)
{
    current->__state = TASK_UNINTERRUPTIBLE;
    return schedule_timeout(ticks);
}
void cond_resched(void) { lk_may_sleep("cond_resched"); }
void yield(void) { fb_yield(); }

int wake_up_process(struct task_struct *task)
{
    task->__state = TASK_RUNNING;
    if (fb_thread_suspended(task->lk_thread)) {
        fb_thread_resume(task->lk_thread);
        return 1;
    }
    return fb_wake_thread(task->lk_thread);
}

/* ---- wait queues ---- */
void init_waitqueue_head(wait_queue_head_t *wq)
{
    *wq = (wait_queue_head_t){0};
    lk_spin_init(&wq->lock, "wait queue");
}

void lk_wake(wait_queue_head_t *wq, int exclusive, unsigned states)
{
    lk_check_lock(wq->lock.magic, "wait queue");
    wq->wakes++;
    for (wait_queue_entry_t *entry = wq->first; entry; entry = entry->next) {
        if (!(entry->task->__state & states))
            continue;
        wake_up_process(entry->task);
        if (entry->exclusive && exclusive)
            break;
    }
    if (!lk_atomic())
        fb_reschedule();
}

void lk_prepare(wait_queue_head_t *wq, wait_queue_entry_t *entry, unsigned state)
{
    lk_check_lock(wq->lock.magic, "wait queue");
    if (!entry->queued) {
        wait_queue_entry_t **end = &wq->first;
        while (*end)
            end = &(*end)->next;
        entry->next = NULL;
        entry->queued = true;
        *end = entry;
    }
    entry->task->__state = state;
}
void prepare_to_wait(wait_queue_head_t *wq, wait_queue_entry_t *entry, unsigned state) { lk_prepare(wq, entry, state); }
void prepare_to_wait_exclusive(wait_queue_head_t *wq, wait_queue_entry_t *entry, unsigned state)
{
    entry->exclusive = true;
    lk_prepare(wq, entry, state);
}
void remove_wait_queue(wait_queue_head_t *wq, wait_queue_entry_t *entry)
{
    wait_queue_entry_t **at = &wq->first;
    while (*at && *at != entry)
        at = &(*at)->next;
    if (*at)
        *at = entry->next;
    entry->queued = false;
}
void finish_wait(wait_queue_head_t *wq, wait_queue_entry_t *entry)
{
    current->__state = TASK_RUNNING;
    remove_wait_queue(wq, entry);
}
void add_wait_queue(wait_queue_head_t *wq, wait_queue_entry_t *entry) { lk_prepare(wq, entry, entry->task->__state); }
int waitqueue_active(wait_queue_head_t *wq) { return wq->first != NULL; }

void init_completion(struct completion *done)
{
    done->done = 0;
    init_waitqueue_head(&done->wait);
}
void reinit_completion(struct completion *done) { done->done = 0; }
void complete(struct completion *done)
{
    if (done->done != UINT_MAX)
        done->done++;
    lk_wake(&done->wait, 1, TASK_NORMAL);
}
void complete_all(struct completion *done)
{
    done->done = UINT_MAX;
    lk_wake(&done->wait, 0, TASK_NORMAL);
}
bool completion_done(struct completion *done) { return done->done; }
bool try_wait_for_completion(struct completion *done)
{
    if (!done->done)
        return false;
    if (done->done != UINT_MAX)
        done->done--;
    return true;
}
long lk_wait_for_completion(struct completion *done, unsigned state, long timeout)
{
    return lk_wait_event(done->wait, try_wait_for_completion(done), state, true, timeout, LK_NOTHING, LK_NOTHING);
}

/* ---- kernel threads ---- */
static void run_kthread(void *arg)
{
    struct task_struct *task = arg;
    if (!task->lk_stop)
        task->lk_result = task->lk_function(task->lk_data);
}
static struct task_struct *made;
static void enter_kthread(void *unused)
{
    (void)unused;
    run_kthread(current);
}
struct task_struct *lk_kthread_create(int (*function)(void *), void *data, const char *format, ...)
{
    char name[TASK_COMM_LEN];
    __builtin_va_list args;
    __builtin_va_start(args, format);
    lk_vsnprintf(name, sizeof name, format, args);
    __builtin_va_end(args);
    lk_may_sleep("kthread_create");
    if (lk_refuses(LK_KTHREAD, name))
        return ERR_PTR(-ENOMEM);
    made = lk_task_new(name, LK_TASK, enter_kthread, NULL);
    made->lk_function = function;
    made->lk_data = data;
    fb_thread_suspend(made->lk_thread);
    lk_hold(LK_KTHREAD, made, name);
    return made;
}
int kthread_stop(struct task_struct *task)
{
    lk_may_sleep("kthread_stop");
    if (!lk_let_go(LK_KTHREAD, task)) {
        fb_fault("kthread", "kthread_stop of a thread that does not run");
        return -EINTR;
    }
    task->lk_stop = true;
    wake_up_process(task);
    while (!task->lk_ended)
        fb_wait(NULL, fb_now() + TICK_NS);
    return task->lk_result;
}
bool kthread_should_stop(void) { return current->lk_stop; }

/* ---- time ---- */
unsigned long lk_jiffies(void) { return (unsigned long)(fb_now() / TICK_NS) + 4294937296UL; }
ktime_t ktime_get(void) { return fb_now(); }
void ktime_get_ts64(struct timespec64 *to)
{
    *to = (struct timespec64){fb_now() / NSEC_PER_SEC, fb_now() % NSEC_PER_SEC};
}
static void sleep_ns(const char *call, s64 ns)
{
    lk_may_sleep(call);
    if (lk_atomic())
        return;
    current->__state = TASK_UNINTERRUPTIBLE;
    s64 until = fb_now() + ns;
    while (fb_now() < until)
        fb_wait(NULL, until);
    current->__state = TASK_RUNNING;
}
void msleep(unsigned ms) { sleep_ns("msleep", (s64)ms * NSEC_PER_MSEC); }
void ssleep(unsigned seconds) { sleep_ns("ssleep", (s64)seconds * NSEC_PER_SEC); }
void usleep_range(unsigned long least, unsigned long most) { sleep_ns("usleep_range", (s64)(least + (most - least) / 2) * 1000); }
void fsleep(unsigned long us)
{
    if (us <= 10)
        udelay(us);
    else
        sleep_ns("fsleep", (s64)us * 1000);
}
unsigned long msleep_interruptible(unsigned ms)
{
    lk_may_sleep("msleep_interruptible");
    current->__state = TASK_INTERRUPTIBLE;
    return jiffies_to_msecs((unsigned long)schedule_timeout((long)msecs_to_jiffies(ms)));
}
void udelay(unsigned long us) { fb_spend((int64_t)us * 1000); }
void ndelay(unsigned long ns) { fb_spend((int64_t)ns); }
void mdelay(unsigned long ms) { fb_spend((int64_t)ms * 1000000); }
s64 ktime_get_ns_of_poll(void) { return fb_now(); }
void lk_poll_pause(unsigned long us, bool atomic)
{
    if (atomic || !us)
        fb_spend((int64_t)(us ? us : 1) * 1000);
    else
        sleep_ns("a poll of registers", (s64)us * 1000);
}
