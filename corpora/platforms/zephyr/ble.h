/* What the three parts of the Bluetooth model share: host, attributes, central. One connection at a time. */
#ifndef FB_BLE_MODEL_H
#define FB_BLE_MODEL_H

#include <zephyr/bluetooth/conn.h>
#include <zephyr/bluetooth/gatt.h>

#include "fb_ble.h"
#include "sim.h"

struct bt_conn {
    unsigned references;
    bool connected;
    uint16_t mtu;
    bt_addr_le_t address;
};

extern struct bt_conn fb_connection;

void fb_ble_call(void (*fn)(void *), void *arg); /* in the stack's receiving thread, in order */
bool fb_ble_enabled(void);
bool fb_ble_slot_free(void); /* for a connectable advertiser, which takes one at its start */
bool fb_adv_taken(void);     /* a central connects: true, and the end of it, if there is a connectable advertiser */
void fb_adv_resume(void);
void fb_host_connects(bool fails);
void fb_host_disconnects(uint8_t reason);
void fb_host_mtu(uint16_t mtu);

void fb_gatt_connected(void);
void fb_gatt_disconnected(void); /* notifications on their way are discarded, subscriptions end */
void fb_gatt_mtu_updated(uint16_t mtu);
const struct bt_gatt_attr *fb_gatt_value_of(uint32_t uuid); /* the value of the characteristic; NULL if there is none */
const struct bt_gatt_attr *fb_gatt_ccc_of(const struct bt_gatt_attr *value);
uint32_t fb_gatt_name(const struct bt_gatt_attr *attr);
uint8_t fb_gatt_write(const struct bt_gatt_attr *attr, const void *data, size_t length, uint16_t offset);
uint8_t fb_gatt_read(const struct bt_gatt_attr *attr, uint8_t *data, size_t room, size_t *length);
void fb_central_gets(uint32_t uuid, const uint8_t *data, size_t length);

#endif
