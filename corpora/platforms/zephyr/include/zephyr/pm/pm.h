#ifndef ZEPHYR_PM_PM_H
#define ZEPHYR_PM_PM_H

#include <zephyr/kernel.h>
#include <zephyr/pm/policy.h>
#include <zephyr/pm/state.h>
#include <zephyr/sys/slist.h>

struct pm_notifier {
    sys_snode_t _node;
    void (*state_entry)(enum pm_state state);
    void (*state_exit)(enum pm_state state);
};
bool pm_state_force(uint8_t cpu, const struct pm_state_info *info);
void pm_notifier_register(struct pm_notifier *notifier);
int pm_notifier_unregister(struct pm_notifier *notifier);
const struct pm_state_info *pm_state_next_get(uint8_t cpu);
void pm_system_resume(void);

#endif
