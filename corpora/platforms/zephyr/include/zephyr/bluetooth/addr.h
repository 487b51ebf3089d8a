#ifndef ZEPHYR_BLUETOOTH_ADDR_H
#define ZEPHYR_BLUETOOTH_ADDR_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define BT_ADDR_LE_PUBLIC 0x00
#define BT_ADDR_LE_RANDOM 0x01
#define BT_ADDR_SIZE 6
#define BT_ADDR_STR_LEN 18
#define BT_ADDR_LE_STR_LEN 30

typedef struct {
    uint8_t val[BT_ADDR_SIZE];
} bt_addr_t;

typedef struct {
    uint8_t type;
    bt_addr_t a;
} bt_addr_le_t;

#define BT_ADDR_LE_ANY (&(bt_addr_le_t){0})

int bt_addr_le_to_str(const bt_addr_le_t *addr, char *str, size_t len);

static inline int bt_addr_le_cmp(const bt_addr_le_t *a, const bt_addr_le_t *b)
{
    return memcmp(a, b, sizeof *a);
}

static inline void bt_addr_le_copy(bt_addr_le_t *dst, const bt_addr_le_t *src)
{
    memcpy(dst, src, sizeof *dst);
}

#endif
