/* What a scenario does with the accelerometer accel0, a device of the sensor API.
 *
 * At its sampling frequency (10 Hz until set) it asks the source for a sample. It announces one by the data-ready trigger,
 * in its own thread, and the next when a fetch of the last was tried. Traced as kind "accel". */
#ifndef FB_ACCEL_H
#define FB_ACCEL_H

#include <stdbool.h>

/* Puts the acceleration in m/s2 into xyz; false: no sample now, the sensor is silent. */
void fb_accel_source(bool (*source)(double xyz[3]));
void fb_accel_fail_fetch(unsigned skip, unsigned count, int error);
void fb_accel_fail_get(unsigned skip, unsigned count, int error);
void fb_accel_fail_attribute(unsigned skip, unsigned count, int error);
void fb_accel_fail_trigger(unsigned skip, unsigned count, int error);
unsigned fb_accel_triggers_set(void); /* how often a trigger was set without an error */
double fb_accel_frequency(void);

#endif
