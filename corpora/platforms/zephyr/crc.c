/* Checksums, a bit at a time. Weak, because an answer may define a function of the same name where it does not include
 * the header. */
#include <zephyr/toolchain.h>
#include <zephyr/sys/crc.h>

__weak uint16_t crc16(uint16_t poly, uint16_t seed, const uint8_t *src, size_t len)
{
    uint16_t crc = seed;
    for (size_t i = 0; i < len; i++) {
        crc ^= (uint16_t)(src[i] << 8);
        for (int bit = 0; bit < 8; bit++)
            crc = (uint16_t)(crc & 0x8000 ? crc << 1 ^ poly : crc << 1);
    }
    return crc;
}

static uint32_t reflected(uint32_t poly, uint32_t crc, const uint8_t *src, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        crc ^= src[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc & 1 ? crc >> 1 ^ poly : crc >> 1;
    }
    return crc;
}

__weak uint16_t crc16_reflect(uint16_t poly, uint16_t seed, const uint8_t *src, size_t len)
{
    return (uint16_t)reflected(poly, seed, src, len);
}

__weak uint8_t crc8(const uint8_t *src, size_t len, uint8_t polynomial, uint8_t initial_value, bool reversed)
{
    if (reversed)
        return (uint8_t)reflected(polynomial, initial_value, src, len);
    uint8_t crc = initial_value;
    for (size_t i = 0; i < len; i++) {
        crc ^= src[i];
        for (int bit = 0; bit < 8; bit++)
            crc = (uint8_t)(crc & 0x80 ? crc << 1 ^ polynomial : crc << 1);
    }
    return crc;
}

__weak uint16_t crc16_ccitt(uint16_t seed, const uint8_t *src, size_t len)
{
    return crc16_reflect(0x8408, seed, src, len);
}

__weak uint16_t crc16_itu_t(uint16_t seed, const uint8_t *src, size_t len)
{
    return crc16(0x1021, seed, src, len);
}

__weak uint32_t crc32_ieee_update(uint32_t crc, const uint8_t *data, size_t len)
{
    return ~reflected(0xEDB88320, ~crc, data, len);
}

__weak uint32_t crc32_ieee(const uint8_t *data, size_t len)
{
    return crc32_ieee_update(0, data, len);
}

__weak uint32_t crc32_c(uint32_t crc, const uint8_t *data, size_t len, bool first_pkt, bool last_pkt)
{
    crc = reflected(0x82F63B78, first_pkt ? 0xFFFFFFFF : crc, data, len);
    return last_pkt ? ~crc : crc;
}

__weak uint8_t crc8_ccitt(uint8_t initial_value, const void *buf, size_t len)
{
    return crc8(buf, len, 0x07, initial_value, false);
}

__weak uint8_t crc7_be(uint8_t seed, const uint8_t *src, size_t len)
{
    uint8_t crc = seed;
    for (size_t i = 0; i < len; i++) {
        crc ^= src[i];
        for (int bit = 0; bit < 8; bit++)
            crc = (uint8_t)(crc & 0x80 ? crc << 1 ^ 0x12 : crc << 1);
    }
    return crc;
}
