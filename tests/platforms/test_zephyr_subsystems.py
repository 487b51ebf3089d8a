"""Zephyr's subsystems: sockets with a scripted server, Bluetooth with a scripted central, MCUboot over boots."""

import pytest

from tests.platforms.playing import Play

NOTHING = '\nvoid conclude(void) { FB_CHECK("ends", true, "", "%d", 0); }\n'
HEADERS = "#include <zephyr/kernel.h>\n#include <zephyr/sys/printk.h>\n#include <errno.h>\n#include <string.h>\n"
SOCKETS = (
    HEADERS
    + """
#include <zephyr/net/socket.h>
static struct sockaddr_in to(const char *address, int port) {
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(port)};
    zsock_inet_pton(AF_INET, address, &a.sin_addr);
    return a;
}
static int join(int fd, int port) {
    struct sockaddr_in a = to("10.0.0.1", port);
    return zsock_connect(fd, (struct sockaddr *)&a, sizeof a) ? -errno : 0;
}
static int now(void) { return (int)k_uptime_get(); }
"""
)


def test_tcp_stream_splits_ends_and_breaks(on_zephyr: Play) -> None:
    played = on_zephyr(
        SOCKETS
        + """
        int main(void) {
            char data[32];
            int fd = zsock_socket(AF_INET, SOCK_STREAM, IPPROTO_TCP);
            printk("refused %d\\n", join(fd, 81));
            printk("nobody %d", join(fd, 82));
            printk(" after %d ms\\n", now());
            printk("joined %d\\n", join(fd, 80));
            printk("sent %d of 9\\n", (int)zsock_send(fd, "123456789", 9, 0));
            struct timeval tv = {0, 5000};
            zsock_setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &tv, sizeof tv);
            int got = zsock_recv(fd, data, 32, 0);
            printk("early %d %d\\n", got, errno == EAGAIN);
            tv.tv_sec = 1;
            zsock_setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &tv, sizeof tv);
            printk("first piece %d\\n", (int)zsock_recv(fd, data, 32, 0));
            printk("one byte %d\\n", (int)zsock_recv(fd, data, 1, 0));
            printk("all %d\\n", (int)zsock_recv(fd, data, 6, ZSOCK_MSG_WAITALL));
            printk("end %d\\n", (int)zsock_recv(fd, data, 32, 0));
            zsock_send(fd, "late", 4, 0);
            k_msleep(50);
            got = zsock_send(fd, "later", 5, 0);
            printk("broken %d %d\\n", got, errno == ECONNRESET);
            zsock_close(fd);
            got = zsock_close(fd);
            printk("closed %d %d\\n", got, errno == EBADF);
            int fds[5];
            for (int i = 0; i < 5; i++) fds[i] = zsock_socket(AF_INET, SOCK_STREAM, 0);
            printk("fifth %d %d\\n", fds[4], errno == ENFILE);
            return 0;
        }
        """,
        """
        #include "sim.h"
        #include "fb_net.h"
        #include <errno.h>
        static void receive(fb_stream *s, const uint8_t *data, size_t n) {
            (void)data;
            if (n != 4) return;
            fb_stream_send(s, FB_MS(30), "abc", 3);
            fb_stream_send(s, FB_MS(60), "de", 2);
            fb_stream_send(s, FB_MS(90), "fghij", 5);
            fb_stream_close(s, FB_MS(90));
        }
        static int refuse(fb_stream *s) { (void)s; return ECONNREFUSED; }
        static int accept(fb_stream *s) { fb_stream_take(s, 4); return 0; }
        static fb_server good = {.address = FB_IP(10, 0, 0, 1), .port = 80, .connect = accept, .receive = receive};
        static fb_server bad = {.address = FB_IP(10, 0, 0, 1), .port = 81, .connect = refuse};
        void scenario(void) { fb_net_serve(&good); fb_net_serve(&bad); }
        """
        + NOTHING,
    )
    assert played.lines("console") == [
        "refused -111",
        "nobody -110 after 5020 ms",
        "joined 0",
        "sent 4 of 9",
        "early -1 1",
        "first piece 3",
        "one byte 1",
        "all 6",
        "end 0",
        "broken -1 1",
        "closed -1 1",
        "fifth -1 1",
    ]
    assert played.passed, played.reason


