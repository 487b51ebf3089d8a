/* Another right answer: a semaphore for the lock, early returns, i2c_transfer written out, values computed at the fetch. */
#define DT_DRV_COMPAT acme_th20

#include <zephyr/device.h>
#include <zephyr/devicetree.h>
#include <zephyr/drivers/i2c.h>
#include <zephyr/drivers/sensor.h>
#include <zephyr/kernel.h>
#include <zephyr/logging/log.h>
#include <zephyr/sys/byteorder.h>
#include <zephyr/sys/crc.h>

LOG_MODULE_REGISTER(acme_th20);

struct th20_cfg { struct i2c_dt_spec i2c; };
struct th20_state {
    struct k_sem sem;
    struct sensor_value temp, hum;
    bool have;
};

static int rd(const struct device *dev, uint8_t reg, uint8_t *buf, size_t len)
{
    const struct th20_cfg *cfg = dev->config;
    struct i2c_msg msg[2];

    msg[0].buf = &reg;
    msg[0].len = 1;
    msg[0].flags = I2C_MSG_WRITE;
    msg[1].buf = buf;
    msg[1].len = len;
    msg[1].flags = I2C_MSG_READ | I2C_MSG_RESTART | I2C_MSG_STOP;
    return i2c_transfer_dt(&cfg->i2c, msg, 2);
}

static int measure(const struct device *dev)
{
    const struct th20_cfg *cfg = dev->config;
    struct th20_state *st = dev->data;
    const uint8_t cmd[] = {0x01, 0x01};
    uint8_t raw[6], status = 0;
    int waited = 0;
    int rc = i2c_write_dt(&cfg->i2c, cmd, sizeof(cmd));

    if (rc) {
        return rc;
    }
    while (!(status & 1)) {
        if (waited > 50) {
            return -ETIMEDOUT;
        }
        k_sleep(K_MSEC(4));
        waited += 4;
        rc = rd(dev, 0x02, &status, 1);
        if (rc) {
            return rc;
        }
    }
    rc = rd(dev, 0x03, raw, sizeof(raw));
    if (rc) {
        return rc;
    }
    if (crc8(raw, 2, 0x31, 0xff, false) != raw[2] || crc8(raw + 3, 2, 0x31, 0xff, false) != raw[5]) {
        return -EIO;
    }
    sensor_value_from_micro(&st->temp, (int64_t)(int16_t)sys_get_be16(raw) * 15625 / 4);
    sensor_value_from_micro(&st->hum, (int64_t)sys_get_be16(raw + 3) * 100000000 / 65535);
    st->have = true;
    return 0;
}

static int fetch(const struct device *dev, enum sensor_channel chan)
{
    struct th20_state *st = dev->data;
    int rc;

    switch (chan) {
    case SENSOR_CHAN_ALL:
    case SENSOR_CHAN_AMBIENT_TEMP:
    case SENSOR_CHAN_HUMIDITY:
        break;
    default:
        return -ENOTSUP;
    }
    k_sem_take(&st->sem, K_FOREVER);
    rc = measure(dev);
    k_sem_give(&st->sem);
    return rc;
}

static int get(const struct device *dev, enum sensor_channel chan, struct sensor_value *val)
{
    struct th20_state *st = dev->data;

    if (chan == SENSOR_CHAN_AMBIENT_TEMP || chan == SENSOR_CHAN_HUMIDITY) {
        if (!st->have) {
            return -ENODATA;
        }
        *val = chan == SENSOR_CHAN_HUMIDITY ? st->hum : st->temp;
        return 0;
    }
    return -ENOTSUP;
}

static const struct sensor_driver_api api = {.sample_fetch = &fetch, .channel_get = &get};

static int init(const struct device *dev)
{
    const struct th20_cfg *cfg = dev->config;
    struct th20_state *st = dev->data;
    uint8_t id;
    int rc;

    k_sem_init(&st->sem, 1, 1);
    if (!device_is_ready(cfg->i2c.bus)) {
        LOG_ERR("bus not ready");
        return -ENODEV;
    }
    rc = rd(dev, 0x00, &id, 1);
    if (rc < 0) {
        return rc;
    }
    return id == 0x5A ? 0 : -ENODEV;
}

static struct th20_state state0;
static const struct th20_cfg cfg0 = {.i2c = I2C_DT_SPEC_INST_GET(0)};
SENSOR_DEVICE_DT_INST_DEFINE(0, init, NULL, &state0, &cfg0, POST_KERNEL, CONFIG_SENSOR_INIT_PRIORITY, &api);
