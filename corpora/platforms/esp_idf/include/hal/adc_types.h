/* Types that both ADC drivers use. */
#ifndef HAL_ADC_TYPES_H
#define HAL_ADC_TYPES_H

#include <stdbool.h>
#include <stdint.h>

#include "esp_err.h"
#include "sdkconfig.h"
#include "soc/soc_caps.h"

typedef enum { ADC_UNIT_1, ADC_UNIT_2 } adc_unit_t;
typedef enum {
    ADC_CHANNEL_0,
    ADC_CHANNEL_1,
    ADC_CHANNEL_2,
    ADC_CHANNEL_3,
    ADC_CHANNEL_4,
    ADC_CHANNEL_5,
    ADC_CHANNEL_6,
    ADC_CHANNEL_7,
    ADC_CHANNEL_8,
    ADC_CHANNEL_9
} adc_channel_t;
typedef enum {
    ADC_ATTEN_DB_0 = 0,
    ADC_ATTEN_DB_2_5 = 1,
    ADC_ATTEN_DB_6 = 2,
    ADC_ATTEN_DB_12 = 3,
    ADC_ATTEN_DB_11 = ADC_ATTEN_DB_12
} adc_atten_t;
typedef enum {
    ADC_BITWIDTH_DEFAULT = 0,
    ADC_BITWIDTH_9 = 9,
    ADC_BITWIDTH_10 = 10,
    ADC_BITWIDTH_11 = 11,
    ADC_BITWIDTH_12 = 12,
    ADC_BITWIDTH_13 = 13
} adc_bitwidth_t;
typedef enum { ADC_ULP_MODE_DISABLE = 0, ADC_ULP_MODE_FSM = 1, ADC_ULP_MODE_RISCV = 2 } adc_ulp_mode_t;
typedef enum {
    ADC_CONV_SINGLE_UNIT_1 = 1,
    ADC_CONV_SINGLE_UNIT_2 = 2,
    ADC_CONV_BOTH_UNIT = 3,
    ADC_CONV_ALTER_UNIT = 7
} adc_digi_convert_mode_t;
typedef enum { ADC_DIGI_OUTPUT_FORMAT_TYPE1, ADC_DIGI_OUTPUT_FORMAT_TYPE2 } adc_digi_output_format_t;
typedef struct {
    uint8_t atten, channel, unit, bit_width;
} adc_digi_pattern_config_t;
typedef struct {
    union {
        struct {
            uint32_t data : 12, reserved12 : 1, channel : 4, unit : 1, reserved17_31 : 14;
        } type2;
        uint32_t val;
    };
} adc_digi_output_data_t;
typedef enum { ADC_RTC_CLK_SRC_DEFAULT = 0, ADC_DIGI_CLK_SRC_DEFAULT = 0 } adc_oneshot_clk_src_t;

#endif
