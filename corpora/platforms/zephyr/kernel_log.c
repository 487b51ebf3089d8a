/* printk, the log, and the ways in which a system stops. */
#include "fb_zephyr.h"
#include "power.h"

#include <zephyr/logging/log.h>
#include <zephyr/sys/poweroff.h>
#include <zephyr/sys/reboot.h>

void vprintk(const char *fmt, va_list ap)
{
    fb_console_format(fmt, ap);
}

void printk(const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    vprintk(fmt, args);
    va_end(args);
}

static void prefix(int level, const char *module)
{
    static const char *const words[] = {"", "err", "wrn", "inf", "dbg"};
    int64_t us = fb_now() / 1000;
    printk("[%02d:%02d:%02d.%03d,%03d] <%s> %s: ", (int)(us / 3600000000), (int)(us / 60000000 % 60),
           (int)(us / 1000000 % 60), (int)(us / 1000 % 1000), (int)(us % 1000), words[level], module);
}

void fb_log(int level, const char *module, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    prefix(level, module);
    vprintk(format, args);
    va_end(args);
    printk("\n");
}

void fb_log_hexdump(int level, const char *module, const void *data, size_t length, const char *text)
{
    fb_log(level, module, "%s", text);
    const uint8_t *bytes = data;
    for (size_t i = 0; i < length; i++)
        printk("%02x%s", bytes[i], i % 16 == 15 || i + 1 == length ? "\n" : " ");
}

void fb_assert_failed(const char *condition, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char text[200];
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    fb_panic("ASSERTION FAIL [%s] %s", condition, text);
}

void fb_k_panic(const char *what)
{
    fb_panic("%s", what);
}

void k_fatal_halt(unsigned int reason)
{
    fb_panic("k_fatal_halt(%u)", reason);
}

void sys_reboot(int type)
{
    fb_trace("reboot", "%s", type == SYS_REBOOT_COLD ? "cold" : "warm");
    fb_power_cycle("sys_reboot"); /* the end of the run, unless the scenario wants more boots */
}

void sys_poweroff(void)
{
    fb_trace("poweroff", "sys_poweroff");
    fb_stop("sys_poweroff");
}

size_t bin2hex(const uint8_t *buf, size_t buflen, char *hex, size_t hexlen)
{
    if (hexlen < buflen * 2 + 1)
        return 0;
    for (size_t i = 0; i < buflen; i++)
        snprintf(hex + 2 * i, 3, "%02x", buf[i]);
    hex[buflen * 2] = '\0';
    return buflen * 2;
}

size_t hex2bin(const char *hex, size_t hexlen, uint8_t *buf, size_t buflen)
{
    if (buflen < hexlen / 2)
        return 0;
    for (size_t i = 0; i < hexlen / 2; i++) {
        unsigned int byte;
        if (sscanf(hex + 2 * i, "%2x", &byte) != 1)
            return 0;
        buf[i] = (uint8_t)byte;
    }
    return hexlen / 2;
}

uint8_t u8_to_dec(char *buf, uint8_t buflen, uint8_t value)
{
    int length = snprintf(buf, buflen, "%u", value);
    return (uint8_t)MIN(length, buflen);
}
