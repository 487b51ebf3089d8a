#define DT_DRV_COMPAT acme_th20

#include <errno.h>
#include <zephyr/device.h>
#include <zephyr/devicetree.h>
#include <zephyr/drivers/i2c.h>
#include <zephyr/drivers/sensor.h>
#include <zephyr/kernel.h>
#include <zephyr/logging/log.h>

LOG_MODULE_REGISTER(th20, CONFIG_SENSOR_LOG_LEVEL);

#define REG_ID 0x00
#define REG_CTRL 0x01
#define REG_STATUS 0x02
#define REG_TEMP 0x03

#define ID_TH20 0x5A
#define CTRL_START 0x01
#define STATUS_READY BIT(0)

#define POLL_MS 2
#define TIMEOUT_MS 50

struct th20_config {
	struct i2c_dt_spec bus;
};

struct th20_data {
	struct k_mutex lock;
	bool valid;
	int16_t temperature;
	uint16_t humidity;
};

static uint8_t th20_crc(const uint8_t *bytes, size_t count)
{
	uint8_t crc = 0xFF;

	for (size_t i = 0; i < count; i++) {
		crc ^= bytes[i];
		for (int bit = 0; bit < 8; bit++) {
			crc = (crc & 0x80) ? (uint8_t)((crc << 1) ^ 0x31) : (uint8_t)(crc << 1);
		}
	}
	return crc;
}

static int th20_convert(const struct i2c_dt_spec *bus)
{
	int64_t deadline;
	uint8_t status;
	int ret;

	ret = i2c_reg_write_byte_dt(bus, REG_CTRL, CTRL_START);
	if (ret < 0) {
		return ret;
	}

	deadline = k_uptime_get() + TIMEOUT_MS;
	do {
		k_msleep(POLL_MS);
		ret = i2c_reg_read_byte_dt(bus, REG_STATUS, &status);
		if (ret < 0) {
			return ret;
		}
		if (status & STATUS_READY) {
			return 0;
		}
	} while (k_uptime_get() < deadline);

	return -ETIMEDOUT;
}

static int th20_sample_fetch(const struct device *dev, enum sensor_channel chan)
{
	const struct th20_config *config = dev->config;
	struct th20_data *data = dev->data;
	uint8_t raw[6];
	int ret;

	if (chan != SENSOR_CHAN_ALL && chan != SENSOR_CHAN_AMBIENT_TEMP && chan != SENSOR_CHAN_HUMIDITY) {
		return -ENOTSUP;
	}

	k_mutex_lock(&data->lock, K_FOREVER);

	ret = th20_convert(&config->bus);
	if (ret < 0) {
		goto unlock;
	}

	ret = i2c_burst_read_dt(&config->bus, REG_TEMP, raw, sizeof(raw));
	if (ret < 0) {
		goto unlock;
	}

	if (th20_crc(&raw[0], 2) != raw[2] || th20_crc(&raw[3], 2) != raw[5]) {
		LOG_WRN("checksum mismatch");
		ret = -EIO;
		goto unlock;
	}

	data->temperature = (int16_t)((raw[0] << 8) | raw[1]);
	data->humidity = (uint16_t)((raw[3] << 8) | raw[4]);
	data->valid = true;

unlock:
	k_mutex_unlock(&data->lock);
	return ret;
}

static int th20_channel_get(const struct device *dev, enum sensor_channel chan, struct sensor_value *val)
{
	struct th20_data *data = dev->data;
	int64_t micro;
	int ret = 0;

	if (chan != SENSOR_CHAN_AMBIENT_TEMP && chan != SENSOR_CHAN_HUMIDITY) {
		return -ENOTSUP;
	}

	k_mutex_lock(&data->lock, K_FOREVER);
	if (!data->valid) {
		ret = -ENODATA;
	} else if (chan == SENSOR_CHAN_AMBIENT_TEMP) {
		micro = (int64_t)data->temperature * 1000000 / 256;
	} else {
		micro = (int64_t)data->humidity * 100 * 1000000 / 65535;
	}
	k_mutex_unlock(&data->lock);

	if (ret == 0) {
		val->val1 = (int32_t)(micro / 1000000);
		val->val2 = (int32_t)(micro % 1000000);
	}
	return ret;
}

static int th20_init(const struct device *dev)
{
	const struct th20_config *config = dev->config;
	struct th20_data *data = dev->data;
	uint8_t id;
	int ret;

	k_mutex_init(&data->lock);

	if (!i2c_is_ready_dt(&config->bus)) {
		return -ENODEV;
	}

	ret = i2c_reg_read_byte_dt(&config->bus, REG_ID, &id);
	if (ret < 0) {
		return ret;
	}
	if (id != ID_TH20) {
		LOG_ERR("unexpected id 0x%02x", id);
		return -ENODEV;
	}
	return 0;
}

static DEVICE_API(sensor, th20_api) = {
	.sample_fetch = th20_sample_fetch,
	.channel_get = th20_channel_get,
};

#define TH20_DEFINE(inst)                                                                          \
	static struct th20_data th20_data_##inst;                                                  \
	static const struct th20_config th20_config_##inst = {                                     \
		.bus = I2C_DT_SPEC_INST_GET(inst),                                                 \
	};                                                                                         \
	DEVICE_DT_INST_DEFINE(inst, th20_init, NULL, &th20_data_##inst, &th20_config_##inst,       \
			      POST_KERNEL, CONFIG_SENSOR_INIT_PRIORITY, &th20_api);

DT_INST_FOREACH_STATUS_OKAY(TH20_DEFINE)
