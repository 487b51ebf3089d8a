#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#define PORT "/dev/ttyUSB0"
#define START 0x7e
#define ACK 0x06
#define NAK 0x15
#define PAYLOAD_MAX 64
#define GAP_MS 20
#define REOPEN_MS 500

enum state { WAIT_START, WAIT_LENGTH, WAIT_PAYLOAD, WAIT_CRC };

static volatile sig_atomic_t stop;
static sigset_t wait_mask;

static enum state state;
static uint8_t payload[PAYLOAD_MAX];
static uint8_t length;
static uint8_t received;

static void on_term(int number)
{
	(void)number;
	stop = 1;
}

static int64_t now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000LL + ts.tv_nsec / 1000000;
}

static uint8_t crc8(uint8_t crc, const uint8_t *data, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		crc ^= data[i];
		for (int bit = 0; bit < 8; bit++) {
			crc = crc & 0x80 ? (uint8_t)(crc << 1 ^ 0x07) : (uint8_t)(crc << 1);
		}
	}
	return crc;
}

/* SIGTERM is only let in here. Returns what ppoll returns, or -1 with stop set. */
static int wait_for(int fd, short events, int timeout_ms)
{
	struct pollfd pfd = { .fd = fd, .events = events };
	struct timespec timeout = { .tv_sec = timeout_ms / 1000, .tv_nsec = timeout_ms % 1000 * 1000000L };

	return ppoll(&pfd, 1, timeout_ms < 0 ? NULL : &timeout, &wait_mask);
}

static bool send_answer(int fd, uint8_t kind, uint8_t value)
{
	uint8_t frame[] = { START, 2, kind, value, 0 };
	size_t done = 0;

	frame[4] = crc8(0, frame + 1, 3);
	while (done < sizeof(frame)) {
		ssize_t n = write(fd, frame + done, sizeof(frame) - done);

		if (n > 0) {
			done += (size_t)n;
		} else if (n < 0 && errno == EAGAIN) {
			if (wait_for(fd, POLLOUT, -1) < 0 && (errno != EINTR || stop)) {
				return false;
			}
		} else if (n == 0 || errno != EINTR) {
			return false;
		}
	}
	return true;
}

static bool take_byte(int fd, uint8_t byte)
{
	switch (state) {
	case WAIT_START:
		if (byte == START) {
			state = WAIT_LENGTH;
		}
		return true;
	case WAIT_LENGTH:
		if (byte == 0 || byte > PAYLOAD_MAX) {
			state = WAIT_START;
			return send_answer(fd, NAK, 0);
		}
		length = byte;
		received = 0;
		state = WAIT_PAYLOAD;
		return true;
	case WAIT_PAYLOAD:
		payload[received++] = byte;
		if (received == length) {
			state = WAIT_CRC;
		}
		return true;
	case WAIT_CRC:
		state = WAIT_START;
		if (crc8(crc8(0, &length, 1), payload, length) == byte) {
			return send_answer(fd, ACK, payload[0]);
		}
		return send_answer(fd, NAK, 0);
	}
	return true;
}

static int open_port(void)
{
	struct termios tio;
	int fd = open(PORT, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);

	if (fd < 0) {
		return -1;
	}
	if (tcgetattr(fd, &tio)) {
		close(fd);
		return -1;
	}
	cfmakeraw(&tio);
	cfsetispeed(&tio, B115200);
	cfsetospeed(&tio, B115200);
	tio.c_cflag |= CLOCAL | CREAD;
	tio.c_cflag &= ~(CSTOPB | CRTSCTS);
	tio.c_cc[VMIN] = 1;
	tio.c_cc[VTIME] = 0;
	if (tcsetattr(fd, TCSANOW, &tio)) {
		close(fd);
		return -1;
	}
	return fd;
}

/* Serves the port until it is lost or the program shall stop. */
static void serve(int fd)
{
	int64_t last = 0;

	state = WAIT_START;
	while (!stop) {
		int timeout = -1;

		if (state != WAIT_START) {
			int64_t left = last + GAP_MS + 1 - now_ms();

			timeout = left > 0 ? (int)left : 0;
		}
		int ready = wait_for(fd, POLLIN, timeout);

		if (ready < 0 && errno != EINTR) {
			return;
		}
		if (ready < 0) {
			continue;
		}
		if (ready == 0) {
			state = WAIT_START;
			continue;
		}
		uint8_t bytes[128];
		ssize_t n = read(fd, bytes, sizeof(bytes));

		if (n < 0 && (errno == EINTR || errno == EAGAIN)) {
			continue;
		}
		if (n <= 0) {
			return;
		}
		last = now_ms();
		for (ssize_t i = 0; i < n; i++) {
			if (!take_byte(fd, bytes[i])) {
				return;
			}
		}
	}
}

int main(void)
{
	struct sigaction action = { .sa_handler = on_term };
	sigset_t block;

	sigemptyset(&action.sa_mask);
	sigaction(SIGTERM, &action, NULL);
	sigemptyset(&block);
	sigaddset(&block, SIGTERM);
	sigprocmask(SIG_BLOCK, &block, &wait_mask);
	sigdelset(&wait_mask, SIGTERM);

	while (!stop) {
		int fd = open_port();

		if (fd >= 0) {
			serve(fd);
			close(fd);
		}
		if (!stop) {
			wait_for(-1, 0, REOPEN_MS);
		}
	}
	return EXIT_SUCCESS;
}
