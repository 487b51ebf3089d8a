/* What a scenario does with pwm0: 4 channels at 1 MHz.
 *
 * Each setting is traced as kind "pwm": "1 period 20000000 pulse 1500000 inverted 0: 0" in ns, and what the call
 * returned. */
#ifndef FB_PWM_H
#define FB_PWM_H

#include <stdint.h>

#include <zephyr/device.h>

#define FB_PWM DEVICE_DT_GET(DT_NODELABEL(pwm0))

int64_t fb_pwm_pulse(unsigned channel);  /* ns; -1 before it was set */
int64_t fb_pwm_period(unsigned channel); /* ns */
void fb_pwm_on_change(void (*fn)(unsigned channel, int64_t period, int64_t pulse));
void fb_pwm_fail(unsigned skip, unsigned count, int error);

#endif
