#ifndef LED_H
#define LED_H

#include <stdint.h>
#include "config.h"

#define LED_MAX 255
#define LED_SCALE(x) ((x) * LED_MAX / 100)

enum led_mode {
    LED_OFF,
    LED_ON,
    LED_BLINK,
};

typedef enum {
    LED_OK = 0,
    LED_BUSY,
} led_status_t;

typedef struct led {
    enum led_mode mode;
    uint8_t level;
    struct {
        uint32_t since;
        uint32_t period;
    } blink;
} led_t;

typedef void (*led_done_t)(led_t *led);

extern led_t led_table[4];

/* Sets the level of a lamp, in percent.
 * Returns LED_BUSY while it blinks. */
led_status_t led_set(led_t *led, uint8_t percent);

void led_write_pin(int pin, uint8_t value);

#endif
