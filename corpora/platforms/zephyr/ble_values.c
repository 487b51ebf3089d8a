/* The ready-made reads and writes of attributes, and UUIDs. */
#include <stdio.h>
#include <string.h>

#include <zephyr/bluetooth/gatt.h>
#include <zephyr/sys/byteorder.h>

#include "sim.h"

ssize_t bt_gatt_attr_read(struct bt_conn *conn, const struct bt_gatt_attr *attr, void *buf, uint16_t buf_len,
                          uint16_t offset, const void *value, uint16_t value_len)
{
    (void)conn;
    (void)attr;
    if (offset > value_len)
        return BT_GATT_ERR(BT_ATT_ERR_INVALID_OFFSET);
    uint16_t length = value_len - offset < buf_len ? value_len - offset : buf_len;
    memcpy(buf, (const uint8_t *)value + offset, length);
    return length;
}

static ssize_t read_uuid(const struct bt_gatt_attr *attr, void *buf, uint16_t len, uint16_t offset,
                         const struct bt_uuid *uuid)
{
    if (uuid->type == BT_UUID_TYPE_16)
        return bt_gatt_attr_read(NULL, attr, buf, len, offset, &BT_UUID_16(uuid)->val, 2);
    return bt_gatt_attr_read(NULL, attr, buf, len, offset, BT_UUID_128(uuid)->val, BT_UUID_SIZE_128);
}

ssize_t bt_gatt_attr_read_service(struct bt_conn *conn, const struct bt_gatt_attr *attr, void *buf, uint16_t len,
                                  uint16_t offset)
{
    (void)conn;
    return read_uuid(attr, buf, len, offset, attr->user_data);
}

ssize_t bt_gatt_attr_read_chrc(struct bt_conn *conn, const struct bt_gatt_attr *attr, void *buf, uint16_t len,
                               uint16_t offset)
{
    (void)conn;
    return read_uuid(attr, buf, len, offset, ((const struct bt_gatt_chrc *)attr->user_data)->uuid);
}

ssize_t bt_gatt_attr_read_ccc(struct bt_conn *conn, const struct bt_gatt_attr *attr, void *buf, uint16_t len,
                              uint16_t offset)
{
    const struct bt_gatt_ccc_managed_user_data *ccc = attr->user_data;
    uint8_t value[2];
    sys_put_le16(ccc->value, value);
    return bt_gatt_attr_read(conn, attr, buf, len, offset, value, sizeof value);
}

ssize_t bt_gatt_attr_write_ccc(struct bt_conn *conn, const struct bt_gatt_attr *attr, const void *buf, uint16_t len,
                               uint16_t offset, uint8_t flags)
{
    struct bt_gatt_ccc_managed_user_data *ccc = attr->user_data;
    (void)flags;
    if (offset)
        return BT_GATT_ERR(BT_ATT_ERR_INVALID_OFFSET);
    if (!len || len > 2)
        return BT_GATT_ERR(BT_ATT_ERR_INVALID_ATTRIBUTE_LEN);
    uint16_t value = len == 1 ? *(const uint8_t *)buf : sys_get_le16(buf);
    if (ccc->cfg_write) {
        ssize_t result = ccc->cfg_write(conn, attr, value);
        if (result < 0)
            return result;
        if (result != 2 && result != 1)
            return BT_GATT_ERR(BT_ATT_ERR_UNLIKELY);
    }
    bool changed = ccc->value != value;
    ccc->value = value;
    if (changed && ccc->cfg_changed)
        ccc->cfg_changed(attr, value);
    return len;
}

ssize_t bt_gatt_attr_read_cud(struct bt_conn *conn, const struct bt_gatt_attr *attr, void *buf, uint16_t len,
                              uint16_t offset)
{
    const char *text = attr->user_data;
    return bt_gatt_attr_read(conn, attr, buf, len, offset, text, (uint16_t)strlen(text));
}

ssize_t bt_gatt_attr_read_cpf(struct bt_conn *conn, const struct bt_gatt_attr *attr, void *buf, uint16_t len,
                              uint16_t offset)
{
    return bt_gatt_attr_read(conn, attr, buf, len, offset, attr->user_data, sizeof(struct bt_gatt_cpf));
}

uint16_t bt_gatt_attr_get_handle(const struct bt_gatt_attr *attr)
{
    uint16_t handle = 1;
    for (const struct bt_gatt_attr *at = bt_gatt_find_by_uuid(NULL, 0, BT_UUID_GATT_PRIMARY); at;
         at = bt_gatt_attr_next(at), handle++)
        if (at == attr)
            return handle;
    return 0;
}

uint16_t bt_gatt_attr_value_handle(const struct bt_gatt_attr *attr)
{
    return bt_gatt_attr_get_handle(attr) + 1;
}

int bt_uuid_cmp(const struct bt_uuid *u1, const struct bt_uuid *u2)
{
    if (u1->type != u2->type)
        return (int)u1->type - (int)u2->type;
    if (u1->type == BT_UUID_TYPE_16)
        return (int)BT_UUID_16(u1)->val - (int)BT_UUID_16(u2)->val;
    if (u1->type == BT_UUID_TYPE_32)
        return BT_UUID_32(u1)->val != BT_UUID_32(u2)->val;
    return memcmp(BT_UUID_128(u1)->val, BT_UUID_128(u2)->val, BT_UUID_SIZE_128);
}

void bt_uuid_to_str(const struct bt_uuid *uuid, char *str, size_t len)
{
    if (uuid->type == BT_UUID_TYPE_16) {
        snprintf(str, len, "%04x", BT_UUID_16(uuid)->val);
        return;
    }
    const uint8_t *v = BT_UUID_128(uuid)->val;
    snprintf(str, len, "%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x", v[15], v[14], v[13],
             v[12], v[11], v[10], v[9], v[8], v[7], v[6], v[5], v[4], v[3], v[2], v[1], v[0]);
}
