#ifndef ZEPHYR_DRIVERS_I2C_H
#define ZEPHYR_DRIVERS_I2C_H

#include <errno.h>
#include <string.h>

#include <zephyr/device.h>
#include <zephyr/devicetree.h>
#include <zephyr/sys/util.h>
#include <zephyr/types.h>

#define I2C_SPEED_STANDARD 0x1U
#define I2C_SPEED_FAST 0x2U
#define I2C_SPEED_FAST_PLUS 0x3U
#define I2C_SPEED_HIGH 0x4U
#define I2C_SPEED_ULTRA 0x5U
#define I2C_SPEED_SHIFT 1U
#define I2C_SPEED_SET(speed) (((speed) << I2C_SPEED_SHIFT) & I2C_SPEED_MASK)
#define I2C_SPEED_MASK (0x7U << I2C_SPEED_SHIFT)
#define I2C_SPEED_GET(cfg) (((cfg) & I2C_SPEED_MASK) >> I2C_SPEED_SHIFT)
#define I2C_MODE_CONTROLLER BIT(4)
#define I2C_ADDR_10_BITS BIT(0)

#define I2C_MSG_WRITE (0U << 0U)
#define I2C_MSG_READ BIT(0)
#define I2C_MSG_RW_MASK BIT(0)
#define I2C_MSG_STOP BIT(1)
#define I2C_MSG_RESTART BIT(2)
#define I2C_MSG_ADDR_10_BITS BIT(3)

struct i2c_msg {
    uint8_t *buf;
    uint32_t len;
    uint8_t flags;
};

struct i2c_dt_spec {
    const struct device *bus;
    uint16_t addr;
};

typedef int (*i2c_api_configure_t)(const struct device *dev, uint32_t dev_config);
typedef int (*i2c_api_full_io_t)(const struct device *dev, struct i2c_msg *msgs, uint8_t num_msgs, uint16_t addr);
typedef int (*i2c_api_recover_bus_t)(const struct device *dev);

struct i2c_driver_api {
    i2c_api_configure_t configure;
    int (*get_config)(const struct device *dev, uint32_t *dev_config);
    i2c_api_full_io_t transfer;
    i2c_api_recover_bus_t recover_bus;
};

#define I2C_DT_SPEC_GET_ON_I2C(node_id) .bus = DEVICE_DT_GET(DT_BUS(node_id)), .addr = DT_REG_ADDR(node_id)
#define I2C_DT_SPEC_GET(node_id) {I2C_DT_SPEC_GET_ON_I2C(node_id)}
#define I2C_DT_SPEC_INST_GET(inst) I2C_DT_SPEC_GET(DT_DRV_INST(inst))
#define I2C_DEVICE_DT_DEFINE(node_id, ...) DEVICE_DT_DEFINE(node_id, __VA_ARGS__)
#define I2C_DEVICE_DT_INST_DEFINE(inst, ...) DEVICE_DT_INST_DEFINE(inst, __VA_ARGS__)

int i2c_transfer(const struct device *dev, struct i2c_msg *msgs, uint8_t num_msgs, uint16_t addr);
int i2c_configure(const struct device *dev, uint32_t dev_config);
int i2c_get_config(const struct device *dev, uint32_t *dev_config);
int i2c_recover_bus(const struct device *dev);

int i2c_write(const struct device *dev, const uint8_t *buf, uint32_t num_bytes, uint16_t addr);
int i2c_read(const struct device *dev, uint8_t *buf, uint32_t num_bytes, uint16_t addr);
int i2c_write_read(const struct device *dev, uint16_t addr, const void *write_buf, size_t num_write, void *read_buf,
                   size_t num_read);
int i2c_burst_read(const struct device *dev, uint16_t dev_addr, uint8_t start_addr, uint8_t *buf, uint32_t num_bytes);
int i2c_burst_write(const struct device *dev, uint16_t dev_addr, uint8_t start_addr, const uint8_t *buf,
                    uint32_t num_bytes);
int i2c_reg_read_byte(const struct device *dev, uint16_t dev_addr, uint8_t reg_addr, uint8_t *value);
int i2c_reg_write_byte(const struct device *dev, uint16_t dev_addr, uint8_t reg_addr, uint8_t value);
int i2c_reg_update_byte(const struct device *dev, uint16_t dev_addr, uint8_t reg_addr, uint8_t mask, uint8_t value);

static inline bool i2c_is_ready_dt(const struct i2c_dt_spec *spec)
{
    return device_is_ready(spec->bus);
}

static inline int i2c_transfer_dt(const struct i2c_dt_spec *spec, struct i2c_msg *msgs, uint8_t num_msgs)
{
    return i2c_transfer(spec->bus, msgs, num_msgs, spec->addr);
}

static inline int i2c_write_dt(const struct i2c_dt_spec *spec, const uint8_t *buf, uint32_t num_bytes)
{
    return i2c_write(spec->bus, buf, num_bytes, spec->addr);
}

static inline int i2c_read_dt(const struct i2c_dt_spec *spec, uint8_t *buf, uint32_t num_bytes)
{
    return i2c_read(spec->bus, buf, num_bytes, spec->addr);
}

static inline int i2c_write_read_dt(const struct i2c_dt_spec *spec, const void *write_buf, size_t num_write,
                                    void *read_buf, size_t num_read)
{
    return i2c_write_read(spec->bus, spec->addr, write_buf, num_write, read_buf, num_read);
}

static inline int i2c_burst_read_dt(const struct i2c_dt_spec *spec, uint8_t start_addr, uint8_t *buf,
                                    uint32_t num_bytes)
{
    return i2c_burst_read(spec->bus, spec->addr, start_addr, buf, num_bytes);
}

static inline int i2c_burst_write_dt(const struct i2c_dt_spec *spec, uint8_t start_addr, const uint8_t *buf,
                                     uint32_t num_bytes)
{
    return i2c_burst_write(spec->bus, spec->addr, start_addr, buf, num_bytes);
}

static inline int i2c_reg_read_byte_dt(const struct i2c_dt_spec *spec, uint8_t reg_addr, uint8_t *value)
{
    return i2c_reg_read_byte(spec->bus, spec->addr, reg_addr, value);
}

static inline int i2c_reg_write_byte_dt(const struct i2c_dt_spec *spec, uint8_t reg_addr, uint8_t value)
{
    return i2c_reg_write_byte(spec->bus, spec->addr, reg_addr, value);
}

static inline int i2c_reg_update_byte_dt(const struct i2c_dt_spec *spec, uint8_t reg_addr, uint8_t mask, uint8_t value)
{
    return i2c_reg_update_byte(spec->bus, spec->addr, reg_addr, mask, value);
}

#endif
