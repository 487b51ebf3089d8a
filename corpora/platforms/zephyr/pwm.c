/* Four PWM channels that count microseconds. */
#include <zephyr/drivers/pwm.h>

#include "fb_pwm.h"
#include "injection.h"
#include "sim.h"

#define CHANNELS 4
#define CYCLES_PER_SECOND 1000000
#define CYCLE_NS 1000
#define MOST_CYCLES 1000000 /* a second */

static int64_t periods[CHANNELS], pulses[CHANNELS] = {-1, -1, -1, -1};
static void (*changed)(unsigned channel, int64_t period, int64_t pulse);
static injection fault;

int64_t fb_pwm_pulse(unsigned channel)
{
    return pulses[channel];
}

int64_t fb_pwm_period(unsigned channel)
{
    return periods[channel];
}

void fb_pwm_on_change(void (*fn)(unsigned channel, int64_t period, int64_t pulse))
{
    changed = fn;
}

void fb_pwm_fail(unsigned skip, unsigned count, int error)
{
    fault = (injection){skip, count, error};
}

int pwm_get_cycles_per_sec(const struct device *dev, uint32_t channel, uint64_t *cycles)
{
    (void)dev;
    *cycles = CYCLES_PER_SECOND;
    return channel < CHANNELS ? 0 : -EINVAL;
}

int pwm_set_cycles(const struct device *dev, uint32_t channel, uint32_t period, uint32_t pulse, pwm_flags_t flags)
{
    (void)dev;
    int ret = channel >= CHANNELS || !period || pulse > period ? -EINVAL : period > MOST_CYCLES ? -ENOTSUP : 0;
    if (!ret)
        ret = injected(&fault);
    fb_trace("pwm", "%u period %lld pulse %lld inverted %d: %d", channel, (long long)period * CYCLE_NS,
             (long long)pulse * CYCLE_NS, flags & PWM_POLARITY_MASK, ret);
    fb_spend(FB_US(2));
    if (ret)
        return ret;
    periods[channel] = (int64_t)period * CYCLE_NS;
    pulses[channel] = (int64_t)pulse * CYCLE_NS;
    if (changed)
        changed(channel, periods[channel], pulses[channel]);
    return 0;
}

static int init(const struct device *dev)
{
    (void)dev;
    return 0;
}

DEVICE_DT_DEFINE(DT_NODELABEL(pwm0), init, NULL, NULL, NULL, POST_KERNEL, CONFIG_PWM_INIT_PRIORITY, periods);
