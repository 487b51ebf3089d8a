/* Calibration of the converters. */
#ifndef ESP_ADC_CALI_H
#define ESP_ADC_CALI_H

#include "hal/adc_types.h"

typedef struct adc_cali_scheme_t *adc_cali_handle_t;
typedef enum { ADC_CALI_SCHEME_VER_LINE_FITTING = 1, ADC_CALI_SCHEME_VER_CURVE_FITTING = 2 } adc_cali_scheme_ver_t;

esp_err_t adc_cali_check_scheme(adc_cali_scheme_ver_t *scheme_mask);
esp_err_t adc_cali_raw_to_voltage(adc_cali_handle_t handle, int raw, int *voltage);

#endif
