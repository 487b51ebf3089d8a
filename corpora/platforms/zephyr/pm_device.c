/* Power management of devices, by hand and by use count; records "pm_device" read "<device> suspend" and the like. */
#include "fb_zephyr.h"

#include <zephyr/pm/device.h>
#include <zephyr/pm/device_runtime.h>

static struct pm_device *every; /* that was ever asked of */

static struct pm_device *of(const struct device *dev)
{
    struct pm_device *pm = dev->pm;
    if (pm && !pm->listed) {
        pm->listed = true;
        pm->dev = dev;
        pm->next = every;
        every = pm;
    }
    return pm;
}

const char *pm_device_state_str(enum pm_device_state state)
{
    static const char *const names[] = {"active", "suspended", "suspending", "off"};
    return state <= PM_DEVICE_STATE_OFF ? names[state] : "";
}

/* What an action needs, where it leads, and its name. */
static const struct {
    enum pm_device_state after;
    const char *name;
} actions[] = {
    [PM_DEVICE_ACTION_SUSPEND] = {PM_DEVICE_STATE_SUSPENDED, "suspend"},
    [PM_DEVICE_ACTION_RESUME] = {PM_DEVICE_STATE_ACTIVE, "resume"},
    [PM_DEVICE_ACTION_TURN_OFF] = {PM_DEVICE_STATE_OFF, "turn_off"},
    [PM_DEVICE_ACTION_TURN_ON] = {PM_DEVICE_STATE_SUSPENDED, "turn_on"},
};

static int why_not(const struct pm_device *pm, enum pm_device_action action)
{
    bool off = pm->state == PM_DEVICE_STATE_OFF;
    if (pm->state == actions[action].after)
        return action == PM_DEVICE_ACTION_TURN_ON ? -ENOTSUP : -EALREADY;
    if ((action == PM_DEVICE_ACTION_TURN_ON) != off && action != PM_DEVICE_ACTION_TURN_OFF)
        return -ENOTSUP;
    return 0;
}

int pm_device_action_run(const struct device *dev, enum pm_device_action action)
{
    struct pm_device *pm = of(dev);
    if (!pm)
        return -ENOSYS;
    int result = why_not(pm, action);
    if (result)
        return result;
    result = pm->action_cb(dev, action);
    fb_trace("pm_device", "%s %s %d", dev->name, actions[action].name, result);
    if (result == 0)
        pm->state = actions[action].after;
    return result;
}

int pm_device_state_get(const struct device *dev, enum pm_device_state *state)
{
    if (!of(dev))
        return -ENOSYS;
    *state = dev->pm->state;
    return 0;
}

void pm_device_init_suspended(const struct device *dev)
{
    of(dev)->state = PM_DEVICE_STATE_SUSPENDED;
}

void pm_device_init_off(const struct device *dev)
{
    of(dev)->state = PM_DEVICE_STATE_OFF;
}

int pm_device_driver_init(const struct device *dev, pm_device_action_cb_t action_cb)
{
    int result = action_cb(dev, PM_DEVICE_ACTION_TURN_ON);
    if (result < 0 && result != -ENOTSUP)
        return result;
    result = action_cb(dev, PM_DEVICE_ACTION_RESUME);
    if (result == 0 && of(dev))
        dev->pm->state = PM_DEVICE_STATE_ACTIVE;
    return result;
}

void pm_device_busy_set(const struct device *dev)
{
    if (of(dev))
        dev->pm->busy = true;
}

void pm_device_busy_clear(const struct device *dev)
{
    if (of(dev))
        dev->pm->busy = false;
}

bool pm_device_is_busy(const struct device *dev)
{
    return of(dev) && dev->pm->busy;
}

bool pm_device_is_any_busy(void)
{
    for (struct pm_device *one = every; one; one = one->next)
        if (one->busy)
            return true;
    return false;
}

bool pm_device_wakeup_enable(const struct device *dev, bool enable)
{
    if (!of(dev) || !dev->pm->wakeup_capable)
        return false;
    dev->pm->wakeup_enabled = enable;
    return true;
}

bool pm_device_wakeup_is_enabled(const struct device *dev)
{
    return of(dev) && dev->pm->wakeup_enabled;
}

