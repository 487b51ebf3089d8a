#ifndef ZEPHYR_DRIVERS_UART_H
#define ZEPHYR_DRIVERS_UART_H

#include <errno.h>
#include <stddef.h>
#include <stdint.h>

#include <zephyr/device.h>
#include <zephyr/sys/util.h>

enum uart_rx_stop_reason {
    UART_ERROR_OVERRUN = (1 << 0),
    UART_ERROR_PARITY = (1 << 1),
    UART_ERROR_FRAMING = (1 << 2),
    UART_BREAK = (1 << 3),
    UART_ERROR_COLLISION = (1 << 4),
    UART_ERROR_NOISE = (1 << 5),
};

enum uart_config_parity {
    UART_CFG_PARITY_NONE,
    UART_CFG_PARITY_ODD,
    UART_CFG_PARITY_EVEN,
    UART_CFG_PARITY_MARK,
    UART_CFG_PARITY_SPACE,
};

enum uart_config_stop_bits {
    UART_CFG_STOP_BITS_0_5,
    UART_CFG_STOP_BITS_1,
    UART_CFG_STOP_BITS_1_5,
    UART_CFG_STOP_BITS_2,
};

enum uart_config_data_bits {
    UART_CFG_DATA_BITS_5,
    UART_CFG_DATA_BITS_6,
    UART_CFG_DATA_BITS_7,
    UART_CFG_DATA_BITS_8,
    UART_CFG_DATA_BITS_9,
};

enum uart_config_flow_control {
    UART_CFG_FLOW_CTRL_NONE,
    UART_CFG_FLOW_CTRL_RTS_CTS,
    UART_CFG_FLOW_CTRL_DTR_DSR,
    UART_CFG_FLOW_CTRL_RS485,
};

struct uart_config {
    uint32_t baudrate;
    uint8_t parity;
    uint8_t stop_bits;
    uint8_t data_bits;
    uint8_t flow_ctrl;
};

typedef void (*uart_irq_callback_user_data_t)(const struct device *dev, void *user_data);

int uart_err_check(const struct device *dev);
int uart_poll_in(const struct device *dev, unsigned char *p_char);
void uart_poll_out(const struct device *dev, unsigned char out_char);
int uart_configure(const struct device *dev, const struct uart_config *cfg);
int uart_config_get(const struct device *dev, struct uart_config *cfg);

int uart_fifo_fill(const struct device *dev, const uint8_t *tx_data, int size);
int uart_fifo_read(const struct device *dev, uint8_t *rx_data, const int size);
void uart_irq_tx_enable(const struct device *dev);
void uart_irq_tx_disable(const struct device *dev);
int uart_irq_tx_ready(const struct device *dev);
int uart_irq_tx_complete(const struct device *dev);
void uart_irq_rx_enable(const struct device *dev);
void uart_irq_rx_disable(const struct device *dev);
int uart_irq_rx_ready(const struct device *dev);
void uart_irq_err_enable(const struct device *dev);
void uart_irq_err_disable(const struct device *dev);
int uart_irq_is_pending(const struct device *dev);
int uart_irq_update(const struct device *dev);
int uart_irq_callback_user_data_set(const struct device *dev, uart_irq_callback_user_data_t cb, void *user_data);

static inline int uart_irq_callback_set(const struct device *dev, uart_irq_callback_user_data_t cb)
{
    return uart_irq_callback_user_data_set(dev, cb, NULL);
}

#endif
