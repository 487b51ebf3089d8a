#ifndef ZEPHYR_DRIVERS_PWM_H
#define ZEPHYR_DRIVERS_PWM_H

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>

#include <zephyr/device.h>
#include <zephyr/devicetree.h>
#include <zephyr/sys/util.h>
#include <zephyr/sys_clock.h>

#define PWM_POLARITY_NORMAL (0 << 0)
#define PWM_POLARITY_INVERTED (1 << 0)
#define PWM_POLARITY_MASK 0x1

#define PWM_NSEC(x) (x)
#define PWM_USEC(x) (PWM_NSEC(x) * 1000UL)
#define PWM_MSEC(x) (PWM_USEC(x) * 1000UL)
#define PWM_SEC(x) (PWM_MSEC(x) * 1000UL)
#define PWM_HZ(x) (PWM_SEC(1UL) / (x))
#define PWM_KHZ(x) (PWM_HZ((x) * 1000UL))

typedef uint16_t pwm_flags_t;

struct pwm_dt_spec {
    const struct device *dev;
    uint32_t channel;
    uint32_t period;
    pwm_flags_t flags;
};

#define PWM_DT_SPEC_GET_BY_IDX(node_id, idx) \
    {.dev = DEVICE_DT_GET(DT_PHANDLE_BY_IDX(node_id, pwms, idx)), \
     .channel = DT_PHA_BY_IDX(node_id, pwms, idx, channel), \
     .period = DT_PHA_BY_IDX(node_id, pwms, idx, period), \
     .flags = DT_PHA_BY_IDX(node_id, pwms, idx, flags)}
#define PWM_DT_SPEC_GET(node_id) PWM_DT_SPEC_GET_BY_IDX(node_id, 0)
#define PWM_DT_SPEC_INST_GET(inst) PWM_DT_SPEC_GET(DT_DRV_INST(inst))

int pwm_set_cycles(const struct device *dev, uint32_t channel, uint32_t period, uint32_t pulse, pwm_flags_t flags);
int pwm_get_cycles_per_sec(const struct device *dev, uint32_t channel, uint64_t *cycles);

static inline int pwm_set(const struct device *dev, uint32_t channel, uint32_t period, uint32_t pulse,
                          pwm_flags_t flags)
{
    uint64_t per_second;
    int ret = pwm_get_cycles_per_sec(dev, channel, &per_second);
    if (ret < 0)
        return ret;
    uint64_t period_cycles = period * per_second / 1000000000U, pulse_cycles = pulse * per_second / 1000000000U;
    if (period_cycles > UINT32_MAX || pulse_cycles > UINT32_MAX)
        return -ENOTSUP;
    return pwm_set_cycles(dev, channel, (uint32_t)period_cycles, (uint32_t)pulse_cycles, flags);
}

static inline int pwm_set_dt(const struct pwm_dt_spec *spec, uint32_t period, uint32_t pulse)
{
    return pwm_set(spec->dev, spec->channel, period, pulse, spec->flags);
}

static inline int pwm_set_pulse_dt(const struct pwm_dt_spec *spec, uint32_t pulse)
{
    return pwm_set(spec->dev, spec->channel, spec->period, pulse, spec->flags);
}

static inline bool pwm_is_ready_dt(const struct pwm_dt_spec *spec)
{
    return device_is_ready(spec->dev);
}

#endif
