#include "driver/ledc.h"
#include "esp_timer.h"
#include "esp_err.h"
#include "esp_log.h"
#include "freertos/FreeRTOS.h"
#include "freertos/semphr.h"
extern int next_angle(void);
static SemaphoreHandle_t done;
static bool IRAM_ATTR on_fade(const ledc_cb_param_t *p, void *arg) {
    BaseType_t hp = pdFALSE;
    if (p->event == LEDC_FADE_END_EVT)
        xSemaphoreGiveFromISR((SemaphoreHandle_t)arg, &hp);
    return hp == pdTRUE;
}
static uint32_t duty(uint32_t us) {
    return (uint32_t)((uint64_t)us * 16384 / 20000);
}
static void poll(void *arg) {
    int a = next_angle();
    (void)arg;
    if (a < 0)
        return;
    if (a > 180)
        a = 180;
    ledc_set_duty(LEDC_LOW_SPEED_MODE, LEDC_CHANNEL_3, duty(500 + a * 2000 / 180));
    ledc_update_duty(LEDC_LOW_SPEED_MODE, LEDC_CHANNEL_3);
}
void app_main(void) {
    ledc_timer_config_t t = {.speed_mode = LEDC_LOW_SPEED_MODE,
                             .duty_resolution = LEDC_TIMER_14_BIT,
                             .timer_num = LEDC_TIMER_2,
                             .freq_hz = 50,
                             .clk_cfg = LEDC_USE_APB_CLK};
    ESP_ERROR_CHECK(ledc_timer_config(&t));
    t.duty_resolution = LEDC_TIMER_13_BIT;
    t.timer_num = LEDC_TIMER_3;
    t.freq_hz = 5000;
    ESP_ERROR_CHECK(ledc_timer_config(&t));
    ledc_channel_config_t c = {.gpio_num = 18,
                               .speed_mode = LEDC_LOW_SPEED_MODE,
                               .channel = LEDC_CHANNEL_3,
                               .timer_sel = LEDC_TIMER_2,
                               .duty = duty(1500)};
    ESP_ERROR_CHECK(ledc_channel_config(&c));
    c.gpio_num = 2;
    c.channel = LEDC_CHANNEL_4;
    c.timer_sel = LEDC_TIMER_3;
    c.duty = 0;
    ESP_ERROR_CHECK(ledc_channel_config(&c));
    ESP_ERROR_CHECK(ledc_fade_func_install(0));
    done = xSemaphoreCreateBinary();
    ledc_cbs_t cbs = {.fade_cb = on_fade};
    ESP_ERROR_CHECK(ledc_cb_register(LEDC_LOW_SPEED_MODE, LEDC_CHANNEL_4, &cbs, done));
    esp_timer_handle_t h;
    const esp_timer_create_args_t args = {.callback = poll, .name = "servo"};
    ESP_ERROR_CHECK(esp_timer_create(&args, &h));
    ESP_ERROR_CHECK(esp_timer_start_periodic(h, 15000));
    uint32_t target = 8191;
    while (1) {
        ESP_ERROR_CHECK(ledc_set_fade_time_and_start(LEDC_LOW_SPEED_MODE, LEDC_CHANNEL_4, target, 1000,
                                                     LEDC_FADE_NO_WAIT));
        xSemaphoreTake(done, portMAX_DELAY);
        target = target ? 0 : 8191;
    }
}
