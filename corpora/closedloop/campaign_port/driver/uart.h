/* The UART calls that firmware of the campaign uses, with ESP-IDF's names and types of arguments. */
#ifndef DRIVER_UART_H
#define DRIVER_UART_H

#include <stddef.h>
#include <stdint.h>

#include "freertos/FreeRTOS.h"

typedef int esp_err_t;
typedef int uart_port_t;

enum { ESP_OK = 0 };
enum { UART_NUM_0, UART_NUM_1 };
enum { UART_PIN_NO_CHANGE = -1 };
enum { UART_DATA_8_BITS = 3, UART_PARITY_DISABLE = 0, UART_STOP_BITS_1 = 1, UART_HW_FLOWCTRL_DISABLE = 0 };
enum { UART_SCLK_APB = 4, UART_SCLK_DEFAULT = UART_SCLK_APB };

typedef struct {
    int baud_rate, data_bits, parity, stop_bits, flow_ctrl, rx_flow_ctrl_thresh, source_clk;
} uart_config_t;

esp_err_t uart_driver_install(uart_port_t port, int rx_size, int tx_size, int queue_size, void *queue, int flags);
esp_err_t uart_param_config(uart_port_t port, const uart_config_t *config);
esp_err_t uart_set_pin(uart_port_t port, int tx, int rx, int rts, int cts);
int uart_write_bytes(uart_port_t port, const void *data, size_t size);

/* Waits all of `ticks`, then gives what has come. */
int uart_read_bytes(uart_port_t port, void *data, uint32_t size, TickType_t ticks);

#endif
