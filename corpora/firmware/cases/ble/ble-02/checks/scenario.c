/* A central that fetches the log over links of different MTU, with few buffers, and breaks off in several ways. The
 * other half of the application, which enables Bluetooth and advertises, is here. */
#include <string.h>

#include <zephyr/bluetooth/bluetooth.h>
#include <zephyr/bluetooth/conn.h>
#include <zephyr/bluetooth/gatt.h>

#include "fb_ble.h"
#include "fb_zephyr.h"
#include "sim.h"

enum { CONTROL = 0x3e920002, DATA = 0x3e920003 };
#define MS FB_MS
#define UUID(n) \
    { \
        0x34, 0x12, 0x90, 0x8f, 0x7e, 0x6d, 0xa2, 0xb5, 0x6a, 0x4c, 0x1d, 0x8f, n, 0x00, 0x92, 0x3e \
    }
#define ALL 60000

/* One connection after the other, each with a plan; times are after its start. */
enum link {
    PLAIN,
    FEW_BUFFERS,
    ABORTED,
    UNSUBSCRIBED,
    CUT,
    AFTER_CUT,
    EMPTY_LOG,
    EXACT,
    FAILING,
    SLOW,
    LINKS,
    SECOND = LINKS,
    /* of FEW_BUFFERS, on the same connection */ TRANSFERS
};
#define LINK_TIME FB_S(6)

static const struct plan {
    size_t log;
    uint16_t mtu;
    unsigned buffers;
    int64_t packet_time;
} plans[TRANSFERS] = {
    [PLAIN] = {3000, 0, 6, MS(5)},        [FEW_BUFFERS] = {6000, 185, 2, MS(5)}, [ABORTED] = {ALL, 65, 6, MS(5)},
    [UNSUBSCRIBED] = {ALL, 65, 6, MS(5)}, [CUT] = {ALL, 65, 6, MS(5)},           [AFTER_CUT] = {1000, 100, 6, MS(5)},
    [EMPTY_LOG] = {0, 65, 6, MS(5)},      [EXACT] = {600, 65, 6, MS(5)},         [FAILING] = {ALL, 65, 6, MS(5)},
    [SLOW] = {900, 65, 6, MS(100)},       [SECOND] = {5000, 185, 2, MS(5)},
};

static struct {
    size_t bytes;
    unsigned packets, wrong_number, wrong_data, wrong_size, after_end;
    bool ended;
    int64_t first, last;
    unsigned packets_before_stop; /* with the central when the stop was asked for */
    unsigned taken_before_stop;   /* by the stack */
} seen[TRANSFERS];
static enum link now;
static unsigned taken;
static bool read_in_callback, last_was_short;
static int64_t free_time, free_from;
static unsigned most_in_flight;

static uint8_t log_byte(size_t at)
{
    return (uint8_t)((at + 3 + (size_t)now * 1000) * 2654435761u >> 21);
}

static bool in_stack_thread(void)
{
    return fb_self() && !strcmp(fb_thread_name(fb_self()), "BT_RX");
}

size_t log_size(void)
{
    return plans[now].log;
}

size_t log_read(size_t offset, uint8_t *buffer, size_t room)
{
    read_in_callback |= in_stack_thread();
    size_t length = offset < plans[now].log ? plans[now].log - offset : 0;
    length = length < room ? length : room;
    for (size_t i = 0; i < length; i++)
        buffer[i] = log_byte(offset + i);
    k_busy_wait(700);
    return length;
}

static void got(uint32_t uuid, const uint8_t *data, size_t length)
{
    size_t room = (plans[now].mtu ? plans[now].mtu : 23) - 3u;
    if (uuid != DATA)
        return;
    seen[now].after_end += seen[now].ended;
    seen[now].wrong_number += length < 2 || (unsigned)(data[0] | data[1] << 8) != (seen[now].packets & 0xffff);
    seen[now].wrong_size += length > room || (last_was_short && length > 2);
    last_was_short = length < room;
    for (size_t i = 2; i < length; i++)
        seen[now].wrong_data += data[i] != log_byte(seen[now].bytes + i - 2);
    seen[now].bytes += length < 2 ? 0 : length - 2;
    seen[now].ended |= length == 2;
    if (!seen[now].packets++)
        seen[now].first = fb_now();
    seen[now].last = fb_now();
}

