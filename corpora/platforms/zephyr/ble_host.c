/* The Bluetooth host: enabling, advertising, one connection object and who holds it, callbacks in the receiving thread.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <zephyr/bluetooth/bluetooth.h>
#include <zephyr/kernel.h>

#include "ble.h"
#include "fb_zephyr.h"

#define RX_PRIORITY K_PRIO_COOP(8)

struct bt_conn fb_connection;

static bool enabled;
static int enable_error;
static bt_ready_cb_t ready_call;
static struct bt_conn_cb *registered;

typedef struct job {
    struct job *next;
    void (*fn)(void *);
    void *arg;
} job;
static job *jobs;
static fb_queue rx_idle = FB_QUEUE_INIT;
static K_THREAD_STACK_DEFINE(rx_stack, 2048);
static struct k_thread rx_thread;

FB_LIST_DECLARE(bt_conn_cb);

void fb_ble_fail_enable(int error)
{
    enable_error = error;
}

bool fb_ble_connected(void)
{
    return fb_connection.connected;
}

unsigned fb_ble_references(void)
{
    return fb_connection.references - fb_connection.connected;
}

bool fb_ble_slot_free(void)
{
    return !fb_connection.references;
}

bool fb_ble_enabled(void)
{
    return enabled;
}

static void receive(void *a, void *b, void *c)
{
    (void)a;
    (void)b;
    (void)c;
    for (;;) {
        while (!jobs)
            fb_wait(&rx_idle, FB_FOREVER);
        job *one = jobs;
        jobs = one->next;
        one->fn(one->arg);
        free(one);
    }
}

void fb_ble_call(void (*fn)(void *), void *arg)
{
    job *one = malloc(sizeof *one), **end = &jobs;
    *one = (job){.fn = fn, .arg = arg};
    while (*end)
        end = &(*end)->next;
    *end = one;
    fb_wake(&rx_idle);
}

static void each_callback(void (*fn)(const struct bt_conn_cb *cb, uint8_t code), uint8_t code)
{
    for (struct bt_conn_cb *cb = registered; cb; cb = cb->_next)
        fn(cb, code);
    FB_LIST_FOREACH(bt_conn_cb, at)
    fn(*at, code);
}

static void call_connected(const struct bt_conn_cb *cb, uint8_t error)
{
    if (cb->connected)
        cb->connected(&fb_connection, error);
}

static void call_disconnected(const struct bt_conn_cb *cb, uint8_t reason)
{
    if (cb->disconnected)
        cb->disconnected(&fb_connection, reason);
}

static void call_recycled(const struct bt_conn_cb *cb, uint8_t unused)
{
    (void)unused;
    if (cb->recycled)
        cb->recycled();
}

static void enabled_now(void *unused)
{
    (void)unused;
    enabled = true;
    if (ready_call)
        ready_call(enable_error);
}

int bt_enable(bt_ready_cb_t cb)
{
    static bool begun;
    if (fb_in_isr()) {
        fb_fault("blocking_in_isr", "bt_enable was called in an interrupt");
        return -EWOULDBLOCK;
    }
    fb_trace("ble", "enable: %d", begun ? -EALREADY : enable_error);
    if (begun)
        return -EALREADY;
    if (enable_error && !cb)
        return enable_error;
    begun = true;
    k_thread_create(&rx_thread, rx_stack, K_THREAD_STACK_SIZEOF(rx_stack), receive, NULL, NULL, NULL, RX_PRIORITY, 0,
                    K_NO_WAIT);
    k_thread_name_set(&rx_thread, "BT_RX");
    ready_call = cb;
    if (cb) {
        fb_ble_call(enabled_now, NULL);
    } else {
        fb_wait(NULL, fb_now() + FB_MS(2));
        enabled = true;
    }
    return 0;
}

int bt_disable(void)
{
    enabled = false;
    return bt_le_adv_stop();
}

bool bt_is_ready(void)
{
    return enabled;
}

void bt_id_get(bt_addr_le_t *addrs, size_t *count)
{
    if (addrs && *count)
        addrs[0] = (bt_addr_le_t){.type = BT_ADDR_LE_RANDOM, .a = {{1, 2, 3, 4, 5, 0xc6}}};
    *count = 1;
}

static void release_slot(struct k_work *work)
{
    (void)work;
    each_callback(call_recycled, 0);
    fb_adv_resume();
}
static K_WORK_DEFINE(release_work, release_slot);

struct bt_conn *bt_conn_ref(struct bt_conn *conn)
{
    if (!conn->references)
        return NULL;
    conn->references++;
    return conn;
}

void bt_conn_unref(struct bt_conn *conn)
{
    if (!conn || !conn->references || (conn->connected && conn->references == 1)) {
        fb_fault("unbalanced_reference", "bt_conn_unref was called for a reference that was never taken");
        return;
    }
    if (--conn->references == 0)
        k_work_submit(&release_work);
}

static void connect_now(void *unused)
{
    (void)unused;
    fb_gatt_connected();
    each_callback(call_connected, 0);
}

static void fail_now(void *unused)
{
    (void)unused;
    each_callback(call_connected, BT_HCI_ERR_CONN_FAIL_TO_ESTAB);
    bt_conn_unref(&fb_connection);
}

void fb_host_connects(bool fails)
{
    if (!fb_adv_taken()) {
        fb_trace("ble", "nobody advertises to connect to");
        return;
    }
    fb_connection = (struct bt_conn){.references = 1, .connected = !fails, .mtu = 23};
    fb_connection.address = (bt_addr_le_t){.type = BT_ADDR_LE_PUBLIC, .a = {{0x10, 0x20, 0x30, 0x40, 0x50, 0x60}}};
    fb_trace("ble", fails ? "connection fails" : "connected");
    fb_ble_call(fails ? fail_now : connect_now, NULL);
}

static void disconnect_now(void *reason)
{
    each_callback(call_disconnected, (uint8_t)(uintptr_t)reason);
    bt_conn_unref(&fb_connection);
}

void fb_host_disconnects(uint8_t reason)
{
    if (!fb_connection.connected)
        return;
    fb_trace("ble", "disconnected 0x%02x", reason);
    fb_connection.connected = false;
    fb_gatt_disconnected();
    fb_ble_call(disconnect_now, (void *)(uintptr_t)reason);
}

static void mtu_now(void *mtu)
{
    fb_gatt_mtu_updated((uint16_t)(uintptr_t)mtu);
}

void fb_host_mtu(uint16_t mtu)
{
    if (!fb_connection.connected)
        return;
    fb_connection.mtu = mtu < CONFIG_BT_L2CAP_TX_MTU ? mtu : CONFIG_BT_L2CAP_TX_MTU;
    fb_trace("ble", "mtu %u", fb_connection.mtu);
    fb_ble_call(mtu_now, (void *)(uintptr_t)fb_connection.mtu);
}

static void disconnect_soon(void *reason)
{
    fb_host_disconnects((uint8_t)(uintptr_t)reason);
}

int bt_conn_disconnect(struct bt_conn *conn, uint8_t reason)
{
    (void)reason;
    if (!conn->connected)
        return -ENOTCONN;
    fb_at(fb_now() + FB_MS(5), disconnect_soon, (void *)(uintptr_t)BT_HCI_ERR_LOCALHOST_TERM_CONN);
    return 0;
}

int bt_conn_cb_register(struct bt_conn_cb *cb)
{
    for (struct bt_conn_cb *one = registered; one; one = one->_next)
        if (one == cb)
            return -EEXIST;
    cb->_next = registered;
    registered = cb;
    return 0;
}

int bt_conn_cb_unregister(struct bt_conn_cb *cb)
{
    for (struct bt_conn_cb **at = &registered; *at; at = &(*at)->_next)
        if (*at == cb) {
            *at = cb->_next;
            return 0;
        }
    return -ENOENT;
}

void bt_conn_foreach(int type, void (*func)(struct bt_conn *conn, void *data), void *data)
{
    (void)type;
    if (fb_connection.connected)
        func(&fb_connection, data);
}

const bt_addr_le_t *bt_conn_get_dst(const struct bt_conn *conn)
{
    return &conn->address;
}

uint8_t bt_conn_index(const struct bt_conn *conn)
{
    (void)conn;
    return 0;
}

int bt_conn_get_info(const struct bt_conn *conn, struct bt_conn_info *info)
{
    *info = (struct bt_conn_info){.type = BT_CONN_TYPE_LE, .role = BT_CONN_ROLE_PERIPHERAL};
    info->le.dst = &conn->address;
    info->le.interval = 24;
    info->le.timeout = 400;
    info->state = conn->connected ? BT_CONN_STATE_CONNECTED : BT_CONN_STATE_DISCONNECTED;
    return 0;
}

int bt_conn_le_param_update(struct bt_conn *conn, const struct bt_le_conn_param *param)
{
    (void)param;
    return conn->connected ? 0 : -ENOTCONN;
}

int bt_addr_le_to_str(const bt_addr_le_t *addr, char *str, size_t len)
{
    const uint8_t *v = addr->a.val;
    return snprintf(str, len, "%02X:%02X:%02X:%02X:%02X:%02X (%s)", v[5], v[4], v[3], v[2], v[1], v[0],
                    addr->type == BT_ADDR_LE_PUBLIC ? "public" : "random");
}
