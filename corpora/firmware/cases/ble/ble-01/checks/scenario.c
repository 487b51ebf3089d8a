/* A central that connects three times, writes what is right and wrong, and listens for a while.
 * Boots: 0 Bluetooth cannot be enabled, 1 works. */
#include <string.h>

#include <zephyr/bluetooth/gap.h>
#include <zephyr/bluetooth/gatt.h>

#include "fb_ble.h"
#include "fb_zephyr.h"
#include "power.h"
#include "sim.h"

FB_POWER_CYCLES;

enum { LEVEL = 0x7a1b0002, TEMPERATURE = 0x7a1b0003 };
#define MS FB_MS

static const uint8_t service[16] = {0x5b, 0x4a, 0x3f, 0x2e, 0x1d, 0x0c, 0x6b, 0x9a,
                                    0x2f, 0x4e, 0x3d, 0x5c, 0x01, 0x00, 0x1b, 0x7a};

static const uint8_t level[16] = {0x5b, 0x4a, 0x3f, 0x2e, 0x1d, 0x0c, 0x6b, 0x9a,
                                  0x2f, 0x4e, 0x3d, 0x5c, 0x02, 0x00, 0x1b, 0x7a};
static const uint8_t temperature[16] = {0x5b, 0x4a, 0x3f, 0x2e, 0x1d, 0x0c, 0x6b, 0x9a,
                                        0x2f, 0x4e, 0x3d, 0x5c, 0x03, 0x00, 0x1b, 0x7a};

static struct kept {
    bool failed;
} *kept;

static struct {
    unsigned count;
    uint8_t last;
    uint8_t all[8];
} lamp;
static unsigned readings;
static bool advertising_before[3], bad_value;
static int64_t first_notified[2] = {-1, -1}, last_notified = -1, shortest = FB_FOREVER, longest;
static unsigned notified, stage;

void lamp_set(uint8_t percent)
{
    if (lamp.count < sizeof lamp.all)
        lamp.all[lamp.count] = percent;
    lamp.count++;
    lamp.last = percent;
}

int16_t lamp_temperature(void)
{
    return (int16_t)(-130 + 7 * (int)readings++);
}

static void got(uint32_t uuid, const uint8_t *data, size_t length)
{
    if (uuid != TEMPERATURE)
        return;
    int16_t value = length == 2 ? (int16_t)(data[0] | data[1] << 8) : 0;
    bad_value |= length != 2 || value != (int16_t)(-130 + 7 * ((int)readings - 1));
    notified++;
    unsigned part = fb_now() > FB_S(20);
    if (first_notified[part] < 0)
        first_notified[part] = fb_now();
    else if (last_notified > 0) {
        int64_t gap = fb_now() - last_notified;
        shortest = gap < shortest ? gap : shortest;
        longest = gap > longest ? gap : longest;
    }
    last_notified = fb_now();
}

static void forget_gap(void *unused)
{
    (void)unused;
    last_notified = -1;
}

static void look(void *unused)
{
    (void)unused;
    advertising_before[stage++] = fb_ble_advertising();
}

static void next_boot(void *unused)
{
    (void)unused;
    kept->failed = fb_traced("console", "bluetooth failed") == 1 && fb_traced("ble", "advertise") == 0;
    fb_power_cycle("next boot");
}

static void write_level(int64_t when, const char *data, size_t length, uint16_t offset)
{
    fb_central_write(when, LEVEL, data, length, offset);
}

void scenario(void)
{
    kept = fb_kept("scenario", sizeof *kept);
    fb_central_on_notified(got);
    if (fb_boot() == 0) {
        fb_ble_fail_enable(-EIO);
        fb_at(MS(500), next_boot, NULL);
        fb_end_at(FB_S(1));
        return;
    }
    fb_at(MS(900), look, NULL);
    fb_central_connect(FB_S(1));
    fb_central_read(MS(1100), LEVEL);
    write_level(MS(1200), "\x2a", 1, 0);
    fb_central_read(MS(1300), LEVEL);
    write_level(MS(1400), "\x65", 1, 0); /* 101 */
    write_level(MS(1500), "\x10\x20", 2, 0);
    write_level(MS(1600), "", 0, 0);
    write_level(MS(1700), "\x10", 1, 1);
    fb_central_read(MS(1800), LEVEL);
    write_level(MS(1900), "\x64", 1, 0); /* 100 */
    fb_central_subscribe(FB_S(3), TEMPERATURE, 1);
    fb_central_subscribe(MS(7500), TEMPERATURE, 0);
    fb_central_disconnect(FB_S(10));
    fb_at(MS(11050), look, NULL);
    fb_central_connect_failing(MS(11100));
    fb_at(MS(12150), look, NULL);
    fb_at(MS(12900), forget_gap, NULL);
    fb_central_connect(FB_S(13));
    fb_central_read(MS(13100), LEVEL);
    fb_central_subscribe(FB_S(21), TEMPERATURE, 1);
    fb_central_disconnect(MS(25500)); /* while notifications are enabled */
    fb_central_connect(MS(27000));    /* a new connection begins without them */
    write_level(MS(27100), "\x05", 1, 0);
    fb_central_disconnect(FB_S(30));
    fb_end_at(FB_S(32));
}

static size_t answered(const char *what, int64_t from, int64_t to)
{
    return fb_traced_between("ble", what, from, to);
}

