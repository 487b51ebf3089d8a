/* Single conversions and their calibration. */
#include "adc.h"

#include <stdlib.h>

#include "esp_adc/adc_cali_scheme.h"
#include "esp_adc/adc_oneshot.h"

#define UNIT_MAGIC 0x41444355u
#define SCHEME_MAGIC 0x41444353u
#define CONVERSION_NS 25000
/* Of this specimen: what an ideal converter would read is multiplied and shifted. */
#define GAIN_PERMILLE 962
#define OFFSET 14

static const int full_scale_mv[4] = {950, 1250, 1750, 3100};

static struct input {
    int fixed;
    int (*signal)(int64_t now);
} inputs[21]; /* by GPIO, 1 to 20 */
static size_t conversions;
static unsigned failing;

struct adc_oneshot_unit_ctx_t {
    uint32_t magic;
    adc_unit_t unit;
    adc_oneshot_chan_cfg_t channels[10];
    bool configured[10];
    bool busy;
};

struct adc_cali_scheme_t {
    uint32_t magic;
    adc_cali_curve_fitting_config_t config;
};

static adc_oneshot_unit_handle_t units[2];
static bool claimed[2]; /* by the continuous driver */

void esp_adc_input(int gpio, int millivolts) { inputs[gpio].fixed = millivolts; }
void esp_adc_signal(int gpio, int (*millivolts)(int64_t)) { inputs[gpio].signal = millivolts; }
void esp_adc_fail_next(unsigned count) { failing = count; }
size_t esp_adc_conversions(void) { return conversions; }

int fb_adc_raw(adc_unit_t unit, unsigned channel, adc_atten_t atten)
{
    const struct input *in = &inputs[1 + channel + (unit == ADC_UNIT_2 ? 10 : 0)];
    int mv = in->signal ? in->signal(fb_now()) : in->fixed;
    int raw = mv * 4095 / full_scale_mv[atten] * GAIN_PERMILLE / 1000 + OFFSET;
    conversions++;
    return raw < 0 ? 0 : raw > 4095 ? 4095 : raw;
}

bool fb_adc_claim(adc_unit_t unit)
{
    if (claimed[unit] || units[unit])
        return false;
    claimed[unit] = true;
    return true;
}

void fb_adc_unclaim(adc_unit_t unit) { claimed[unit] = false; }

static bool is_unit(adc_oneshot_unit_handle_t unit, const char *call)
{
    return fb_rtos_is(unit, UNIT_MAGIC, call, "ADC unit that exists");
}

esp_err_t adc_oneshot_new_unit(const adc_oneshot_unit_init_cfg_t *config, adc_oneshot_unit_handle_t *out)
{
    static const char call[] = "adc_oneshot_new_unit";
    if (!esp_enter(call) || !config || !out || (unsigned)config->unit_id > ADC_UNIT_2)
        return ESP_ERR_INVALID_ARG;
    if (units[config->unit_id] || claimed[config->unit_id])
        return esp_refuse(ESP_ERR_NOT_FOUND, call, "the unit is in use");
    adc_oneshot_unit_handle_t unit = calloc(1, sizeof *unit);
    unit->magic = UNIT_MAGIC;
    unit->unit = config->unit_id;
    *out = units[config->unit_id] = unit;
    return ESP_OK;
}

esp_err_t adc_oneshot_config_channel(adc_oneshot_unit_handle_t unit, adc_channel_t channel,
                                     const adc_oneshot_chan_cfg_t *config)
{
    static const char call[] = "adc_oneshot_config_channel";
    if (!esp_enter(call) || !is_unit(unit, call) || !config || (unsigned)channel > 9)
        return ESP_ERR_INVALID_ARG;
    if ((unsigned)config->atten > ADC_ATTEN_DB_12 ||
        (config->bitwidth != ADC_BITWIDTH_DEFAULT && config->bitwidth != ADC_BITWIDTH_12))
        return esp_refuse(ESP_ERR_INVALID_ARG, call, "the chip has 12 bits and four attenuations");
    unit->channels[channel] = *config;
    unit->configured[channel] = true;
    return ESP_OK;
}

static esp_err_t read(adc_oneshot_unit_handle_t unit, adc_channel_t channel, int *raw, const char *call)
{
    if (!is_unit(unit, call) || !raw || (unsigned)channel > 9)
        return ESP_ERR_INVALID_ARG;
    if (!unit->configured[channel])
        return esp_refuse(ESP_ERR_INVALID_ARG, call, "adc_oneshot_config_channel comes first");
    unit->busy = true;
    fb_spend(CONVERSION_NS);
    unit->busy = false;
    if (failing) {
        failing--;
        return ESP_ERR_TIMEOUT;
    }
    *raw = fb_adc_raw(unit->unit, channel, unit->channels[channel].atten);
    return ESP_OK;
}

