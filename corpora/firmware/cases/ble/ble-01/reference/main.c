#include <errno.h>
#include <zephyr/bluetooth/bluetooth.h>
#include <zephyr/bluetooth/conn.h>
#include <zephyr/bluetooth/gatt.h>
#include <zephyr/bluetooth/uuid.h>
#include <zephyr/kernel.h>
#include <zephyr/sys/byteorder.h>
#include <zephyr/sys/printk.h>

#define LAMP_UUID(n) BT_UUID_128_ENCODE(0x7a1b0000 + (n), 0x5c3d, 0x4e2f, 0x9a6b, 0x0c1d2e3f4a5b)
#define MAX_LEVEL 100

void lamp_set(uint8_t percent);
int16_t lamp_temperature(void);

static const struct bt_uuid_128 service_uuid = BT_UUID_INIT_128(LAMP_UUID(1));
static const struct bt_uuid_128 level_uuid = BT_UUID_INIT_128(LAMP_UUID(2));
static const struct bt_uuid_128 temperature_uuid = BT_UUID_INIT_128(LAMP_UUID(3));

static void notify_work_handler(struct k_work *work);
static void advertise_work_handler(struct k_work *work);

static K_WORK_DELAYABLE_DEFINE(notify_work, notify_work_handler);
static K_WORK_DELAYABLE_DEFINE(advertise_work, advertise_work_handler);

static uint8_t level;

static ssize_t read_level(struct bt_conn *conn, const struct bt_gatt_attr *attr, void *buf, uint16_t len, uint16_t offset)
{
	return bt_gatt_attr_read(conn, attr, buf, len, offset, &level, sizeof(level));
}

static ssize_t write_level(struct bt_conn *conn, const struct bt_gatt_attr *attr, const void *buf, uint16_t len,
			   uint16_t offset, uint8_t flags)
{
	uint8_t wanted;

	if (offset != 0) {
		return BT_GATT_ERR(BT_ATT_ERR_INVALID_OFFSET);
	}
	if (len != sizeof(level)) {
		return BT_GATT_ERR(BT_ATT_ERR_INVALID_ATTRIBUTE_LEN);
	}
	wanted = *(const uint8_t *)buf;
	if (wanted > MAX_LEVEL) {
		return BT_GATT_ERR(BT_ATT_ERR_VALUE_NOT_ALLOWED);
	}
	level = wanted;
	lamp_set(level);
	return len;
}

static void temperature_ccc_changed(const struct bt_gatt_attr *attr, uint16_t value)
{
	if (value == BT_GATT_CCC_NOTIFY) {
		k_work_reschedule(&notify_work, K_SECONDS(1));
	} else {
		k_work_cancel_delayable(&notify_work);
	}
}

BT_GATT_SERVICE_DEFINE(lamp_service,
	BT_GATT_PRIMARY_SERVICE(&service_uuid),
	BT_GATT_CHARACTERISTIC(&level_uuid.uuid, BT_GATT_CHRC_READ | BT_GATT_CHRC_WRITE,
			       BT_GATT_PERM_READ | BT_GATT_PERM_WRITE, read_level, write_level, NULL),
	BT_GATT_CHARACTERISTIC(&temperature_uuid.uuid, BT_GATT_CHRC_NOTIFY, BT_GATT_PERM_NONE, NULL, NULL, NULL),
	BT_GATT_CCC(temperature_ccc_changed, BT_GATT_PERM_READ | BT_GATT_PERM_WRITE),
);

static void notify_work_handler(struct k_work *work)
{
	uint8_t value[2];

	sys_put_le16((uint16_t)lamp_temperature(), value);
	if (bt_gatt_notify_uuid(NULL, &temperature_uuid.uuid, lamp_service.attrs, value, sizeof(value)) != -ENOTCONN) {
		k_work_reschedule(&notify_work, K_SECONDS(1));
	}
}

static const struct bt_data advertised[] = {
	BT_DATA_BYTES(BT_DATA_FLAGS, BT_LE_AD_GENERAL | BT_LE_AD_NO_BREDR),
	BT_DATA_BYTES(BT_DATA_UUID128_ALL, LAMP_UUID(1)),
};

static const struct bt_data scanned[] = {
	BT_DATA(BT_DATA_NAME_COMPLETE, CONFIG_BT_DEVICE_NAME, sizeof(CONFIG_BT_DEVICE_NAME) - 1),
};

static void advertise_work_handler(struct k_work *work)
{
	int err = bt_le_adv_start(BT_LE_ADV_CONN_FAST_1, advertised, ARRAY_SIZE(advertised), scanned, ARRAY_SIZE(scanned));

	if (err && err != -EALREADY) {
		k_work_reschedule(&advertise_work, K_MSEC(100));
	}
}

static void connected(struct bt_conn *conn, uint8_t err)
{
	if (err) {
		k_work_reschedule(&advertise_work, K_NO_WAIT);
	}
}

static void disconnected(struct bt_conn *conn, uint8_t reason)
{
	k_work_cancel_delayable(&notify_work);
}

static void recycled(void)
{
	k_work_reschedule(&advertise_work, K_NO_WAIT);
}

BT_CONN_CB_DEFINE(connection_callbacks) = {
	.connected = connected,
	.disconnected = disconnected,
	.recycled = recycled,
};

int main(void)
{
	int err = bt_enable(NULL);

	if (err) {
		printk("bluetooth failed\n");
		return err;
	}
	k_work_reschedule(&advertise_work, K_NO_WAIT);
	return 0;
}
