#include <errno.h>
#include <string.h>
#include <zephyr/kernel.h>
#include <zephyr/net/net_ip.h>
#include <zephyr/net/socket.h>
#include <zephyr/sys/byteorder.h>

#define SERVER_ADDRESS "192.0.2.10"
#define SERVER_PORT 7000
#define PERIOD_MS 2000
#define CONFIRM_MS 3000
#define WAIT_FIRST_MS 1000
#define WAIT_MOST_MS 16000
#define CONFIRM_BYTE 0x06
#define PAYLOAD_SIZE 8

struct reading {
	uint32_t number;
	int16_t temperature;
	uint16_t humidity;
};

void reading_take(struct reading *reading);

static int connect_server(void)
{
	struct sockaddr_in server = {.sin_family = AF_INET, .sin_port = htons(SERVER_PORT)};
	int sock;

	if (zsock_inet_pton(AF_INET, SERVER_ADDRESS, &server.sin_addr) != 1) {
		return -EINVAL;
	}
	sock = zsock_socket(AF_INET, SOCK_STREAM, IPPROTO_TCP);
	if (sock < 0) {
		return -errno;
	}
	if (zsock_connect(sock, (struct sockaddr *)&server, sizeof(server)) < 0) {
		int err = errno;

		zsock_close(sock);
		return -err;
	}
	return sock;
}

static int send_all(int sock, const uint8_t *data, size_t length)
{
	while (length > 0) {
		ssize_t sent = zsock_send(sock, data, length, 0);

		if (sent < 0) {
			return -errno;
		}
		data += sent;
		length -= sent;
	}
	return 0;
}

static int receive_all(int sock, uint8_t *data, size_t length, int64_t deadline)
{
	while (length > 0) {
		struct zsock_pollfd pfd = {.fd = sock, .events = ZSOCK_POLLIN};
		int64_t left = deadline - k_uptime_get();
		ssize_t got;

		if (left <= 0 || zsock_poll(&pfd, 1, (int)left) <= 0) {
			return -ETIMEDOUT;
		}
		got = zsock_recv(sock, data, length, 0);
		if (got < 0) {
			return -errno;
		}
		if (got == 0) {
			return -ECONNRESET;
		}
		data += got;
		length -= got;
	}
	return 0;
}

static int deliver(int sock, const struct reading *reading)
{
	uint8_t frame[2 + PAYLOAD_SIZE];
	uint8_t answer[5];
	int ret;

	sys_put_be16(PAYLOAD_SIZE, &frame[0]);
	sys_put_be32(reading->number, &frame[2]);
	sys_put_be16((uint16_t)reading->temperature, &frame[6]);
	sys_put_be16(reading->humidity, &frame[8]);

	ret = send_all(sock, frame, sizeof(frame));
	if (ret < 0) {
		return ret;
	}
	ret = receive_all(sock, answer, sizeof(answer), k_uptime_get() + CONFIRM_MS);
	if (ret < 0) {
		return ret;
	}
	return answer[0] == CONFIRM_BYTE && sys_get_be32(&answer[1]) == reading->number ? 0 : -EBADMSG;
}

int main(void)
{
	int32_t wait_ms = WAIT_FIRST_MS;
	int sock = -1;

	while (true) {
		struct reading reading;
		int64_t taken = k_uptime_get();
		int64_t left;

		reading_take(&reading);
		while (true) {
			if (sock < 0) {
				sock = connect_server();
			}
			if (sock >= 0 && deliver(sock, &reading) == 0) {
				break;
			}
			if (sock >= 0) {
				zsock_close(sock);
				sock = -1;
			}
			k_msleep(wait_ms);
			wait_ms = MIN(wait_ms * 2, WAIT_MOST_MS);
		}
		wait_ms = WAIT_FIRST_MS;

		left = taken + PERIOD_MS - k_uptime_get();
		if (left > 0) {
			k_msleep((int32_t)left);
		}
	}
	return 0;
}
