/* From reset to app_main: the scheduler runs before it, and app_main is the body of a task. */
#include "esp.h"

#include <stdlib.h>
#include <string.h>

#include "esp_random.h"
#include "esp_rom_sys.h"
#include "esp_system.h"
#include "freertos_scenario.h"
#include "rtos_timers.h"
#include "sdkconfig.h"

#define MAIN_PRIORITY 1

void app_main(void);
void esp_timer_boot(void);

bool fb_rtos_static_only(void) { return false; }

bool esp_enter(const char *call)
{
    if (fb_in_isr()) {
        fb_fault("isr_call", "%s is called in an interrupt", call);
        return false;
    }
    return fb_rtos_enter(call);
}

esp_err_t esp_refuse(esp_err_t code, const char *call, const char *why)
{
    fb_trace("esp_error", "%s: %s (%s)", call, why, esp_err_to_name(code));
    return code;
}

static void run_main(void *unused)
{
    (void)unused;
    app_main();
    vTaskDelete(NULL);
}

static void run_idle(void *unused)
{
    (void)unused;
    for (;;)
        fb_wait(NULL, FB_FOREVER);
}

void platform_boot(void)
{
    fb_time_slice(RTOS_TICK_NS);
    fb_rtos_start();
    fb_rtos_new_task(run_idle, "IDLE0", configMINIMAL_STACK_SIZE, NULL, tskIDLE_PRIORITY);
    fb_rtos_start_timers();
    esp_timer_boot();
    fb_rtos_new_task(run_main, "main", CONFIG_ESP_MAIN_TASK_STACK_SIZE, NULL, MAIN_PRIORITY);
}

void vTaskStartScheduler(void)
{
    fb_fault("scheduler_state", "vTaskStartScheduler is called, but ESP-IDF has started the scheduler before app_main");
}

void vTaskEndScheduler(void) { fb_stop("vTaskEndScheduler was called"); }
TaskHandle_t xTaskGetIdleTaskHandle(void) { return xTaskGetHandle("IDLE0"); }

void esp_restart(void) { fb_stop("esp_restart"); }
esp_reset_reason_t esp_reset_reason(void) { return ESP_RST_POWERON; }
const char *esp_get_idf_version(void) { return "v5.3"; }

void esp_rom_delay_us(uint32_t us) { fb_spend(FB_US(us)); }

int esp_rom_printf(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fb_console_format(format, args);
    va_end(args);
    return 0;
}

uint32_t esp_random(void)
{
    static uint64_t state = 0x9E3779B97F4A7C15u;
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 32);
}

void esp_fill_random(void *buffer, size_t length)
{
    for (size_t i = 0; i < length; i++)
        ((uint8_t *)buffer)[i] = (uint8_t)esp_random();
}
