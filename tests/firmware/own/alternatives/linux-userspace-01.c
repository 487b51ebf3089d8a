/* Signals taken by sigtimedwait, which is the clock, too; the register pointer by I2C_RDWR, CONFIG by write(). */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>
#include <linux/i2c.h>
#include <linux/i2c-dev.h>

static long long now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static void nap(void)
{
	usleep(5000);
}

static int configure(int fd, unsigned value)
{
	unsigned char b[3] = {1, (unsigned char)(value >> 8), (unsigned char)value};

	for (int i = 0; i < 3; i++) {
		if (i)
			nap();
		if (write(fd, b, 3) == 3)
			return 0;
	}
	return -1;
}

static int temperature(int fd, int *milli)
{
	unsigned char reg = 0, data[2];
	struct i2c_msg m[2];
	struct i2c_rdwr_ioctl_data both = {m, 2};
	int tries = 0, raw;

	memset(m, 0, sizeof m);
	m[0].addr = m[1].addr = 0x48;
	m[0].len = 1;
	m[0].buf = &reg;
	m[1].flags = I2C_M_RD;
	m[1].len = 2;
	m[1].buf = data;
	while (ioctl(fd, I2C_RDWR, &both) < 0) {
		if (++tries == 3)
			return -1;
		nap();
	}
	raw = data[0] << 4 | data[1] >> 4;
	if (raw & 0x800)
		raw -= 0x1000;
	*milli = raw * 125 / 2;
	return 0;
}

int main(void)
{
	sigset_t end;
	int fd;
	long long next;

	sigemptyset(&end);
	sigaddset(&end, SIGINT);
	sigaddset(&end, SIGTERM);
	sigprocmask(SIG_BLOCK, &end, NULL);
	setvbuf(stdout, NULL, _IOLBF, 0);

	if ((fd = open("/dev/i2c-1", O_RDWR)) == -1) {
		perror("/dev/i2c-1");
		return 1;
	}
	if (ioctl(fd, I2C_SLAVE, 0x48) < 0 || configure(fd, 0x6000)) {
		perror("sensor");
		return 1;
	}
	next = now();
	for (;;) {
		struct timespec left;
		long long ns;
		int milli;

		if (temperature(fd, &milli) == 0)
			printf("T=%d\n", milli);
		else
			puts("T=error");
		next += 100000000;
		ns = next - now();
		if (ns < 0)
			ns = 0;
		left.tv_sec = 0;
		left.tv_nsec = ns;
		if (sigtimedwait(&end, NULL, &left) > 0)
			break;
	}
	configure(fd, 0x6100);
	close(fd);
	return 0;
}
