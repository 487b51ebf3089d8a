#include <errno.h>
#include <string.h>
#include <zephyr/kernel.h>
#include <zephyr/net/net_ip.h>
#include <zephyr/net/socket.h>
#include <zephyr/sys/byteorder.h>

#define SERVER_ADDRESS "192.0.2.20"
#define SERVER_PORT 5690
#define MAGIC 0xA5
#define TYPE_REQUEST 1
#define TYPE_ANSWER 2
#define TYPE_REFUSAL 3
#define HEADER_SIZE 6
#define MAX_PAYLOAD 200
#define FIRST_WAIT_MS 1000
#define TRANSMISSIONS 4

static K_MUTEX_DEFINE(request_lock);
static uint16_t last_number;

static bool concerns(const uint8_t *in, ssize_t got, const uint8_t *out)
{
	return got >= HEADER_SIZE && in[0] == MAGIC && (in[1] == TYPE_ANSWER || in[1] == TYPE_REFUSAL) &&
	       memcmp(&in[2], &out[2], 3) == 0 && in[5] == got - HEADER_SIZE;
}

/* The size of a datagram that answers `out`, or a negative error code. */
static int await(int sock, const struct sockaddr_in *server, const uint8_t *out, uint8_t *in, size_t room, int64_t until)
{
	while (true) {
		struct zsock_pollfd pfd = {.fd = sock, .events = ZSOCK_POLLIN};
		struct sockaddr_in from;
		socklen_t from_size = sizeof(from);
		int64_t left = until - k_uptime_get();
		ssize_t got;

		if (left <= 0) {
			return -ETIMEDOUT;
		}
		if (zsock_poll(&pfd, 1, (int)left) <= 0) {
			continue;
		}
		got = zsock_recvfrom(sock, in, room, ZSOCK_MSG_DONTWAIT, (struct sockaddr *)&from, &from_size);
		if (got < 0) {
			k_msleep(1);
			continue;
		}
		if (from.sin_family == AF_INET && from.sin_addr.s_addr == server->sin_addr.s_addr &&
		    from.sin_port == server->sin_port && concerns(in, got, out)) {
			return (int)got;
		}
	}
}

static int exchange(int sock, const struct sockaddr_in *server, const uint8_t *out, size_t size, uint8_t *in, size_t room)
{
	int64_t until = k_uptime_get();
	int ret = -ETIMEDOUT;

	for (int i = 0; i < TRANSMISSIONS && ret == -ETIMEDOUT; i++) {
		if (zsock_sendto(sock, out, size, 0, (const struct sockaddr *)server, sizeof(*server)) < 0) {
			return -errno;
		}
		until += FIRST_WAIT_MS << i;
		ret = await(sock, server, out, in, room, until);
	}
	return ret;
}

static int serve(const uint8_t *out, size_t size, uint8_t *answer, size_t room)
{
	struct sockaddr_in server = {.sin_family = AF_INET, .sin_port = htons(SERVER_PORT)};
	uint8_t in[HEADER_SIZE + MAX_PAYLOAD + 56];
	int sock;
	int ret;

	if (zsock_inet_pton(AF_INET, SERVER_ADDRESS, &server.sin_addr) != 1) {
		return -EINVAL;
	}
	sock = zsock_socket(AF_INET, SOCK_DGRAM, IPPROTO_UDP);
	if (sock < 0) {
		return -errno;
	}
	ret = exchange(sock, &server, out, size, in, sizeof(in));
	zsock_close(sock);
	if (ret < 0) {
		return ret;
	}
	if (in[1] == TYPE_REFUSAL) {
		return -ECONNREFUSED;
	}
	if (in[5] > room) {
		return -EMSGSIZE;
	}
	memcpy(answer, &in[HEADER_SIZE], in[5]);
	return in[5];
}

int request(uint8_t code, const uint8_t *payload, size_t length, uint8_t *answer, size_t room)
{
	uint8_t out[HEADER_SIZE + MAX_PAYLOAD];
	int ret;

	if (length > MAX_PAYLOAD || (payload == NULL && length > 0)) {
		return -EINVAL;
	}

	k_mutex_lock(&request_lock, K_FOREVER);
	out[0] = MAGIC;
	out[1] = TYPE_REQUEST;
	sys_put_be16(++last_number, &out[2]);
	out[4] = code;
	out[5] = (uint8_t)length;
	if (length > 0) {
		memcpy(&out[HEADER_SIZE], payload, length);
	}
	ret = serve(out, HEADER_SIZE + length, answer, room);
	k_mutex_unlock(&request_lock);
	return ret;
}
