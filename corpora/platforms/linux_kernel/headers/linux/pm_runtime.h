/* Runtime power management of a device that is always on. */
#ifndef _LINUX_PM_RUNTIME_H
#define _LINUX_PM_RUNTIME_H

#include "device.h"

static inline void pm_runtime_enable(struct device *dev) { (void)dev; }
static inline void pm_runtime_disable(struct device *dev) { (void)dev; }
static inline void pm_runtime_set_active(struct device *dev) { (void)dev; }
static inline int devm_pm_runtime_enable(struct device *dev) { return dev ? 0 : -EINVAL; }
static inline int pm_runtime_get_sync(struct device *dev) { return dev ? 0 : -EINVAL; }
static inline int pm_runtime_resume_and_get(struct device *dev) { return dev ? 0 : -EINVAL; }
static inline int pm_runtime_put(struct device *dev) { return dev ? 0 : -EINVAL; }
static inline int pm_runtime_put_sync(struct device *dev) { return dev ? 0 : -EINVAL; }

#endif
