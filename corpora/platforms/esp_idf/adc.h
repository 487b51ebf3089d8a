/* What the two ADC drivers share. */
#ifndef FB_ESP_ADC_H
#define FB_ESP_ADC_H

#include "esp.h"
#include "hal/adc_types.h"

int fb_adc_raw(adc_unit_t unit, unsigned channel, adc_atten_t atten);
bool fb_adc_claim(adc_unit_t unit);
void fb_adc_unclaim(adc_unit_t unit);

#endif
