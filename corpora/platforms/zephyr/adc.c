/* An ADC whose inputs a scenario plays. A channel must be set up before it is read. */
#include <zephyr/drivers/adc.h>

#include "fb_adc.h"
#include "injection.h"
#include "sim.h"

#define CHANNELS 8
#define REFERENCE_MV 600
#define SAMPLE_NS FB_US(4)

static double (*source)(unsigned channel, unsigned sampling);
static injection setup_fault, read_fault;
static bool set_up[CHANNELS];
static enum adc_gain gains[CHANNELS];
static unsigned samplings, calibrations;
static bool busy;
static fb_queue waiting = FB_QUEUE_INIT;

/* Numerator and denominator of each gain, in the order of the enumeration. */
static const struct {
    int up, down;
} factors[] = {{1, 6}, {1, 5}, {1, 4}, {2, 7}, {1, 3}, {2, 5}, {1, 2}, {2, 3}, {4, 5}, {1, 1}, {2, 1}, {3, 1}, {4, 1}};

void fb_adc_source(double (*millivolts)(unsigned channel, unsigned sampling))
{
    source = millivolts;
}

void fb_adc_fail_setup(unsigned skip, unsigned count, int error)
{
    setup_fault = (injection){skip, count, error};
}

void fb_adc_fail_read(unsigned skip, unsigned count, int error)
{
    read_fault = (injection){skip, count, error};
}

unsigned fb_adc_samplings(void)
{
    return samplings;
}

unsigned fb_adc_calibrations(void)
{
    return calibrations;
}

int adc_channel_setup(const struct device *dev, const struct adc_channel_cfg *channel_cfg)
{
    (void)dev;
    if (channel_cfg->channel_id >= CHANNELS || channel_cfg->differential ||
        channel_cfg->reference != ADC_REF_INTERNAL || channel_cfg->gain > ADC_GAIN_4)
        return -EINVAL;
    int ret = injected(&setup_fault);
    fb_trace("adc", "setup %u: %d", channel_cfg->channel_id, ret);
    if (ret)
        return ret;
    set_up[channel_cfg->channel_id] = true;
    gains[channel_cfg->channel_id] = channel_cfg->gain;
    return 0;
}

static int16_t convert(unsigned channel, const struct adc_sequence *sequence)
{
    double sum = 0;
    unsigned count = 1u << sequence->oversampling;
    for (unsigned i = 0; i < count; i++)
        sum += source ? source(channel, samplings++) : 0.0;
    double full = (double)REFERENCE_MV * factors[gains[channel]].down / factors[gains[channel]].up;
    double raw = sum / count * (1 << sequence->resolution) / full;
    double most = (1 << sequence->resolution) - 1;
    fb_wait(NULL, fb_now() + SAMPLE_NS * count);
    return (int16_t)(raw < 0 ? 0 : raw > most ? most : raw);
}

static int refused(const struct adc_sequence *sequence, unsigned wanted)
{
    if (!sequence->channels || sequence->channels >> CHANNELS || sequence->oversampling > 8 ||
        sequence->resolution < 8 || sequence->resolution > 12)
        return -EINVAL;
    for (unsigned channel = 0; channel < CHANNELS; channel++)
        if (sequence->channels & BIT(channel) && !set_up[channel])
            return -EINVAL;
    size_t rows = 1u + (sequence->options ? sequence->options->extra_samplings : 0);
    return sequence->buffer && sequence->buffer_size >= rows * wanted * sizeof(int16_t) ? injected(&read_fault)
                                                                                        : -ENOMEM;
}

static void sample(const struct device *dev, const struct adc_sequence *sequence)
{
    int16_t *to = sequence->buffer;
    unsigned rows = 1u + (sequence->options ? sequence->options->extra_samplings : 0);
    unsigned wanted = (unsigned)__builtin_popcount(sequence->channels);
    calibrations += sequence->calibrate;
    for (unsigned row = 0; row < rows; row++) {
        enum adc_action next = ADC_ACTION_CONTINUE;
        for (unsigned channel = 0; channel < CHANNELS; channel++)
            if (sequence->channels & BIT(channel))
                *to++ = convert(channel, sequence);
        if (sequence->options && sequence->options->callback)
            next = sequence->options->callback(dev, sequence, (uint16_t)row);
        if (next == ADC_ACTION_FINISH)
            return;
        if (next == ADC_ACTION_REPEAT) {
            to -= wanted;
            row--;
        }
        if (sequence->options && sequence->options->interval_us && row + 1 < rows)
            fb_wait(NULL, fb_now() + FB_US(sequence->options->interval_us));
    }
}

int adc_read(const struct device *dev, const struct adc_sequence *sequence)
{
    if (fb_in_isr()) {
        fb_fault("blocking_in_isr", "adc_read was called in an interrupt");
        return -EWOULDBLOCK;
    }
    while (busy)
        fb_wait(&waiting, FB_FOREVER);
    busy = true;
    int ret = refused(sequence, (unsigned)__builtin_popcount(sequence->channels));
    if (!ret)
        sample(dev, sequence);
    fb_trace("adc", "read %02x: %d", sequence->channels, ret);
    busy = false;
    fb_wake(&waiting);
    fb_reschedule();
    return ret;
}

uint16_t adc_ref_internal(const struct device *dev)
{
    (void)dev;
    return REFERENCE_MV;
}

int adc_gain_invert(enum adc_gain gain, int32_t *value)
{
    if (gain > ADC_GAIN_4)
        return -EINVAL;
    *value = (int32_t)((int64_t)*value * factors[gain].down / factors[gain].up);
    return 0;
}

int adc_raw_to_millivolts(int32_t ref_mv, enum adc_gain gain, uint8_t resolution, int32_t *valp)
{
    int32_t millivolts = *valp * ref_mv;
    int ret = adc_gain_invert(gain, &millivolts);
    if (!ret)
        *valp = millivolts >> resolution;
    return ret;
}

int adc_raw_to_millivolts_dt(const struct adc_dt_spec *spec, int32_t *valp)
{
    return adc_raw_to_millivolts(spec->vref_mv, spec->channel_cfg.gain, spec->resolution, valp);
}

static int init(const struct device *dev)
{
    (void)dev;
    return 0;
}

DEVICE_DT_DEFINE(DT_NODELABEL(adc0), init, NULL, NULL, NULL, POST_KERNEL, CONFIG_ADC_INIT_PRIORITY, factors);
