/* Continuous conversion: frames that a DMA fills, and a pool that a task reads from. */
#include "adc.h"

#include <stdlib.h>
#include <string.h>

#include "esp_adc/adc_continuous.h"
#include "esp_adc/adc_oneshot.h"

#define HANDLE_MAGIC 0x41444343u
#define RESULT SOC_ADC_DIGI_RESULT_BYTES
#define MOST_PATTERN 24

struct adc_continuous_ctx_t {
    uint32_t magic;
    adc_continuous_handle_cfg_t config;
    adc_digi_pattern_config_t pattern[MOST_PATTERN];
    uint32_t pattern_count, next_pattern, frequency;
    adc_continuous_evt_cbs_t callbacks;
    void *argument;
    bool configured, running, full;
    uint8_t *frame, *pool;
    uint32_t pool_used;
    int64_t next_frame;
    fb_event *event;
    fb_queue readers;
};

static bool usable(adc_continuous_handle_t h, const char *call)
{
    return esp_enter(call) && fb_rtos_is(h, HANDLE_MAGIC, call, "ADC handle that exists");
}

esp_err_t adc_continuous_new_handle(const adc_continuous_handle_cfg_t *config, adc_continuous_handle_t *out)
{
    static const char call[] = "adc_continuous_new_handle";
    if (!esp_enter(call) || !config || !out)
        return ESP_ERR_INVALID_ARG;
    if (config->conv_frame_size == 0 || config->conv_frame_size % RESULT ||
        config->max_store_buf_size < config->conv_frame_size)
        return esp_refuse(ESP_ERR_INVALID_ARG, call, "a frame is a multiple of 4 bytes and not above the store");
    if (!fb_adc_claim(ADC_UNIT_1))
        return esp_refuse(ESP_ERR_NOT_FOUND, call, "the unit is in use");
    adc_continuous_handle_t h = calloc(1, sizeof *h);
    h->magic = HANDLE_MAGIC;
    h->config = *config;
    h->frame = malloc(config->conv_frame_size);
    h->pool = malloc(config->max_store_buf_size);
    *out = h;
    return ESP_OK;
}

esp_err_t adc_continuous_config(adc_continuous_handle_t h, const adc_continuous_config_t *config)
{
    static const char call[] = "adc_continuous_config";
    if (!usable(h, call) || !config || !config->adc_pattern)
        return ESP_ERR_INVALID_ARG;
    if (h->running)
        return esp_refuse(ESP_ERR_INVALID_STATE, call, "the conversion runs");
    if (config->pattern_num == 0 || config->pattern_num > MOST_PATTERN ||
        config->sample_freq_hz < SOC_ADC_SAMPLE_FREQ_THRES_LOW || config->sample_freq_hz > SOC_ADC_SAMPLE_FREQ_THRES_HIGH)
        return esp_refuse(ESP_ERR_INVALID_ARG, call, "1 to 24 patterns at 611 to 83333 Hz");
    if (config->format != ADC_DIGI_OUTPUT_FORMAT_TYPE2)
        return esp_refuse(ESP_ERR_INVALID_ARG, call, "this chip gives results of type 2");
    for (uint32_t i = 0; i < config->pattern_num; i++) {
        const adc_digi_pattern_config_t *p = &config->adc_pattern[i];
        if (p->channel > 9 || p->unit > ADC_UNIT_2 || p->atten > ADC_ATTEN_DB_12 || p->bit_width != SOC_ADC_DIGI_MAX_BITWIDTH)
            return esp_refuse(ESP_ERR_INVALID_ARG, call, "a pattern names a channel, unit or width that does not exist");
        h->pattern[i] = *p;
    }
    h->pattern_count = config->pattern_num;
    h->frequency = config->sample_freq_hz;
    h->configured = true;
    return ESP_OK;
}

esp_err_t adc_continuous_register_event_callbacks(adc_continuous_handle_t h, const adc_continuous_evt_cbs_t *callbacks,
                                                  void *argument)
{
    static const char call[] = "adc_continuous_register_event_callbacks";
    if (!usable(h, call) || !callbacks)
        return ESP_ERR_INVALID_ARG;
    if (h->running)
        return esp_refuse(ESP_ERR_INVALID_STATE, call, "the conversion runs");
    h->callbacks = *callbacks;
    h->argument = argument;
    return ESP_OK;
}

static void frame_interrupt(void *argument)
{
    adc_continuous_handle_t h = argument;
    BaseType_t woken = pdFALSE;
    adc_continuous_evt_data_t data = {h->frame, h->config.conv_frame_size};
    fb_rtos_wake(&h->readers, &woken);
    if (h->full && h->callbacks.on_pool_ovf)
        woken |= h->callbacks.on_pool_ovf(h, &data, h->argument);
    if (h->callbacks.on_conv_done)
        woken |= h->callbacks.on_conv_done(h, &data, h->argument);
    portYIELD_FROM_ISR(woken);
}

