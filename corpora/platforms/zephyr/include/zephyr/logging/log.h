#ifndef ZEPHYR_LOGGING_LOG_H
#define ZEPHYR_LOGGING_LOG_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <zephyr/sys/printk.h>
#include <zephyr/sys/util.h>

#define LOG_LEVEL_NONE 0
#define LOG_LEVEL_ERR 1
#define LOG_LEVEL_WRN 2
#define LOG_LEVEL_INF 3
#define LOG_LEVEL_DBG 4

void fb_log(int level, const char *module, const char *format, ...) __printf_like(3, 4);
void fb_log_hexdump(int level, const char *module, const void *data, size_t length, const char *text);

#define FB_LOG_LEVEL(...) FB_SECOND(__VA_OPT__(0, (__VA_ARGS__), ) 0, CONFIG_LOG_DEFAULT_LEVEL, 0)
#define LOG_MODULE_REGISTER(name, ...) LOG_MODULE_DECLARE(name, __VA_ARGS__)
#define LOG_MODULE_DECLARE(name, ...) \
    static const char *const fb_log_module __attribute__((unused)) = #name; \
    static const int fb_log_level __attribute__((unused)) = FB_LOG_LEVEL(__VA_ARGS__)
#define FB_LOG(level, ...) \
    do { \
        if (fb_log_level >= (level)) \
            fb_log(level, fb_log_module, __VA_ARGS__); \
    } while (0)
#define LOG_ERR(...) FB_LOG(LOG_LEVEL_ERR, __VA_ARGS__)
#define LOG_WRN(...) FB_LOG(LOG_LEVEL_WRN, __VA_ARGS__)
#define LOG_INF(...) FB_LOG(LOG_LEVEL_INF, __VA_ARGS__)
#define LOG_DBG(...) FB_LOG(LOG_LEVEL_DBG, __VA_ARGS__)
#define FB_LOG_ONCE(macro, ...) \
    do { \
        static int fb_said; \
        if (!fb_said) { \
            fb_said = 1; \
            macro(__VA_ARGS__); \
        } \
    } while (0)
#define LOG_ERR_ONCE(...) FB_LOG_ONCE(LOG_ERR, __VA_ARGS__)
#define LOG_WRN_ONCE(...) FB_LOG_ONCE(LOG_WRN, __VA_ARGS__)
#define LOG_INF_ONCE(...) FB_LOG_ONCE(LOG_INF, __VA_ARGS__)
#define LOG_PRINTK(...) printk(__VA_ARGS__)
#define LOG_RAW(...) printk(__VA_ARGS__)
#define FB_LOG_HEXDUMP(level, data, length, text) \
    do { \
        if (fb_log_level >= (level)) \
            fb_log_hexdump(level, fb_log_module, data, length, text); \
    } while (0)
#define LOG_HEXDUMP_ERR(data, length, text) FB_LOG_HEXDUMP(LOG_LEVEL_ERR, data, length, text)
#define LOG_HEXDUMP_WRN(data, length, text) FB_LOG_HEXDUMP(LOG_LEVEL_WRN, data, length, text)
#define LOG_HEXDUMP_INF(data, length, text) FB_LOG_HEXDUMP(LOG_LEVEL_INF, data, length, text)
#define LOG_HEXDUMP_DBG(data, length, text) FB_LOG_HEXDUMP(LOG_LEVEL_DBG, data, length, text)

#endif
