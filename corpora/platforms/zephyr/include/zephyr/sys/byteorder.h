#ifndef ZEPHYR_SYS_BYTEORDER_H
#define ZEPHYR_SYS_BYTEORDER_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The machine is little-endian. */
#define sys_le16_to_cpu(val) (val)
#define sys_cpu_to_le16(val) (val)
#define sys_le32_to_cpu(val) (val)
#define sys_cpu_to_le32(val) (val)
#define sys_le64_to_cpu(val) (val)
#define sys_cpu_to_le64(val) (val)
#define sys_be16_to_cpu(val) ((uint16_t)__builtin_bswap16((uint16_t)(val)))
#define sys_cpu_to_be16(val) ((uint16_t)__builtin_bswap16((uint16_t)(val)))
#define sys_be32_to_cpu(val) ((uint32_t)__builtin_bswap32((uint32_t)(val)))
#define sys_cpu_to_be32(val) ((uint32_t)__builtin_bswap32((uint32_t)(val)))
#define sys_be64_to_cpu(val) ((uint64_t)__builtin_bswap64((uint64_t)(val)))
#define sys_cpu_to_be64(val) ((uint64_t)__builtin_bswap64((uint64_t)(val)))

static inline void sys_put_be16(uint16_t val, uint8_t dst[2])
{
    for (int i = 0; i < 2; i++)
        dst[1 - i] = (uint8_t)(val >> (8 * i));
}

static inline uint16_t sys_get_be16(const uint8_t src[2])
{
    uint16_t val = 0;
    for (int i = 0; i < 2; i++)
        val = (uint16_t)(val << 8 | src[i]);
    return val;
}

static inline void sys_put_le16(uint16_t val, uint8_t dst[2])
{
    for (int i = 0; i < 2; i++)
        dst[i] = (uint8_t)(val >> (8 * i));
}

static inline uint16_t sys_get_le16(const uint8_t src[2])
{
    uint16_t val = 0;
    for (int i = 0; i < 2; i++)
        val = (uint16_t)(val << 8 | src[1 - i]);
    return val;
}

static inline void sys_put_be24(uint32_t val, uint8_t dst[3])
{
    for (int i = 0; i < 3; i++)
        dst[2 - i] = (uint8_t)(val >> (8 * i));
}

static inline uint32_t sys_get_be24(const uint8_t src[3])
{
    uint32_t val = 0;
    for (int i = 0; i < 3; i++)
        val = (uint32_t)(val << 8 | src[i]);
    return val;
}

static inline void sys_put_le24(uint32_t val, uint8_t dst[3])
{
    for (int i = 0; i < 3; i++)
        dst[i] = (uint8_t)(val >> (8 * i));
}

static inline uint32_t sys_get_le24(const uint8_t src[3])
{
    uint32_t val = 0;
    for (int i = 0; i < 3; i++)
        val = (uint32_t)(val << 8 | src[2 - i]);
    return val;
}

static inline void sys_put_be32(uint32_t val, uint8_t dst[4])
{
    for (int i = 0; i < 4; i++)
        dst[3 - i] = (uint8_t)(val >> (8 * i));
}

static inline uint32_t sys_get_be32(const uint8_t src[4])
{
    uint32_t val = 0;
    for (int i = 0; i < 4; i++)
        val = (uint32_t)(val << 8 | src[i]);
    return val;
}

static inline void sys_put_le32(uint32_t val, uint8_t dst[4])
{
    for (int i = 0; i < 4; i++)
        dst[i] = (uint8_t)(val >> (8 * i));
}

static inline uint32_t sys_get_le32(const uint8_t src[4])
{
    uint32_t val = 0;
    for (int i = 0; i < 4; i++)
        val = (uint32_t)(val << 8 | src[3 - i]);
    return val;
}

static inline void sys_put_be40(uint64_t val, uint8_t dst[5])
{
    for (int i = 0; i < 5; i++)
        dst[4 - i] = (uint8_t)(val >> (8 * i));
}

static inline uint64_t sys_get_be40(const uint8_t src[5])
{
    uint64_t val = 0;
    for (int i = 0; i < 5; i++)
        val = (uint64_t)(val << 8 | src[i]);
    return val;
}

static inline void sys_put_le40(uint64_t val, uint8_t dst[5])
{
    for (int i = 0; i < 5; i++)
        dst[i] = (uint8_t)(val >> (8 * i));
}

static inline uint64_t sys_get_le40(const uint8_t src[5])
{
    uint64_t val = 0;
    for (int i = 0; i < 5; i++)
        val = (uint64_t)(val << 8 | src[4 - i]);
    return val;
}

static inline void sys_put_be48(uint64_t val, uint8_t dst[6])
{
    for (int i = 0; i < 6; i++)
        dst[5 - i] = (uint8_t)(val >> (8 * i));
}

static inline uint64_t sys_get_be48(const uint8_t src[6])
{
    uint64_t val = 0;
    for (int i = 0; i < 6; i++)
        val = (uint64_t)(val << 8 | src[i]);
    return val;
}

static inline void sys_put_le48(uint64_t val, uint8_t dst[6])
{
    for (int i = 0; i < 6; i++)
        dst[i] = (uint8_t)(val >> (8 * i));
}

static inline uint64_t sys_get_le48(const uint8_t src[6])
{
    uint64_t val = 0;
    for (int i = 0; i < 6; i++)
        val = (uint64_t)(val << 8 | src[5 - i]);
    return val;
}

static inline void sys_put_be64(uint64_t val, uint8_t dst[8])
{
    for (int i = 0; i < 8; i++)
        dst[7 - i] = (uint8_t)(val >> (8 * i));
}

static inline uint64_t sys_get_be64(const uint8_t src[8])
{
    uint64_t val = 0;
    for (int i = 0; i < 8; i++)
        val = (uint64_t)(val << 8 | src[i]);
    return val;
}

static inline void sys_put_le64(uint64_t val, uint8_t dst[8])
{
    for (int i = 0; i < 8; i++)
        dst[i] = (uint8_t)(val >> (8 * i));
}

static inline uint64_t sys_get_le64(const uint8_t src[8])
{
    uint64_t val = 0;
    for (int i = 0; i < 8; i++)
        val = (uint64_t)(val << 8 | src[7 - i]);
    return val;
}

static inline void sys_memcpy_swap(void *dst, const void *src, size_t length)
{
    for (size_t i = 0; i < length; i++)
        ((uint8_t *)dst)[i] = ((const uint8_t *)src)[length - 1 - i];
}

static inline void sys_mem_swap(void *buf, size_t length)
{
    for (size_t i = 0; i < length / 2; i++) {
        uint8_t byte = ((uint8_t *)buf)[i];
        ((uint8_t *)buf)[i] = ((uint8_t *)buf)[length - 1 - i];
        ((uint8_t *)buf)[length - 1 - i] = byte;
    }
}

#endif
