/* The ESP32 under ESP-IDF: UART0 and the clock of FreeRTOS, whose tick is 1 ms. */
#include "driver/uart.h"
#include "freertos/FreeRTOS.h"
#include "freertos/task.h"

#include "firmware.h"
#include "port.h"

#define BUFFER_BYTES 1024
#define STACK_BYTES 4096

int port_read(char *buffer, int size, int timeout_ms)
{
    TickType_t from = xTaskGetTickCount(), wait = pdMS_TO_TICKS(timeout_ms);
    int used = 0;
    while (used < size) {
        TickType_t spent = xTaskGetTickCount() - from;
        int got = spent < wait ? uart_read_bytes(UART_NUM_0, buffer + used, (uint32_t)(size - used), wait - spent) : 0;
        if (got <= 0)
            break;
        used += got;
    }
    return used;
}

void port_write(const char *data, int size)
{
    uart_write_bytes(UART_NUM_0, data, (size_t)size);
}

uint32_t port_now_ms(void)
{
    return (uint32_t)(xTaskGetTickCount() * portTICK_PERIOD_MS);
}

static void run(void *argument)
{
    (void)argument;
    firmware_run();
}

void app_main(void)
{
    uart_config_t config = {
        .baud_rate = 115200,
        .data_bits = UART_DATA_8_BITS,
        .parity = UART_PARITY_DISABLE,
        .stop_bits = UART_STOP_BITS_1,
        .flow_ctrl = UART_HW_FLOWCTRL_DISABLE,
    };
    uart_param_config(UART_NUM_0, &config);
    uart_driver_install(UART_NUM_0, BUFFER_BYTES, 0, 0, NULL, 0);
    xTaskCreate(run, "firmware", STACK_BYTES, NULL, 5, NULL);
}