static const char *answer_at(int64_t from)
{
    for (size_t n = 0;; n++) {
        int64_t when = fb_traced_at("ble", "7a1b0002:", n);
        if (when < 0)
            return "no answer";
        if (when >= from)
            return fb_traced_text("ble", "7a1b0002:", n);
    }
}

#define ANSWER(name, when, wanted, expected) \
    FB_CHECK(name, answered(wanted, when, (when) + MS(90)) == 1, expected, "%s", answer_at(when))

void conclude(void)
{
    uint8_t flags = BT_LE_AD_GENERAL | BT_LE_AD_NO_BREDR;
    bool named = fb_ble_advertised(BT_DATA_NAME_COMPLETE, "Lamp", 4, true) ||
                 fb_ble_advertised(BT_DATA_NAME_COMPLETE, "Lamp", 4, false);
    bool served = fb_ble_advertised(BT_DATA_UUID128_ALL, service, 16, false) ||
                  fb_ble_advertised(BT_DATA_UUID128_SOME, service, 16, false);
    FB_CHECK("enable_error_reported", kept->failed, "the line 'bluetooth failed', no advertising", "%d", kept->failed);
    FB_CHECK("advertises_at_start", advertising_before[0] && answered("connected", FB_S(1), MS(1050)) == 1,
             "advertises, connectable", "%d", advertising_before[0]);
    FB_CHECK("advertised_data", fb_ble_advertised(BT_DATA_FLAGS, &flags, 1, false) && served && named,
             "flags 0x06, the service, the name", "flags %d, service %d, name %d",
             fb_ble_advertised(BT_DATA_FLAGS, &flags, 1, false), served, named);
    bool found[2] = {fb_central_finds(service, level, BT_GATT_CHRC_READ | BT_GATT_CHRC_WRITE),
                     fb_central_finds(service, temperature, BT_GATT_CHRC_NOTIFY)};
    FB_CHECK("service_discovered", found[0] && found[1], "the service, level and temperature with their properties",
             "level %s, temperature %s", found[0] ? "found" : "not found", found[1] ? "found" : "not found");
    ANSWER("level_after_start", MS(1100), "read 7a1b0002: 00", "00");
    ANSWER("level_written", MS(1200), "write 7a1b0002: 0x00", "success");
    ANSWER("level_read_back", MS(1300), "read 7a1b0002: 2a", "2a");
    ANSWER("value_checked", MS(1400), "write 7a1b0002: 0x13", "0x13, value not allowed");
    ANSWER("long_write_refused", MS(1500), "write 7a1b0002: 0x0d", "0x0d, invalid attribute length");
    ANSWER("empty_write_refused", MS(1600), "write 7a1b0002: 0x0d", "0x0d, invalid attribute length");
    ANSWER("offset_refused", MS(1700), "write 7a1b0002: 0x07", "0x07, invalid offset");
    ANSWER("level_kept", MS(1800), "read 7a1b0002: 2a", "2a, as before");
    FB_CHECK("lamp_follows", lamp.count == 3 && lamp.all[0] == 42 && lamp.all[1] == 100 && lamp.all[2] == 5,
             "lamp_set(42), (100), (5)", "%u calls, %u, %u, %u", lamp.count, lamp.all[0], lamp.all[1], lamp.all[2]);
    ANSWER("level_over_disconnection", MS(13100), "read 7a1b0002: 64", "64");
    FB_CHECK("first_notification", first_notified[0] > FB_S(3) && first_notified[0] <= MS(4150),
             "within 1.1 s of being enabled", "after %.3f s", (double)(first_notified[0] - FB_S(3)) / 1e9);
    FB_CHECK("notified_each_second", notified >= 7 && shortest >= MS(950) && longest <= MS(1050), "1 s apart",
             "%u, %.3f to %.3f s", notified, (double)shortest / 1e9, (double)longest / 1e9);
    FB_CHECK("value_notified", notified > 0 && !bad_value, "the temperature, low byte first", "%s",
             fb_traced_text("ble", "notified", 0));
    size_t silent = answered("notify", 0, FB_S(3)) + answered("notify", MS(7600), FB_S(21)) +
                    answered("notify", MS(25500), FB_S(32));
    FB_CHECK("silent_unless_enabled", notified > 0 && silent == 0,
             "no call of bt_gatt_notify while not enabled or connected", "%zu", silent);
    FB_CHECK("notified_on_new_connection", first_notified[1] > FB_S(21) && first_notified[1] <= MS(22150),
             "within 1.1 s of being enabled", "after %.3f s", (double)(first_notified[1] - FB_S(21)) / 1e9);
    FB_CHECK("advertises_after_disconnection", stage >= 2 && advertising_before[1], "within 1 s", "%d",
             advertising_before[1]);
    FB_CHECK("advertises_after_failed_connection",
             stage >= 3 && advertising_before[2] && answered("connected", FB_S(13), MS(13050)) == 1, "within 1 s", "%d",
             advertising_before[2]);
    FB_CHECK("advertises_at_end", fb_ble_advertising() && answered("connected", MS(27000), MS(27050)) == 1,
             "after each disconnection", "%d", fb_ble_advertising());
    FB_CHECK("references_given_back", answered("connected", 0, FB_S(32)) > 0 && fb_ble_references() == 0, "none left",
             "%u", fb_ble_references());
}
