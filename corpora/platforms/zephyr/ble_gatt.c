/* Attributes: what the central's requests reach, subscriptions, notifications and their way out. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <zephyr/kernel.h>

#include "ble.h"
#include "injection.h"

#define OVERHEAD 3

typedef struct notification {
    struct notification *next;
    uint32_t name;
    bt_gatt_complete_func_t done;
    void *user_data;
    uint16_t length;
    uint8_t data[BT_ATT_MAX_ATTRIBUTE_LEN];
} notification;

static struct bt_gatt_service *registered;
static struct bt_gatt_cb *callbacks;
static unsigned buffers = CONFIG_BT_ATT_TX_COUNT, in_flight, most_in_flight, on_air;
static int64_t packet_ns = FB_MS(5), air_free;
static notification *sent; /* with the central; complete once the work below has run */
static unsigned connection_number;
static injection fault;

FB_LIST_DECLARE(bt_gatt_service);

void fb_ble_buffers(unsigned count)
{
    buffers = count;
}

void fb_ble_packet_time(int64_t ns)
{
    packet_ns = ns;
}

void fb_ble_fail_notify(unsigned skip, unsigned count, int error)
{
    fault = (injection){skip, count, error};
}

unsigned fb_ble_most_in_flight(void)
{
    return most_in_flight;
}

/* Each service in turn, as an array of attributes; false once there is none. */
static bool service(size_t index, const struct bt_gatt_attr **attrs, size_t *count)
{
    FB_LIST_FOREACH(bt_gatt_service, at)
    {
        const struct bt_gatt_service_static *one = *at;
        if (index-- == 0) {
            *attrs = one->attrs;
            *count = one->attr_count;
            return true;
        }
    }
    for (struct bt_gatt_service *one = registered; one; one = one->next)
        if (index-- == 0) {
            *attrs = one->attrs;
            *count = one->attr_count;
            return true;
        }
    return false;
}

static bool is(const struct bt_gatt_attr *attr, uint16_t short_uuid)
{
    return attr->uuid->type == BT_UUID_TYPE_16 && BT_UUID_16(attr->uuid)->val == short_uuid;
}

uint32_t fb_gatt_name(const struct bt_gatt_attr *attr)
{
    if (attr->uuid->type == BT_UUID_TYPE_16)
        return BT_UUID_16(attr->uuid)->val;
    const uint8_t *end = BT_UUID_128(attr->uuid)->val + 12;
    return (uint32_t)end[0] | (uint32_t)end[1] << 8 | (uint32_t)end[2] << 16 | (uint32_t)end[3] << 24;
}

struct bt_gatt_attr *bt_gatt_attr_next(const struct bt_gatt_attr *attr)
{
    const struct bt_gatt_attr *attrs;
    size_t count;
    for (size_t i = 0; service(i, &attrs, &count); i++)
        if (attr >= attrs && attr + 1 < attrs + count)
            return (struct bt_gatt_attr *)(attr + 1);
    return NULL;
}

struct bt_gatt_attr *bt_gatt_find_by_uuid(const struct bt_gatt_attr *attr, uint16_t attr_count,
                                          const struct bt_uuid *uuid)
{
    const struct bt_gatt_attr *attrs;
    size_t count;
    if (attr && attr_count) {
        for (uint16_t i = 0; i < attr_count; i++)
            if (!bt_uuid_cmp(attr[i].uuid, uuid))
                return (struct bt_gatt_attr *)&attr[i];
        return NULL;
    }
    for (size_t i = 0; service(i, &attrs, &count); i++)
        for (size_t k = 0; k < count; k++)
            if ((!attr || attrs + k >= attr) && !bt_uuid_cmp(attrs[k].uuid, uuid))
                return (struct bt_gatt_attr *)&attrs[k];
    return NULL;
}

const struct bt_gatt_attr *fb_gatt_value_of(uint32_t uuid)
{
    const struct bt_gatt_attr *attrs;
    size_t count;
    for (size_t i = 0; service(i, &attrs, &count); i++)
        for (size_t k = 1; k < count; k++)
            if (is(&attrs[k - 1], BT_UUID_GATT_CHRC_VAL) && fb_gatt_name(&attrs[k]) == uuid)
                return &attrs[k];
    return NULL;
}

