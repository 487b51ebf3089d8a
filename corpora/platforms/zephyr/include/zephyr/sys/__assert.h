#ifndef ZEPHYR_SYS_ASSERT_H
#define ZEPHYR_SYS_ASSERT_H
#include <stdbool.h>
#include <zephyr/toolchain.h>
void fb_assert_failed(const char *condition, const char *format, ...) __printf_like(2, 3) __attribute__((noreturn));
#define __ASSERT(test, ...) \
    do { \
        if (!(test)) \
            fb_assert_failed(#test, "" __VA_ARGS__); \
    } while (false)
#define __ASSERT_NO_MSG(test) __ASSERT(test, " ")
#define __ASSERT_EVAL(expr1, expr2, test, ...) \
    do { \
        expr2; \
        __ASSERT(test, __VA_ARGS__); \
    } while (false)
#endif
