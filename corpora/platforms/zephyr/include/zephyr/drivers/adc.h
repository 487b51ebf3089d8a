#ifndef ZEPHYR_DRIVERS_ADC_H
#define ZEPHYR_DRIVERS_ADC_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <zephyr/device.h>
#include <zephyr/devicetree.h>
#include <zephyr/kernel.h>

enum adc_gain {
    ADC_GAIN_1_6,
    ADC_GAIN_1_5,
    ADC_GAIN_1_4,
    ADC_GAIN_2_7,
    ADC_GAIN_1_3,
    ADC_GAIN_2_5,
    ADC_GAIN_1_2,
    ADC_GAIN_2_3,
    ADC_GAIN_4_5,
    ADC_GAIN_1,
    ADC_GAIN_2,
    ADC_GAIN_3,
    ADC_GAIN_4,
};

enum adc_reference {
    ADC_REF_VDD_1,
    ADC_REF_VDD_1_2,
    ADC_REF_VDD_1_3,
    ADC_REF_VDD_1_4,
    ADC_REF_INTERNAL,
    ADC_REF_EXTERNAL0,
    ADC_REF_EXTERNAL1,
};

#define ADC_ACQ_TIME_DEFAULT 0
#define ADC_ACQ_TIME_MICROSECONDS (1u)
#define ADC_ACQ_TIME(unit, value) (((unit) << 14) | ((value) & 0x3fff))

struct adc_channel_cfg {
    enum adc_gain gain;
    enum adc_reference reference;
    uint16_t acquisition_time;
    uint8_t channel_id : 5;
    uint8_t differential : 1;
    uint8_t input_positive;
    uint8_t input_negative;
};

struct adc_dt_spec {
    const struct device *dev;
    uint8_t channel_id;
    bool channel_cfg_dt_node_exists;
    struct adc_channel_cfg channel_cfg;
    uint16_t vref_mv;
    uint8_t resolution;
    uint8_t oversampling;
};

enum adc_action {
    ADC_ACTION_CONTINUE,
    ADC_ACTION_REPEAT,
    ADC_ACTION_FINISH,
};

struct adc_sequence;
typedef enum adc_action (*adc_sequence_callback)(const struct device *dev, const struct adc_sequence *sequence,
                                                 uint16_t sampling_index);

struct adc_sequence_options {
    uint32_t interval_us;
    adc_sequence_callback callback;
    void *user_data;
    uint16_t extra_samplings;
};

struct adc_sequence {
    const struct adc_sequence_options *options;
    uint32_t channels;
    void *buffer;
    size_t buffer_size;
    uint8_t resolution;
    uint8_t oversampling;
    bool calibrate;
};

/* The channel that io-channels of a node names; this board's ADC says gain 1/6 and the internal reference of 600 mV. */
#define ADC_DT_SPEC_GET_BY_IDX(node_id, idx) \
    {.dev = DEVICE_DT_GET(DT_PHANDLE_BY_IDX(node_id, io_channels, idx)), \
     .channel_id = DT_PHA_BY_IDX(node_id, io_channels, idx, input), \
     .channel_cfg_dt_node_exists = true, \
     .channel_cfg = {.gain = ADC_GAIN_1_6, \
                     .reference = ADC_REF_INTERNAL, \
                     .acquisition_time = ADC_ACQ_TIME_DEFAULT, \
                     .channel_id = DT_PHA_BY_IDX(node_id, io_channels, idx, input)}, \
     .vref_mv = 600, \
     .resolution = 12, \
     .oversampling = 0}
#define ADC_DT_SPEC_GET(node_id) ADC_DT_SPEC_GET_BY_IDX(node_id, 0)
#define ADC_DT_SPEC_INST_GET(inst) ADC_DT_SPEC_GET(DT_DRV_INST(inst))

int adc_channel_setup(const struct device *dev, const struct adc_channel_cfg *channel_cfg);
int adc_read(const struct device *dev, const struct adc_sequence *sequence);
int adc_gain_invert(enum adc_gain gain, int32_t *value);
int adc_raw_to_millivolts(int32_t ref_mv, enum adc_gain gain, uint8_t resolution, int32_t *valp);
int adc_raw_to_millivolts_dt(const struct adc_dt_spec *spec, int32_t *valp);
uint16_t adc_ref_internal(const struct device *dev);

static inline bool adc_is_ready_dt(const struct adc_dt_spec *spec)
{
    return device_is_ready(spec->dev);
}

static inline int adc_channel_setup_dt(const struct adc_dt_spec *spec)
{
    return spec->channel_cfg_dt_node_exists ? adc_channel_setup(spec->dev, &spec->channel_cfg) : -ENOTSUP;
}

static inline int adc_sequence_init_dt(const struct adc_dt_spec *spec, struct adc_sequence *seq)
{
    if (!spec->channel_cfg_dt_node_exists)
        return -ENOTSUP;
    seq->channels = BIT(spec->channel_id);
    seq->resolution = spec->resolution;
    seq->oversampling = spec->oversampling;
    return 0;
}

static inline int adc_read_dt(const struct adc_dt_spec *spec, const struct adc_sequence *sequence)
{
    return adc_read(spec->dev, sequence);
}

#endif
