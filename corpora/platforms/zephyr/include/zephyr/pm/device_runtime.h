#ifndef ZEPHYR_PM_DEVICE_RUNTIME_H
#define ZEPHYR_PM_DEVICE_RUNTIME_H

#include <zephyr/pm/device.h>

int pm_device_runtime_auto_enable(const struct device *dev);
int pm_device_runtime_enable(const struct device *dev);
int pm_device_runtime_disable(const struct device *dev);
int pm_device_runtime_get(const struct device *dev);
int pm_device_runtime_put(const struct device *dev);
int pm_device_runtime_put_async(const struct device *dev, k_timeout_t delay);
bool pm_device_runtime_is_enabled(const struct device *dev);
int pm_device_runtime_usage(const struct device *dev);

#endif
