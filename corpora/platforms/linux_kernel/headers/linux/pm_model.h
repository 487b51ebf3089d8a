/* Power management, as far as drivers name it; the model never suspends. */
#ifndef LK_PM_MODEL_H
#define LK_PM_MODEL_H

struct device;
struct dev_pm_ops {
    int (*suspend)(struct device *dev);
    int (*resume)(struct device *dev);
    int (*runtime_suspend)(struct device *dev);
    int (*runtime_resume)(struct device *dev);
};
#define SIMPLE_DEV_PM_OPS(name, down, up) const struct dev_pm_ops __maybe_unused name = {.suspend = down, .resume = up}
#define DEFINE_SIMPLE_DEV_PM_OPS(name, down, up) static const struct dev_pm_ops name = {.suspend = down, .resume = up}
#define pm_sleep_ptr(p) (p)
#define pm_ptr(p) (p)

#endif
