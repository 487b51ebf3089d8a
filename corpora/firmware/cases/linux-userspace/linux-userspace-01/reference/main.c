#include <errno.h>
#include <fcntl.h>
#include <linux/i2c-dev.h>
#include <linux/i2c.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#define BUS "/dev/i2c-1"
#define ADDRESS 0x48
#define REG_TEMP 0
#define REG_CONFIG 1
#define CONFIG_RUN 0x6000
#define CONFIG_SHUTDOWN 0x6100
#define ATTEMPTS 3
#define PAUSE_NS (5 * 1000 * 1000)
#define PERIOD_NS (100 * 1000 * 1000)

static int transfer(int bus, struct i2c_msg *messages, unsigned int count)
{
	struct i2c_rdwr_ioctl_data data = { .msgs = messages, .nmsgs = count };

	for (int attempt = 0;; attempt++) {
		if (ioctl(bus, I2C_RDWR, &data) >= 0) {
			return 0;
		}
		if (attempt == ATTEMPTS - 1) {
			return -1;
		}
		struct timespec pause = { .tv_nsec = PAUSE_NS };
		while (clock_nanosleep(CLOCK_MONOTONIC, 0, &pause, &pause) == EINTR) {
		}
	}
}

static int write_config(int bus, uint16_t value)
{
	uint8_t bytes[] = { REG_CONFIG, value >> 8, value & 0xff };
	struct i2c_msg message = { .addr = ADDRESS, .len = sizeof(bytes), .buf = bytes };

	return transfer(bus, &message, 1);
}

static void take_reading(int bus)
{
	uint8_t number = REG_TEMP;
	uint8_t bytes[2];
	struct i2c_msg messages[] = {
		{ .addr = ADDRESS, .len = 1, .buf = &number },
		{ .addr = ADDRESS, .flags = I2C_M_RD, .len = sizeof(bytes), .buf = bytes },
	};

	if (transfer(bus, messages, 2)) {
		printf("T=error\n");
	} else {
		int16_t raw = (int16_t)(bytes[0] << 8 | bytes[1]);
		int sixteenths = raw >> 4;

		printf("T=%d\n", sixteenths * 1000 / 16);
	}
	fflush(stdout);
}

int main(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGINT);
	sigprocmask(SIG_BLOCK, &set, NULL);

	int bus = open(BUS, O_RDWR | O_CLOEXEC);
	if (bus < 0) {
		fprintf(stderr, "cannot open %s: %s\n", BUS, strerror(errno));
		return EXIT_FAILURE;
	}
	if (write_config(bus, CONFIG_RUN)) {
		fprintf(stderr, "cannot configure the sensor: %s\n", strerror(errno));
		close(bus);
		return EXIT_FAILURE;
	}

	int signals = signalfd(-1, &set, SFD_CLOEXEC);
	int timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
	struct itimerspec period = {
		.it_interval = { .tv_nsec = PERIOD_NS },
		.it_value = { .tv_nsec = PERIOD_NS },
	};
	if (signals < 0 || timer < 0 || timerfd_settime(timer, 0, &period, NULL)) {
		fprintf(stderr, "cannot set up: %s\n", strerror(errno));
		close(bus);
		return EXIT_FAILURE;
	}

	take_reading(bus);
	for (;;) {
		struct pollfd fds[] = {
			{ .fd = signals, .events = POLLIN },
			{ .fd = timer, .events = POLLIN },
		};
		uint64_t expirations;

		if (poll(fds, 2, -1) < 0) {
			if (errno == EINTR) {
				continue;
			}
			break;
		}
		if (fds[0].revents) {
			break;
		}
		if (fds[1].revents && read(timer, &expirations, sizeof(expirations)) == sizeof(expirations)) {
			take_reading(bus);
		}
	}

	write_config(bus, CONFIG_SHUTDOWN);
	close(timer);
	close(signals);
	close(bus);
	return EXIT_SUCCESS;
}
