/* What a scenario does with Bluetooth: a central that connects, writes, reads, subscribes and disconnects at given times.
 *
 * Characteristics are named by the first 32 bits of their 128-bit UUID. Traced as kind "ble":
 *   "advertise: 0", "connected", "disconnected 0x13"      what happened, and what a call returned
 *   "write 7a1b0002: 0x0d"                                the ATT error with which a write was answered; 0x00 is success
 *   "read 7a1b0002: 2a"                                   the value read, or "error 0x02"
 *   "subscribe 7a1b0003 1: 0x00"                          a write of its CCC
 *   "notify 7a1b0003 2: 0"                                a notification of 2 bytes, and what the call returned
 *   "notified 7a1b0003: 0102"                             it has reached the central */
#ifndef FB_BLE_H
#define FB_BLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

void fb_ble_fail_enable(int error);
void fb_ble_buffers(unsigned count);      /* notifications that the stack takes before it says -ENOMEM; 6 unless said */
void fb_ble_packet_time(int64_t ns);      /* until a notification is with the central; one after the other; 5 ms unless said */
void fb_ble_fail_notify(unsigned skip, unsigned count, int error);

/* The central acts at a time; a request waits until the one before is answered. */
void fb_central_connect(int64_t when);
void fb_central_connect_failing(int64_t when); /* the connection does not come about */
void fb_central_disconnect(int64_t when);
void fb_central_set_mtu(int64_t when, uint16_t mtu); /* the exchange that a central begins; 23 before */
void fb_central_write(int64_t when, uint32_t uuid, const void *data, size_t length, uint16_t offset);
void fb_central_read(int64_t when, uint32_t uuid);
void fb_central_subscribe(int64_t when, uint32_t uuid, uint16_t value);
void fb_central_on_notified(void (*fn)(uint32_t uuid, const uint8_t *data, size_t length));

/* What a discovery would find: a primary service, in it a characteristic with exactly these properties. The UUIDs are
 * given as they go over the air, the lowest byte first. */
bool fb_central_finds(const uint8_t service[16], const uint8_t characteristic[16], uint8_t properties);

bool fb_ble_advertising(void);
bool fb_ble_connected(void);
unsigned fb_ble_references(void);        /* to connection objects, the stack's own not counted */
unsigned fb_ble_most_in_flight(void);    /* notifications taken and not yet reported as complete */
bool fb_ble_advertised(uint8_t type, const void *data, size_t length, bool in_scan_response); /* by the last start */

#endif
