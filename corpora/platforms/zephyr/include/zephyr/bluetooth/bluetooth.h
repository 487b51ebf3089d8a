#ifndef ZEPHYR_BLUETOOTH_BLUETOOTH_H
#define ZEPHYR_BLUETOOTH_BLUETOOTH_H

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include <zephyr/bluetooth/addr.h>
#include <zephyr/bluetooth/gap.h>
#include <zephyr/bluetooth/hci_types.h>
#include <zephyr/sys/util.h>

#define BT_ID_DEFAULT 0

typedef void (*bt_ready_cb_t)(int err);

struct bt_data {
    uint8_t type;
    uint8_t data_len;
    const uint8_t *data;
};

#define BT_DATA(type_, data_, data_len_) \
    {.type = (type_), .data_len = (data_len_), .data = (const uint8_t *)(data_)}
#define BT_DATA_BYTES(type_, bytes...) \
    BT_DATA(type_, ((uint8_t[]){bytes}), sizeof((uint8_t[]){bytes}))

enum {
    BT_LE_ADV_OPT_NONE = 0,
    BT_LE_ADV_OPT_CONNECTABLE = BIT(0),
    BT_LE_ADV_OPT_ONE_TIME = BIT(1),
    BT_LE_ADV_OPT_CONN = BIT(0) | BIT(1),
    BT_LE_ADV_OPT_USE_IDENTITY = BIT(2),
    BT_LE_ADV_OPT_USE_NAME = BIT(3),
    BT_LE_ADV_OPT_DIR_MODE_LOW_DUTY = BIT(4),
    BT_LE_ADV_OPT_FILTER_SCAN_REQ = BIT(6),
    BT_LE_ADV_OPT_FILTER_CONN = BIT(7),
    BT_LE_ADV_OPT_NOTIFY_SCAN_REQ = BIT(8),
    BT_LE_ADV_OPT_SCANNABLE = BIT(9),
    BT_LE_ADV_OPT_FORCE_NAME_IN_AD = BIT(18),
    BT_LE_ADV_OPT_USE_NRPA = BIT(19),
};

struct bt_le_adv_param {
    uint8_t id;
    uint8_t sid;
    uint8_t secondary_max_skip;
    uint32_t options;
    uint32_t interval_min;
    uint32_t interval_max;
    const bt_addr_le_t *peer;
};

#define BT_LE_ADV_PARAM_INIT(options_, int_min_, int_max_, peer_) \
    {.id = BT_ID_DEFAULT, \
     .options = (options_), \
     .interval_min = (int_min_), \
     .interval_max = (int_max_), \
     .peer = (peer_)}
#define BT_LE_ADV_PARAM(options_, int_min_, int_max_, peer_) \
    ((const struct bt_le_adv_param[]){BT_LE_ADV_PARAM_INIT(options_, int_min_, int_max_, peer_)})
#define BT_LE_ADV_CONN_FAST_1 \
    BT_LE_ADV_PARAM(BT_LE_ADV_OPT_CONN, BT_GAP_ADV_FAST_INT_MIN_1, BT_GAP_ADV_FAST_INT_MAX_1, NULL)
#define BT_LE_ADV_CONN_FAST_2 \
    BT_LE_ADV_PARAM(BT_LE_ADV_OPT_CONN, BT_GAP_ADV_FAST_INT_MIN_2, BT_GAP_ADV_FAST_INT_MAX_2, NULL)
#define BT_LE_ADV_CONN \
    BT_LE_ADV_PARAM(BT_LE_ADV_OPT_CONNECTABLE, BT_GAP_ADV_FAST_INT_MIN_2, BT_GAP_ADV_FAST_INT_MAX_2, NULL)
#define BT_LE_ADV_CONN_ONE_TIME \
    BT_LE_ADV_PARAM(BT_LE_ADV_OPT_CONNECTABLE | BT_LE_ADV_OPT_ONE_TIME, BT_GAP_ADV_FAST_INT_MIN_2, \
                    BT_GAP_ADV_FAST_INT_MAX_2, NULL)
#define BT_LE_ADV_CONN_NAME \
    BT_LE_ADV_PARAM(BT_LE_ADV_OPT_CONNECTABLE | BT_LE_ADV_OPT_USE_NAME, BT_GAP_ADV_FAST_INT_MIN_2, \
                    BT_GAP_ADV_FAST_INT_MAX_2, NULL)
#define BT_LE_ADV_NCONN BT_LE_ADV_PARAM(0, BT_GAP_ADV_FAST_INT_MIN_2, BT_GAP_ADV_FAST_INT_MAX_2, NULL)

int bt_enable(bt_ready_cb_t cb);
int bt_disable(void);
bool bt_is_ready(void);
int bt_set_name(const char *name);
const char *bt_get_name(void);
int bt_le_adv_start(const struct bt_le_adv_param *param, const struct bt_data *ad, size_t ad_len,
                    const struct bt_data *sd, size_t sd_len);
int bt_le_adv_update_data(const struct bt_data *ad, size_t ad_len, const struct bt_data *sd, size_t sd_len);
int bt_le_adv_stop(void);
void bt_id_get(bt_addr_le_t *addrs, size_t *count);

#endif
