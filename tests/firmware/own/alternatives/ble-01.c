/* Another right answer: main is the loop that notifies, the connection is referenced, advertising is left to a work item that is
 * submitted by the disconnected callback and tried again. */
#include <zephyr/kernel.h>
#include <zephyr/sys/printk.h>
#include <zephyr/bluetooth/bluetooth.h>
#include <zephyr/bluetooth/conn.h>
#include <zephyr/bluetooth/gatt.h>
#include <zephyr/bluetooth/uuid.h>

extern void lamp_set(uint8_t percent);
extern int16_t lamp_temperature(void);

#define BT_UUID_LAMP_VAL BT_UUID_128_ENCODE(0x7a1b0001, 0x5c3d, 0x4e2f, 0x9a6b, 0x0c1d2e3f4a5b)
#define BT_UUID_LAMP BT_UUID_DECLARE_128(BT_UUID_LAMP_VAL)
#define BT_UUID_LEVEL BT_UUID_DECLARE_128(BT_UUID_128_ENCODE(0x7a1b0002, 0x5c3d, 0x4e2f, 0x9a6b, 0x0c1d2e3f4a5b))
#define BT_UUID_TEMP BT_UUID_DECLARE_128(BT_UUID_128_ENCODE(0x7a1b0003, 0x5c3d, 0x4e2f, 0x9a6b, 0x0c1d2e3f4a5b))

static struct bt_conn *current_conn;
static volatile bool notify_enabled;
static uint8_t level;

static ssize_t on_read(struct bt_conn *conn, const struct bt_gatt_attr *attr, void *buf, uint16_t len, uint16_t offset)
{
    const uint8_t *value = attr->user_data;

    return bt_gatt_attr_read(conn, attr, buf, len, offset, value, sizeof(*value));
}

static ssize_t on_write(struct bt_conn *conn, const struct bt_gatt_attr *attr, const void *buf, uint16_t len,
                        uint16_t offset, uint8_t flags)
{
    const uint8_t *data = buf;

    ARG_UNUSED(conn);
    ARG_UNUSED(flags);
    if (offset > 0) {
        return BT_GATT_ERR(BT_ATT_ERR_INVALID_OFFSET);
    } else if (len != 1) {
        return BT_GATT_ERR(BT_ATT_ERR_INVALID_ATTRIBUTE_LEN);
    } else if (data[0] > 100U) {
        return BT_GATT_ERR(BT_ATT_ERR_VALUE_NOT_ALLOWED);
    }
    *(uint8_t *)attr->user_data = data[0];
    lamp_set(data[0]);
    return len;
}

static void ccc_changed(const struct bt_gatt_attr *attr, uint16_t value)
{
    ARG_UNUSED(attr);
    notify_enabled = (value & BT_GATT_CCC_NOTIFY) != 0;
}

BT_GATT_SERVICE_DEFINE(lamp_svc,
    BT_GATT_PRIMARY_SERVICE(BT_UUID_LAMP),
    BT_GATT_CHARACTERISTIC(BT_UUID_LEVEL, BT_GATT_CHRC_READ | BT_GATT_CHRC_WRITE, BT_GATT_PERM_READ | BT_GATT_PERM_WRITE,
                           on_read, on_write, &level),
    BT_GATT_CHARACTERISTIC(BT_UUID_TEMP, BT_GATT_CHRC_NOTIFY, BT_GATT_PERM_NONE, NULL, NULL, NULL),
    BT_GATT_CCC(ccc_changed, BT_GATT_PERM_READ | BT_GATT_PERM_WRITE));

static const uint8_t flags_data[] = {BT_LE_AD_GENERAL | BT_LE_AD_NO_BREDR};
static const uint8_t uuid_data[] = {BT_UUID_LAMP_VAL};
static const struct bt_data ad[] = {
    BT_DATA(BT_DATA_FLAGS, flags_data, sizeof(flags_data)),
    BT_DATA(BT_DATA_UUID128_SOME, uuid_data, sizeof(uuid_data)),
    BT_DATA(BT_DATA_NAME_COMPLETE, CONFIG_BT_DEVICE_NAME, sizeof(CONFIG_BT_DEVICE_NAME) - 1),
};

static void start_advertising(struct k_work *work);
static struct k_work_delayable adv_work;

static void start_advertising(struct k_work *work)
{
    struct bt_le_adv_param param = {
        .options = BT_LE_ADV_OPT_CONN,
        .interval_min = BT_GAP_ADV_FAST_INT_MIN_2,
        .interval_max = BT_GAP_ADV_FAST_INT_MAX_2,
    };
    int err = bt_le_adv_start(&param, ad, ARRAY_SIZE(ad), NULL, 0);

    ARG_UNUSED(work);
    if (err != 0 && err != -EALREADY) {
        printk("advertising: %d\n", err);
        k_work_schedule(&adv_work, K_MSEC(200));
    }
}

static void on_connected(struct bt_conn *conn, uint8_t err)
{
    if (err) {
        k_work_schedule(&adv_work, K_MSEC(100));
        return;
    }
    current_conn = bt_conn_ref(conn);
}

static void on_disconnected(struct bt_conn *conn, uint8_t reason)
{
    ARG_UNUSED(conn);
    ARG_UNUSED(reason);
    if (current_conn) {
        bt_conn_unref(current_conn);
        current_conn = NULL;
    }
    notify_enabled = false;
    k_work_schedule(&adv_work, K_MSEC(100));
}

static struct bt_conn_cb conn_callbacks = {
    .connected = on_connected,
    .disconnected = on_disconnected,
};

int main(void)
{
    int err;

    k_work_init_delayable(&adv_work, start_advertising);
    bt_conn_cb_register(&conn_callbacks);
    err = bt_enable(NULL);
    if (err) {
        printk("bluetooth failed\n");
        return err;
    }
    start_advertising(NULL);

    for (;;) {
        k_sleep(K_SECONDS(1));
        if (current_conn != NULL && notify_enabled) {
            int16_t t = lamp_temperature();
            uint8_t value[] = {(uint8_t)(t & 0xff), (uint8_t)((t >> 8) & 0xff)};

            (void)bt_gatt_notify(current_conn, &lamp_svc.attrs[3], value, sizeof(value));
        }
    }
}
