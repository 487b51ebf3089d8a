/* The older names of esp_rom_sys.h. */
#include "esp_rom_sys.h"
#define ets_delay_us(us) esp_rom_delay_us(us)
#define ets_printf esp_rom_printf
