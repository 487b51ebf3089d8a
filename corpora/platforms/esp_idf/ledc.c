/* LED control: four timers, eight channels, and fades that run by themselves. */
#include "esp.h"

#include "driver/ledc.h"

#define SOURCE_HZ 80000000u
#define MOST_DIVIDER 1023u /* its integer part has 10 bits */

static struct timer {
    bool configured, paused;
    uint32_t freq, bits;
} timers[LEDC_TIMER_MAX];

static struct channel {
    bool configured, stopped, inverted;
    int gpio, hpoint;
    ledc_timer_t timer;
    uint32_t wanted, duty, idle;
    uint32_t fade_from, fade_to, planned_to; /* a fade that runs, and one that was set and not started */
    int64_t fade_begin, fade_ns, planned_ns;
    bool fading, planned;
    fb_event *end;
    fb_queue waiting;
    ledc_cb_t callback;
    void *callback_argument;
    esp_pwm shown;
} channels[LEDC_CHANNEL_MAX];
static bool fades;

static uint32_t duty_now(const struct channel *c)
{
    if (!c->fading)
        return c->duty;
    int64_t gone = fb_now() - c->fade_begin;
    int64_t change = (int64_t)c->fade_to - c->fade_from;
    return (uint32_t)(c->fade_from + (gone >= c->fade_ns ? change : change * gone / c->fade_ns));
}

static esp_pwm pwm_of(const struct channel *c)
{
    const struct timer *t = &timers[c->timer];
    if (!c->configured || c->stopped || !t->configured || t->paused)
        return (esp_pwm){0};
    int64_t period = FB_S(1) / t->freq;
    uint32_t duty = duty_now(c), whole = 1u << t->bits;
    int64_t high = period * (duty > whole ? whole : duty) / whole;
    return (esp_pwm){true, period, c->inverted ? period - high : high};
}

esp_pwm esp_pin_pwm(int gpio)
{
    for (int i = LEDC_CHANNEL_MAX - 1; i >= 0; i--)
        if (channels[i].configured && channels[i].gpio == gpio)
            return pwm_of(&channels[i]);
    return (esp_pwm){0};
}

void esp_pwm_pins_changed(void)
{
    for (int i = 0; i < LEDC_CHANNEL_MAX; i++) {
        struct channel *c = &channels[i];
        esp_pwm now = pwm_of(c);
        if (!c->configured || (now.on == c->shown.on && now.period_ns == c->shown.period_ns && now.high_ns == c->shown.high_ns))
            continue;
        c->shown = now;
        if (now.on)
            fb_trace("pwm", "GPIO%d period %lld high %lld", c->gpio, (long long)now.period_ns, (long long)now.high_ns);
        else
            fb_trace("pwm", "GPIO%d off", c->gpio);
    }
}

/* ---- timers ---- */

static bool mode_ok(ledc_mode_t mode, unsigned index, unsigned most, const char *call)
{
    fb_spend(ESP_CALL_NS);
    if (mode == LEDC_LOW_SPEED_MODE && index < most)
        return true;
    esp_refuse(ESP_ERR_INVALID_ARG, call, "no such speed mode, timer or channel");
    return false;
}

static bool reachable(uint32_t freq, uint32_t bits)
{
    uint64_t counts = (uint64_t)freq << bits;
    return counts && counts <= SOURCE_HZ && SOURCE_HZ / counts <= MOST_DIVIDER;
}

esp_err_t ledc_timer_config(const ledc_timer_config_t *config)
{
    static const char call[] = "ledc_timer_config";
    if (!config || !mode_ok(config->speed_mode, config->timer_num, LEDC_TIMER_MAX, call))
        return ESP_ERR_INVALID_ARG;
    struct timer *t = &timers[config->timer_num];
    if (config->deconfigure) {
        t->configured = false;
        esp_pwm_pins_changed();
        return ESP_OK;
    }
    if (config->freq_hz == 0 || config->duty_resolution < 1 || config->duty_resolution >= LEDC_TIMER_BIT_MAX)
        return esp_refuse(ESP_ERR_INVALID_ARG, call, "frequency 0 or a resolution of 0 or above 14 bits");
    if (!reachable(config->freq_hz, config->duty_resolution))
        return esp_refuse(ESP_FAIL, call, "no divider gives this frequency with this resolution");
    *t = (struct timer){.configured = true, .freq = config->freq_hz, .bits = config->duty_resolution};
    esp_pwm_pins_changed();
    return ESP_OK;
}

