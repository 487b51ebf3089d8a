#include <errno.h>
#include <zephyr/bluetooth/bluetooth.h>
#include <zephyr/bluetooth/conn.h>
#include <zephyr/bluetooth/gatt.h>
#include <zephyr/bluetooth/uuid.h>
#include <zephyr/kernel.h>
#include <zephyr/sys/byteorder.h>

#define LOG_UUID(n) BT_UUID_128_ENCODE(0x3e920000 + (n), 0x8f1d, 0x4c6a, 0xb5a2, 0x6d7e8f901234)

#define CONTROL_ABORT 0x00
#define CONTROL_START 0x01
#define NOTIFY_OVERHEAD 3
#define NUMBER_SIZE 2
#define MAX_PACKET 512
#define IN_FLIGHT 4
#define RETRY K_MSEC(10)

size_t log_size(void);
size_t log_read(size_t offset, uint8_t *buffer, size_t room);

static const struct bt_uuid_128 service_uuid = BT_UUID_INIT_128(LOG_UUID(1));
static const struct bt_uuid_128 control_uuid = BT_UUID_INIT_128(LOG_UUID(2));
static const struct bt_uuid_128 data_uuid = BT_UUID_INIT_128(LOG_UUID(3));

static void send_work_handler(struct k_work *work);
static K_WORK_DELAYABLE_DEFINE(send_work, send_work_handler);

static K_MUTEX_DEFINE(state_lock);
static struct bt_conn *receiver;
static size_t offset_next;
static uint16_t number_next;
static atomic_t in_flight;

static void end_transfer(void)
{
	k_mutex_lock(&state_lock, K_FOREVER);
	if (receiver != NULL) {
		bt_conn_unref(receiver);
		receiver = NULL;
	}
	k_mutex_unlock(&state_lock);
}

static ssize_t write_control(struct bt_conn *conn, const struct bt_gatt_attr *attr, const void *buf, uint16_t len,
			     uint16_t offset, uint8_t flags);

static void data_ccc_changed(const struct bt_gatt_attr *attr, uint16_t value)
{
	if (value != BT_GATT_CCC_NOTIFY) {
		end_transfer();
	}
}

BT_GATT_SERVICE_DEFINE(log_service,
	BT_GATT_PRIMARY_SERVICE(&service_uuid),
	BT_GATT_CHARACTERISTIC(&control_uuid.uuid, BT_GATT_CHRC_WRITE, BT_GATT_PERM_WRITE, NULL, write_control, NULL),
	BT_GATT_CHARACTERISTIC(&data_uuid.uuid, BT_GATT_CHRC_NOTIFY, BT_GATT_PERM_NONE, NULL, NULL, NULL),
	BT_GATT_CCC(data_ccc_changed, BT_GATT_PERM_READ | BT_GATT_PERM_WRITE),
);

#define DATA_ATTR (&log_service.attrs[4])

static ssize_t start_transfer(struct bt_conn *conn)
{
	ssize_t result = 0;

	if (!bt_gatt_is_subscribed(conn, DATA_ATTR, BT_GATT_CCC_NOTIFY)) {
		return BT_GATT_ERR(BT_ATT_ERR_CCC_IMPROPER_CONF);
	}
	k_mutex_lock(&state_lock, K_FOREVER);
	if (receiver != NULL) {
		result = BT_GATT_ERR(BT_ATT_ERR_PROCEDURE_IN_PROGRESS);
	} else {
		receiver = bt_conn_ref(conn);
		offset_next = 0;
		number_next = 0;
		k_work_reschedule(&send_work, K_NO_WAIT);
	}
	k_mutex_unlock(&state_lock);
	return result;
}

static ssize_t write_control(struct bt_conn *conn, const struct bt_gatt_attr *attr, const void *buf, uint16_t len,
			     uint16_t offset, uint8_t flags)
{
	ssize_t result = 0;

	if (offset != 0) {
		return BT_GATT_ERR(BT_ATT_ERR_INVALID_OFFSET);
	}
	if (len != 1) {
		return BT_GATT_ERR(BT_ATT_ERR_INVALID_ATTRIBUTE_LEN);
	}
	switch (*(const uint8_t *)buf) {
	case CONTROL_START:
		result = start_transfer(conn);
		break;
	case CONTROL_ABORT:
		end_transfer();
		break;
	default:
		result = BT_GATT_ERR(BT_ATT_ERR_VALUE_NOT_ALLOWED);
		break;
	}
	return result < 0 ? result : len;
}

static void packet_sent(struct bt_conn *conn, void *user_data)
{
	atomic_dec(&in_flight);
	k_work_reschedule(&send_work, K_NO_WAIT);
}

static int send_packet(void)
{
	static uint8_t packet[MAX_PACKET];
	size_t room = MIN(bt_gatt_get_mtu(receiver) - NOTIFY_OVERHEAD, sizeof(packet)) - NUMBER_SIZE;
	size_t left = log_size() - offset_next;
	size_t part = left > 0 ? log_read(offset_next, packet + NUMBER_SIZE, MIN(room, left)) : 0;
	struct bt_gatt_notify_params params = {
		.attr = DATA_ATTR,
		.data = packet,
		.len = NUMBER_SIZE + part,
		.func = packet_sent,
	};
	int err;

	sys_put_le16(number_next, packet);
	atomic_inc(&in_flight);
	err = bt_gatt_notify_cb(receiver, &params);
	if (err) {
		atomic_dec(&in_flight);
		return err;
	}
	offset_next += part;
	number_next++;
	return part > 0 ? 0 : -ENODATA;
}

static void send_work_handler(struct k_work *work)
{
	k_mutex_lock(&state_lock, K_FOREVER);
	while (receiver != NULL && atomic_get(&in_flight) < IN_FLIGHT) {
		int err = send_packet();

		if (err == -ENOMEM) {
			k_work_reschedule(&send_work, RETRY);
			break;
		}
		if (err) {
			end_transfer();
		}
	}
	k_mutex_unlock(&state_lock);
}

static void disconnected(struct bt_conn *conn, uint8_t reason)
{
	k_mutex_lock(&state_lock, K_FOREVER);
	end_transfer();
	atomic_set(&in_flight, 0);
	k_mutex_unlock(&state_lock);
}

BT_CONN_CB_DEFINE(connection_callbacks) = {
	.disconnected = disconnected,
};
