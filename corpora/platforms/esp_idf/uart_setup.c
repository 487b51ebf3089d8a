/* The serial driver: setting up, and patterns. */
#include "uart.h"

#include <stdlib.h>
#include <string.h>

esp_err_t uart_driver_install(uart_port_t number, int rx_size, int tx_size, int queue_size, QueueHandle_t *queue, int flags)
{
    static const char call[] = "uart_driver_install";
    struct fb_uart_port *p = fb_uart_find(number, false, call);
    (void)flags;
    if (!p)
        return ESP_FAIL;
    if (p->installed)
        return esp_refuse(ESP_FAIL, call, "it is already installed");
    if (rx_size <= UART_FIFO || (tx_size != 0 && tx_size <= UART_FIFO))
        return esp_refuse(ESP_FAIL, call, "the buffers must be larger than the FIFO of 128 bytes");
    struct fb_uart_port kept = *p;
    *p = (struct fb_uart_port){.installed = true,
                       .config = kept.config,
                       .tx_gpio = kept.tx_gpio,
                       .rx_gpio = kept.rx_gpio,
                       .ring = malloc((size_t)rx_size),
                       .ring_size = (size_t)rx_size,
                       .full_threshold = 120,
                       .timeout = 10,
                       .tx = malloc((size_t)tx_size + UART_FIFO),
                       .tx_room = (size_t)tx_size + UART_FIFO};
    if (p->config.baud_rate == 0)
        p->config = (uart_config_t){.baud_rate = 115200, .data_bits = UART_DATA_8_BITS, .stop_bits = UART_STOP_BITS_1};
    if (queue && queue_size > 0)
        *queue = p->events = xQueueCreate((UBaseType_t)queue_size, sizeof(uart_event_t));
    return ESP_OK;
}

esp_err_t uart_driver_delete(uart_port_t number)
{
    struct fb_uart_port *p = fb_uart_find(number, true, "uart_driver_delete");
    if (!p)
        return ESP_OK;
    p->installed = false;
    if (p->events)
        vQueueDelete(p->events);
    return ESP_OK;
}

bool uart_is_driver_installed(uart_port_t number) { return (unsigned)number < UART_NUM_MAX && fb_uart_ports[number].installed; }

esp_err_t uart_param_config(uart_port_t number, const uart_config_t *config)
{
    struct fb_uart_port *p = fb_uart_find(number, false, "uart_param_config");
    if (!p || !config || config->baud_rate <= 0 || config->data_bits >= UART_DATA_BITS_MAX ||
        config->stop_bits < UART_STOP_BITS_1 || config->stop_bits >= UART_STOP_BITS_MAX)
        return esp_refuse(ESP_FAIL, "uart_param_config", "a value is out of range");
    p->config = *config;
    return ESP_OK;
}

esp_err_t uart_set_pin(uart_port_t number, int tx, int rx, int rts, int cts)
{
    struct fb_uart_port *p = fb_uart_find(number, false, "uart_set_pin");
    (void)rts;
    (void)cts;
    if (!p || (tx >= 0 && !esp_pin_exists(tx)) || (rx >= 0 && !esp_pin_exists(rx)))
        return esp_refuse(ESP_FAIL, "uart_set_pin", "no such pin");
    if (tx >= 0) {
        p->tx_gpio = tx;
        esp_pin_give(tx, "uart");
    }
    if (rx >= 0)
        p->rx_gpio = rx;
    return ESP_OK;
}

esp_err_t uart_set_baudrate(uart_port_t number, uint32_t baud)
{
    struct fb_uart_port *p = fb_uart_find(number, false, "uart_set_baudrate");
    if (!p || baud == 0)
        return ESP_FAIL;
    p->config.baud_rate = (int)baud;
    return ESP_OK;
}

esp_err_t uart_get_baudrate(uart_port_t number, uint32_t *baud)
{
    struct fb_uart_port *p = fb_uart_find(number, false, "uart_get_baudrate");
    if (!p || !baud)
        return ESP_FAIL;
    *baud = (uint32_t)p->config.baud_rate;
    return ESP_OK;
}

esp_err_t uart_set_rx_timeout(uart_port_t number, const uint8_t symbols)
{
    struct fb_uart_port *p = fb_uart_find(number, true, "uart_set_rx_timeout");
    if (!p || symbols > 101)
        return ESP_ERR_INVALID_ARG;
    p->timeout = symbols;
    return ESP_OK;
}

esp_err_t uart_set_rx_full_threshold(uart_port_t number, int threshold)
{
    struct fb_uart_port *p = fb_uart_find(number, true, "uart_set_rx_full_threshold");
    if (!p || threshold < 1 || threshold >= UART_FIFO)
        return ESP_ERR_INVALID_ARG;
    p->full_threshold = threshold;
    return ESP_OK;
}

esp_err_t uart_enable_pattern_det_baud_intr(uart_port_t number, char pattern, uint8_t count, int gap, int post, int pre)
{
    struct fb_uart_port *p = fb_uart_find(number, true, "uart_enable_pattern_det_baud_intr");
    (void)gap;
    (void)post;
    (void)pre;
    if (!p || count == 0)
        return ESP_FAIL;
    p->pattern_on = true;
    p->pattern = pattern;
    p->pattern_count = count;
    return ESP_OK;
}

esp_err_t uart_disable_pattern_det_intr(uart_port_t number)
{
    struct fb_uart_port *p = fb_uart_find(number, true, "uart_disable_pattern_det_intr");
    if (p)
        p->pattern_on = false;
    return p ? ESP_OK : ESP_FAIL;
}

int uart_pattern_get_pos(uart_port_t number)
{
    struct fb_uart_port *p = fb_uart_find(number, true, "uart_pattern_get_pos");
    return p && p->position_count ? p->positions[0] : -1;
}

int uart_pattern_pop_pos(uart_port_t number)
{
    int first = uart_pattern_get_pos(number);
    struct fb_uart_port *p = &fb_uart_ports[number];
    if (first >= 0)
        memmove(p->positions, p->positions + 1, (size_t)--p->position_count * sizeof *p->positions);
    return first;
}

esp_err_t uart_pattern_queue_reset(uart_port_t number, int length)
{
    struct fb_uart_port *p = fb_uart_find(number, true, "uart_pattern_queue_reset");
    if (!p)
        return ESP_FAIL;
    p->position_count = 0;
    p->position_most = length < UART_POSITIONS ? length : UART_POSITIONS;
    return ESP_OK;
}