static int64_t frame_ns(adc_continuous_handle_t h)
{
    return FB_S(1) * (h->config.conv_frame_size / RESULT) / h->frequency;
}

static void frame_done(void *argument)
{
    adc_continuous_handle_t h = argument;
    uint32_t size = h->config.conv_frame_size;
    for (uint32_t at = 0; at < size; at += RESULT) {
        const adc_digi_pattern_config_t *p = &h->pattern[h->next_pattern];
        h->next_pattern = (h->next_pattern + 1) % h->pattern_count;
        adc_digi_output_data_t result = {.val = 0};
        result.type2.data = (uint32_t)fb_adc_raw(p->unit, p->channel, p->atten) & 0xFFF;
        result.type2.channel = p->channel & 0xF;
        result.type2.unit = p->unit & 1;
        memcpy(h->frame + at, &result, RESULT);
    }
    h->full = h->pool_used + size > h->config.max_store_buf_size;
    if (h->full && h->config.flags.flush_pool)
        h->pool_used = 0;
    if (!h->full || h->config.flags.flush_pool) {
        memcpy(h->pool + h->pool_used, h->frame, size);
        h->pool_used += size;
    } else {
        fb_trace("adc_pool", "overflow");
    }
    h->next_frame += frame_ns(h);
    h->event = fb_at(h->next_frame, frame_done, h);
    fb_irq("adc", ESP_IRQ_PRIORITY, frame_interrupt, h);
}

esp_err_t adc_continuous_start(adc_continuous_handle_t h)
{
    static const char call[] = "adc_continuous_start";
    if (!usable(h, call))
        return ESP_ERR_INVALID_STATE;
    if (!h->configured || h->running)
        return esp_refuse(ESP_ERR_INVALID_STATE, call, "it is not configured, or runs");
    h->running = true;
    h->next_pattern = 0;
    h->next_frame = fb_now() + frame_ns(h);
    h->event = fb_at(h->next_frame, frame_done, h);
    return ESP_OK;
}

esp_err_t adc_continuous_read(adc_continuous_handle_t h, uint8_t *buffer, uint32_t most, uint32_t *length,
                              uint32_t timeout_ms)
{
    static const char call[] = "adc_continuous_read";
    if (!usable(h, call) || !buffer || !length || most % RESULT)
        return ESP_ERR_INVALID_ARG;
    *length = 0;
    if (!h->running)
        return esp_refuse(ESP_ERR_INVALID_STATE, call, "it was not started");
    int64_t until = timeout_ms == ADC_MAX_DELAY ? FB_FOREVER : fb_rtos_deadline(pdMS_TO_TICKS(timeout_ms));
    while (h->pool_used == 0)
        if (timeout_ms == 0 || (!fb_rtos_block(&h->readers, until, call) && h->pool_used == 0))
            return ESP_ERR_TIMEOUT;
    uint32_t size = h->pool_used < most ? h->pool_used : most;
    memcpy(buffer, h->pool, size);
    memmove(h->pool, h->pool + size, h->pool_used - size);
    h->pool_used -= size;
    *length = size;
    return ESP_OK;
}

esp_err_t adc_continuous_stop(adc_continuous_handle_t h)
{
    if (!usable(h, "adc_continuous_stop") || !h->running)
        return ESP_ERR_INVALID_STATE;
    h->running = false;
    fb_cancel(h->event);
    return ESP_OK;
}

esp_err_t adc_continuous_flush_pool(adc_continuous_handle_t h)
{
    if (!usable(h, "adc_continuous_flush_pool") || h->running)
        return ESP_ERR_INVALID_STATE;
    h->pool_used = 0;
    return ESP_OK;
}

esp_err_t adc_continuous_deinit(adc_continuous_handle_t h)
{
    if (!usable(h, "adc_continuous_deinit") || h->running)
        return ESP_ERR_INVALID_STATE;
    h->magic = 0;
    fb_adc_unclaim(ADC_UNIT_1);
    return ESP_OK;
}

esp_err_t adc_continuous_io_to_channel(int gpio, adc_unit_t *unit, adc_channel_t *channel)
{
    return adc_oneshot_io_to_channel(gpio, unit, channel);
}

esp_err_t adc_continuous_channel_to_io(adc_unit_t unit, adc_channel_t channel, int *gpio)
{
    return adc_oneshot_channel_to_io(unit, channel, gpio);
}
