#include <stdbool.h>

#include "driver/ledc.h"
#include "esp_err.h"
#include "freertos/FreeRTOS.h"
#include "freertos/task.h"

#define SERVO_GPIO 18
#define SERVO_CHANNEL LEDC_CHANNEL_0
#define SERVO_BITS LEDC_TIMER_14_BIT
#define SERVO_PERIOD_US 20000
#define LAMP_GPIO 2
#define LAMP_CHANNEL LEDC_CHANNEL_1
#define LAMP_FULL (1U << LEDC_TIMER_13_BIT)
#define FADE_MS 1000

int next_angle(void);

static uint32_t servo_duty(int angle)
{
    uint32_t pulse_us = 500 + (uint32_t)angle * 2000 / 180;

    return ((pulse_us << SERVO_BITS) + SERVO_PERIOD_US / 2) / SERVO_PERIOD_US;
}

static void configure(ledc_timer_t timer, uint32_t freq_hz, ledc_timer_bit_t bits, ledc_channel_t channel, int gpio,
                      uint32_t duty)
{
    const ledc_timer_config_t timer_config = {
        .speed_mode = LEDC_LOW_SPEED_MODE,
        .timer_num = timer,
        .duty_resolution = bits,
        .freq_hz = freq_hz,
        .clk_cfg = LEDC_AUTO_CLK,
    };
    const ledc_channel_config_t channel_config = {
        .speed_mode = LEDC_LOW_SPEED_MODE,
        .channel = channel,
        .timer_sel = timer,
        .intr_type = LEDC_INTR_DISABLE,
        .gpio_num = gpio,
        .duty = duty,
        .hpoint = 0,
    };

    ESP_ERROR_CHECK(ledc_timer_config(&timer_config));
    ESP_ERROR_CHECK(ledc_channel_config(&channel_config));
}

static bool fade_ended(const ledc_cb_param_t *param, void *task)
{
    BaseType_t woken = pdFALSE;

    if (param->event == LEDC_FADE_END_EVT)
        vTaskNotifyGiveFromISR(task, &woken);
    return woken == pdTRUE;
}

static void breathe(void *unused)
{
    bool up = true;
    ledc_cbs_t callbacks = {.fade_cb = fade_ended};

    (void)unused;
    ESP_ERROR_CHECK(ledc_fade_func_install(0));
    ESP_ERROR_CHECK(ledc_cb_register(LEDC_LOW_SPEED_MODE, LAMP_CHANNEL, &callbacks, xTaskGetCurrentTaskHandle()));
    for (;;) {
        ESP_ERROR_CHECK(ledc_set_fade_with_time(LEDC_LOW_SPEED_MODE, LAMP_CHANNEL, up ? LAMP_FULL : 0, FADE_MS));
        ESP_ERROR_CHECK(ledc_fade_start(LEDC_LOW_SPEED_MODE, LAMP_CHANNEL, LEDC_FADE_NO_WAIT));
        ulTaskNotifyTake(pdTRUE, portMAX_DELAY);
        up = !up;
    }
}

void app_main(void)
{
    configure(LEDC_TIMER_0, 50, SERVO_BITS, SERVO_CHANNEL, SERVO_GPIO, servo_duty(90));
    configure(LEDC_TIMER_1, 5000, LEDC_TIMER_13_BIT, LAMP_CHANNEL, LAMP_GPIO, 0);
    xTaskCreate(breathe, "breathe", 3072, NULL, 5, NULL);

    for (;;) {
        int angle = next_angle();

        if (angle > 180)
            angle = 180;
        if (angle >= 0) {
            ESP_ERROR_CHECK(ledc_set_duty(LEDC_LOW_SPEED_MODE, SERVO_CHANNEL, servo_duty(angle)));
            ESP_ERROR_CHECK(ledc_update_duty(LEDC_LOW_SPEED_MODE, SERVO_CHANNEL));
        }
        vTaskDelay(pdMS_TO_TICKS(20));
    }
}