esp_err_t ledc_set_freq(ledc_mode_t mode, ledc_timer_t timer, uint32_t freq)
{
    if (!mode_ok(mode, timer, LEDC_TIMER_MAX, "ledc_set_freq"))
        return ESP_ERR_INVALID_ARG;
    if (!timers[timer].configured || !reachable(freq, timers[timer].bits))
        return esp_refuse(ESP_FAIL, "ledc_set_freq", "no divider gives this frequency with this resolution");
    timers[timer].freq = freq;
    esp_pwm_pins_changed();
    return ESP_OK;
}

uint32_t ledc_get_freq(ledc_mode_t mode, ledc_timer_t timer)
{
    return mode_ok(mode, timer, LEDC_TIMER_MAX, "ledc_get_freq") && timers[timer].configured ? timers[timer].freq : 0;
}

static esp_err_t pause(ledc_mode_t mode, ledc_timer_t timer, bool paused)
{
    if (!mode_ok(mode, timer, LEDC_TIMER_MAX, "ledc_timer_pause"))
        return ESP_ERR_INVALID_ARG;
    timers[timer].paused = paused;
    esp_pwm_pins_changed();
    return ESP_OK;
}

esp_err_t ledc_timer_pause(ledc_mode_t mode, ledc_timer_t timer) { return pause(mode, timer, true); }
esp_err_t ledc_timer_resume(ledc_mode_t mode, ledc_timer_t timer) { return pause(mode, timer, false); }

esp_err_t ledc_timer_rst(ledc_mode_t mode, ledc_timer_t timer)
{
    return mode_ok(mode, timer, LEDC_TIMER_MAX, "ledc_timer_rst") ? ESP_OK : ESP_ERR_INVALID_ARG;
}

uint32_t ledc_find_suitable_duty_resolution(uint32_t source, uint32_t freq)
{
    for (uint32_t bits = LEDC_TIMER_BIT_MAX - 1; bits > 0 && freq; bits--)
        if ((uint64_t)freq << bits <= source)
            return bits;
    return 0;
}

/* ---- channels ---- */

static struct channel *find(ledc_mode_t mode, ledc_channel_t channel, const char *call)
{
    if (!mode_ok(mode, channel, LEDC_CHANNEL_MAX, call))
        return NULL;
    if (!channels[channel].configured) {
        esp_refuse(ESP_ERR_INVALID_STATE, call, "ledc_channel_config comes first");
        return NULL;
    }
    return &channels[channel];
}

esp_err_t ledc_channel_config(const ledc_channel_config_t *config)
{
    static const char call[] = "ledc_channel_config";
    if (!config || !mode_ok(config->speed_mode, config->channel, LEDC_CHANNEL_MAX, call))
        return ESP_ERR_INVALID_ARG;
    if (!esp_pin_exists(config->gpio_num) || (unsigned)config->timer_sel >= LEDC_TIMER_MAX)
        return esp_refuse(ESP_ERR_INVALID_ARG, call, "no such pin or timer");
    struct channel *c = &channels[config->channel];
    *c = (struct channel){.configured = true,
                          .gpio = config->gpio_num,
                          .timer = config->timer_sel,
                          .wanted = config->duty,
                          .duty = config->duty,
                          .hpoint = config->hpoint,
                          .inverted = config->flags.output_invert,
                          .callback = c->callback,
                          .callback_argument = c->callback_argument};
    esp_pin_give(config->gpio_num, "ledc");
    esp_pwm_pins_changed();
    return ESP_OK;
}

/* The hardware changes no duty during a fade, so the driver waits for its end. */
static void await_fade(struct channel *c, const char *call)
{
    while (c->fading && fb_rtos_block(&c->waiting, FB_FOREVER, call)) {
    }
}

