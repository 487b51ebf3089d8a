/* ESP-IDF's calls on the virtual board of firmware/port_virtual.c: time passes only in a read or a delay. */
#include "driver/uart.h"
#include "freertos/task.h"
#include "uart_transport.h"

#include "firmware.h"
#include "port.h"

#define BOOT_MS 300 /* what the clock shows when the application begins; some controllers take a time of 0 for "never" */
#define LONGEST_MS 60000

static int milliseconds(TickType_t ticks)
{
    return ticks > LONGEST_MS / portTICK_PERIOD_MS ? LONGEST_MS : (int)(ticks * portTICK_PERIOD_MS);
}

esp_err_t uart_driver_install(uart_port_t port, int rx_size, int tx_size, int queue_size, void *queue, int flags)
{
    (void)port, (void)rx_size, (void)tx_size, (void)queue_size, (void)queue, (void)flags;
    return ESP_OK;
}

esp_err_t uart_param_config(uart_port_t port, const uart_config_t *config)
{
    (void)port, (void)config;
    return ESP_OK;
}

esp_err_t uart_set_pin(uart_port_t port, int tx, int rx, int rts, int cts)
{
    (void)port, (void)tx, (void)rx, (void)rts, (void)cts;
    return ESP_OK;
}

int uart_write_bytes(uart_port_t port, const void *data, size_t size)
{
    (void)port;
    port_write(data, (int)size);
    return (int)size;
}

int uart_read_bytes(uart_port_t port, void *data, uint32_t size, TickType_t ticks)
{
    (void)port;
    return port_read(data, (int)size, milliseconds(ticks));
}

BaseType_t xTaskCreate(TaskFunction_t code, const char *name, uint32_t stack, void *argument, UBaseType_t priority,
                       TaskHandle_t *handle)
{
    (void)name, (void)stack, (void)priority, (void)handle;
    code(argument);
    return pdPASS;
}

TickType_t xTaskGetTickCount(void)
{
    return (port_now_ms() + BOOT_MS) / portTICK_PERIOD_MS;
}

void vTaskDelay(TickType_t ticks)
{
    char none[1];
    port_read(none, 0, milliseconds(ticks));
}

void firmware_run(void)
{
    uart_transport_start();
}

/* The campaign's own host tests are not played again. */
int firmware_host_steps(void)
{
    return 1;
}
