/* What a scenario does with adc0: 8 inputs, 8 to 12 bits, gain 1/6 to 4 over a reference of 600 mV.
 *
 * Each adc_read is traced as kind "adc": "read 04: 0" is the mask of channels and what the call returned. */
#ifndef FB_ADC_H
#define FB_ADC_H

#include <stdint.h>

#include <zephyr/device.h>

#define FB_ADC DEVICE_DT_GET(DT_NODELABEL(adc0))

void fb_adc_source(double (*millivolts)(unsigned channel, unsigned sampling)); /* what is at the input; `sampling` counts */
void fb_adc_fail_setup(unsigned skip, unsigned count, int error);
void fb_adc_fail_read(unsigned skip, unsigned count, int error);
unsigned fb_adc_samplings(void);
unsigned fb_adc_calibrations(void);

#endif