esp_err_t ledc_set_duty_with_hpoint(ledc_mode_t mode, ledc_channel_t channel, uint32_t duty, uint32_t hpoint)
{
    struct channel *c = find(mode, channel, "ledc_set_duty");
    if (!c)
        return ESP_ERR_INVALID_ARG;
    await_fade(c, "ledc_set_duty");
    c->wanted = duty;
    c->hpoint = (int)hpoint;
    return ESP_OK;
}

esp_err_t ledc_set_duty(ledc_mode_t mode, ledc_channel_t channel, uint32_t duty)
{
    return ledc_set_duty_with_hpoint(mode, channel, duty, 0);
}

esp_err_t ledc_update_duty(ledc_mode_t mode, ledc_channel_t channel)
{
    struct channel *c = find(mode, channel, "ledc_update_duty");
    if (!c)
        return ESP_ERR_INVALID_ARG;
    c->duty = c->wanted;
    c->stopped = false;
    esp_pwm_pins_changed();
    return ESP_OK;
}

esp_err_t ledc_set_duty_and_update(ledc_mode_t mode, ledc_channel_t channel, uint32_t duty, uint32_t hpoint)
{
    if (!fades)
        return esp_refuse(ESP_ERR_INVALID_STATE, "ledc_set_duty_and_update", "ledc_fade_func_install comes first");
    esp_err_t error = ledc_set_duty_with_hpoint(mode, channel, duty, hpoint);
    return error == ESP_OK ? ledc_update_duty(mode, channel) : error;
}

uint32_t ledc_get_duty(ledc_mode_t mode, ledc_channel_t channel)
{
    const struct channel *c = find(mode, channel, "ledc_get_duty");
    return c ? duty_now(c) : LEDC_ERR_DUTY;
}

int ledc_get_hpoint(ledc_mode_t mode, ledc_channel_t channel)
{
    const struct channel *c = find(mode, channel, "ledc_get_hpoint");
    return c ? c->hpoint : LEDC_ERR_VAL;
}

esp_err_t ledc_stop(ledc_mode_t mode, ledc_channel_t channel, uint32_t idle)
{
    struct channel *c = find(mode, channel, "ledc_stop");
    if (!c)
        return ESP_ERR_INVALID_ARG;
    c->stopped = true;
    c->idle = idle;
    esp_pwm_pins_changed();
    return ESP_OK;
}

esp_err_t ledc_bind_channel_timer(ledc_mode_t mode, ledc_channel_t channel, ledc_timer_t timer)
{
    struct channel *c = find(mode, channel, "ledc_bind_channel_timer");
    if (!c || (unsigned)timer >= LEDC_TIMER_MAX)
        return ESP_ERR_INVALID_ARG;
    c->timer = timer;
    esp_pwm_pins_changed();
    return ESP_OK;
}

/* ---- fades ---- */

esp_err_t ledc_fade_func_install(int flags)
{
    (void)flags;
    if (!esp_enter("ledc_fade_func_install"))
        return ESP_FAIL;
    if (fades)
        return esp_refuse(ESP_ERR_INVALID_STATE, "ledc_fade_func_install", "it is already installed");
    fades = true;
    return ESP_OK;
}

void ledc_fade_func_uninstall(void) { fades = false; }

static void fade_interrupt(void *argument)
{
    struct channel *c = argument;
    BaseType_t woken = pdFALSE;
    while (fb_rtos_wake(&c->waiting, &woken)) {
    }
    if (c->callback) {
        ledc_cb_param_t param = {LEDC_FADE_END_EVT, LEDC_LOW_SPEED_MODE, (uint32_t)(c - channels), c->duty};
        if (c->callback(&param, c->callback_argument))
            woken = pdTRUE;
    }
    portYIELD_FROM_ISR(woken);
}

static void fade_ended(void *argument)
{
    struct channel *c = argument;
    c->duty = c->wanted = c->fade_to;
    c->fading = false;
    esp_pwm_pins_changed();
    fb_irq("ledc", ESP_IRQ_PRIORITY, fade_interrupt, c);
}

