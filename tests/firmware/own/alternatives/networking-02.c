/* Another right answer: a connected socket, which takes datagrams of its peer alone, and a receive timeout. */
#include <zephyr/kernel.h>
#include <zephyr/net/socket.h>
#include <zephyr/net/net_ip.h>
#include <zephyr/sys/byteorder.h>
#include <errno.h>
#include <string.h>

static struct k_mutex lock;
static bool lock_ready;
static uint16_t number;

static int init_lock(void)
{
    k_mutex_init(&lock);
    lock_ready = true;
    return 0;
}
SYS_INIT(init_lock, POST_KERNEL, 50);

static int wait_answer(int fd, const uint8_t *req, uint8_t *answer, size_t room, int64_t deadline)
{
    uint8_t buf[512];

    while (1) {
        int64_t left = deadline - k_uptime_get();
        struct timeval tv;
        ssize_t n;

        if (left <= 0) {
            return -ETIMEDOUT;
        }
        tv.tv_sec = left / 1000;
        tv.tv_usec = (left % 1000) * 1000;
        if (zsock_setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &tv, sizeof(tv)) < 0) {
            return -errno;
        }
        n = zsock_recv(fd, buf, sizeof(buf), 0);
        if (n < 0) {
            if (errno == EAGAIN || errno == ETIMEDOUT) {
                return -ETIMEDOUT;
            }
            return -errno;
        }
        if (n < 6 || buf[0] != 0xA5 || n != 6 + buf[5]) {
            continue;
        }
        if (sys_get_be16(&buf[2]) != sys_get_be16(&req[2]) || buf[4] != req[4]) {
            continue;
        }
        if (buf[1] == 3) {
            return -ECONNREFUSED;
        }
        if (buf[1] != 2) {
            continue;
        }
        if (buf[5] > room) {
            return -EMSGSIZE;
        }
        if (buf[5]) {
            memcpy(answer, buf + 6, buf[5]);
        }
        return buf[5];
    }
}

int request(uint8_t code, const uint8_t *payload, size_t length, uint8_t *answer, size_t room)
{
    static const int offsets[] = {1000, 3000, 7000, 15000};
    uint8_t req[206];
    struct sockaddr_in dst = {0};
    int fd, ret = -ETIMEDOUT;

    if (length > 200 || (!payload && length)) {
        return -EINVAL;
    }
    k_mutex_lock(&lock, K_FOREVER);
    number++;
    req[0] = 0xA5;
    req[1] = 1;
    sys_put_be16(number, &req[2]);
    req[4] = code;
    req[5] = length;
    memcpy(&req[6], payload ? payload : req, length);

    fd = zsock_socket(AF_INET, SOCK_DGRAM, IPPROTO_UDP);
    if (fd < 0) {
        ret = -errno;
        goto out;
    }
    dst.sin_family = AF_INET;
    dst.sin_port = htons(5690);
    zsock_inet_pton(AF_INET, "192.0.2.20", &dst.sin_addr);
    if (zsock_connect(fd, (struct sockaddr *)&dst, sizeof(dst)) < 0) {
        ret = -errno;
        goto out_close;
    }

    int64_t begin = k_uptime_get();

    for (size_t i = 0; i < ARRAY_SIZE(offsets); i++) {
        ssize_t sent = zsock_send(fd, req, 6 + length, 0);

        if (sent < 0) {
            ret = -errno;
            break;
        }
        ret = wait_answer(fd, req, answer, room, begin + offsets[i]);
        if (ret != -ETIMEDOUT) {
            break;
        }
    }
out_close:
    zsock_close(fd);
out:
    k_mutex_unlock(&lock);
    return ret;
}
