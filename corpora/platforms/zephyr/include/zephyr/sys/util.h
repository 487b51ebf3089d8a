#ifndef ZEPHYR_SYS_UTIL_H
#define ZEPHYR_SYS_UTIL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <zephyr/sys/util_macro.h>
#include <zephyr/toolchain.h>
#include <zephyr/types.h>

#define POINTER_TO_UINT(x) ((uintptr_t)(x))
#define UINT_TO_POINTER(x) ((void *)(uintptr_t)(x))
#define POINTER_TO_INT(x) ((intptr_t)(x))
#define INT_TO_POINTER(x) ((void *)(intptr_t)(x))
#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))
#define ARRAY_INDEX(array, ptr) ((size_t)((ptr) - (array)))
#define PART_OF_ARRAY(array, ptr) ((ptr) >= &(array)[0] && (ptr) < &(array)[ARRAY_SIZE(array)])
#ifndef CONTAINER_OF
#define CONTAINER_OF(ptr, type, field) ((type *)(((char *)(ptr)) - offsetof(type, field)))
#endif
#define SIZEOF_FIELD(type, member) sizeof((((type *)0)->member))
#define ROUND_UP(x, align) \
    ((((unsigned long)(x) + ((unsigned long)(align) - 1)) / (unsigned long)(align)) * (unsigned long)(align))
#define ROUND_DOWN(x, align) (((unsigned long)(x) / (unsigned long)(align)) * (unsigned long)(align))
#define WB_UP(x) ROUND_UP(x, sizeof(void *))
#define WB_DN(x) ROUND_DOWN(x, sizeof(void *))
#define DIV_ROUND_UP(n, d) (((n) + (d) - 1) / (d))
#define DIV_ROUND_CLOSEST(n, d) ((((n) < 0) ^ ((d) < 0)) ? ((n) - ((d) / 2)) / (d) : ((n) + ((d) / 2)) / (d))
#define ceiling_fraction(n, d) DIV_ROUND_UP(n, d)
#ifndef MAX
#define MAX(a, b) (((a) > (b)) ? (a) : (b))
#endif
#ifndef MIN
#define MIN(a, b) (((a) < (b)) ? (a) : (b))
#endif
#ifndef CLAMP
#define CLAMP(val, low, high) (((val) <= (low)) ? (low) : MIN(val, high))
#endif
#define IN_RANGE(val, min, max) ((val) >= (min) && (val) <= (max))
#define SWAP(a, b) \
    do { \
        __typeof__(a) fb_swap = (a); \
        (a) = (b); \
        (b) = fb_swap; \
    } while (0)
#define KB(x) (((size_t)(x)) << 10)
#define MB(x) (KB(x) << 10)
#define KHZ(x) ((x) * 1000)
#define MHZ(x) (KHZ(x) * 1000)
#ifndef MSEC_PER_SEC
#define MSEC_PER_SEC 1000U
#define USEC_PER_MSEC 1000U
#define NSEC_PER_USEC 1000U
#define NSEC_PER_MSEC 1000000U
#define USEC_PER_SEC 1000000U
#define NSEC_PER_SEC 1000000000U
#define SEC_PER_MIN 60U
#endif
#define WAIT_FOR(expr, timeout, delay_stmt) \
    __extension__({ \
        int64_t fb_begin = k_uptime_ticks(); \
        while (!(expr) && k_ticks_to_us_floor64(k_uptime_ticks() - fb_begin) < (uint64_t)(timeout)) { \
            delay_stmt; \
        } \
        (expr); \
    })

static inline bool is_power_of_two(unsigned int x)
{
    return x && !(x & (x - 1U));
}

static inline uint8_t bcd2bin(uint8_t bcd)
{
    return (uint8_t)(10 * (bcd >> 4) + (bcd & 0x0f));
}

static inline uint8_t bin2bcd(uint8_t bin)
{
    return (uint8_t)(((bin / 10) << 4) | (bin % 10));
}

static inline int64_t sign_extend(uint32_t value, uint8_t index)
{
    uint8_t shift = 31 - index;
    return (int32_t)(value << shift) >> shift;
}

uint8_t u8_to_dec(char *buf, uint8_t buflen, uint8_t value);
size_t bin2hex(const uint8_t *buf, size_t buflen, char *hex, size_t hexlen);
size_t hex2bin(const char *hex, size_t hexlen, uint8_t *buf, size_t buflen);

#endif
