#ifndef ZEPHYR_PM_STATE_H
#define ZEPHYR_PM_STATE_H

#include <stdbool.h>
#include <stdint.h>
#include <zephyr/sys/util.h>

enum pm_state {
    PM_STATE_ACTIVE,
    PM_STATE_RUNTIME_IDLE,
    PM_STATE_SUSPEND_TO_IDLE,
    PM_STATE_STANDBY,
    PM_STATE_SUSPEND_TO_RAM,
    PM_STATE_SUSPEND_TO_DISK,
    PM_STATE_SOFT_OFF,
    PM_STATE_COUNT,
};
struct pm_state_info {
    enum pm_state state;
    uint8_t substate_id;
    bool pm_device_disabled;
    uint32_t min_residency_us, exit_latency_us;
};
uint8_t pm_state_cpu_get_all(uint8_t cpu, const struct pm_state_info **states);
const char *pm_state_to_str(enum pm_state state);

#endif
