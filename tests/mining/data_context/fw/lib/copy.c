/* The body of led_set once more, joined on few lines, and a macro that makes it. */
#include "led.h"

#define MAKE_LED_SET(name) led_status_t name(led_t *led, uint8_t percent) { \
    uint32_t level = LED_SCALE(percent); \
    if (led->mode == LED_BLINK) { return LED_BUSY; } \
    led->level = clamp_level(level); \
    memset(&led->blink, 0, sizeof(led->blink)); \
    led_refresh(led); return LED_OK; }

MAKE_LED_SET(led_set_two)

led_status_t led_copy(led_t *led, uint8_t percent) {
    uint32_t level = LED_SCALE(percent); if (led->mode == LED_BLINK) { return LED_BUSY; }
    led->level = clamp_level(level); memset(&led->blink, 0, sizeof(led->blink));
    led_refresh(led); return LED_OK;
}
