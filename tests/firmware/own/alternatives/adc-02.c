#include "freertos/FreeRTOS.h"
#include "freertos/task.h"
#include "esp_adc/adc_oneshot.h"
#include "esp_adc/adc_cali.h"
#include "esp_adc/adc_cali_scheme.h"
#include "esp_check.h"
#include "esp_log.h"
extern void battery(int mv);
extern void low_battery(bool low);
static const char *TAG = "bat";
static adc_oneshot_unit_handle_t u;
static adc_cali_handle_t c;
static esp_err_t setup(void) {
    adc_oneshot_unit_init_cfg_t ucfg = {.unit_id = ADC_UNIT_1};
    ESP_RETURN_ON_ERROR(adc_oneshot_new_unit(&ucfg, &u), TAG, "unit");
    adc_oneshot_chan_cfg_t ccfg = {.bitwidth = ADC_BITWIDTH_DEFAULT, .atten = ADC_ATTEN_DB_12};
    ESP_RETURN_ON_ERROR(adc_oneshot_config_channel(u, ADC_CHANNEL_3, &ccfg), TAG, "channel");
    adc_cali_curve_fitting_config_t cal = {
        .unit_id = ADC_UNIT_1, .atten = ADC_ATTEN_DB_12, .bitwidth = ADC_BITWIDTH_DEFAULT};
    ESP_RETURN_ON_ERROR(adc_cali_create_scheme_curve_fitting(&cal, &c), TAG, "calibration");
    return ESP_OK;
}
static void monitor(void *arg) {
    int below = 0;
    bool low = false;
    TickType_t last = xTaskGetTickCount();
    while (1) {
        int v[16], n = 0;
        for (int i = 0; i < 16; ++i) {
            int raw = 0, mv = 0;
            esp_err_t err = adc_oneshot_read(u, ADC_CHANNEL_3, &raw);
            if (err != ESP_OK) {
                ESP_LOGW(TAG, "read failed: %s", esp_err_to_name(err));
                continue;
            }
            if (adc_cali_raw_to_voltage(c, raw, &mv) != ESP_OK)
                continue;
            int k = n++;
            while (k > 0 && v[k - 1] > mv) {
                v[k] = v[k - 1];
                k--;
            }
            v[k] = mv;
        }
        if (n >= 12) {
            long sum = 0;
            for (int i = 2; i < n - 2; i++)
                sum += v[i];
            int mv = (int)(sum * 2 / (n - 4));
            ESP_LOGI(TAG, "%d mV", mv);
            battery(mv);
            if (!low) {
                if (mv < 3300) {
                    if (++below >= 3) {
                        low = true;
                        low_battery(true);
                    }
                } else
                    below = 0;
            } else if (mv >= 3450) {
                low = false;
                below = 0;
                low_battery(false);
            }
        }
        xTaskDelayUntil(&last, pdMS_TO_TICKS(100));
    }
}
void app_main(void) {
    if (setup() != ESP_OK) {
        ESP_LOGE(TAG, "no ADC");
        return;
    }
    xTaskCreate(monitor, "monitor", 4096, NULL, 5, NULL);
}