static bool is_long(const struct bt_uuid *uuid, const uint8_t value[16])
{
    return uuid->type == BT_UUID_TYPE_128 && !memcmp(BT_UUID_128(uuid)->val, value, BT_UUID_SIZE_128);
}

bool fb_central_finds(const uint8_t service_uuid[16], const uint8_t characteristic[16], uint8_t properties)
{
    const struct bt_gatt_attr *attrs;
    size_t count;
    for (size_t i = 0; service(i, &attrs, &count); i++) {
        if (!is(attrs, BT_UUID_GATT_PRIMARY_VAL) || !is_long(attrs->user_data, service_uuid))
            continue;
        for (size_t k = 1; k + 1 < count; k++) {
            const struct bt_gatt_chrc *declared = attrs[k].user_data;
            if (is(&attrs[k], BT_UUID_GATT_CHRC_VAL) && is_long(attrs[k + 1].uuid, characteristic) &&
                is_long(declared->uuid, characteristic) && declared->properties == properties)
                return true;
        }
    }
    return false;
}

static const struct bt_gatt_attr *value_attr(const struct bt_gatt_attr *attr)
{
    return attr && is(attr, BT_UUID_GATT_CHRC_VAL) ? bt_gatt_attr_next(attr) : attr;
}

const struct bt_gatt_attr *fb_gatt_ccc_of(const struct bt_gatt_attr *value)
{
    for (const struct bt_gatt_attr *at = value ? bt_gatt_attr_next(value) : NULL; at; at = bt_gatt_attr_next(at)) {
        if (is(at, BT_UUID_GATT_CHRC_VAL))
            return NULL;
        if (is(at, BT_UUID_GATT_CCC_VAL))
            return at;
    }
    return NULL;
}

bool bt_gatt_is_subscribed(struct bt_conn *conn, const struct bt_gatt_attr *attr, uint16_t ccc_type)
{
    const struct bt_gatt_attr *ccc = fb_gatt_ccc_of(value_attr(attr));
    if (!conn || !conn->connected || !ccc)
        return false;
    return ((struct bt_gatt_ccc_managed_user_data *)ccc->user_data)->value & ccc_type;
}

void fb_gatt_connected(void)
{
    connection_number++;
    air_free = fb_now();
}

static void end_subscriptions(void *unused)
{
    const struct bt_gatt_attr *attrs;
    size_t count;
    (void)unused;
    for (size_t i = 0; service(i, &attrs, &count); i++)
        for (size_t k = 0; k < count; k++) {
            struct bt_gatt_ccc_managed_user_data *ccc = attrs[k].user_data;
            if (!is(&attrs[k], BT_UUID_GATT_CCC_VAL) || !ccc->value)
                continue;
            ccc->value = 0;
            if (ccc->cfg_changed)
                ccc->cfg_changed(&attrs[k], 0);
        }
}

void fb_gatt_disconnected(void)
{
    connection_number++;
    in_flight = on_air = 0;
    while (sent) {
        notification *one = sent;
        sent = one->next;
        free(one);
    }
    fb_ble_call(end_subscriptions, NULL);
}

void fb_gatt_mtu_updated(uint16_t mtu)
{
    for (struct bt_gatt_cb *cb = callbacks; cb; cb = cb->next)
        if (cb->att_mtu_updated)
            cb->att_mtu_updated(&fb_connection, mtu, mtu);
}

static uint8_t att_error(ssize_t result)
{
    return result < 0 && result >= -0xff ? (uint8_t)-result : BT_ATT_ERR_UNLIKELY;
}

uint8_t fb_gatt_write(const struct bt_gatt_attr *attr, const void *data, size_t length, uint16_t offset)
{
    if (!attr)
        return BT_ATT_ERR_INVALID_HANDLE;
    if (!(attr->perm & BT_GATT_PERM_WRITE) || !attr->write)
        return BT_ATT_ERR_WRITE_NOT_PERMITTED;
    ssize_t result = attr->write(&fb_connection, attr, data, (uint16_t)length, offset, 0);
    return result == (ssize_t)length ? BT_ATT_ERR_SUCCESS : att_error(result);
}

uint8_t fb_gatt_read(const struct bt_gatt_attr *attr, uint8_t *data, size_t room, size_t *length)
{
    if (!attr)
        return BT_ATT_ERR_INVALID_HANDLE;
    if (!(attr->perm & BT_GATT_PERM_READ) || !attr->read)
        return BT_ATT_ERR_READ_NOT_PERMITTED;
    ssize_t result = attr->read(&fb_connection, attr, data, (uint16_t)room, 0);
    if (result < 0)
        return att_error(result);
    *length = (size_t)result;
    return BT_ATT_ERR_SUCCESS;
}

