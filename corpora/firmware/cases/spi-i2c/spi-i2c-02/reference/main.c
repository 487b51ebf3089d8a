#include <errno.h>
#include <zephyr/device.h>
#include <zephyr/devicetree.h>
#include <zephyr/drivers/spi.h>
#include <zephyr/kernel.h>
#include <zephyr/sys/byteorder.h>

#define REG_NOP 0x0000
#define REG_ERRFL 0x0001
#define REG_DIAG 0x3FFC
#define REG_ANGLE 0x3FFF

#define COMMAND_READ BIT(14)
#define ANSWER_ERROR BIT(14)
#define PARITY BIT(15)
#define DATA_MASK 0x3FFF
#define DIAG_READY BIT(8)

#define TURN 16384
#define ATTEMPTS 3
#define POLL_MS 2
#define START_MS 100

static const struct spi_dt_spec encoder =
	SPI_DT_SPEC_GET(DT_NODELABEL(encoder0), SPI_OP_MODE_MASTER | SPI_WORD_SET(8) | SPI_TRANSFER_MSB | SPI_MODE_CPHA, 0);

static K_MUTEX_DEFINE(encoder_lock);

static bool parity_is_even(uint16_t frame)
{
	return (__builtin_popcount(frame) & 1) == 0;
}

static int exchange(uint16_t command, uint16_t *answer)
{
	uint8_t out[2];
	uint8_t in[2];
	const struct spi_buf tx = {.buf = out, .len = sizeof(out)};
	const struct spi_buf rx = {.buf = in, .len = sizeof(in)};
	const struct spi_buf_set tx_set = {.buffers = &tx, .count = 1};
	const struct spi_buf_set rx_set = {.buffers = &rx, .count = 1};
	int ret;

	if (!parity_is_even(command)) {
		command |= PARITY;
	}
	sys_put_be16(command, out);
	ret = spi_transceive_dt(&encoder, &tx_set, &rx_set);
	if (ret < 0) {
		return ret;
	}
	*answer = sys_get_be16(in);
	return 0;
}

static int read_register(uint16_t reg, uint16_t *answer)
{
	int ret = exchange(COMMAND_READ | reg, answer);

	return ret < 0 ? ret : exchange(COMMAND_READ | REG_NOP, answer);
}

static int read_checked(uint16_t reg, uint16_t *value)
{
	uint16_t answer;
	uint16_t errors;
	int ret;

	for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
		ret = read_register(reg, &answer);
		if (ret < 0) {
			return ret;
		}
		if (!parity_is_even(answer)) {
			continue;
		}
		if (answer & ANSWER_ERROR) {
			ret = read_register(REG_ERRFL, &errors);
			if (ret < 0) {
				return ret;
			}
			continue;
		}
		*value = answer & DATA_MASK;
		return 0;
	}
	return -EIO;
}

int encoder_init(void)
{
	int64_t deadline;
	uint16_t value;
	int ret;

	if (!spi_is_ready_dt(&encoder)) {
		return -ENODEV;
	}

	k_mutex_lock(&encoder_lock, K_FOREVER);
	ret = read_register(REG_ERRFL, &value);
	deadline = k_uptime_get() + START_MS;
	while (ret == 0) {
		ret = read_checked(REG_DIAG, &value);
		if (ret < 0 || (value & DIAG_READY)) {
			break;
		}
		if (k_uptime_get() >= deadline) {
			ret = -ETIMEDOUT;
			break;
		}
		k_msleep(POLL_MS);
	}
	k_mutex_unlock(&encoder_lock);
	return ret;
}

int encoder_read(uint16_t *angle)
{
	int ret;

	k_mutex_lock(&encoder_lock, K_FOREVER);
	ret = read_checked(REG_ANGLE, angle);
	k_mutex_unlock(&encoder_lock);
	return ret;
}

int32_t encoder_turn(uint16_t from, uint16_t to)
{
	int32_t way = ((int32_t)to - from) & (TURN - 1);

	return way >= TURN / 2 ? way - TURN : way;
}
