/* The central that a scenario scripts: each step at its time, requests one after the other in the receiving thread. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ble.h"

typedef struct {
    enum { CONNECT, CONNECT_FAILING, DISCONNECT, MTU, WRITE, READ, SUBSCRIBE } what;
    uint32_t uuid;
    uint16_t value; /* MTU, CCC, or the offset of a write */
    size_t length;
    uint8_t data[BT_ATT_MAX_ATTRIBUTE_LEN];
} step;

static void (*notified)(uint32_t uuid, const uint8_t *data, size_t length);

static void hex(char *to, const uint8_t *data, size_t length)
{
    for (size_t i = 0; i < length && i < 64; i++)
        sprintf(to + 2 * i, "%02x", data[i]);
}

void fb_central_gets(uint32_t uuid, const uint8_t *data, size_t length)
{
    char text[160] = "";
    hex(text, data, length);
    fb_trace("ble", "notified %08x: %s", uuid, text);
    if (notified)
        notified(uuid, data, length);
}

static void request(void *arg)
{
    step *one = arg;
    const struct bt_gatt_attr *value = fb_gatt_value_of(one->uuid);
    uint8_t data[BT_ATT_MAX_ATTRIBUTE_LEN], error;
    size_t length = 0;
    char text[160] = "";
    if (!fb_connection.connected) {
        fb_trace("ble", "a request without a connection");
    } else if (one->what == WRITE) {
        error = fb_gatt_write(value, one->data, one->length, one->value);
        fb_trace("ble", "write %08x: 0x%02x", one->uuid, error);
    } else if (one->what == READ) {
        error = fb_gatt_read(value, data, fb_connection.mtu - 1u, &length);
        hex(text, data, length);
        if (error)
            fb_trace("ble", "read %08x: error 0x%02x", one->uuid, error);
        else
            fb_trace("ble", "read %08x: %s", one->uuid, text);
    } else {
        uint8_t bits[2] = {(uint8_t)one->value, (uint8_t)(one->value >> 8)};
        error = fb_gatt_write(fb_gatt_ccc_of(value), bits, sizeof bits, 0);
        fb_trace("ble", "subscribe %08x %u: 0x%02x", one->uuid, one->value, error);
    }
    free(one);
}

static void act(void *arg)
{
    step *one = arg;
    switch (one->what) {
    case CONNECT:
    case CONNECT_FAILING:
        fb_host_connects(one->what == CONNECT_FAILING);
        break;
    case DISCONNECT:
        fb_host_disconnects(BT_HCI_ERR_REMOTE_USER_TERM_CONN);
        break;
    case MTU:
        fb_host_mtu(one->value);
        break;
    default:
        if (fb_connection.connected)
            fb_ble_call(request, one);
        else
            fb_trace("ble", "a request without a connection");
        return;
    }
    free(one);
}

static void at(int64_t when, step what)
{
    step *one = malloc(sizeof *one);
    *one = what;
    fb_at(when, act, one);
}

void fb_central_connect(int64_t when)
{
    at(when, (step){.what = CONNECT});
}

void fb_central_connect_failing(int64_t when)
{
    at(when, (step){.what = CONNECT_FAILING});
}

void fb_central_disconnect(int64_t when)
{
    at(when, (step){.what = DISCONNECT});
}

void fb_central_set_mtu(int64_t when, uint16_t mtu)
{
    at(when, (step){.what = MTU, .value = mtu});
}

void fb_central_write(int64_t when, uint32_t uuid, const void *data, size_t length, uint16_t offset)
{
    step one = {.what = WRITE, .uuid = uuid, .value = offset, .length = length};
    memcpy(one.data, data, length);
    at(when, one);
}

void fb_central_read(int64_t when, uint32_t uuid)
{
    at(when, (step){.what = READ, .uuid = uuid});
}

void fb_central_subscribe(int64_t when, uint32_t uuid, uint16_t value)
{
    at(when, (step){.what = SUBSCRIBE, .uuid = uuid, .value = value});
}

void fb_central_on_notified(void (*fn)(uint32_t uuid, const uint8_t *data, size_t length))
{
    notified = fn;
}
