/* Busy waiting. */
#ifndef ESP_ROM_SYS_H
#define ESP_ROM_SYS_H

#include <stdint.h>

void esp_rom_delay_us(uint32_t us);
int esp_rom_printf(const char *fmt, ...);

#endif