/* Completion is reported from the system work queue, as the real host does: who blocks that queue waits for ever. */
static void report(struct k_work *work)
{
    (void)work;
    while (sent) {
        notification *one = sent;
        sent = one->next;
        in_flight--;
        if (one->done)
            one->done(&fb_connection, one->user_data);
        free(one);
    }
}
static K_WORK_DEFINE(report_work, report);

typedef struct {
    notification *packet;
    unsigned connection;
} flight;

static void arrives(void *arg)
{
    flight *one = arg;
    if (one->connection != connection_number) {
        free(one->packet);
    } else {
        on_air--;
        fb_central_gets(one->packet->name, one->packet->data, one->packet->length);
        notification **end = &sent;
        while (*end)
            end = &(*end)->next;
        *end = one->packet;
        k_work_submit(&report_work);
    }
    free(one);
}

static int notify(struct bt_conn *conn, const struct bt_gatt_attr *value, const struct bt_gatt_notify_params *params)
{
    if (!value || !is(value - 1, BT_UUID_GATT_CHRC_VAL) ||
        !(((struct bt_gatt_chrc *)value[-1].user_data)->properties & BT_GATT_CHRC_NOTIFY))
        return -EINVAL;
    if (!conn && (!fb_connection.connected || !bt_gatt_is_subscribed(&fb_connection, value, BT_GATT_CCC_NOTIFY)))
        return -ENOTCONN;
    if (conn && !conn->connected)
        return -ENOTCONN;
    if (conn && !bt_gatt_is_subscribed(conn, value, BT_GATT_CCC_NOTIFY))
        return -EINVAL;
    int error = injected(&fault);
    if (error)
        return error;
    if (params->len > fb_connection.mtu - OVERHEAD || on_air >= buffers)
        return -ENOMEM; /* the real host, too, has no buffer for what is longer than the MTU */
    return 0;
}

int bt_gatt_notify_cb(struct bt_conn *conn, struct bt_gatt_notify_params *params)
{
    const struct bt_gatt_attr *value = params->attr;
    if (params->uuid)
        value = bt_gatt_find_by_uuid(params->attr, 0, params->uuid);
    value = value_attr(value);
    int ret = notify(conn, value, params);
    fb_trace("ble", "notify %08x %u: %d", value ? fb_gatt_name(value) : 0, params->len, ret);
    if (ret)
        return ret;
    flight *one = malloc(sizeof *one);
    *one = (flight){.packet = malloc(sizeof *one->packet), .connection = connection_number};
    *one->packet = (notification){
        .name = fb_gatt_name(value), .done = params->func, .user_data = params->user_data, .length = params->len};
    memcpy(one->packet->data, params->data, params->len);
    on_air++;
    in_flight++;
    most_in_flight = in_flight > most_in_flight ? in_flight : most_in_flight;
    air_free = (air_free > fb_now() ? air_free : fb_now()) + packet_ns;
    fb_at(air_free, arrives, one);
    fb_spend(FB_US(100));
    return 0;
}

int bt_gatt_indicate(struct bt_conn *conn, struct bt_gatt_indicate_params *params)
{
    (void)conn;
    (void)params;
    return -ENOTSUP; /* no characteristic of this board's central takes indications */
}

uint16_t bt_gatt_get_mtu(struct bt_conn *conn)
{
    return conn->mtu;
}

uint16_t bt_gatt_get_uatt_mtu(struct bt_conn *conn)
{
    return conn->mtu;
}

void bt_gatt_cb_register(struct bt_gatt_cb *cb)
{
    cb->next = callbacks;
    callbacks = cb;
}

int bt_gatt_service_register(struct bt_gatt_service *svc)
{
    for (struct bt_gatt_service *one = registered; one; one = one->next)
        if (one == svc)
            return -EALREADY;
    svc->next = registered;
    registered = svc;
    return 0;
}

int bt_gatt_service_unregister(struct bt_gatt_service *svc)
{
    for (struct bt_gatt_service **at = &registered; *at; at = &(*at)->next)
        if (*at == svc) {
            *at = svc->next;
            return 0;
        }
    return -ENOENT;
}
