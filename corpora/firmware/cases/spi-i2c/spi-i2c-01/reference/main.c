#include <errno.h>
#include <string.h>
#include <zephyr/device.h>
#include <zephyr/devicetree.h>
#include <zephyr/drivers/i2c.h>
#include <zephyr/kernel.h>

#define EEPROM_SIZE 8192
#define PAGE_SIZE 32
#define RETRY_US 500
#define REFUSED_MS 20

static const struct i2c_dt_spec eeprom = I2C_DT_SPEC_GET(DT_NODELABEL(eeprom0));

static K_MUTEX_DEFINE(eeprom_lock);

static int transfer(struct i2c_msg *msgs, uint8_t count)
{
	int64_t deadline = k_uptime_get() + REFUSED_MS;
	int ret;

	while ((ret = i2c_transfer_dt(&eeprom, msgs, count)) == -EIO) {
		if (k_uptime_get() >= deadline) {
			return -ETIMEDOUT;
		}
		k_usleep(RETRY_US);
	}
	return ret;
}

static int read_bytes(uint16_t address, uint8_t *data, size_t length)
{
	uint8_t pointer[2] = {address >> 8, address & 0xFF};
	struct i2c_msg msgs[2] = {
		{.buf = pointer, .len = sizeof(pointer), .flags = I2C_MSG_WRITE},
		{.buf = data, .len = length, .flags = I2C_MSG_RESTART | I2C_MSG_READ | I2C_MSG_STOP},
	};

	return transfer(msgs, ARRAY_SIZE(msgs));
}

static int write_page(uint16_t address, const uint8_t *data, size_t length)
{
	uint8_t message[2 + PAGE_SIZE] = {address >> 8, address & 0xFF};
	struct i2c_msg msg = {.buf = message, .len = 2 + length, .flags = I2C_MSG_WRITE | I2C_MSG_STOP};
	uint8_t stored[PAGE_SIZE];
	int ret;

	ret = read_bytes(address, stored, length);
	if (ret < 0 || memcmp(stored, data, length) == 0) {
		return ret;
	}

	memcpy(&message[2], data, length);
	ret = transfer(&msg, 1);
	if (ret < 0) {
		return ret;
	}
	return read_bytes(address, stored, 1);
}

static int check(uint16_t address, const uint8_t *data, size_t length)
{
	if (data == NULL || length > EEPROM_SIZE || address > EEPROM_SIZE - length) {
		return -EINVAL;
	}
	return i2c_is_ready_dt(&eeprom) ? 0 : -ENODEV;
}

int eeprom_read(uint16_t address, uint8_t *data, size_t length)
{
	int ret;

	if (length == 0) {
		return 0;
	}
	ret = check(address, data, length);
	if (ret < 0) {
		return ret;
	}

	k_mutex_lock(&eeprom_lock, K_FOREVER);
	ret = read_bytes(address, data, length);
	k_mutex_unlock(&eeprom_lock);
	return ret;
}

int eeprom_write(uint16_t address, const uint8_t *data, size_t length)
{
	int ret;

	if (length == 0) {
		return 0;
	}
	ret = check(address, data, length);
	if (ret < 0) {
		return ret;
	}

	k_mutex_lock(&eeprom_lock, K_FOREVER);
	while (length > 0 && ret == 0) {
		size_t part = MIN(length, (size_t)(PAGE_SIZE - address % PAGE_SIZE));

		ret = write_page(address, data, part);
		address += part;
		data += part;
		length -= part;
	}
	k_mutex_unlock(&eeprom_lock);
	return ret;
}
