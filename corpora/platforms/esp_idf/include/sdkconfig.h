/* The project's configuration, as far as sources ask for it. */
#ifndef SDKCONFIG_H
#define SDKCONFIG_H

#define CONFIG_IDF_TARGET "esp32s3"
#define CONFIG_IDF_TARGET_ESP32S3 1
#define CONFIG_FREERTOS_HZ 100
#define CONFIG_LOG_DEFAULT_LEVEL 3
#define CONFIG_ESP_MAIN_TASK_STACK_SIZE 3584
#define CONFIG_ESP_CONSOLE_UART_NUM 0
#define CONFIG_ESP_DEFAULT_CPU_FREQ_MHZ 160

#endif
