#ifndef ZEPHYR_SYS_CRC_H
#define ZEPHYR_SYS_CRC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CRC8_CCITT_INITIAL_VALUE 0xFF

uint16_t crc16(uint16_t poly, uint16_t seed, const uint8_t *src, size_t len);
uint16_t crc16_reflect(uint16_t poly, uint16_t seed, const uint8_t *src, size_t len);
uint8_t crc8(const uint8_t *src, size_t len, uint8_t polynomial, uint8_t initial_value, bool reversed);
uint16_t crc16_ccitt(uint16_t seed, const uint8_t *src, size_t len);
uint16_t crc16_itu_t(uint16_t seed, const uint8_t *src, size_t len);
uint32_t crc32_ieee(const uint8_t *data, size_t len);
uint32_t crc32_ieee_update(uint32_t crc, const uint8_t *data, size_t len);
uint32_t crc32_c(uint32_t crc, const uint8_t *data, size_t len, bool first_pkt, bool last_pkt);
uint8_t crc8_ccitt(uint8_t initial_value, const void *buf, size_t len);
uint8_t crc7_be(uint8_t seed, const uint8_t *src, size_t len);

static inline uint16_t crc16_ansi(const uint8_t *src, size_t len)
{
    return crc16_reflect(0xA001, 0xffff, src, len);
}

#endif
