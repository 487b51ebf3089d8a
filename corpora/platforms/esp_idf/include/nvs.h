/* Non-volatile storage of keys and values. */
#ifndef NVS_H
#define NVS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "esp_err.h"

typedef uint32_t nvs_handle_t;
typedef nvs_handle_t nvs_handle;
typedef enum { NVS_READONLY, NVS_READWRITE } nvs_open_mode_t;
typedef nvs_open_mode_t nvs_open_mode;

#define ESP_ERR_NVS_BASE 0x1100
#define ESP_ERR_NVS_NOT_INITIALIZED 0x1101
#define ESP_ERR_NVS_NOT_FOUND 0x1102
#define ESP_ERR_NVS_TYPE_MISMATCH 0x1103
#define ESP_ERR_NVS_READ_ONLY 0x1104
#define ESP_ERR_NVS_NOT_ENOUGH_SPACE 0x1105
#define ESP_ERR_NVS_INVALID_NAME 0x1106
#define ESP_ERR_NVS_INVALID_HANDLE 0x1107
#define ESP_ERR_NVS_KEY_TOO_LONG 0x1109
#define ESP_ERR_NVS_INVALID_STATE 0x110b
#define ESP_ERR_NVS_INVALID_LENGTH 0x110c
#define ESP_ERR_NVS_NO_FREE_PAGES 0x110d
#define ESP_ERR_NVS_VALUE_TOO_LONG 0x110e
#define ESP_ERR_NVS_NEW_VERSION_FOUND 0x1110
#define NVS_KEY_NAME_MAX_SIZE 16

esp_err_t nvs_open(const char *namespace_name, nvs_open_mode_t open_mode, nvs_handle_t *out_handle);
void nvs_close(nvs_handle_t handle);
esp_err_t nvs_commit(nvs_handle_t handle);
esp_err_t nvs_erase_key(nvs_handle_t handle, const char *key);
esp_err_t nvs_erase_all(nvs_handle_t handle);
#define FB_NVS_INTEGER(name, type)                                                                                    \
    esp_err_t nvs_set_##name(nvs_handle_t handle, const char *key, type value);                                       \
    esp_err_t nvs_get_##name(nvs_handle_t handle, const char *key, type *out_value);
FB_NVS_INTEGER(i8, int8_t)
FB_NVS_INTEGER(u8, uint8_t)
FB_NVS_INTEGER(i16, int16_t)
FB_NVS_INTEGER(u16, uint16_t)
FB_NVS_INTEGER(i32, int32_t)
FB_NVS_INTEGER(u32, uint32_t)
FB_NVS_INTEGER(i64, int64_t)
FB_NVS_INTEGER(u64, uint64_t)
esp_err_t nvs_set_str(nvs_handle_t handle, const char *key, const char *value);
esp_err_t nvs_get_str(nvs_handle_t handle, const char *key, char *out_value, size_t *length);
esp_err_t nvs_set_blob(nvs_handle_t handle, const char *key, const void *value, size_t length);
esp_err_t nvs_get_blob(nvs_handle_t handle, const char *key, void *out_value, size_t *length);

#endif