esp_err_t adc_oneshot_read(adc_oneshot_unit_handle_t unit, adc_channel_t channel, int *raw)
{
    return esp_enter("adc_oneshot_read") ? read(unit, channel, raw, "adc_oneshot_read") : ESP_FAIL;
}

esp_err_t adc_oneshot_read_isr(adc_oneshot_unit_handle_t unit, adc_channel_t channel, int *raw)
{
    if (unit && unit->busy)
        return ESP_ERR_TIMEOUT;
    return read(unit, channel, raw, "adc_oneshot_read_isr");
}

esp_err_t adc_oneshot_del_unit(adc_oneshot_unit_handle_t unit)
{
    if (!esp_enter("adc_oneshot_del_unit") || !is_unit(unit, "adc_oneshot_del_unit"))
        return ESP_ERR_INVALID_ARG;
    unit->magic = 0;
    units[unit->unit] = NULL;
    return ESP_OK;
}

esp_err_t adc_oneshot_io_to_channel(int gpio, adc_unit_t *unit, adc_channel_t *channel)
{
    if (gpio < 0 || !unit || !channel)
        return ESP_ERR_INVALID_ARG;
    if (gpio < 1 || gpio > 20)
        return ESP_ERR_NOT_FOUND;
    *unit = gpio <= 10 ? ADC_UNIT_1 : ADC_UNIT_2;
    *channel = (adc_channel_t)((gpio - 1) % 10);
    return ESP_OK;
}

esp_err_t adc_oneshot_channel_to_io(adc_unit_t unit, adc_channel_t channel, int *gpio)
{
    if ((unsigned)unit > ADC_UNIT_2 || (unsigned)channel > 9 || !gpio)
        return ESP_ERR_INVALID_ARG;
    *gpio = 1 + (int)channel + (unit == ADC_UNIT_2 ? 10 : 0);
    return ESP_OK;
}

/* ---- calibration ---- */

esp_err_t adc_cali_check_scheme(adc_cali_scheme_ver_t *mask)
{
    if (!mask)
        return ESP_ERR_INVALID_ARG;
    *mask = ADC_CALI_SCHEME_VER_CURVE_FITTING;
    return ESP_OK;
}

esp_err_t adc_cali_create_scheme_curve_fitting(const adc_cali_curve_fitting_config_t *config, adc_cali_handle_t *out)
{
    static const char call[] = "adc_cali_create_scheme_curve_fitting";
    if (!esp_enter(call) || !config || !out || (unsigned)config->unit_id > ADC_UNIT_2 ||
        (unsigned)config->atten > ADC_ATTEN_DB_12)
        return ESP_ERR_INVALID_ARG;
    if (config->bitwidth != ADC_BITWIDTH_DEFAULT && config->bitwidth != ADC_BITWIDTH_12)
        return esp_refuse(ESP_ERR_INVALID_ARG, call, "the chip has 12 bits");
    adc_cali_handle_t scheme = calloc(1, sizeof *scheme);
    *scheme = (struct adc_cali_scheme_t){SCHEME_MAGIC, *config};
    *out = scheme;
    return ESP_OK;
}

esp_err_t adc_cali_delete_scheme_curve_fitting(adc_cali_handle_t scheme)
{
    if (!fb_rtos_is(scheme, SCHEME_MAGIC, "adc_cali_delete_scheme_curve_fitting", "calibration scheme that exists"))
        return ESP_ERR_INVALID_ARG;
    scheme->magic = 0;
    return ESP_OK;
}

esp_err_t adc_cali_raw_to_voltage(adc_cali_handle_t scheme, int raw, int *voltage)
{
    if (!fb_rtos_is(scheme, SCHEME_MAGIC, "adc_cali_raw_to_voltage", "calibration scheme that exists") || !voltage)
        return ESP_ERR_INVALID_ARG;
    fb_spend(ESP_CALL_NS);
    int full = full_scale_mv[scheme->config.atten];
    *voltage = (int)(((int64_t)(raw - OFFSET) * 1000 * full / GAIN_PERMILLE + 4095 / 2) / 4095);
    return ESP_OK;
}

esp_err_t adc_oneshot_get_calibrated_result(adc_oneshot_unit_handle_t unit, adc_cali_handle_t scheme,
                                            adc_channel_t channel, int *result)
{
    int raw;
    esp_err_t error = adc_oneshot_read(unit, channel, &raw);
    return error == ESP_OK ? adc_cali_raw_to_voltage(scheme, raw, result) : error;
}