esp_err_t ledc_set_fade_with_time(ledc_mode_t mode, ledc_channel_t channel, uint32_t target, int ms)
{
    static const char call[] = "ledc_set_fade_with_time";
    struct channel *c = find(mode, channel, call);
    if (!c || ms < 0)
        return ESP_ERR_INVALID_ARG;
    if (!fades)
        return esp_refuse(ESP_ERR_INVALID_STATE, call, "ledc_fade_func_install comes first");
    if (target > 1u << timers[c->timer].bits)
        return esp_refuse(ESP_ERR_INVALID_ARG, call, "the duty is above its resolution");
    await_fade(c, call);
    c->planned_to = target;
    c->planned_ns = FB_MS(ms);
    c->planned = true;
    return ESP_OK;
}

esp_err_t ledc_set_fade_with_step(ledc_mode_t mode, ledc_channel_t channel, uint32_t target, uint32_t scale,
                                  uint32_t cycles)
{
    struct channel *c = find(mode, channel, "ledc_set_fade_with_step");
    if (!c || scale == 0 || cycles == 0)
        return ESP_ERR_INVALID_ARG;
    uint32_t from = duty_now(c), distance = target > from ? target - from : from - target;
    int64_t ns = (int64_t)(distance / scale) * cycles * (FB_S(1) / timers[c->timer].freq);
    return ledc_set_fade_with_time(mode, channel, target, (int)(ns / 1000000));
}

esp_err_t ledc_fade_start(ledc_mode_t mode, ledc_channel_t channel, ledc_fade_mode_t wait)
{
    static const char call[] = "ledc_fade_start";
    struct channel *c = find(mode, channel, call);
    if (!c)
        return ESP_ERR_INVALID_ARG;
    if (!fades || !c->planned)
        return esp_refuse(ESP_ERR_INVALID_STATE, call, "the fade functions are not installed, or no fade was set");
    await_fade(c, call);
    c->planned = false;
    c->fade_from = c->duty;
    c->fade_to = c->planned_to;
    c->fade_begin = fb_now();
    c->fade_ns = c->planned_ns > 0 ? c->planned_ns : FB_S(1) / timers[c->timer].freq;
    c->fading = true;
    c->stopped = false;
    c->end = fb_at(fb_now() + c->fade_ns, fade_ended, c);
    fb_trace("fade", "GPIO%d to %u in %lld ms", c->gpio, c->fade_to, (long long)(c->fade_ns / 1000000));
    if (wait == LEDC_FADE_WAIT_DONE)
        await_fade(c, call);
    return ESP_OK;
}

esp_err_t ledc_fade_stop(ledc_mode_t mode, ledc_channel_t channel)
{
    struct channel *c = find(mode, channel, "ledc_fade_stop");
    if (!c)
        return ESP_ERR_INVALID_ARG;
    if (c->fading) {
        c->duty = c->wanted = duty_now(c);
        c->fading = false;
        fb_cancel(c->end);
        fb_wake_all(&c->waiting);
        esp_pwm_pins_changed();
    }
    return ESP_OK;
}

esp_err_t ledc_set_fade_time_and_start(ledc_mode_t mode, ledc_channel_t channel, uint32_t target, uint32_t ms,
                                       ledc_fade_mode_t wait)
{
    esp_err_t error = ledc_set_fade_with_time(mode, channel, target, (int)ms);
    return error == ESP_OK ? ledc_fade_start(mode, channel, wait) : error;
}

esp_err_t ledc_cb_register(ledc_mode_t mode, ledc_channel_t channel, ledc_cbs_t *callbacks, void *argument)
{
    if (!mode_ok(mode, channel, LEDC_CHANNEL_MAX, "ledc_cb_register") || !callbacks)
        return ESP_ERR_INVALID_ARG;
    if (!fades)
        return esp_refuse(ESP_ERR_INVALID_STATE, "ledc_cb_register", "ledc_fade_func_install comes first");
    channels[channel].callback = callbacks->fade_cb;
    channels[channel].callback_argument = argument;
    return ESP_OK;
}