static void begin_link(void *which)
{
    now = (enum link)(uintptr_t)which;
    fb_ble_buffers(plans[now].buffers);
    fb_ble_packet_time(plans[now].packet_time);
    last_was_short = false;
}

static void note_stop(void *unused)
{
    (void)unused;
    seen[now].packets_before_stop = seen[now].packets;
    taken = (unsigned)fb_traced("ble", "notify 3e920003");
    seen[now].taken_before_stop = taken;
}

static void fail_next(void *unused)
{
    (void)unused;
    fb_ble_fail_notify(0, 1, -EIO);
}

static void control(int64_t when, uint8_t value)
{
    fb_central_write(when, CONTROL, &value, 1, 0);
}

static int64_t at(enum link which, int64_t after)
{
    return FB_S(1) + which * LINK_TIME + after;
}

static void script(enum link which)
{
    fb_at(at(which, 0), begin_link, (void *)(uintptr_t)which);
    fb_central_connect(at(which, MS(10)));
    if (plans[which].mtu)
        fb_central_set_mtu(at(which, MS(50)), plans[which].mtu);
    if (which == PLAIN) {
        control(at(which, MS(100)), 1); /* before notifications are enabled */
        fb_central_write(at(which, MS(120)), CONTROL, "\1\1", 2, 0);
        fb_central_write(at(which, MS(140)), CONTROL, "", 0, 0);
        fb_central_write(at(which, MS(160)), CONTROL, "\1", 1, 1);
        control(at(which, MS(180)), 2);
        control(at(which, MS(200)), 0);
    }
    fb_central_subscribe(at(which, MS(300)), DATA, 1);
    control(at(which, MS(400)), 1);
    if (which == PLAIN)
        control(at(which, MS(450)), 1); /* while it runs */
    if (which == FEW_BUFFERS) {
        fb_at(at(which, MS(2900)), begin_link, (void *)(uintptr_t)SECOND);
        control(at(which, MS(3000)), 1);
    }
    if (which == ABORTED) {
        fb_at(at(which, MS(1000)) - 1, note_stop, NULL);
        control(at(which, MS(1000)), 0);
    }
    if (which == UNSUBSCRIBED) {
        fb_at(at(which, MS(1000)) - 1, note_stop, NULL);
        fb_central_subscribe(at(which, MS(1000)), DATA, 0);
    }
    if (which == FAILING)
        fb_at(at(which, MS(1000)), fail_next, NULL);
    fb_central_disconnect(which == CUT ? at(which, MS(1000)) : at(which, LINK_TIME - MS(300)));
}

static const struct bt_data ad[] = {BT_DATA_BYTES(BT_DATA_FLAGS, BT_LE_AD_GENERAL | BT_LE_AD_NO_BREDR)};

static void advertise(struct k_work *work)
{
    (void)work;
    bt_le_adv_start(BT_LE_ADV_CONN_FAST_1, ad, ARRAY_SIZE(ad), NULL, 0);
}
static K_WORK_DEFINE(advertise_work, advertise);

static void recycled(void)
{
    k_work_submit(&advertise_work);
}

BT_CONN_CB_DEFINE(other_half) = {.recycled = recycled};

/* Counts the time that is left to a thread of the lowest priority, in the slow link. */
static struct k_thread starter, idler;
static K_THREAD_STACK_ARRAY_DEFINE(stacks, 2, 2048);

