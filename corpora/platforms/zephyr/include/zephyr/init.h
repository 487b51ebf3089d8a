#ifndef ZEPHYR_INIT_H
#define ZEPHYR_INIT_H

#include <stdint.h>
#include <zephyr/toolchain.h>

struct device;

/* Boot calls these by level, then priority, then in the order of the link. */
enum fb_level { FB_LEVEL_EARLY, FB_LEVEL_PRE_KERNEL_1, FB_LEVEL_PRE_KERNEL_2, FB_LEVEL_POST_KERNEL, FB_LEVEL_APPLICATION };
struct fb_init {
    int level;
    int priority;
    int (*call)(void);
    const struct device *device;
};
#define FB_INIT(name, level_, priority_, call_, device_) \
    static const struct fb_init name = { \
        .level = FB_LEVEL_##level_, .priority = (priority_), .call = (call_), .device = (device_)}; \
    FB_LIST_ENTRY(inits, name##_entry, &name)

#define SYS_INIT(call_, level_, priority_) SYS_INIT_NAMED(call_, call_, level_, priority_)
#define SYS_INIT_NAMED(name, call_, level_, priority_) FB_INIT(fb_init_##name, level_, priority_, call_, NULL)

#endif
