/* System power states, if the scenario asks for them, because they cost their exit latency. The idle thread enters the
 * deepest state that is not locked and whose residency fits the time to the next event; records "pm" read "enter standby"
 * and "exit standby". */
#include "fb_zephyr.h"

#include <zephyr/pm/pm.h>

static const struct pm_state_info states[] = {
    {.state = PM_STATE_RUNTIME_IDLE, .min_residency_us = 200, .exit_latency_us = 0},
    {.state = PM_STATE_SUSPEND_TO_IDLE, .min_residency_us = 1000, .exit_latency_us = 50},
    {.state = PM_STATE_STANDBY, .min_residency_us = 20000, .exit_latency_us = 500},
};
static int locks[PM_STATE_COUNT];
static sys_slist_t notifiers;
static struct pm_state_info forced;
static bool is_forced, is_enabled;
static const struct pm_state_info *current;
static struct k_thread idle_thread;
static K_THREAD_STACK_DEFINE(idle_stack, CONFIG_IDLE_STACK_SIZE);

uint8_t pm_state_cpu_get_all(uint8_t cpu, const struct pm_state_info **all)
{
    (void)cpu;
    *all = states;
    return ARRAY_SIZE(states);
}

const char *pm_state_to_str(enum pm_state state)
{
    static const char *const names[] = {"active",         "runtime-idle",    "suspend-to-idle", "standby",
                                        "suspend-to-ram", "suspend-to-disk", "soft-off"};
    return state < PM_STATE_COUNT ? names[state] : "UNKNOWN";
}

static bool known(enum pm_state state, const char *call)
{
    if (state < PM_STATE_COUNT)
        return true;
    fb_fault("bad_argument", "%s of the state %d, which there is not", call, (int)state);
    return false;
}

void pm_policy_state_lock_get(enum pm_state state, uint8_t substate_id)
{
    (void)substate_id;
    if (known(state, "pm_policy_state_lock_get")) {
        locks[state]++;
        fb_trace("pm", "lock %s", pm_state_to_str(state));
    }
}

void pm_policy_state_lock_put(enum pm_state state, uint8_t substate_id)
{
    (void)substate_id;
    if (!known(state, "pm_policy_state_lock_put"))
        return;
    if (locks[state] == 0) {
        fb_fault("unlock_without_lock", "pm_policy_state_lock_put of %s, which is not locked", pm_state_to_str(state));
        return;
    }
    locks[state]--;
    fb_trace("pm", "unlock %s", pm_state_to_str(state));
}

bool pm_policy_state_lock_is_active(enum pm_state state, uint8_t substate_id)
{
    (void)substate_id;
    return known(state, "pm_policy_state_lock_is_active") && locks[state] > 0;
}

void pm_policy_device_power_lock_get(const struct device *dev)
{
    (void)dev;
    pm_policy_state_lock_get(PM_STATE_STANDBY, PM_ALL_SUBSTATES);
}

void pm_policy_device_power_lock_put(const struct device *dev)
{
    (void)dev;
    pm_policy_state_lock_put(PM_STATE_STANDBY, PM_ALL_SUBSTATES);
}

bool pm_state_force(uint8_t cpu, const struct pm_state_info *info)
{
    (void)cpu;
    forced = *info;
    is_forced = true;
    return true;
}

void pm_notifier_register(struct pm_notifier *notifier)
{
    sys_slist_find_and_remove(&notifiers, &notifier->_node);
    sys_slist_append(&notifiers, &notifier->_node);
}

int pm_notifier_unregister(struct pm_notifier *notifier)
{
    return sys_slist_find_and_remove(&notifiers, &notifier->_node) ? 0 : -EINVAL;
}

const struct pm_state_info *pm_state_next_get(uint8_t cpu)
{
    (void)cpu;
    return current;
}

void pm_system_resume(void)
{
}

static const struct pm_state_info *choose(int64_t idle_ns)
{
    if (is_forced) {
        is_forced = false;
        return &forced;
    }
    for (size_t i = ARRAY_SIZE(states); i--;)
        if (!locks[states[i].state] && idle_ns / 1000 >= states[i].min_residency_us + states[i].exit_latency_us)
            return &states[i];
    return NULL;
}

static void notify(enum pm_state state, bool entry)
{
    unsigned key = fb_irq_lock();
    struct pm_notifier *one;
    SYS_SLIST_FOR_EACH_CONTAINER(&notifiers, one, _node)
    {
        if (entry && one->state_entry)
            one->state_entry(state);
        if (!entry && one->state_exit)
            one->state_exit(state);
    }
    fb_irq_unlock(key);
}

static void idle(void *p1, void *p2, void *p3)
{
    (void)p1;
    (void)p2;
    (void)p3;
    for (;;) {
        fb_sched_lock(); /* until the state was left, as no thread runs in one */
        current = choose(fb_next_due() - fb_now());
        if (current) {
            enum pm_state state = current->state;
            notify(state, true);
            fb_trace("pm", "enter %s", pm_state_to_str(state));
            fb_idle();
            fb_spend(FB_US(current->exit_latency_us));
            fb_trace("pm", "exit %s", pm_state_to_str(state));
            notify(state, false);
            current = NULL;
        } else {
            fb_idle();
        }
        fb_sched_unlock();
        fb_reschedule();
    }
}

void fb_pm_enable(void)
{
    is_enabled = true;
}

void fb_idle_thread_start(void)
{
    if (is_enabled)
        fb_idle_create(&idle_thread, idle_stack, sizeof idle_stack, idle);
}
