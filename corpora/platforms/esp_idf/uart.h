/* What the two halves of the serial driver share. */
#ifndef FB_ESP_UART_H
#define FB_ESP_UART_H

#include "driver/uart.h"
#include "esp.h"

#define UART_FIFO 128
#define UART_POSITIONS 32

extern struct fb_uart_port {
    bool installed;
    uart_config_t config;
    int tx_gpio, rx_gpio;
    uint8_t fifo[UART_FIFO];
    size_t fifo_used;
    uint8_t *ring;
    size_t ring_size, ring_used, ring_first;
    bool ring_full; /* the interrupt leaves the FIFO alone until there is room */
    QueueHandle_t events;
    fb_queue readers, writers;
    int full_threshold;
    uint8_t timeout;
    fb_event *idle;
    uint8_t *tx;
    size_t tx_room, tx_used;
    bool sending, pattern_on;
    char pattern;
    uint8_t pattern_count, pattern_run;
    int positions[UART_POSITIONS];
    int position_count, position_most;
} fb_uart_ports[UART_NUM_MAX];

/* The port, if it exists and, where this is asked for, its driver is installed. */
struct fb_uart_port *fb_uart_find(uart_port_t number, bool installed, const char *call);

#endif
