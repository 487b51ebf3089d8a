/* The task watchdog: software channels on one timer interrupt, over a hardware watchdog that is fed from there. */
#include "fb_zephyr.h"

#include <zephyr/drivers/watchdog.h>
#include <zephyr/sys/reboot.h>
#include <zephyr/task_wdt/task_wdt.h>

static struct channel {
    uint32_t period_ms;
    task_wdt_callback_t callback;
    void *user_data;
    fb_event *expiry;
} channels[CONFIG_TASK_WDT_CHANNELS];
static const struct device *hardware;
static int hardware_channel;
static bool hardware_runs, suspended;
static fb_event *background;

static void expired(void *arg)
{
    int id = (int)(intptr_t)arg;
    fb_trace("task_wdt", "expired %d", id);
    if (channels[id].callback)
        channels[id].callback(id, channels[id].user_data);
    else
        sys_reboot(SYS_REBOOT_COLD);
}

static void due(void *arg)
{
    fb_irq("task_wdt", FB_IRQ_CLOCK, expired, arg);
}

static void restart(int id)
{
    fb_cancel(channels[id].expiry);
    channels[id].expiry = fb_at(fb_now() + FB_MS(channels[id].period_ms), due, (void *)(intptr_t)id);
}

static void feed_hardware(void *arg)
{
    (void)arg;
    wdt_feed(hardware, hardware_channel);
    background = fb_at(fb_now() + FB_MS(CONFIG_TASK_WDT_MIN_TIMEOUT), feed_hardware, NULL);
}

int task_wdt_init(const struct device *hw_wdt)
{
    if (!hw_wdt)
        return 0;
    hardware = hw_wdt;
    struct wdt_timeout_cfg config = {
        .window = {.max = CONFIG_TASK_WDT_MIN_TIMEOUT + CONFIG_TASK_WDT_HW_FALLBACK_DELAY},
        .flags = WDT_FLAG_RESET_SOC,
    };
    hardware_channel = wdt_install_timeout(hardware, &config);
    return hardware_channel < 0 ? hardware_channel : 0;
}

int task_wdt_add(uint32_t reload_period, task_wdt_callback_t callback, void *user_data)
{
    if (reload_period == 0)
        return -EINVAL;
    for (int id = 0; id < CONFIG_TASK_WDT_CHANNELS; id++) {
        if (channels[id].period_ms)
            continue;
        channels[id] = (struct channel){.period_ms = reload_period, .callback = callback, .user_data = user_data};
        fb_trace("task_wdt", "add %d: %u ms", id, reload_period);
        if (hardware && !hardware_runs) {
            hardware_runs = true;
            wdt_setup(hardware, WDT_OPT_PAUSE_HALTED_BY_DBG);
            background = fb_at(fb_now() + FB_MS(CONFIG_TASK_WDT_MIN_TIMEOUT), feed_hardware, NULL);
        }
        restart(id);
        return id;
    }
    return -ENOMEM;
}

static bool valid(int channel_id)
{
    return channel_id >= 0 && channel_id < CONFIG_TASK_WDT_CHANNELS && channels[channel_id].period_ms;
}

int task_wdt_delete(int channel_id)
{
    if (!valid(channel_id))
        return -EINVAL;
    fb_cancel(channels[channel_id].expiry);
    channels[channel_id].period_ms = 0;
    return 0;
}

int task_wdt_feed(int channel_id)
{
    if (!valid(channel_id))
        return -EINVAL;
    fb_trace("task_wdt", "feed %d", channel_id);
    if (!suspended)
        restart(channel_id);
    return 0;
}

void task_wdt_suspend(void)
{
    suspended = true;
    for (int id = 0; id < CONFIG_TASK_WDT_CHANNELS; id++)
        fb_cancel(channels[id].expiry);
    if (hardware_runs)
        wdt_feed(hardware, hardware_channel);
}

void task_wdt_resume(void)
{
    suspended = false;
    for (int id = 0; id < CONFIG_TASK_WDT_CHANNELS; id++)
        if (valid(id))
            restart(id);
}
