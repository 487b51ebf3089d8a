#ifndef ZEPHYR_SYS_PRINTK_H
#define ZEPHYR_SYS_PRINTK_H
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <zephyr/toolchain.h>
void printk(const char *fmt, ...) __printf_like(1, 2);
void vprintk(const char *fmt, va_list ap);
#define snprintk snprintf
#define vsnprintk vsnprintf
#endif
