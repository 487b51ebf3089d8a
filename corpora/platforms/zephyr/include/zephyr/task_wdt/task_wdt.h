#ifndef ZEPHYR_TASK_WDT_H
#define ZEPHYR_TASK_WDT_H

#include <zephyr/device.h>
#include <zephyr/types.h>

#define CONFIG_TASK_WDT_CHANNELS 5
#define CONFIG_TASK_WDT_MIN_TIMEOUT 100
#define CONFIG_TASK_WDT_HW_FALLBACK 1
#define CONFIG_TASK_WDT_HW_FALLBACK_DELAY 20

typedef void (*task_wdt_callback_t)(int channel_id, void *user_data);
int task_wdt_init(const struct device *hw_wdt);
int task_wdt_add(uint32_t reload_period, task_wdt_callback_t callback, void *user_data);
int task_wdt_delete(int channel_id);
int task_wdt_feed(int channel_id);
void task_wdt_suspend(void);
void task_wdt_resume(void);

#endif
