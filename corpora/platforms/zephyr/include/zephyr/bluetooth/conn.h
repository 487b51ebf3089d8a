#ifndef ZEPHYR_BLUETOOTH_CONN_H
#define ZEPHYR_BLUETOOTH_CONN_H

#include <stdbool.h>
#include <stdint.h>

#include <zephyr/bluetooth/addr.h>
#include <zephyr/bluetooth/hci_types.h>
#include <zephyr/sys/util.h>
#include <zephyr/toolchain.h>

struct bt_conn;

struct bt_le_conn_param {
    uint16_t interval_min;
    uint16_t interval_max;
    uint16_t latency;
    uint16_t timeout;
};

#define BT_LE_CONN_PARAM_INIT(int_min, int_max, lat, to) \
    {.interval_min = (int_min), .interval_max = (int_max), .latency = (lat), .timeout = (to)}
#define BT_LE_CONN_PARAM(int_min, int_max, lat, to) \
    ((struct bt_le_conn_param[]){BT_LE_CONN_PARAM_INIT(int_min, int_max, lat, to)})
#define BT_LE_CONN_PARAM_DEFAULT BT_LE_CONN_PARAM(0x18, 0x28, 0, 400)

enum {
    BT_CONN_TYPE_LE = BIT(0),
    BT_CONN_TYPE_BR = BIT(1),
    BT_CONN_TYPE_ALL = BT_CONN_TYPE_LE | BT_CONN_TYPE_BR,
};

enum bt_conn_state {
    BT_CONN_STATE_DISCONNECTED,
    BT_CONN_STATE_CONNECTING,
    BT_CONN_STATE_CONNECTED,
    BT_CONN_STATE_DISCONNECTING,
};

enum {
    BT_CONN_ROLE_CENTRAL = 0,
    BT_CONN_ROLE_PERIPHERAL = 1,
};

typedef enum {
    BT_SECURITY_L0,
    BT_SECURITY_L1,
    BT_SECURITY_L2,
    BT_SECURITY_L3,
    BT_SECURITY_L4,
} bt_security_t;

enum bt_security_err {
    BT_SECURITY_ERR_SUCCESS,
    BT_SECURITY_ERR_AUTH_FAIL,
};

struct bt_conn_info {
    uint8_t type;
    uint8_t role;
    uint8_t id;
    struct {
        const bt_addr_le_t *src;
        const bt_addr_le_t *dst;
        uint16_t interval;
        uint16_t latency;
        uint16_t timeout;
    } le;
    enum bt_conn_state state;
};

struct bt_conn_cb {
    void (*connected)(struct bt_conn *conn, uint8_t err);
    void (*disconnected)(struct bt_conn *conn, uint8_t reason);
    void (*recycled)(void);
    bool (*le_param_req)(struct bt_conn *conn, struct bt_le_conn_param *param);
    void (*le_param_updated)(struct bt_conn *conn, uint16_t interval, uint16_t latency, uint16_t timeout);
    void (*security_changed)(struct bt_conn *conn, bt_security_t level, enum bt_security_err err);
    struct bt_conn_cb *_next;
};

#define BT_CONN_CB_DEFINE(name_) \
    static const struct bt_conn_cb _CONCAT(bt_conn_cb_, name_); \
    FB_LIST_ENTRY(bt_conn_cb, _CONCAT(fb_bt_conn_cb_, name_), &_CONCAT(bt_conn_cb_, name_)); \
    static const struct bt_conn_cb _CONCAT(bt_conn_cb_, name_)

struct bt_conn *bt_conn_ref(struct bt_conn *conn);
void bt_conn_unref(struct bt_conn *conn);
void bt_conn_foreach(int type, void (*func)(struct bt_conn *conn, void *data), void *data);
const bt_addr_le_t *bt_conn_get_dst(const struct bt_conn *conn);
uint8_t bt_conn_index(const struct bt_conn *conn);
int bt_conn_get_info(const struct bt_conn *conn, struct bt_conn_info *info);
int bt_conn_le_param_update(struct bt_conn *conn, const struct bt_le_conn_param *param);
int bt_conn_disconnect(struct bt_conn *conn, uint8_t reason);
int bt_conn_cb_register(struct bt_conn_cb *cb);
int bt_conn_cb_unregister(struct bt_conn_cb *cb);

#endif
