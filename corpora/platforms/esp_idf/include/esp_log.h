/* Logging. */
#ifndef ESP_LOG_H
#define ESP_LOG_H

#include <inttypes.h>
#include <stdarg.h>
#include <stdint.h>

#include "esp_err.h"
#include "sdkconfig.h"

typedef enum {
    ESP_LOG_NONE,
    ESP_LOG_ERROR,
    ESP_LOG_WARN,
    ESP_LOG_INFO,
    ESP_LOG_DEBUG,
    ESP_LOG_VERBOSE
} esp_log_level_t;

void esp_log_level_set(const char *tag, esp_log_level_t level);
esp_log_level_t esp_log_level_get(const char *tag);
uint32_t esp_log_timestamp(void);
uint32_t esp_log_early_timestamp(void);
void esp_log_write(esp_log_level_t level, const char *tag, const char *format, ...);
void esp_log_print_line(esp_log_level_t level, const char *tag, const char *format, ...);
void esp_log_buffer_hex_internal(const char *tag, const void *buffer, uint16_t buff_len, esp_log_level_t level);

#define ESP_LOG_LEVEL(level, tag, format, ...) esp_log_print_line(level, tag, format, ##__VA_ARGS__)
#define ESP_LOGE(tag, format, ...) esp_log_print_line(ESP_LOG_ERROR, tag, format, ##__VA_ARGS__)
#define ESP_LOGW(tag, format, ...) esp_log_print_line(ESP_LOG_WARN, tag, format, ##__VA_ARGS__)
#define ESP_LOGI(tag, format, ...) esp_log_print_line(ESP_LOG_INFO, tag, format, ##__VA_ARGS__)
#define ESP_LOGD(tag, format, ...) esp_log_print_line(ESP_LOG_DEBUG, tag, format, ##__VA_ARGS__)
#define ESP_LOGV(tag, format, ...) esp_log_print_line(ESP_LOG_VERBOSE, tag, format, ##__VA_ARGS__)
#define ESP_EARLY_LOGE ESP_LOGE
#define ESP_EARLY_LOGW ESP_LOGW
#define ESP_EARLY_LOGI ESP_LOGI
#define ESP_EARLY_LOGD ESP_LOGD
#define ESP_DRAM_LOGE ESP_LOGE
#define ESP_DRAM_LOGW ESP_LOGW
#define ESP_DRAM_LOGI ESP_LOGI
#define ESP_LOG_BUFFER_HEX_LEVEL(tag, buffer, length, level) esp_log_buffer_hex_internal(tag, buffer, length, level)
#define ESP_LOG_BUFFER_HEX(tag, buffer, length) esp_log_buffer_hex_internal(tag, buffer, length, ESP_LOG_INFO)
#define ESP_LOG_BUFFER_HEXDUMP(tag, buffer, length, level) esp_log_buffer_hex_internal(tag, buffer, length, level)

#endif