static void idle(void *a, void *b, void *c)
{
    (void)a;
    (void)b;
    (void)c;
    for (;;) {
        k_sleep(K_MSEC(1));
        if (now != SLOW || seen[SLOW].ended)
            continue;
        free_from = fb_now();
        fb_spend(FB_US(500));
        free_time += FB_US(500);
        most_in_flight = fb_ble_most_in_flight();
    }
}

static void start(void *a, void *b, void *c)
{
    (void)a;
    (void)b;
    (void)c;
    bt_enable(NULL);
    advertise(NULL);
}

static int start_other_half(void)
{
    k_thread_create(&starter, stacks[0], K_THREAD_STACK_SIZEOF(stacks[0]), start, NULL, NULL, NULL, 6, 0, K_NO_WAIT);
    k_thread_create(&idler, stacks[1], K_THREAD_STACK_SIZEOF(stacks[1]), idle, NULL, NULL, NULL, 14, 0, K_NO_WAIT);
    return 0;
}
SYS_INIT(start_other_half, APPLICATION, 99);

void scenario(void)
{
    fb_central_on_notified(got);
    for (enum link which = 0; which < LINKS; which++)
        script(which);
    fb_end_at(at(LINKS, 0));
}

static bool whole(enum link which)
{
    return seen[which].ended && seen[which].bytes == plans[which].log && !seen[which].wrong_data &&
           !seen[which].wrong_number && !seen[which].after_end;
}

#define WHOLE(name, which, expected) \
    FB_CHECK(name, whole(which), expected, "%zu bytes in %u packets, %s, %u wrong numbers, %u wrong bytes", \
             seen[which].bytes, seen[which].packets, seen[which].ended ? "ended" : "not ended", \
             seen[which].wrong_number, seen[which].wrong_data)

static bool answered(enum link which, int64_t after, const char *what)
{
    return fb_traced_between("ble", what, at(which, after), at(which, after) + MS(15)) == 1;
}

static const char *answer(enum link which, int64_t after)
{
    for (size_t n = 0;; n++) {
        int64_t when = fb_traced_at("ble", "write 3e920002", n);
        if (when < 0 || when >= at(which, after))
            return fb_traced_text("ble", "write 3e920002", n);
    }
}

#define ANSWER(name, after, wanted, expected) \
    FB_CHECK(name, answered(PLAIN, after, "write 3e920002: " wanted), expected, "%s", answer(PLAIN, after))