@pytest.mark.slow
def test_datagrams_keep_their_limits_and_senders(on_zephyr: Play) -> None:
    played = on_zephyr(
        SOCKETS
        + """
        int main(void) {
            char data[16];
            struct sockaddr_in server = to("10.0.0.1", 53), from;
            socklen_t size = sizeof from;
            int fd = zsock_socket(AF_INET, SOCK_DGRAM, IPPROTO_UDP);
            struct zsock_pollfd p = {.fd = fd, .events = ZSOCK_POLLIN};
            zsock_sendto(fd, "ask", 3, 0, (struct sockaddr *)&server, sizeof server);
            printk("poll %d", zsock_poll(&p, 1, 1000));
            printk(" at %d\\n", now());
            printk("cut %d", (int)zsock_recvfrom(fd, data, 4, 0, (struct sockaddr *)&from, &size));
            printk(" from %d\\n", ntohs(from.sin_port));
            printk("next %d", (int)zsock_recvfrom(fd, data, 16, 0, (struct sockaddr *)&from, &size));
            printk(" from %d\\n", ntohs(from.sin_port));
            printk("none %d", zsock_poll(&p, 1, 100));
            printk(" at %d\\n", now());
            join(fd, 53);
            zsock_send(fd, "ask", 3, 0);
            k_msleep(100);
            printk("of the peer %d", (int)zsock_recv(fd, data, 16, 0));
            printk(" and no more %d\\n", (int)zsock_recv(fd, data, 16, ZSOCK_MSG_DONTWAIT));
            return 0;
        }
        """,
        """
        #include "sim.h"
        #include "fb_net.h"
        static void asked(uint16_t port, const uint8_t *data, size_t n) {
            (void)data; (void)n;
            fb_net_datagram(FB_IP(10, 0, 0, 1), 53, port, FB_MS(5), "abcdefgh", 8);
            fb_net_datagram(FB_IP(10, 0, 0, 2), 99, port, FB_MS(6), "xy", 2);
        }
        static fb_server server = {.address = FB_IP(10, 0, 0, 1), .port = 53, .datagram = asked};
        void scenario(void) { fb_net_serve(&server); }
        """
        + NOTHING,
    )
    assert played.lines("console") == [
        "poll 1 at 25",
        "cut 4 from 53",
        "next 2 from 99",
        "none 0 at 126",
        "of the peer 8 and no more -1",
    ]


BLUETOOTH = (
    HEADERS
    + """
#include <zephyr/bluetooth/bluetooth.h>
#include <zephyr/bluetooth/conn.h>
#include <zephyr/bluetooth/gatt.h>
#define U(n) BT_UUID_DECLARE_128(BT_UUID_128_ENCODE(0xaa000000 + n, 1, 2, 3, 4))
static uint8_t value = 5;
static ssize_t get(struct bt_conn *conn, const struct bt_gatt_attr *attr, void *buf, uint16_t len, uint16_t offset) {
    return bt_gatt_attr_read(conn, attr, buf, len, offset, &value, 1);
}
static ssize_t put(struct bt_conn *conn, const struct bt_gatt_attr *attr, const void *buf, uint16_t len,
                   uint16_t offset, uint8_t flags) {
    if (len != 1) return BT_GATT_ERR(BT_ATT_ERR_INVALID_ATTRIBUTE_LEN);
    value = *(const uint8_t *)buf;
    return value == 9 ? 0 : len;
}
static void changed(const struct bt_gatt_attr *attr, uint16_t v) { printk("ccc %d\\n", v); }
BT_GATT_SERVICE_DEFINE(svc, BT_GATT_PRIMARY_SERVICE(U(1)),
    BT_GATT_CHARACTERISTIC(U(2), BT_GATT_CHRC_READ | BT_GATT_CHRC_WRITE, BT_GATT_PERM_READ | BT_GATT_PERM_WRITE,
                           get, put, NULL),
    BT_GATT_CHARACTERISTIC(U(3), BT_GATT_CHRC_NOTIFY, BT_GATT_PERM_NONE, NULL, NULL, NULL),
    BT_GATT_CCC(changed, BT_GATT_PERM_READ | BT_GATT_PERM_WRITE));
static const struct bt_data ad[] = {BT_DATA_BYTES(BT_DATA_FLAGS, 6)};
static int advertise(void) { return bt_le_adv_start(BT_LE_ADV_CONN_FAST_1, ad, 1, NULL, 0); }
"""
)


