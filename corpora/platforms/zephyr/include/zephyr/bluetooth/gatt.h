#ifndef ZEPHYR_BLUETOOTH_GATT_H
#define ZEPHYR_BLUETOOTH_GATT_H

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include <zephyr/bluetooth/att.h>
#include <zephyr/bluetooth/conn.h>
#include <zephyr/bluetooth/uuid.h>
#include <zephyr/sys/util.h>
#include <zephyr/toolchain.h>

enum bt_gatt_perm {
    BT_GATT_PERM_NONE = 0,
    BT_GATT_PERM_READ = BIT(0),
    BT_GATT_PERM_WRITE = BIT(1),
    BT_GATT_PERM_READ_ENCRYPT = BIT(2),
    BT_GATT_PERM_WRITE_ENCRYPT = BIT(3),
    BT_GATT_PERM_READ_AUTHEN = BIT(4),
    BT_GATT_PERM_WRITE_AUTHEN = BIT(5),
    BT_GATT_PERM_PREPARE_WRITE = BIT(6),
};

#define BT_GATT_ERR(_att_err) (-(_att_err))

enum {
    BT_GATT_WRITE_FLAG_PREPARE = BIT(0),
    BT_GATT_WRITE_FLAG_CMD = BIT(1),
    BT_GATT_WRITE_FLAG_EXECUTE = BIT(2),
};

#define BT_GATT_CHRC_BROADCAST 0x01
#define BT_GATT_CHRC_READ 0x02
#define BT_GATT_CHRC_WRITE_WITHOUT_RESP 0x04
#define BT_GATT_CHRC_WRITE 0x08
#define BT_GATT_CHRC_NOTIFY 0x10
#define BT_GATT_CHRC_INDICATE 0x20
#define BT_GATT_CHRC_AUTH 0x40
#define BT_GATT_CHRC_EXT_PROP 0x80

#define BT_GATT_CCC_NOTIFY 0x0001
#define BT_GATT_CCC_INDICATE 0x0002

struct bt_gatt_attr;

typedef ssize_t (*bt_gatt_attr_read_func_t)(struct bt_conn *conn, const struct bt_gatt_attr *attr, void *buf,
                                            uint16_t len, uint16_t offset);
typedef ssize_t (*bt_gatt_attr_write_func_t)(struct bt_conn *conn, const struct bt_gatt_attr *attr, const void *buf,
                                             uint16_t len, uint16_t offset, uint8_t flags);

struct bt_gatt_attr {
    const struct bt_uuid *uuid;
    bt_gatt_attr_read_func_t read;
    bt_gatt_attr_write_func_t write;
    void *user_data;
    uint16_t handle;
    uint16_t perm;
};

struct bt_gatt_service_static {
    const struct bt_gatt_attr *attrs;
    size_t attr_count;
};

struct bt_gatt_service {
    struct bt_gatt_attr *attrs;
    size_t attr_count;
    struct bt_gatt_service *next;
};

struct bt_gatt_chrc {
    const struct bt_uuid *uuid;
    uint16_t value_handle;
    uint8_t properties;
};

struct bt_gatt_cpf {
    uint8_t format;
    int8_t exponent;
    uint16_t unit;
    uint8_t name_space;
    uint16_t description;
} __packed;

struct bt_gatt_ccc_managed_user_data {
    uint16_t value; /* of the one connection */
    void (*cfg_changed)(const struct bt_gatt_attr *attr, uint16_t value);
    ssize_t (*cfg_write)(struct bt_conn *conn, const struct bt_gatt_attr *attr, uint16_t value);
    bool (*cfg_match)(struct bt_conn *conn, const struct bt_gatt_attr *attr);
};
#define _bt_gatt_ccc bt_gatt_ccc_managed_user_data

#define BT_GATT_ATTRIBUTE(_uuid, _perm, _read, _write, _user_data) \
    {.uuid = (_uuid), .perm = (_perm), .read = (_read), .write = (_write), .user_data = (_user_data)}
