#ifndef ZEPHYR_PM_DEVICE_H
#define ZEPHYR_PM_DEVICE_H

#include <zephyr/kernel.h>

#define PM_DEVICE_ISR_SAFE 1

enum pm_device_state {
    PM_DEVICE_STATE_ACTIVE,
    PM_DEVICE_STATE_SUSPENDED,
    PM_DEVICE_STATE_SUSPENDING,
    PM_DEVICE_STATE_OFF,
};
enum pm_device_action {
    PM_DEVICE_ACTION_SUSPEND,
    PM_DEVICE_ACTION_RESUME,
    PM_DEVICE_ACTION_TURN_OFF,
    PM_DEVICE_ACTION_TURN_ON,
};
typedef int (*pm_device_action_cb_t)(const struct device *dev, enum pm_device_action action);
typedef bool (*pm_device_action_failed_cb_t)(const struct device *dev, int err);

struct pm_device {
    pm_device_action_cb_t action_cb;
    enum pm_device_state state;
    bool busy, runtime, wakeup_capable, wakeup_enabled, isr_safe, listed;
    uint32_t usage;
    const struct device *dev;
    struct k_work_delayable suspend_later;
    struct pm_device *next;
};

#define FB_PM_DEVICE(ident, pm_action_cb, ...) \
    static struct pm_device _CONCAT(__pm_device_, ident) = { \
        .action_cb = (pm_action_cb), .isr_safe = FB_SECOND(__VA_OPT__(0, __VA_ARGS__, ) 0, 0, 0)}
#define PM_DEVICE_DEFINE(dev_id, pm_action_cb, ...) FB_PM_DEVICE(dev_id, pm_action_cb, __VA_ARGS__)
#define PM_DEVICE_DT_DEFINE(node_id, pm_action_cb, ...) FB_PM_DEVICE(node_id, pm_action_cb, __VA_ARGS__)
#define PM_DEVICE_DT_INST_DEFINE(idx, pm_action_cb, ...) FB_PM_DEVICE(DT_DRV_INST(idx), pm_action_cb, __VA_ARGS__)
#define PM_DEVICE_GET(dev_id) (&_CONCAT(__pm_device_, dev_id))
#define PM_DEVICE_DT_GET(node_id) PM_DEVICE_GET(node_id)
#define PM_DEVICE_DT_INST_GET(idx) PM_DEVICE_GET(DT_DRV_INST(idx))

const char *pm_device_state_str(enum pm_device_state state);
int pm_device_action_run(const struct device *dev, enum pm_device_action action);
int pm_device_state_get(const struct device *dev, enum pm_device_state *state);
void pm_device_init_suspended(const struct device *dev);
void pm_device_init_off(const struct device *dev);
int pm_device_driver_init(const struct device *dev, pm_device_action_cb_t action_cb);
void pm_device_busy_set(const struct device *dev);
void pm_device_busy_clear(const struct device *dev);
bool pm_device_is_any_busy(void);
bool pm_device_is_busy(const struct device *dev);
bool pm_device_wakeup_enable(const struct device *dev, bool enable);
bool pm_device_wakeup_is_enabled(const struct device *dev);
bool pm_device_wakeup_is_capable(const struct device *dev);
bool pm_device_is_powered(const struct device *dev);

#endif