def test_bluetooth_connection_holds_its_slot(on_zephyr: Play) -> None:
    """Advertising in `disconnected` has no connection object; `recycled` has; who keeps a reference never has one."""
    played = on_zephyr(
        BLUETOOTH
        + """
        static struct bt_conn *mine;
        static void joined(struct bt_conn *conn, uint8_t err) { mine = bt_conn_ref(conn); }
        static void left(struct bt_conn *conn, uint8_t reason) {
            printk("in disconnected %d\\n", advertise());
            if (reason == BT_HCI_ERR_REMOTE_USER_TERM_CONN) bt_conn_unref(mine);
        }
        static void recycled(void) { printk("in recycled %d\\n", advertise()); }
        BT_CONN_CB_DEFINE(callbacks) = {.connected = joined, .disconnected = left, .recycled = recycled};
        int main(void) {
            struct bt_data large[2] = {BT_DATA(BT_DATA_NAME_COMPLETE, "abcdefghijklmnop", 16),
                                       BT_DATA(BT_DATA_MANUFACTURER_DATA, "abcdefghijklmnop", 16)};
            printk("not enabled %d\\n", advertise());
            printk("enable %d\\n", bt_enable(NULL));
            printk("too large %d\\n", bt_le_adv_start(BT_LE_ADV_CONN_FAST_1, large, 2, NULL, 0));
            printk("advertise %d\\n", advertise());
            k_msleep(1500);
            printk("while connected %d\\n", advertise());
            k_msleep(1500);
            bt_conn_disconnect(mine, BT_HCI_ERR_REMOTE_USER_TERM_CONN);
            k_msleep(500);
            printk("kept reference %d\\n", advertise());
            bt_conn_unref(mine);
            k_msleep(10);
            bt_conn_unref(mine);
            return 0;
        }
        """,
        """
        #include "sim.h"
        #include "fb_ble.h"
        void scenario(void) {
            fb_central_connect(FB_S(1)); fb_central_disconnect(FB_S(2)); fb_central_connect(FB_MS(2500));
        }
        """
        + NOTHING,
    )
    assert played.lines("console") == [
        "not enabled -11",
        "enable 0",
        "too large -22",
        "advertise 0",
        "while connected -12",
        "in disconnected -12",
        "in recycled 0",
        "in disconnected -12",
        "kept reference -12",
        "in recycled 0",
    ]
    assert played.saw("no_api_misuse").startswith("unbalanced_reference")


