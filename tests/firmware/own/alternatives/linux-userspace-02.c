/* epoll with timerfd and signalfd, a buffer that is parsed as a whole, a blocking descriptor. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <termios.h>
#include <unistd.h>

static int port = -1, timer, ep;
static uint8_t buf[512];
static size_t used;

static void arm(long ms)
{
	struct itimerspec t = {{0, 0}, {ms / 1000, ms % 1000 * 1000000}};

	timerfd_settime(timer, 0, &t, NULL);
}

static uint8_t crc(const uint8_t *p, size_t n)
{
	uint8_t c = 0;

	while (n--) {
		c ^= *p++;
		for (int i = 0; i < 8; i++)
			c = (uint8_t)(c << 1 ^ (c >> 7) * 7);
	}
	return c;
}

static void lose(void)
{
	epoll_ctl(ep, EPOLL_CTL_DEL, port, NULL);
	close(port);
	port = -1;
	used = 0;
	arm(500);
}

static int answer(uint8_t a, uint8_t b)
{
	uint8_t f[5] = {0x7e, 2, a, b};
	const uint8_t *p = f;
	size_t left = sizeof f;

	f[4] = crc(f + 1, 3);
	while (left) {
		ssize_t n = write(port, p, left);

		if (n <= 0)
			return -1;
		p += n;
		left -= (size_t)n;
	}
	return 0;
}

static void try_open(void)
{
	struct termios t;
	struct epoll_event e = {.events = EPOLLIN, .data.u32 = 1};

	port = open("/dev/ttyUSB0", O_RDWR | O_NOCTTY);
	if (port == -1) {
		arm(500);
		return;
	}
	memset(&t, 0, sizeof t);
	t.c_cflag = CS8 | CREAD | CLOCAL;
	t.c_cc[VMIN] = 1;
	cfsetspeed(&t, B115200);
	if (tcsetattr(port, TCSANOW, &t) < 0 || epoll_ctl(ep, EPOLL_CTL_ADD, port, &e) < 0) {
		close(port);
		port = -1;
		arm(500);
	}
}

static int parse(void)
{
	size_t at = 0;

	while (at < used) {
		size_t left = used - at;
		const uint8_t *p = buf + at;

		if (*p != 0x7e) {
			at++;
			continue;
		}
		if (left < 2)
			break;
		if (p[1] == 0 || p[1] > 64) {
			if (answer(0x15, 0))
				return -1;
			at += 2;
			continue;
		}
		if (left < p[1] + 3u)
			break;
		if (crc(p + 1, p[1] + 1u) == p[p[1] + 2] ? answer(6, p[2]) : answer(0x15, 0))
			return -1;
		at += p[1] + 3u;
	}
	memmove(buf, buf + at, used -= at);
	arm(used ? 21 : 0);
	return 0;
}

int main(void)
{
	sigset_t set;
	struct epoll_event e = {.events = EPOLLIN};
	int signals;

	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigprocmask(SIG_SETMASK, &set, NULL);
	ep = epoll_create1(EPOLL_CLOEXEC);
	signals = signalfd(-1, &set, 0);
	timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
	e.data.u32 = 2;
	epoll_ctl(ep, EPOLL_CTL_ADD, timer, &e);
	e.data.u32 = 3;
	epoll_ctl(ep, EPOLL_CTL_ADD, signals, &e);

	try_open();
	for (;;) {
		struct epoll_event got[4];
		int n = epoll_wait(ep, got, 4, -1);

		for (int i = 0; i < n; i++) {
			if (got[i].data.u32 == 3) {
				if (port >= 0)
					close(port);
				exit(0);
			}
			if (got[i].data.u32 == 2) {
				uint64_t times;

				if (read(timer, &times, sizeof times) != sizeof times)
					continue;
				if (port < 0)
					try_open();
				else
					used = 0;
			} else if (port >= 0) {
				ssize_t r = read(port, buf + used, sizeof buf - used);

				if (r <= 0) {
					lose();
				} else {
					used += (size_t)r;
					if (parse())
						lose();
				}
			}
		}
	}
}