#define BT_GATT_PRIMARY_SERVICE(_service) \
    BT_GATT_ATTRIBUTE(BT_UUID_GATT_PRIMARY, BT_GATT_PERM_READ, bt_gatt_attr_read_service, NULL, (void *)(_service))
#define BT_GATT_SECONDARY_SERVICE(_service) \
    BT_GATT_ATTRIBUTE(BT_UUID_GATT_SECONDARY, BT_GATT_PERM_READ, bt_gatt_attr_read_service, NULL, (void *)(_service))
#define BT_GATT_CHRC_INIT(_uuid, _handle, _props) {.uuid = (_uuid), .value_handle = (_handle), .properties = (_props)}
#define BT_GATT_CHARACTERISTIC(_uuid, _props, _perm, _read, _write, _user_data) \
    BT_GATT_ATTRIBUTE(BT_UUID_GATT_CHRC, BT_GATT_PERM_READ, bt_gatt_attr_read_chrc, NULL, \
                      ((struct bt_gatt_chrc[]){BT_GATT_CHRC_INIT(_uuid, 0U, _props)})), \
        BT_GATT_ATTRIBUTE(_uuid, _perm, _read, _write, _user_data)
#define BT_GATT_CCC_INITIALIZER(_changed, _write, _match) \
    {.cfg_changed = (_changed), .cfg_write = (_write), .cfg_match = (_match)}
#define BT_GATT_CCC_MANAGED_USER_DATA_INIT(_changed, _write, _match) BT_GATT_CCC_INITIALIZER(_changed, _write, _match)
#define BT_GATT_CCC_MANAGED(_ccc, _perm) \
    BT_GATT_ATTRIBUTE(BT_UUID_GATT_CCC, _perm, bt_gatt_attr_read_ccc, bt_gatt_attr_write_ccc, _ccc)
#define BT_GATT_CCC(_changed, _perm) \
    BT_GATT_CCC_MANAGED(((struct _bt_gatt_ccc[]){BT_GATT_CCC_INITIALIZER(_changed, NULL, NULL)}), _perm)
#define BT_GATT_CCC_WITH_WRITE_CB(_changed, _write, _perm) \
    BT_GATT_CCC_MANAGED(((struct _bt_gatt_ccc[]){BT_GATT_CCC_INITIALIZER(_changed, _write, NULL)}), _perm)
#define BT_GATT_CUD(_value, _perm) \
    BT_GATT_DESCRIPTOR(BT_UUID_GATT_CUD, _perm, bt_gatt_attr_read_cud, NULL, (void *)(_value))
#define BT_GATT_CPF(_value) \
    BT_GATT_DESCRIPTOR(BT_UUID_GATT_CPF, BT_GATT_PERM_READ, bt_gatt_attr_read_cpf, NULL, (void *)(_value))
#define BT_GATT_DESCRIPTOR(_uuid, _perm, _read, _write, _user_data) \
    BT_GATT_ATTRIBUTE(_uuid, _perm, _read, _write, _user_data)

#define BT_GATT_SERVICE_DEFINE(_name, ...) \
    const struct bt_gatt_attr _CONCAT(attr_, _name)[] = {__VA_ARGS__}; \
    const struct bt_gatt_service_static _name = {.attrs = _CONCAT(attr_, _name), \
                                                 .attr_count = ARRAY_SIZE(_CONCAT(attr_, _name))}; \
    FB_LIST_ENTRY(bt_gatt_service, _CONCAT(fb_bt_service_, _name), &_name)
#define BT_GATT_SERVICE(_attrs) {.attrs = (_attrs), .attr_count = ARRAY_SIZE(_attrs)}

enum {
    BT_GATT_ITER_STOP = 0,
    BT_GATT_ITER_CONTINUE,
};

typedef uint8_t (*bt_gatt_attr_func_t)(const struct bt_gatt_attr *attr, uint16_t handle, void *user_data);

int bt_gatt_service_register(struct bt_gatt_service *svc);
int bt_gatt_service_unregister(struct bt_gatt_service *svc);
struct bt_gatt_attr *bt_gatt_attr_next(const struct bt_gatt_attr *attr);
struct bt_gatt_attr *bt_gatt_find_by_uuid(const struct bt_gatt_attr *attr, uint16_t attr_count,
                                          const struct bt_uuid *uuid);
