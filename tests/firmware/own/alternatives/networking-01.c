/* Another right answer: a receive timeout that is set anew before each recv, one function for an attempt. */
#include <zephyr/kernel.h>
#include <zephyr/net/socket.h>
#include <zephyr/net/net_ip.h>
#include <zephyr/sys/byteorder.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

struct reading { uint32_t number; int16_t temperature; uint16_t humidity; };
void reading_take(struct reading *reading);

static int sock_fd = -1;

static void drop(void)
{
    if (sock_fd >= 0) {
        zsock_close(sock_fd);
        sock_fd = -1;
    }
}

static bool ensure_connected(void)
{
    struct sockaddr_in addr;

    if (sock_fd >= 0) {
        return true;
    }
    sock_fd = zsock_socket(AF_INET, SOCK_STREAM, IPPROTO_TCP);
    if (sock_fd < 0) {
        return false;
    }
    memset(&addr, 0, sizeof(addr));
    addr.sin_family = AF_INET;
    addr.sin_port = htons(7000);
    zsock_inet_pton(AF_INET, "192.0.2.10", &addr.sin_addr);
    int rc = zsock_connect(sock_fd, (struct sockaddr *)&addr, sizeof(addr));

    if (rc != 0) {
        drop();
        return false;
    }
    return true;
}

static bool attempt(const struct reading *r)
{
    uint8_t out[10] = {0, 8};
    uint8_t in[5];
    size_t done = 0;
    k_timepoint_t end;

    if (!ensure_connected()) {
        return false;
    }
    sys_put_be32(r->number, out + 2);
    sys_put_be16(r->temperature, out + 6);
    sys_put_be16(r->humidity, out + 8);
    while (done < sizeof(out)) {
        ssize_t n = zsock_send(sock_fd, out + done, sizeof(out) - done, 0);

        if (n <= 0) {
            return false;
        }
        done += (size_t)n;
    }

    end = sys_timepoint_calc(K_SECONDS(3));
    done = 0;
    while (done < sizeof(in)) {
        k_timeout_t left = sys_timepoint_timeout(end);
        uint32_t ms = k_ticks_to_ms_ceil32(left.ticks);
        struct timeval tv = {.tv_sec = ms / 1000, .tv_usec = (ms % 1000) * 1000};
        ssize_t n;

        if (sys_timepoint_expired(end)) {
            return false;
        }
        zsock_setsockopt(sock_fd, SOL_SOCKET, SO_RCVTIMEO, &tv, sizeof(tv));
        n = zsock_recv(sock_fd, in + done, sizeof(in) - done, 0);
        if (n <= 0) {
            return false;
        }
        done += (size_t)n;
    }
    return in[0] == 0x06 && sys_get_be32(&in[1]) == r->number;
}

int main(void)
{
    int64_t next = k_uptime_get();
    int backoff = 1;

    for (;;) {
        struct reading r;

        next = k_uptime_get() + 2000;
        reading_take(&r);
        while (!attempt(&r)) {
            drop();
            k_sleep(K_SECONDS(backoff));
            backoff *= 2;
            if (backoff > 16) {
                backoff = 16;
            }
        }
        backoff = 1;
        int64_t now = k_uptime_get();

        if (now < next) {
            k_sleep(K_MSEC(next - now));
        }
    }
}
