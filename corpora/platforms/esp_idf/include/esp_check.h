/* Macros that return or jump on an error. */
#ifndef ESP_CHECK_H
#define ESP_CHECK_H

#include "esp_err.h"
#include "esp_log.h"

#define ESP_RETURN_ON_ERROR(x, tag, format, ...)                                                                      \
    do {                                                                                                              \
        esp_err_t err_rc_ = (x);                                                                                      \
        if (err_rc_ != ESP_OK) {                                                                                      \
            ESP_LOGE(tag, "%s(%d): " format, __func__, __LINE__, ##__VA_ARGS__);                                      \
            return err_rc_;                                                                                           \
        }                                                                                                             \
    } while (0)
#define ESP_RETURN_VOID_ON_ERROR(x, tag, format, ...)                                                                 \
    do {                                                                                                              \
        esp_err_t err_rc_ = (x);                                                                                      \
        if (err_rc_ != ESP_OK) {                                                                                      \
            ESP_LOGE(tag, "%s(%d): " format, __func__, __LINE__, ##__VA_ARGS__);                                      \
            return;                                                                                                   \
        }                                                                                                             \
    } while (0)
#define ESP_GOTO_ON_ERROR(x, label, tag, format, ...)                                                                 \
    do {                                                                                                              \
        esp_err_t err_rc_ = (x);                                                                                      \
        if (err_rc_ != ESP_OK) {                                                                                      \
            ESP_LOGE(tag, "%s(%d): " format, __func__, __LINE__, ##__VA_ARGS__);                                      \
            ret = err_rc_;                                                                                            \
            goto label;                                                                                               \
        }                                                                                                             \
    } while (0)
#define ESP_RETURN_ON_FALSE(condition, code, tag, format, ...)                                                        \
    do {                                                                                                              \
        if (!(condition)) {                                                                                           \
            ESP_LOGE(tag, "%s(%d): " format, __func__, __LINE__, ##__VA_ARGS__);                                      \
            return code;                                                                                              \
        }                                                                                                             \
    } while (0)
#define ESP_RETURN_VOID_ON_FALSE(condition, tag, format, ...)                                                         \
    do {                                                                                                              \
        if (!(condition)) {                                                                                           \
            ESP_LOGE(tag, "%s(%d): " format, __func__, __LINE__, ##__VA_ARGS__);                                      \
            return;                                                                                                   \
        }                                                                                                             \
    } while (0)
#define ESP_GOTO_ON_FALSE(condition, code, label, tag, format, ...)                                                   \
    do {                                                                                                              \
        if (!(condition)) {                                                                                           \
            ESP_LOGE(tag, "%s(%d): " format, __func__, __LINE__, ##__VA_ARGS__);                                      \
            ret = code;                                                                                               \
            goto label;                                                                                               \
        }                                                                                                             \
    } while (0)

#endif
