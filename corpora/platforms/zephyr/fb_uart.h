/* What a scenario does with uart1: send bytes to it, hear what it sends. FIFOs of 8 bytes, 115200 baud until configured.
 *
 * Traced as kind "uart": an overrun, a configuration. */
#ifndef FB_UART_H
#define FB_UART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <zephyr/device.h>

#define FB_UART DEVICE_DT_GET(DT_NODELABEL(uart1))

/* The bytes come in from `when` on, `pause` ns of silence between two (0: back to back). Returns when the last is in. */
int64_t fb_uart_receive(int64_t when, const void *data, size_t length, int64_t pause);
void fb_uart_on_sent(void (*fn)(uint8_t byte)); /* when its last bit has left */
unsigned fb_uart_interrupts(void);
unsigned fb_uart_lost(void); /* bytes for which the FIFO had no room */
bool fb_uart_tx_interrupt_enabled(void);

#endif
