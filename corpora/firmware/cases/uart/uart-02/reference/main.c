#include <stdbool.h>
#include <stddef.h>

#include "driver/uart.h"
#include "esp_err.h"
#include "freertos/FreeRTOS.h"
#include "freertos/queue.h"
#include "freertos/task.h"

#define PORT UART_NUM_1
#define TX_GPIO 17
#define RX_GPIO 18
#define RX_BUFFER 512
#define EVENTS 16
#define LINE_MAX_LENGTH 80

void handle_line(const char *line);
void line_lost(void);

static QueueHandle_t events;
static char line[LINE_MAX_LENGTH + 1];
static size_t length;
static bool skipping;

static void take(char c)
{
    if (c == '\n') {
        if (!skipping && length > 0) {
            line[length] = '\0';
            handle_line(line);
        }
        length = 0;
        skipping = false;
    } else if (!skipping && c != '\r') {
        if (length == LINE_MAX_LENGTH) {
            skipping = true;
            length = 0;
            line_lost();
        } else {
            line[length++] = c;
        }
    }
}

/* No more than the event tells of: what lies behind it may have come after a loss that a later event tells. */
static void read_bytes(size_t size)
{
    uint8_t chunk[64];

    while (size > 0) {
        size_t wanted = size < sizeof chunk ? size : sizeof chunk;
        int got = uart_read_bytes(PORT, chunk, wanted, 0);

        if (got <= 0)
            return;
        for (int i = 0; i < got; i++)
            take((char)chunk[i]);
        size -= (size_t)got;
    }
}

static void start_over(void)
{
    uart_flush_input(PORT);
    xQueueReset(events);
    length = 0;
    skipping = true;
    line_lost();
}

static void receive(void *unused)
{
    (void)unused;
    for (;;) {
        uart_event_t event;

        if (xQueueReceive(events, &event, portMAX_DELAY) != pdPASS)
            continue;
        switch (event.type) {
        case UART_DATA:
            read_bytes(event.size);
            break;
        case UART_FIFO_OVF:
        case UART_BUFFER_FULL:
            start_over();
            break;
        default:
            break;
        }
    }
}

void app_main(void)
{
    const uart_config_t config = {
        .baud_rate = 115200,
        .data_bits = UART_DATA_8_BITS,
        .parity = UART_PARITY_DISABLE,
        .stop_bits = UART_STOP_BITS_1,
        .flow_ctrl = UART_HW_FLOWCTRL_DISABLE,
        .source_clk = UART_SCLK_DEFAULT,
    };

    ESP_ERROR_CHECK(uart_driver_install(PORT, RX_BUFFER, 0, EVENTS, &events, 0));
    ESP_ERROR_CHECK(uart_param_config(PORT, &config));
    ESP_ERROR_CHECK(uart_set_pin(PORT, TX_GPIO, RX_GPIO, UART_PIN_NO_CHANGE, UART_PIN_NO_CHANGE));
    xTaskCreate(receive, "receive", 4096, NULL, 10, NULL);
}
