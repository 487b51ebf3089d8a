/* Boot, in the order of a real image: devices and SYS_INITs by level, static threads, main. */
#include "fb_zephyr.h"

#include <stdlib.h>

FB_LIST_DECLARE(inits);
FB_LIST_DECLARE(devices);
int candidate_main(void) __attribute__((weak)); /* an answer of functions alone has none */

#define MOST_BROKEN 16
static const struct device *broken[MOST_BROKEN];
static size_t broken_count;

void fb_device_broken(const struct device *dev)
{
    if (broken_count < MOST_BROKEN)
        broken[broken_count++] = dev;
}

static bool is_broken(const struct device *dev)
{
    for (size_t i = 0; i < broken_count; i++)
        if (broken[i] == dev)
            return true;
    return false;
}

int device_init(const struct device *dev)
{
    if (dev->state->initialized)
        return -EALREADY;
    int result = is_broken(dev) ? -EIO : dev->init ? dev->init(dev) : 0;
    dev->state->initialized = true;
    dev->state->init_res = (uint8_t)(result < 0 ? -result : result);
    return result;
}

bool device_is_ready(const struct device *dev)
{
    return dev && dev->state->initialized && dev->state->init_res == 0;
}

const struct device *device_get_binding(const char *name)
{
    FB_LIST_FOREACH(devices, at)
    {
        const struct device *dev = *at;
        if (!strcmp(dev->name, name) && device_is_ready(dev))
            return dev;
    }
    return NULL;
}

static void init_level(int level)
{
    for (int priority = -1;;) {
        int next = INT_MAX;
        FB_LIST_FOREACH(inits, at)
        {
            const struct fb_init *one = *at;
            if (one->level == level && one->priority > priority && one->priority < next)
                next = one->priority;
        }
        if (next == INT_MAX)
            return;
        priority = next;
        FB_LIST_FOREACH(inits, at)
        {
            const struct fb_init *one = *at;
            if (one->level != level || one->priority != priority)
                continue;
            if (one->device)
                device_init(one->device);
            else
                one->call();
        }
    }
}

static void main_entry(void *p1, void *p2, void *p3)
{
    (void)p1;
    (void)p2;
    (void)p3;
    init_level(FB_LEVEL_POST_KERNEL);
    init_level(FB_LEVEL_APPLICATION);
    fb_static_threads_start();
    if (candidate_main)
        candidate_main();
}

void platform_boot(void)
{
    fb_slabs_init();
    init_level(FB_LEVEL_EARLY);
    init_level(FB_LEVEL_PRE_KERNEL_1);
    init_level(FB_LEVEL_PRE_KERNEL_2);
    fb_system_queue_start();
    fb_idle_thread_start();
    fb_main_thread_start(main_entry);
}

/* Both wait for the next interrupt; what runs then is up to it. */
void k_cpu_idle(void)
{
    fb_idle();
}

void k_cpu_atomic_idle(unsigned int key)
{
    fb_irq_unlock(key);
    fb_idle();
}