void conclude(void)
{
    static const uint8_t service[16] = UUID(1), uuid_of_control[16] = UUID(2), data[16] = UUID(3);
    bool found[2] = {fb_central_finds(service, uuid_of_control, BT_GATT_CHRC_WRITE),
                     fb_central_finds(service, data, BT_GATT_CHRC_NOTIFY)};
    FB_CHECK("service_discovered", found[0] && found[1], "the service, control and data with their properties",
             "control %s, data %s", found[0] ? "found" : "not found", found[1] ? "found" : "not found");
    ANSWER("start_needs_notifications", MS(100), "0xfd", "0xfd, CCC improper configuration");
    ANSWER("long_write_refused", MS(120), "0x0d", "0x0d, invalid attribute length");
    ANSWER("empty_write_refused", MS(140), "0x0d", "0x0d, invalid attribute length");
    ANSWER("offset_refused", MS(160), "0x07", "0x07, invalid offset");
    ANSWER("other_value_refused", MS(180), "0x13", "0x13, value not allowed");
    ANSWER("abort_without_transfer", MS(200), "0x00", "success");
    ANSWER("start_accepted", MS(400), "0x00", "success, at once");
    ANSWER("second_start_refused", MS(450), "0xfe", "0xfe, procedure in progress");
    WHOLE("log_over_small_mtu", PLAIN, "3000 bytes, numbered, ended by an empty packet");
    FB_CHECK("first_packet_soon", seen[PLAIN].packets > 0 && seen[PLAIN].first <= at(PLAIN, MS(510)), "within 100 ms",
             "%.0f ms", (double)(seen[PLAIN].first - at(PLAIN, MS(400))) / 1e6);
    WHOLE("log_with_few_buffers", FEW_BUFFERS, "6000 bytes, although the stack has two buffers");
    FB_CHECK("few_buffers_kept_busy", seen[FEW_BUFFERS].ended && seen[FEW_BUFFERS].last < at(FEW_BUFFERS, MS(2300)),
             "within 50 ms after a buffer is free", "%.0f ms in all",
             (double)(seen[FEW_BUFFERS].last - seen[FEW_BUFFERS].first) / 1e6);
    WHOLE("second_transfer", SECOND, "the whole log again, from number 0, on the same connection");
    unsigned sizes = 0;
    for (enum link which = 0; which < LINKS; which++)
        sizes += seen[which].wrong_size;
    FB_CHECK("packets_fill_the_mtu",
             seen[PLAIN].packets > 0 && sizes == 0 && seen[FEW_BUFFERS].packets == 6000 / 180 + 2,
             "each packet as long as the MTU allows", "%u of another size; %u packets for 6000 bytes", sizes,
             seen[FEW_BUFFERS].packets);
    FB_CHECK("in_flight_limited", most_in_flight > 0 && fb_ble_most_in_flight() <= 4, "at most 4", "%u",
             fb_ble_most_in_flight());
    FB_CHECK("abort_ends_transfer",
             seen[ABORTED].packets_before_stop > 10 && !seen[ABORTED].ended &&
                 seen[ABORTED].packets <= seen[ABORTED].packets_before_stop + 5,
             "no packet but those that the stack has", "%u before, %u in all", seen[ABORTED].packets_before_stop,
             seen[ABORTED].packets);
    FB_CHECK("unsubscribing_ends_transfer",
             seen[UNSUBSCRIBED].packets_before_stop > 10 && !seen[UNSUBSCRIBED].ended &&
                 seen[UNSUBSCRIBED].packets <= seen[UNSUBSCRIBED].packets_before_stop + 5,
             "no packet but those that the stack has", "%u before, %u in all", seen[UNSUBSCRIBED].packets_before_stop,
             seen[UNSUBSCRIBED].packets);
    size_t tries = fb_traced_between("ble", "notify 3e920003", at(UNSUBSCRIBED, MS(1050)), at(CUT, 0)) +
                   fb_traced_between("ble", "notify 3e920003", at(CUT, MS(1050)), at(AFTER_CUT, 0));
    FB_CHECK("nothing_tried_after_end", seen[CUT].packets > 10 && tries == 0,
             "no bt_gatt_notify_cb once disabled or disconnected", "%zu calls", tries);
    WHOLE("new_transfer_after_cut", AFTER_CUT, "the whole log, from number 0, on a new connection");
    WHOLE("empty_log", EMPTY_LOG, "an empty packet alone");
    WHOLE("log_of_whole_packets", EXACT, "600 bytes in ten full packets, then an empty one");
    FB_CHECK("other_error_ends_transfer",
             seen[FAILING].packets > 10 && !seen[FAILING].ended &&
                 fb_traced_between("ble", "notify 3e920003", at(FAILING, MS(1100)), at(SLOW, 0)) == 0,
             "no packet after -EIO", "%zu calls after it",
             fb_traced_between("ble", "notify 3e920003", at(FAILING, MS(1100)), at(SLOW, 0)));
    WHOLE("log_over_slow_link", SLOW, "900 bytes");
    FB_CHECK("processor_free_while_waiting", seen[SLOW].packets > 10 && free_time >= MS(300),
             "a thread of lower priority runs", "%.0f ms", (double)free_time / 1e6);
    FB_CHECK("callback_does_not_read", seen[PLAIN].packets > 0 && !read_in_callback, "log_read in another thread", "%d",
             read_in_callback);
    FB_CHECK("references_given_back", seen[PLAIN].packets > 0 && fb_ble_references() == 0 && fb_ble_advertising(),
             "none left, advertising again", "%u", fb_ble_references());
}
