#ifndef ZEPHYR_BLUETOOTH_UUID_H
#define ZEPHYR_BLUETOOTH_UUID_H

#include <stddef.h>
#include <stdint.h>

#include <zephyr/sys/util.h>

enum {
    BT_UUID_TYPE_16,
    BT_UUID_TYPE_32,
    BT_UUID_TYPE_128,
};

#define BT_UUID_SIZE_16 2
#define BT_UUID_SIZE_32 4
#define BT_UUID_SIZE_128 16
#define BT_UUID_STR_LEN 37

struct bt_uuid {
    uint8_t type;
};

struct bt_uuid_16 {
    struct bt_uuid uuid;
    uint16_t val;
};

struct bt_uuid_32 {
    struct bt_uuid uuid;
    uint32_t val;
};

struct bt_uuid_128 {
    struct bt_uuid uuid;
    uint8_t val[BT_UUID_SIZE_128];
};

#define BT_UUID_INIT_16(value) {.uuid = {BT_UUID_TYPE_16}, .val = (value)}
#define BT_UUID_INIT_32(value) {.uuid = {BT_UUID_TYPE_32}, .val = (value)}
#define BT_UUID_INIT_128(value...) {.uuid = {BT_UUID_TYPE_128}, .val = {value}}

#define BT_UUID_DECLARE_16(value) ((const struct bt_uuid *)((const struct bt_uuid_16[]){BT_UUID_INIT_16(value)}))
#define BT_UUID_DECLARE_32(value) ((const struct bt_uuid *)((const struct bt_uuid_32[]){BT_UUID_INIT_32(value)}))
#define BT_UUID_DECLARE_128(value...) ((const struct bt_uuid *)((const struct bt_uuid_128[]){BT_UUID_INIT_128(value)}))

#define BT_UUID_16(u) CONTAINER_OF(u, struct bt_uuid_16, uuid)
#define BT_UUID_32(u) CONTAINER_OF(u, struct bt_uuid_32, uuid)
#define BT_UUID_128(u) CONTAINER_OF(u, struct bt_uuid_128, uuid)

#define FB_UUID_BYTE(word, n) (((word) >> (8 * (n))) & 0xFF)
#define BT_UUID_16_ENCODE(w16) FB_UUID_BYTE(w16, 0), FB_UUID_BYTE(w16, 1)
#define BT_UUID_32_ENCODE(w32) BT_UUID_16_ENCODE(w32), FB_UUID_BYTE(w32, 2), FB_UUID_BYTE(w32, 3)
#define BT_UUID_128_ENCODE(w32, w1, w2, w3, w48) \
    BT_UUID_32_ENCODE(w48), FB_UUID_BYTE(w48, 4), FB_UUID_BYTE(w48, 5), BT_UUID_16_ENCODE(w3), BT_UUID_16_ENCODE(w2), \
        BT_UUID_16_ENCODE(w1), BT_UUID_32_ENCODE(w32)

#define BT_UUID_GAP_VAL 0x1800
#define BT_UUID_GATT_VAL 0x1801
#define BT_UUID_HTS_VAL 0x1809
#define BT_UUID_DIS_VAL 0x180a
#define BT_UUID_HRS_VAL 0x180d
#define BT_UUID_BAS_VAL 0x180f
#define BT_UUID_GATT_PRIMARY_VAL 0x2800
#define BT_UUID_GATT_SECONDARY_VAL 0x2801
#define BT_UUID_GATT_INCLUDE_VAL 0x2802
#define BT_UUID_GATT_CHRC_VAL 0x2803
#define BT_UUID_GATT_CEP_VAL 0x2900
#define BT_UUID_GATT_CUD_VAL 0x2901
#define BT_UUID_GATT_CCC_VAL 0x2902
#define BT_UUID_GATT_CPF_VAL 0x2904
#define BT_UUID_BAS_BATTERY_LEVEL_VAL 0x2a19
#define BT_UUID_TEMPERATURE_VAL 0x2a6e
#define BT_UUID_BAS BT_UUID_DECLARE_16(BT_UUID_BAS_VAL)
#define BT_UUID_DIS BT_UUID_DECLARE_16(BT_UUID_DIS_VAL)
#define BT_UUID_BAS_BATTERY_LEVEL BT_UUID_DECLARE_16(BT_UUID_BAS_BATTERY_LEVEL_VAL)
#define BT_UUID_TEMPERATURE BT_UUID_DECLARE_16(BT_UUID_TEMPERATURE_VAL)
#define BT_UUID_GATT_PRIMARY BT_UUID_DECLARE_16(BT_UUID_GATT_PRIMARY_VAL)
#define BT_UUID_GATT_SECONDARY BT_UUID_DECLARE_16(BT_UUID_GATT_SECONDARY_VAL)
#define BT_UUID_GATT_CHRC BT_UUID_DECLARE_16(BT_UUID_GATT_CHRC_VAL)
#define BT_UUID_GATT_CEP BT_UUID_DECLARE_16(BT_UUID_GATT_CEP_VAL)
#define BT_UUID_GATT_CUD BT_UUID_DECLARE_16(BT_UUID_GATT_CUD_VAL)
#define BT_UUID_GATT_CCC BT_UUID_DECLARE_16(BT_UUID_GATT_CCC_VAL)
#define BT_UUID_GATT_CPF BT_UUID_DECLARE_16(BT_UUID_GATT_CPF_VAL)

int bt_uuid_cmp(const struct bt_uuid *u1, const struct bt_uuid *u2);
void bt_uuid_to_str(const struct bt_uuid *uuid, char *str, size_t len);

#endif
