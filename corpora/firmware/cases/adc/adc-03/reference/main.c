#include <errno.h>
#include <zephyr/device.h>
#include <zephyr/devicetree.h>
#include <zephyr/drivers/adc.h>
#include <zephyr/kernel.h>
#include <zephyr/sys/util.h>

#define SAMPLES 9
#define DIVIDER 2

#define LOW_BELOW 3500
#define EMPTY_BELOW 3200
#define NOT_EMPTY_FROM 3400
#define OK_FROM 3600

enum battery_state { BATTERY_OK, BATTERY_LOW, BATTERY_EMPTY };

static const struct adc_dt_spec channel = ADC_DT_SPEC_GET_BY_IDX(DT_PATH(zephyr_user), 0);

static K_MUTEX_DEFINE(lock);
static enum battery_state state = BATTERY_OK;

static int16_t median(int16_t *values)
{
	for (size_t i = 1; i < SAMPLES; i++) {
		int16_t value = values[i];
		size_t at = i;

		while (at > 0 && values[at - 1] > value) {
			values[at] = values[at - 1];
			at--;
		}
		values[at] = value;
	}
	return values[SAMPLES / 2];
}

static enum battery_state next_state(enum battery_state now, int32_t millivolts)
{
	if (millivolts < EMPTY_BELOW || (now == BATTERY_EMPTY && millivolts < NOT_EMPTY_FROM)) {
		return BATTERY_EMPTY;
	}
	if (millivolts < LOW_BELOW || (now != BATTERY_OK && millivolts < OK_FROM)) {
		return BATTERY_LOW;
	}
	return BATTERY_OK;
}

int battery_init(void)
{
	if (!adc_is_ready_dt(&channel)) {
		return -ENODEV;
	}
	return adc_channel_setup_dt(&channel);
}

int battery_measure(int32_t *millivolts)
{
	int16_t samples[SAMPLES];
	const struct adc_sequence_options options = {.extra_samplings = SAMPLES - 1};
	struct adc_sequence sequence = {
		.options = &options,
		.buffer = samples,
		.buffer_size = sizeof(samples),
	};
	int32_t value;
	int ret;

	k_mutex_lock(&lock, K_FOREVER);
	ret = adc_sequence_init_dt(&channel, &sequence);
	if (ret == 0) {
		ret = adc_read_dt(&channel, &sequence);
	}
	if (ret == 0) {
		value = median(samples);
		ret = adc_raw_to_millivolts_dt(&channel, &value);
	}
	if (ret == 0) {
		*millivolts = value * DIVIDER;
		state = next_state(state, *millivolts);
	}
	k_mutex_unlock(&lock);
	return ret;
}

enum battery_state battery_state(void)
{
	return state;
}
