/* Errors and logging. */
#include "esp.h"

#include <stdio.h>
#include <string.h>

#include "esp_log.h"
#include "nvs.h"

#define TAGS 32
#define LINE 512

static const struct {
    esp_err_t code;
    const char *name;
} codes[] = {
#define CODE(name) {name, #name}
    CODE(ESP_OK), CODE(ESP_FAIL), CODE(ESP_ERR_NO_MEM), CODE(ESP_ERR_INVALID_ARG), CODE(ESP_ERR_INVALID_STATE),
    CODE(ESP_ERR_INVALID_SIZE), CODE(ESP_ERR_NOT_FOUND), CODE(ESP_ERR_NOT_SUPPORTED), CODE(ESP_ERR_TIMEOUT),
    CODE(ESP_ERR_INVALID_RESPONSE), CODE(ESP_ERR_INVALID_CRC), CODE(ESP_ERR_INVALID_VERSION), CODE(ESP_ERR_NOT_FINISHED),
    CODE(ESP_ERR_NVS_NOT_INITIALIZED), CODE(ESP_ERR_NVS_NOT_FOUND), CODE(ESP_ERR_NVS_TYPE_MISMATCH),
    CODE(ESP_ERR_NVS_READ_ONLY), CODE(ESP_ERR_NVS_INVALID_HANDLE), CODE(ESP_ERR_NVS_INVALID_NAME),
    CODE(ESP_ERR_NVS_KEY_TOO_LONG), CODE(ESP_ERR_NVS_INVALID_LENGTH), CODE(ESP_ERR_NVS_NO_FREE_PAGES),
    CODE(ESP_ERR_NVS_NEW_VERSION_FOUND), CODE(ESP_ERR_NVS_NOT_ENOUGH_SPACE),
#undef CODE
};

const char *esp_err_to_name(esp_err_t code)
{
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
        if (codes[i].code == code)
            return codes[i].name;
    return "UNKNOWN ERROR";
}

const char *esp_err_to_name_r(esp_err_t code, char *buffer, size_t length)
{
    snprintf(buffer, length, "%s", esp_err_to_name(code));
    return buffer;
}

void _esp_error_check_failed_without_abort(esp_err_t code, const char *file, int line, const char *function,
                                           const char *expression)
{
    char text[LINE];
    (void)file;
    int length = snprintf(text, sizeof text, "ESP_ERROR_CHECK failed: esp_err_t 0x%x (%s) at line %d in %s: %s\n", code,
                          esp_err_to_name(code), line, function, expression);
    fb_console(text, (size_t)length);
}

void _esp_error_check_failed(esp_err_t code, const char *file, int line, const char *function, const char *expression)
{
    _esp_error_check_failed_without_abort(code, file, line, function, expression);
    fb_panic("ESP_ERROR_CHECK(%s) at line %d: %s", expression, line, esp_err_to_name(code));
}

/* ---- levels ---- */

static struct {
    const char *tag;
    esp_log_level_t level;
} tags[TAGS];
static size_t tag_count;
static esp_log_level_t standard = ESP_LOG_INFO;

void esp_log_level_set(const char *tag, esp_log_level_t level)
{
    if (!strcmp(tag, "*")) {
        standard = level;
        tag_count = 0;
        return;
    }
    for (size_t i = 0; i < tag_count; i++)
        if (!strcmp(tags[i].tag, tag)) {
            tags[i].level = level;
            return;
        }
    if (tag_count < TAGS) {
        tags[tag_count].tag = tag;
        tags[tag_count++].level = level;
    }
}

esp_log_level_t esp_log_level_get(const char *tag)
{
    for (size_t i = 0; i < tag_count; i++)
        if (!strcmp(tags[i].tag, tag))
            return tags[i].level;
    return standard;
}

uint32_t esp_log_timestamp(void) { return (uint32_t)(fb_now() / 1000000); }
uint32_t esp_log_early_timestamp(void) { return esp_log_timestamp(); }

/* ---- lines ---- */

/* On the target a long has 32 bits, so %ld and %lu are used for int32_t and uint32_t. */
static void narrow(char *to, size_t room, const char *format)
{
    size_t used = 0;
    for (const char *at = format; *at && used + 1 < room; at++) {
        to[used++] = *at;
        if (*at != '%')
            continue;
        while (at[1] && strchr("%-+ #0123456789.*", at[1]) && used + 1 < room) {
            to[used++] = *++at;
            if (*at == '%')
                break;
        }
        if (*at != '%' || used < 2 || to[used - 2] != '%') {
            if (at[1] == 'l' && at[2] != 'l' && at[2] != 'f' && at[2] != 'g')
                at++;
            else if (at[1] == 'l' && at[2] == 'l' && used + 3 < room) {
                to[used++] = *++at;
                to[used++] = *++at;
            }
        }
    }
    to[used] = '\0';
}

static void print(esp_log_level_t level, const char *tag, const char *format, va_list args, bool whole)
{
    static const char letters[] = "NEWIDV";
    char narrowed[LINE], text[LINE];
    if (level > esp_log_level_get(tag))
        return;
    fb_spend(FB_US(20));
    int used = whole ? snprintf(text, sizeof text, "%c (%u) %s: ", letters[level], esp_log_timestamp(), tag) : 0;
    narrow(narrowed, sizeof narrowed, format);
    used += vsnprintf(text + used, sizeof text - (size_t)used - 1, narrowed, args);
    if (used > (int)sizeof text - 2)
        used = (int)sizeof text - 2;
    if (whole)
        text[used++] = '\n';
    fb_console(text, (size_t)used);
}

void esp_log_print_line(esp_log_level_t level, const char *tag, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    if (fb_in_isr())
        fb_fault("isr_call", "ESP_LOGx is called in an interrupt");
    print(level, tag, format, args, true);
    va_end(args);
}

void esp_log_write(esp_log_level_t level, const char *tag, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    print(level, tag, format, args, false);
    va_end(args);
}

void esp_log_buffer_hex_internal(const char *tag, const void *buffer, uint16_t length, esp_log_level_t level)
{
    for (uint16_t from = 0; from < length; from += 16) {
        char text[64] = "";
        for (uint16_t i = from; i < length && i < from + 16; i++)
            snprintf(text + strlen(text), sizeof text - strlen(text), "%02x ", ((const uint8_t *)buffer)[i]);
        esp_log_print_line(level, tag, "%s", text);
    }
}
