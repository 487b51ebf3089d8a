#ifndef ZEPHYR_SYS_BYTEORDER_H
#define ZEPHYR_SYS_BYTEORDER_H

#include <stddef.h>
#include <stdint.h>
#include <zephyr/sys/util.h>

#define BSWAP_16(x) __builtin_bswap16(x)
#define BSWAP_32(x) __builtin_bswap32(x)
#define BSWAP_64(x) __builtin_bswap64(x)

/* The target is little-endian. */
#define FB_BYTEORDER(bits) \
    static inline void sys_put_le##bits(uint##bits##_t value, uint8_t dst[bits / 8]) \
    { \
        for (int i = 0; i < bits / 8; i++) \
            dst[i] = (uint8_t)(value >> (8 * i)); \
    } \
    static inline void sys_put_be##bits(uint##bits##_t value, uint8_t dst[bits / 8]) \
    { \
        for (int i = 0; i < bits / 8; i++) \
            dst[bits / 8 - 1 - i] = (uint8_t)(value >> (8 * i)); \
    } \
    static inline uint##bits##_t sys_get_le##bits(const uint8_t src[bits / 8]) \
    { \
        uint64_t value = 0; \
        for (int i = bits / 8; i--;) \
            value = value << 8 | src[i]; \
        return (uint##bits##_t)value; \
    } \
    static inline uint##bits##_t sys_get_be##bits(const uint8_t src[bits / 8]) \
    { \
        uint64_t value = 0; \
        for (int i = 0; i < bits / 8; i++) \
            value = value << 8 | src[i]; \
        return (uint##bits##_t)value; \
    }
#define FB_BYTEORDER_CONVERT(bits) \
    static inline uint##bits##_t sys_le##bits##_to_cpu(uint##bits##_t value) \
    { \
        return value; \
    } \
    static inline uint##bits##_t sys_cpu_to_le##bits(uint##bits##_t value) \
    { \
        return value; \
    } \
    static inline uint##bits##_t sys_be##bits##_to_cpu(uint##bits##_t value) \
    { \
        return BSWAP_##bits(value); \
    } \
    static inline uint##bits##_t sys_cpu_to_be##bits(uint##bits##_t value) \
    { \
        return BSWAP_##bits(value); \
    }
FB_BYTEORDER(16)
FB_BYTEORDER(32)
FB_BYTEORDER(64)
FB_BYTEORDER_CONVERT(16)
FB_BYTEORDER_CONVERT(32)
FB_BYTEORDER_CONVERT(64)

static inline void sys_put_le24(uint32_t value, uint8_t dst[3])
{
    sys_put_le16((uint16_t)value, dst);
    dst[2] = (uint8_t)(value >> 16);
}

static inline void sys_put_be24(uint32_t value, uint8_t dst[3])
{
    dst[0] = (uint8_t)(value >> 16);
    sys_put_be16((uint16_t)value, dst + 1);
}

static inline uint32_t sys_get_le24(const uint8_t src[3])
{
    return (uint32_t)src[2] << 16 | sys_get_le16(src);
}

static inline uint32_t sys_get_be24(const uint8_t src[3])
{
    return (uint32_t)src[0] << 16 | sys_get_be16(src + 1);
}

static inline void sys_memcpy_swap(void *dst, const void *src, size_t length)
{
    for (size_t i = 0; i < length; i++)
        ((uint8_t *)dst)[i] = ((const uint8_t *)src)[length - 1 - i];
}

#endif
