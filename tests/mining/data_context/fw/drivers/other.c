#include "config.h"

static unsigned led_ticks = 7;

static int clamp_level(int level) {
    return level < 0 ? 0 : level + (int)led_ticks;
}

int other_level(int level) {
    return clamp_level(level) + BOARD_LEDS;
}
