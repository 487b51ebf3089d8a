#include <stdbool.h>
#include <stdlib.h>

#include "esp_adc/adc_cali.h"
#include "esp_adc/adc_cali_scheme.h"
#include "esp_adc/adc_oneshot.h"
#include "esp_log.h"
#include "freertos/FreeRTOS.h"
#include "freertos/task.h"

#define CHANNEL ADC_CHANNEL_3
#define ATTENUATION ADC_ATTEN_DB_12
#define GROUP 16
#define LEFT_OUT 2
#define FEWEST 12
#define LOW_MV 3300
#define GOOD_MV 3450
#define LOW_IN_A_ROW 3

void battery(int millivolts);
void low_battery(bool low);

static const char *TAG = "battery";
static adc_oneshot_unit_handle_t adc;
static adc_cali_handle_t calibration;

static esp_err_t init(void)
{
    adc_oneshot_unit_init_cfg_t unit = {.unit_id = ADC_UNIT_1, .ulp_mode = ADC_ULP_MODE_DISABLE};
    adc_oneshot_chan_cfg_t channel = {.atten = ATTENUATION, .bitwidth = ADC_BITWIDTH_12};
    adc_cali_curve_fitting_config_t scheme = {
        .unit_id = ADC_UNIT_1, .chan = CHANNEL, .atten = ATTENUATION, .bitwidth = ADC_BITWIDTH_12};
    esp_err_t error = adc_oneshot_new_unit(&unit, &adc);

    if (error == ESP_OK)
        error = adc_oneshot_config_channel(adc, CHANNEL, &channel);
    if (error == ESP_OK)
        error = adc_cali_create_scheme_curve_fitting(&scheme, &calibration);
    return error;
}

static int by_value(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

static esp_err_t measure(int *millivolts)
{
    int values[GROUP], count = 0, sum = 0, pin;

    for (int i = 0; i < GROUP; i++) {
        int raw;

        if (adc_oneshot_read(adc, CHANNEL, &raw) == ESP_OK)
            values[count++] = raw;
    }
    if (count < FEWEST)
        return ESP_FAIL;

    qsort(values, (size_t)count, sizeof values[0], by_value);
    for (int i = LEFT_OUT; i < count - LEFT_OUT; i++)
        sum += values[i];
    esp_err_t error = adc_cali_raw_to_voltage(calibration, sum / (count - 2 * LEFT_OUT), &pin);
    if (error == ESP_OK)
        *millivolts = 2 * pin;
    return error;
}

static void judge(int millivolts)
{
    static bool low;
    static int below;

    if (low) {
        if (millivolts >= GOOD_MV) {
            low = false;
            below = 0;
            low_battery(false);
        }
        return;
    }
    below = millivolts < LOW_MV ? below + 1 : 0;
    if (below == LOW_IN_A_ROW) {
        low = true;
        low_battery(true);
    }
}

void app_main(void)
{
    esp_err_t error = init();

    if (error != ESP_OK) {
        ESP_LOGE(TAG, "ADC setup failed: %s", esp_err_to_name(error));
        return;
    }

    TickType_t woken = xTaskGetTickCount();
    for (;;) {
        int millivolts;

        if (measure(&millivolts) == ESP_OK) {
            battery(millivolts);
            judge(millivolts);
        }
        vTaskDelayUntil(&woken, pdMS_TO_TICKS(100));
    }
}
