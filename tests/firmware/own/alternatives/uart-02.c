#include <string.h>
#include "freertos/FreeRTOS.h"
#include "freertos/task.h"
#include "freertos/queue.h"
#include "driver/uart.h"
#include "esp_log.h"
#define UART UART_NUM_1
void handle_line(const char *line);
void line_lost(void);
static QueueHandle_t q;
static char buf[81];
static int n;
static bool drop;
static uint8_t data[512];
static void feed(const uint8_t *p, int len) {
    for (int i = 0; i < len; i++) {
        char ch = p[i];
        if (ch == '\r')
            continue;
        if (ch == '\n') {
            if (!drop && n) {
                buf[n] = 0;
                handle_line(buf);
            }
            n = 0;
            drop = false;
            continue;
        }
        if (drop)
            continue;
        if (n >= 80) {
            drop = true;
            line_lost();
            continue;
        }
        buf[n++] = ch;
    }
}
static void task(void *arg) {
    uart_event_t e;
    (void)arg;
    while (1) {
        if (!xQueueReceive(q, &e, portMAX_DELAY))
            continue;
        if (e.type == UART_DATA) {
            int got = uart_read_bytes(UART, data, e.size, portMAX_DELAY);
            if (got > 0)
                feed(data, got);
        } else if (e.type == UART_FIFO_OVF || e.type == UART_BUFFER_FULL) {
            ESP_LOGW("uart", "overflow %d", e.type);
            uart_flush_input(UART);
            xQueueReset(q);
            n = 0;
            drop = true;
            line_lost();
        }
    }
}
void app_main(void) {
    uart_config_t cfg = {.baud_rate = 115200,
                         .data_bits = UART_DATA_8_BITS,
                         .parity = UART_PARITY_DISABLE,
                         .stop_bits = UART_STOP_BITS_1,
                         .flow_ctrl = UART_HW_FLOWCTRL_DISABLE};
    ESP_ERROR_CHECK(uart_param_config(UART, &cfg));
    ESP_ERROR_CHECK(uart_set_pin(UART, GPIO_NUM_17, GPIO_NUM_18, -1, -1));
    ESP_ERROR_CHECK(uart_driver_install(UART, 512, 0, 16, &q, 0));
    if (xTaskCreatePinnedToCore(task, "rx", 4096, NULL, 12, NULL, 1) != pdPASS)
        ESP_LOGE("uart", "no task");
}
