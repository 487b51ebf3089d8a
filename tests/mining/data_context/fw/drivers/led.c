#include "led.h"
#include <string.h>
#include <vendor/sdk.h>

led_t led_table[BOARD_LEDS];
static uint32_t led_ticks;
static int unused_counter;

enum { LED_FLASH_MS = 20, LED_PAUSE_MS = 30 };

/* Keeps a level in range. */
static uint8_t clamp_level(uint32_t level) {
    return level > LED_MAX ? LED_MAX : (uint8_t)level;
}

static void led_refresh(led_t *led) {
    uint32_t now = led_ticks;
    if (now - led->blink.since > led->blink.period) {
        led->blink.since = now;
        led->level = led->level ? 0 : LED_MAX;
    }
    led_write_pin(led->mode, led->level);
    BOARD_TRACE("led %d", led->level);
    if (led->mode == LED_BLINK) {
        led->blink.period = led->blink.period / 2 + 1;
    }
}

#ifdef BOARD_SLOW
led_status_t led_set(led_t *led, uint8_t percent) {
    uint32_t level = LED_SCALE(percent);
    if (led->mode == LED_BLINK) {
        return LED_BUSY;
    }
    led->level = clamp_level(level);
    memset(&led->blink, 0, sizeof(led->blink));
    led_refresh(led);
    return LED_OK;
}
#else
led_status_t led_set(led_t *led, uint8_t percent)
{
    uint32_t level = LED_SCALE(percent);
    if (led->mode == LED_BLINK)
    {
        return LED_BUSY;
    }
    led->level = clamp_level(level);
    memset(&led->blink, 0, sizeof(led->blink));
    led_refresh(led);
    return LED_OK;
}
#endif

unsigned led_depth(unsigned n) {
    if (n < 2) {
        return 1;
    }
    return led_depth(n - 1) + led_depth(n - 2) + led_ticks;
}

#ifdef BOARD_DEBUG
void led_dump(const led_t *led) {
    trace_printf("%u %u", led->level, led_ticks);
    for (int i = 0; i < BOARD_LEDS; i++) {
        trace_printf("%d", led_table[i].mode);
    }
}
#endif

void led_on_done(led_t *led, led_done_t done) {
    led_t *unused = 0;
    led->blink.period = LED_FLASH_MS;
    (void)unused;
    done(led);
    led_register(led_refresh);
}
