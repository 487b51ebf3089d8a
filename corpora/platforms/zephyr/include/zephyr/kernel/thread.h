#ifndef ZEPHYR_KERNEL_THREAD_H
#define ZEPHYR_KERNEL_THREAD_H

#include "sim.h"

#include <zephyr/sys_clock.h>

#define K_ANY NULL
#define K_PRIO_COOP(x) (-(CONFIG_NUM_COOP_PRIORITIES - (x)))
#define K_PRIO_PREEMPT(x) (x)
#define K_HIGHEST_THREAD_PRIO (-CONFIG_NUM_COOP_PRIORITIES)
#define K_LOWEST_THREAD_PRIO CONFIG_NUM_PREEMPT_PRIORITIES
#define K_IDLE_PRIO K_LOWEST_THREAD_PRIO
#define K_HIGHEST_APPLICATION_THREAD_PRIO K_HIGHEST_THREAD_PRIO
#define K_LOWEST_APPLICATION_THREAD_PRIO (K_LOWEST_THREAD_PRIO - 1)
#define K_ESSENTIAL BIT(0)
#define K_FP_REGS BIT(1)
#define K_FP_IDX 1
#define K_USER BIT(2)
#define K_INHERIT_PERMS BIT(3)
#define K_CALLBACK_STATE BIT(4)

typedef void (*k_thread_entry_t)(void *p1, void *p2, void *p3);
struct k_mutex;
typedef struct {
    fb_queue waiters;
} _wait_q_t;

/* A stack has a size that is checked and an owner; threads really run on stacks of the core. */
typedef struct z_thread_stack_element {
    char data;
} k_thread_stack_t;
typedef k_thread_stack_t z_thread_stack_element_t;

struct k_thread {
    fb_thread *fb;
    unsigned magic;
    k_thread_entry_t entry;
    void *p1, *p2, *p3;
    k_thread_stack_t *stack;
    size_t stack_size;
    int own_priority; /* without what it inherits through a mutex */
    char name[CONFIG_THREAD_MAX_NAME_LEN];
    void *custom_data;
    struct k_mutex *holds;
    fb_queue joiners;
    fb_event *start;
    struct k_thread *next;
    int swap_result; /* what the call that waits returns, and what it handed over */
    void *swap_data;
    uint32_t swap_events;
};
typedef struct k_thread *k_tid_t;

#define K_THREAD_STACK_DEFINE(sym, size) k_thread_stack_t __aligned(8) sym[size]
#define K_THREAD_STACK_ARRAY_DEFINE(sym, count, size) k_thread_stack_t __aligned(8) sym[count][size]
#define K_THREAD_STACK_MEMBER(sym, size) k_thread_stack_t __aligned(8) sym[size]
#define K_THREAD_STACK_DECLARE(sym, size) extern k_thread_stack_t sym[size]
#define K_THREAD_STACK_SIZEOF(sym) sizeof(sym)
#define K_THREAD_STACK_LEN(size) (size)
#define K_THREAD_STACK_BUFFER(sym) ((char *)(sym))
#define K_KERNEL_STACK_DEFINE(sym, size) K_THREAD_STACK_DEFINE(sym, size)
#define K_KERNEL_STACK_ARRAY_DEFINE(sym, count, size) K_THREAD_STACK_ARRAY_DEFINE(sym, count, size)
#define K_KERNEL_STACK_MEMBER(sym, size) K_THREAD_STACK_MEMBER(sym, size)
#define K_KERNEL_STACK_SIZEOF(sym) sizeof(sym)

struct fb_static_thread {
    struct k_thread *thread;
    k_thread_stack_t *stack;
    size_t stack_size;
    k_thread_entry_t entry;
    void *p1, *p2, *p3;
    int priority;
    uint32_t options;
    int delay_ms;
    const char *name;
};
#define K_THREAD_DEFINE(name_, stack_size_, entry_, p1_, p2_, p3_, prio_, options_, delay_) \
    K_THREAD_STACK_DEFINE(_k_thread_stack_##name_, stack_size_); \
    struct k_thread _k_thread_obj_##name_; \
    static const struct fb_static_thread _k_thread_data_##name_ = {&_k_thread_obj_##name_, \
                                                                   _k_thread_stack_##name_, \
                                                                   (stack_size_), \
                                                                   (k_thread_entry_t)(void *)(entry_), \
                                                                   (void *)(p1_), \
                                                                   (void *)(p2_), \
                                                                   (void *)(p3_), \
                                                                   (prio_), \
                                                                   (options_), \
                                                                   (delay_), \
                                                                   #name_}; \
    FB_LIST_ENTRY(threads, _k_thread_entry_##name_, &_k_thread_data_##name_); \
    __attribute__((unused)) const k_tid_t name_ = (k_tid_t)&_k_thread_obj_##name_
#define K_KERNEL_THREAD_DEFINE K_THREAD_DEFINE

k_tid_t k_thread_create(struct k_thread *new_thread, k_thread_stack_t *stack, size_t stack_size, k_thread_entry_t entry,
                        void *p1, void *p2, void *p3, int prio, uint32_t options, k_timeout_t delay);
void k_thread_start(k_tid_t thread);
void k_thread_abort(k_tid_t thread);
int k_thread_join(struct k_thread *thread, k_timeout_t timeout);
void k_thread_suspend(k_tid_t thread);
void k_thread_resume(k_tid_t thread);
int k_thread_priority_get(k_tid_t thread);
void k_thread_priority_set(k_tid_t thread, int prio);
int k_thread_name_set(k_tid_t thread, const char *name);
const char *k_thread_name_get(k_tid_t thread);
int k_thread_name_copy(k_tid_t thread, char *buf, size_t size);
const char *k_thread_state_str(k_tid_t thread, char *buf, size_t size);
void k_thread_custom_data_set(void *value);
void *k_thread_custom_data_get(void);
int k_thread_stack_space_get(const struct k_thread *thread, size_t *unused);
k_ticks_t k_thread_timeout_expires_ticks(const struct k_thread *thread);
typedef void (*k_thread_user_cb_t)(const struct k_thread *thread, void *user_data);
void k_thread_foreach(k_thread_user_cb_t user_cb, void *user_data);
k_tid_t k_current_get(void);
k_tid_t k_sched_current_thread_query(void);
int32_t k_sleep(k_timeout_t timeout);
int32_t k_usleep(int32_t us);
void k_busy_wait(uint32_t usec_to_wait);
void k_yield(void);
void k_wakeup(k_tid_t thread);
void k_sched_lock(void);
void k_sched_unlock(void);
void k_sched_time_slice_set(int32_t slice_ms, int prio);
bool k_is_in_isr(void);
int k_is_preempt_thread(void);
bool k_is_pre_kernel(void);
bool k_can_yield(void);

static inline int32_t k_msleep(int32_t ms)
{
    return k_sleep(K_MSEC(ms));
}

#endif