bool pm_device_wakeup_is_capable(const struct device *dev)
{
    return of(dev) && dev->pm->wakeup_capable;
}

bool pm_device_is_powered(const struct device *dev)
{
    return !of(dev) || dev->pm->state != PM_DEVICE_STATE_OFF;
}

int pm_device_runtime_auto_enable(const struct device *dev)
{
    (void)dev;
    return 0;
}

int pm_device_runtime_enable(const struct device *dev)
{
    struct pm_device *pm = of(dev);
    if (!pm)
        return -ENOTSUP;
    if (pm->runtime)
        return 0;
    if (pm->busy)
        return -EBUSY;
    if (pm->state == PM_DEVICE_STATE_ACTIVE) {
        int result = pm_device_action_run(dev, PM_DEVICE_ACTION_SUSPEND);
        if (result < 0)
            return result;
    }
    pm->runtime = true;
    pm->usage = 0;
    return 0;
}

int pm_device_runtime_disable(const struct device *dev)
{
    struct pm_device *pm = of(dev);
    if (!pm)
        return -ENOTSUP;
    if (!pm->runtime)
        return 0;
    pm->runtime = false;
    return pm->state == PM_DEVICE_STATE_ACTIVE ? 0 : pm_device_action_run(dev, PM_DEVICE_ACTION_RESUME);
}

int pm_device_runtime_get(const struct device *dev)
{
    struct pm_device *pm = of(dev);
    if (!pm || !pm->runtime)
        return 0;
    if (fb_in_isr() && !pm->isr_safe && pm->state != PM_DEVICE_STATE_ACTIVE)
        return -EWOULDBLOCK;
    pm->usage++;
    if (pm->suspend_later.work.handler)
        k_work_cancel_delayable(&pm->suspend_later);
    if (pm->state == PM_DEVICE_STATE_SUSPENDING)
        pm->state = PM_DEVICE_STATE_ACTIVE;
    if (pm->usage > 1 || pm->state == PM_DEVICE_STATE_ACTIVE)
        return 0;
    int result = pm_device_action_run(dev, PM_DEVICE_ACTION_RESUME);
    if (result < 0)
        pm->usage--;
    return result;
}

static int drop(const struct device *dev, const char *call)
{
    struct pm_device *pm = dev->pm;
    if (pm->usage == 0) {
        fb_fault("put_without_get", "%s of %s, which nobody uses", call, dev->name);
        return -EALREADY;
    }
    pm->usage--;
    return 0;
}

int pm_device_runtime_put(const struct device *dev)
{
    struct pm_device *pm = of(dev);
    if (!pm || !pm->runtime)
        return 0;
    if (fb_in_isr() && !pm->isr_safe)
        return -EWOULDBLOCK;
    int result = drop(dev, "pm_device_runtime_put");
    if (result || pm->usage)
        return result;
    result = pm_device_action_run(dev, PM_DEVICE_ACTION_SUSPEND);
    if (result < 0)
        pm->usage++;
    return result;
}

static void suspend_now(struct k_work *work)
{
    struct pm_device *pm = CONTAINER_OF(k_work_delayable_from_work(work), struct pm_device, suspend_later);
    if (pm->usage == 0 && pm->state == PM_DEVICE_STATE_SUSPENDING) {
        pm->state = PM_DEVICE_STATE_ACTIVE;
        pm_device_action_run(pm->dev, PM_DEVICE_ACTION_SUSPEND);
    }
}

int pm_device_runtime_put_async(const struct device *dev, k_timeout_t delay)
{
    struct pm_device *pm = of(dev);
    if (!pm || !pm->runtime)
        return 0;
    int result = drop(dev, "pm_device_runtime_put_async");
    if (result || pm->usage)
        return result;
    pm->state = PM_DEVICE_STATE_SUSPENDING;
    if (!pm->suspend_later.work.handler)
        k_work_init_delayable(&pm->suspend_later, suspend_now);
    k_work_reschedule(&pm->suspend_later, delay);
    return 0;
}

bool pm_device_runtime_is_enabled(const struct device *dev)
{
    return of(dev) && dev->pm->runtime;
}

int pm_device_runtime_usage(const struct device *dev)
{
    return of(dev) && dev->pm->runtime ? (int)dev->pm->usage : -ENOTSUP;
}