@pytest.mark.slow
def test_gatt_answers_and_notifies(on_zephyr: Play) -> None:
    played = on_zephyr(
        BLUETOOTH
        + """
        static int completed;
        static void done(struct bt_conn *conn, void *data) { completed++; }
        static int notify(struct bt_conn *conn, int attr, size_t len) {
            static uint8_t data[300];
            struct bt_gatt_notify_params p = {.attr = &svc.attrs[attr], .data = data, .len = len, .func = done};
            return bt_gatt_notify_cb(conn, &p);
        }
        static struct bt_conn *peer;
        static void joined(struct bt_conn *conn, uint8_t err) { peer = conn; }
        BT_CONN_CB_DEFINE(callbacks) = {.connected = joined};
        int main(void) {
            bt_enable(NULL);
            advertise();
            k_msleep(1500);
            printk("not subscribed %d %d\\n", notify(peer, 4, 2), notify(NULL, 4, 2));
            k_msleep(1000);
            printk("mtu %d\\n", bt_gatt_get_mtu(peer));
            printk("wrong attribute %d\\n", notify(peer, 2, 2));
            printk("too long %d", notify(peer, 4, 98));
            printk(" fits %d\\n", notify(peer, 4, 97));
            int taken = 0;
            while (notify(peer, 3, 2) == 0) taken++;
            printk("buffers %d\\n", taken + 1);
            k_msleep(10);
            printk("again %d\\n", notify(peer, 4, 2));
            k_msleep(200);
            printk("completed %d\\n", completed);
            k_msleep(2000);
            printk("gone %d\\n", notify(peer, 4, 2));
            return 0;
        }
        """,
        """
        #include "sim.h"
        #include "fb_ble.h"
        void scenario(void) {
            fb_central_connect(FB_S(1));
            fb_central_read(FB_MS(1100), 0xaa000002);
            fb_central_write(FB_MS(1110), 0xaa000002, "\\7", 1, 0);
            fb_central_write(FB_MS(1120), 0xaa000002, "\\7\\7", 2, 0);
            fb_central_write(FB_MS(1130), 0xaa000002, "\\11", 1, 0);
            fb_central_read(FB_MS(1140), 0xaa000002);
            fb_central_read(FB_MS(1150), 0xaa000003);
            fb_central_write(FB_MS(1160), 0xaa000009, "\\7", 1, 0);
            fb_central_subscribe(FB_S(2), 0xaa000003, 1);
            fb_central_set_mtu(FB_MS(2100), 100);
            fb_central_disconnect(FB_S(4));
        }
        """
        + NOTHING,
    )
    assert played.lines("console") == [
        "not subscribed -22 -107",
        "ccc 1",
        "mtu 100",
        "wrong attribute -22",
        "too long -12 fits 0",
        "buffers 6",
        "again 0",
        "completed 7",
        "ccc 0",
        "gone -107",
    ]
    answers = [line for line in played.lines("ble") if line.startswith(("read", "write"))]
    assert answers == [
        "read aa000002: 05",
        "write aa000002: 0x00",
        "write aa000002: 0x0d",
        "write aa000002: 0x0e",
        "read aa000002: 09",
        "read aa000003: error 0x02",
        "write aa000009: 0x01",
    ]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("confirms", "permanent", "images"), [(0, 0, [1, 2, 1]), (1, 0, [1, 2, 2]), (0, 1, [1, 2, 2])]
)
def test_mcuboot_goes_back_unless_confirmed(on_zephyr: Play, confirms: int, permanent: int, images: list[int]) -> None:
    played = on_zephyr(
        HEADERS
        + f"""
        #include <zephyr/dfu/mcuboot.h>
        #include <zephyr/sys/reboot.h>
        int image(void);
        int main(void) {{
            if (image() == 1 && mcuboot_swap_type() == BOOT_SWAP_TYPE_NONE) boot_request_upgrade({permanent});
            else if ({confirms} && !boot_is_img_confirmed()) boot_write_img_confirmed();
            k_msleep(10);
            sys_reboot(SYS_REBOOT_COLD);
        }}
        """,
        """
        #include "sim.h"
        #include "power.h"
        #include "fb_mcuboot.h"
        FB_POWER_CYCLES;
        static int *images;
        int image(void) { return fb_mcuboot_running(); }
        void scenario(void) {
            images = fb_kept("images", 3 * sizeof *images);
            fb_mcuboot_start(1, 2);
            images[fb_boot()] = fb_mcuboot_running();
            if (fb_boot() == 2) fb_end_at(FB_MS(5));
        }
        void conclude(void) { FB_CHECK("images", true, "", "%d %d %d", images[0], images[1], images[2]); }
        """,
    )
    assert played.saw("images") == " ".join(map(str, images))


@pytest.mark.slow
def test_crash_in_an_early_boot_is_reported(on_zephyr: Play) -> None:
    """The run ends there, with the check that says so."""
    played = on_zephyr(
        "int main(void) { *(volatile int *)0 = 1; return 0; }",
        """
        #include "sim.h"
        #include "power.h"
        FB_POWER_CYCLES;
        static void cut(void *unused) { (void)unused; fb_power_cycle("cut"); }
        void scenario(void) { fb_at(FB_S(1), cut, 0); }
        void conclude(void) { FB_CHECK("boot", fb_boot() == 0, "", "%u", fb_boot()); }
        """,
    )
    assert played.saw("no_crash").startswith("SIGSEGV")
    assert played.checks["boot"].passed
    assert not played.passed


@pytest.mark.slow
def test_each_thread_has_its_errno(on_zephyr: Play) -> None:
    played = on_zephyr(
        SOCKETS
        + """
        static void other(void *a, void *b, void *c) { k_msleep(1); zsock_close(99); }
        K_THREAD_DEFINE(thread, 1024, other, NULL, NULL, NULL, 3, 0, 0);
        int main(void) {
            int fd = zsock_socket(AF_INET, SOCK_STREAM, IPPROTO_UDP);
            k_msleep(5);
            printk("%d %d\\n", fd, errno == EPROTONOSUPPORT);
            return 0;
        }
        """,
        '#include "sim.h"\nvoid scenario(void) {}\n' + NOTHING,
    )
    assert played.lines("console") == ["-1 1"]
