#pragma once
#define BOARD_LEDS 4
#define BOARD_TRACE(...) trace_printf(__VA_ARGS__)
void trace_printf(const char *format, ...);
