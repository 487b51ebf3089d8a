#ifndef ZEPHYR_PM_POLICY_H
#define ZEPHYR_PM_POLICY_H

#include <zephyr/device.h>
#include <zephyr/pm/state.h>

#define PM_ALL_SUBSTATES UINT8_MAX
void pm_policy_state_lock_get(enum pm_state state, uint8_t substate_id);
void pm_policy_state_lock_put(enum pm_state state, uint8_t substate_id);
bool pm_policy_state_lock_is_active(enum pm_state state, uint8_t substate_id);
void pm_policy_device_power_lock_get(const struct device *dev);
void pm_policy_device_power_lock_put(const struct device *dev);

#endif