uint16_t bt_gatt_attr_get_handle(const struct bt_gatt_attr *attr);
uint16_t bt_gatt_attr_value_handle(const struct bt_gatt_attr *attr);

ssize_t bt_gatt_attr_read(struct bt_conn *conn, const struct bt_gatt_attr *attr, void *buf, uint16_t buf_len,
                          uint16_t offset, const void *value, uint16_t value_len);
ssize_t bt_gatt_attr_read_service(struct bt_conn *conn, const struct bt_gatt_attr *attr, void *buf, uint16_t len,
                                  uint16_t offset);
ssize_t bt_gatt_attr_read_chrc(struct bt_conn *conn, const struct bt_gatt_attr *attr, void *buf, uint16_t len,
                               uint16_t offset);
ssize_t bt_gatt_attr_read_ccc(struct bt_conn *conn, const struct bt_gatt_attr *attr, void *buf, uint16_t len,
                              uint16_t offset);
ssize_t bt_gatt_attr_write_ccc(struct bt_conn *conn, const struct bt_gatt_attr *attr, const void *buf, uint16_t len,
                               uint16_t offset, uint8_t flags);
ssize_t bt_gatt_attr_read_cud(struct bt_conn *conn, const struct bt_gatt_attr *attr, void *buf, uint16_t len,
                              uint16_t offset);
ssize_t bt_gatt_attr_read_cpf(struct bt_conn *conn, const struct bt_gatt_attr *attr, void *buf, uint16_t len,
                              uint16_t offset);

typedef void (*bt_gatt_complete_func_t)(struct bt_conn *conn, void *user_data);

struct bt_gatt_notify_params {
    const struct bt_uuid *uuid;
    const struct bt_gatt_attr *attr;
    const void *data;
    uint16_t len;
    bt_gatt_complete_func_t func;
    void *user_data;
};

struct bt_gatt_indicate_params;
typedef void (*bt_gatt_indicate_func_t)(struct bt_conn *conn, struct bt_gatt_indicate_params *params, uint8_t err);
typedef void (*bt_gatt_indicate_params_destroy_t)(struct bt_gatt_indicate_params *params);

struct bt_gatt_indicate_params {
    const struct bt_uuid *uuid;
    const struct bt_gatt_attr *attr;
    bt_gatt_indicate_func_t func;
    bt_gatt_indicate_params_destroy_t destroy;
    const void *data;
    uint16_t len;
    uint8_t _ref;
};

int bt_gatt_notify_cb(struct bt_conn *conn, struct bt_gatt_notify_params *params);
int bt_gatt_indicate(struct bt_conn *conn, struct bt_gatt_indicate_params *params);
bool bt_gatt_is_subscribed(struct bt_conn *conn, const struct bt_gatt_attr *attr, uint16_t ccc_type);
uint16_t bt_gatt_get_mtu(struct bt_conn *conn);
uint16_t bt_gatt_get_uatt_mtu(struct bt_conn *conn);

static inline int bt_gatt_notify(struct bt_conn *conn, const struct bt_gatt_attr *attr, const void *data, uint16_t len)
{
    struct bt_gatt_notify_params params = {.attr = attr, .data = data, .len = len};
    return bt_gatt_notify_cb(conn, &params);
}

static inline int bt_gatt_notify_uuid(struct bt_conn *conn, const struct bt_uuid *uuid, const struct bt_gatt_attr *attr,
                                      const void *data, uint16_t len)
{
    struct bt_gatt_notify_params params = {.uuid = uuid, .attr = attr, .data = data, .len = len};
    return bt_gatt_notify_cb(conn, &params);
}

struct bt_gatt_cb {
    void (*att_mtu_updated)(struct bt_conn *conn, uint16_t tx, uint16_t rx);
    struct bt_gatt_cb *next;
};

void bt_gatt_cb_register(struct bt_gatt_cb *cb);

#endif
