/* Another right answer: a thread of its own, a semaphore for the packets in flight, a generation instead of a lock. */
#include <zephyr/kernel.h>
#include <zephyr/bluetooth/bluetooth.h>
#include <zephyr/bluetooth/conn.h>
#include <zephyr/bluetooth/gatt.h>
#include <zephyr/bluetooth/uuid.h>

size_t log_size(void);
size_t log_read(size_t offset, uint8_t *buffer, size_t room);

#define U(n) BT_UUID_DECLARE_128(BT_UUID_128_ENCODE(0x3e920000 + n, 0x8f1d, 0x4c6a, 0xb5a2, 0x6d7e8f901234))
#define WINDOW 4

static K_SEM_DEFINE(start_sem, 0, 1);
static K_SEM_DEFINE(window_sem, WINDOW, WINDOW);
static struct bt_conn *active;
static atomic_t running;
static atomic_t stop;

static ssize_t control_write(struct bt_conn *conn, const struct bt_gatt_attr *attr, const void *buf, uint16_t len,
                             uint16_t offset, uint8_t flags);

static void ccc_cfg(const struct bt_gatt_attr *attr, uint16_t value)
{
    if (!(value & BT_GATT_CCC_NOTIFY)) {
        atomic_set(&stop, 1);
    }
}

BT_GATT_SERVICE_DEFINE(svc, BT_GATT_PRIMARY_SERVICE(U(1)),
                       BT_GATT_CHARACTERISTIC(U(2), BT_GATT_CHRC_WRITE, BT_GATT_PERM_WRITE, NULL, control_write, NULL),
                       BT_GATT_CHARACTERISTIC(U(3), BT_GATT_CHRC_NOTIFY, BT_GATT_PERM_NONE, NULL, NULL, NULL),
                       BT_GATT_CCC(ccc_cfg, BT_GATT_PERM_READ | BT_GATT_PERM_WRITE));

static ssize_t control_write(struct bt_conn *conn, const struct bt_gatt_attr *attr, const void *buf, uint16_t len,
                             uint16_t offset, uint8_t flags)
{
    uint8_t command;

    if (offset) {
        return BT_GATT_ERR(BT_ATT_ERR_INVALID_OFFSET);
    }
    if (len != 1U) {
        return BT_GATT_ERR(BT_ATT_ERR_INVALID_ATTRIBUTE_LEN);
    }
    command = ((const uint8_t *)buf)[0];
    if (command == 0x00) {
        atomic_set(&stop, 1);
        return len;
    }
    if (command != 0x01) {
        return BT_GATT_ERR(BT_ATT_ERR_VALUE_NOT_ALLOWED);
    }
    if (!bt_gatt_is_subscribed(conn, &svc.attrs[3], BT_GATT_CCC_NOTIFY)) {
        return BT_GATT_ERR(BT_ATT_ERR_CCC_IMPROPER_CONF);
    }
    if (!atomic_cas(&running, 0, 1)) {
        return BT_GATT_ERR(BT_ATT_ERR_PROCEDURE_IN_PROGRESS);
    }
    active = bt_conn_ref(conn);
    atomic_set(&stop, 0);
    k_sem_give(&start_sem);
    return len;
}

static void on_disconnected(struct bt_conn *conn, uint8_t reason)
{
    atomic_set(&stop, 1);
    for (int i = 0; i < WINDOW; i++) {
        k_sem_give(&window_sem);
    }
}

BT_CONN_CB_DEFINE(log_conn_cb) = {.disconnected = on_disconnected};

static void sent(struct bt_conn *conn, void *user_data)
{
    k_sem_give(&window_sem);
}

static void transfer(struct bt_conn *conn)
{
    static uint8_t buf[256];
    size_t pos = 0;
    uint16_t number = 0;
    bool last = false;

    while (!last && !atomic_get(&stop)) {
        struct bt_gatt_notify_params params = {0};
        size_t payload = bt_gatt_get_mtu(conn) - 3 - 2;
        size_t n;
        int err;

        if (k_sem_take(&window_sem, K_MSEC(100)) != 0) {
            continue;
        }
        n = pos < log_size() ? log_read(pos, &buf[2], MIN(payload, sizeof(buf) - 2)) : 0;
        buf[0] = number & 0xff;
        buf[1] = number >> 8;
        params.uuid = NULL;
        params.attr = &svc.attrs[4];
        params.data = buf;
        params.len = n + 2;
        params.func = sent;
        do {
            err = atomic_get(&stop) ? -ECANCELED : bt_gatt_notify_cb(conn, &params);
            if (err == -ENOMEM) {
                k_sleep(K_MSEC(5));
            }
        } while (err == -ENOMEM);
        if (err) {
            k_sem_give(&window_sem);
            break;
        }
        pos += n;
        number++;
        last = n == 0;
    }
}

static void sender(void *a, void *b, void *c)
{
    while (1) {
        struct bt_conn *conn;

        k_sem_take(&start_sem, K_FOREVER);
        conn = active;
        transfer(conn);
        active = NULL;
        bt_conn_unref(conn);
        atomic_set(&running, 0);
    }
}

K_THREAD_DEFINE(sender_tid, 2048, sender, NULL, NULL, NULL, 7, 0, 0);
