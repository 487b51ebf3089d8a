/* What a scenario does with the simulated SPI bus: attach targets with the mode and clock they need, inject faults.
 *
 * Each exchange is traced as kind "spi": "0 >c000 <0000: 0" is chip select, bytes out, bytes in, and what the call
 * returned. A target that is driven in the wrong mode, word size or bit order, or too fast, sees and sends garbage. */
#ifndef FB_SPI_H
#define FB_SPI_H

#include <stdbool.h>
#include <stdint.h>

#include <zephyr/device.h>

#define FB_SPI DEVICE_DT_GET(DT_NODELABEL(spi0))

typedef struct fb_spi_target {
    uint16_t slave;
    uint32_t mode; /* of SPI_MODE_CPOL, SPI_MODE_CPHA */
    uint32_t max_hz;
    void (*select)(struct fb_spi_target *target, bool selected);
    uint8_t (*exchange)(struct fb_spi_target *target, uint8_t out); /* the byte that it sends meanwhile */
    struct fb_spi_target *next;
} fb_spi_target;

void fb_spi_attach(fb_spi_target *target);
void fb_spi_fail(unsigned skip, unsigned count, int error);
unsigned fb_spi_transfers(void);

#endif
