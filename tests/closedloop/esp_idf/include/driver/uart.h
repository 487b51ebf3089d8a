#pragma once
#include <stddef.h>
#include <stdint.h>

#define UART_NUM_0 0
enum { UART_DATA_8_BITS = 3, UART_PARITY_DISABLE = 0, UART_STOP_BITS_1 = 1, UART_HW_FLOWCTRL_DISABLE = 0 };
typedef struct { int baud_rate, data_bits, parity, stop_bits, flow_ctrl; } uart_config_t;

int uart_param_config(int port, const uart_config_t *config);
int uart_driver_install(int port, int rx_bytes, int tx_bytes, int queue_size, void *queue, int flags);
int uart_read_bytes(int port, void *buffer, uint32_t length, uint32_t ticks);
int uart_write_bytes(int port, const void *data, size_t size);
