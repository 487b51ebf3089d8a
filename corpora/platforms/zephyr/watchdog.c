/* A watchdog of several channels. A channel that is fed too late, or too early for its window, resets the system, which
 * ends the run: records "wdt" (install, setup, feed, expired, disable) and "reset". */
#include "fb_zephyr.h"
#include "power.h"

#include <zephyr/drivers/watchdog.h>

#define CHANNELS 8
#define LONGEST_MS 3600000
#define RESET_AFTER_NS 61000 /* from the interrupt, which the callback has for its last words */

static struct channel {
    struct wdt_timeout_cfg config;
    fb_event *expiry;
    int64_t fed;
} channels[CHANNELS];
static int installed;
static bool running;

static int init(const struct device *dev)
{
    (void)dev;
    return 0;
}
DEVICE_DT_DEFINE(DT_NODELABEL(wdt0), init, NULL, NULL, NULL, POST_KERNEL, CONFIG_KERNEL_INIT_PRIORITY_DEVICE, NULL);

static void reset(void *arg)
{
    (void)arg;
    fb_trace("reset", "watchdog");
    fb_power_cycle("the watchdog reset the system");
}

static void last_words(void *arg)
{
    int id = (int)(intptr_t)arg;
    channels[id].config.callback(DEVICE_DT_GET(DT_NODELABEL(wdt0)), id);
}

static void expired(void *arg)
{
    int id = (int)(intptr_t)arg;
    struct channel *one = &channels[id];
    fb_trace("wdt", "expired %d", id);
    if (one->config.callback)
        fb_irq("wdt", 0, last_words, arg);
    if (one->config.flags & WDT_FLAG_RESET_MASK)
        fb_at(fb_now() + RESET_AFTER_NS, reset, NULL);
}

static void restart(int id)
{
    struct channel *one = &channels[id];
    fb_cancel(one->expiry);
    one->fed = fb_now();
    one->expiry = fb_at(fb_now() + FB_MS(one->config.window.max), expired, (void *)(intptr_t)id);
}

static bool usable(const struct device *dev, const char *call)
{
    if (device_is_ready(dev))
        return true;
    fb_fault("device_not_ready", "%s on a watchdog that is not ready", call);
    return false;
}

int wdt_install_timeout(const struct device *dev, const struct wdt_timeout_cfg *cfg)
{
    if (!usable(dev, "wdt_install_timeout"))
        return -ENODEV;
    if (running)
        return -EBUSY;
    if (cfg->window.max == 0 || cfg->window.max > LONGEST_MS || cfg->window.min > cfg->window.max)
        return -EINVAL;
    if (installed == CHANNELS)
        return -ENOMEM;
    channels[installed] = (struct channel){.config = *cfg};
    fb_trace("wdt", "install %d: %u to %u ms, reset %u", installed, cfg->window.min, cfg->window.max,
             cfg->flags & WDT_FLAG_RESET_MASK);
    return installed++;
}

int wdt_setup(const struct device *dev, uint8_t options)
{
    if (!usable(dev, "wdt_setup"))
        return -ENODEV;
    if (running)
        return -EBUSY;
    if (options & ~(WDT_OPT_PAUSE_IN_SLEEP | WDT_OPT_PAUSE_HALTED_BY_DBG))
        return -ENOTSUP;
    if (!installed)
        return -EINVAL;
    running = true;
    fb_trace("wdt", "setup %u", options);
    for (int i = 0; i < installed; i++)
        restart(i);
    return 0;
}

int wdt_disable(const struct device *dev)
{
    if (!usable(dev, "wdt_disable"))
        return -ENODEV;
    if (!running)
        return -EFAULT;
    fb_trace("wdt", "disable");
    for (int i = 0; i < installed; i++)
        fb_cancel(channels[i].expiry);
    running = false;
    installed = 0;
    return 0;
}

int wdt_feed(const struct device *dev, int channel_id)
{
    if (!usable(dev, "wdt_feed"))
        return -ENODEV;
    if (channel_id < 0 || channel_id >= installed)
        return -EINVAL;
    if (!running)
        return 0;
    struct channel *one = &channels[channel_id];
    fb_trace("wdt", "feed %d", channel_id);
    if (fb_now() - one->fed < FB_MS(one->config.window.min)) {
        fb_trace("wdt", "early %d", channel_id);
        fb_cancel(one->expiry);
        one->expiry = fb_at(fb_now(), expired, (void *)(intptr_t)channel_id);
        return 0;
    }
    if (fb_pending(one->expiry))
        restart(channel_id);
    return 0;
}
