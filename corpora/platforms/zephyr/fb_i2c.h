/* What a scenario does with the simulated I2C bus: attach targets, inject faults.
 *
 * Each transfer is traced as kind "i2c": "44 W0101 R5a: 0" is a write of two bytes, a repeated start, a byte read, and
 * what the call returned. */
#ifndef FB_I2C_H
#define FB_I2C_H

#include <stdbool.h>
#include <stdint.h>

#include <zephyr/device.h>

#define FB_I2C DEVICE_DT_GET(DT_NODELABEL(i2c0))

typedef struct fb_i2c_target {
    uint16_t address;
    bool (*start)(struct fb_i2c_target *target, bool read); /* acknowledges its address? NULL: always */
    bool (*write)(struct fb_i2c_target *target, uint8_t byte); /* acknowledges the byte? */
    uint8_t (*read)(struct fb_i2c_target *target);
    void (*stop)(struct fb_i2c_target *target); /* NULL: nothing to do */
    struct fb_i2c_target *next;
} fb_i2c_target;

void fb_i2c_attach(fb_i2c_target *target);
/* After `skip` more transfers, `count` fail with `error` before any byte reaches a target. */
void fb_i2c_fail(unsigned skip, unsigned count, int error);
unsigned fb_i2c_transfers(void); /* calls of the driver so far */

#endif
