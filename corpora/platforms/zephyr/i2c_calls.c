/* The calls of zephyr/drivers/i2c.h over a controller's `transfer`, each the messages that the real one makes. */
#include <zephyr/drivers/i2c.h>

static const struct i2c_driver_api *api_of(const struct device *dev)
{
    return dev->api;
}

int i2c_transfer(const struct device *dev, struct i2c_msg *msgs, uint8_t num_msgs, uint16_t addr)
{
    if (!num_msgs)
        return 0;
    msgs[num_msgs - 1].flags |= I2C_MSG_STOP;
    return api_of(dev)->transfer(dev, msgs, num_msgs, addr);
}

int i2c_configure(const struct device *dev, uint32_t dev_config)
{
    return api_of(dev)->configure ? api_of(dev)->configure(dev, dev_config) : -ENOSYS;
}

int i2c_get_config(const struct device *dev, uint32_t *dev_config)
{
    return api_of(dev)->get_config ? api_of(dev)->get_config(dev, dev_config) : -ENOSYS;
}

int i2c_recover_bus(const struct device *dev)
{
    return api_of(dev)->recover_bus ? api_of(dev)->recover_bus(dev) : -ENOSYS;
}

int i2c_write(const struct device *dev, const uint8_t *buf, uint32_t num_bytes, uint16_t addr)
{
    struct i2c_msg msg = {.buf = (uint8_t *)buf, .len = num_bytes, .flags = I2C_MSG_WRITE | I2C_MSG_STOP};
    return i2c_transfer(dev, &msg, 1, addr);
}

int i2c_read(const struct device *dev, uint8_t *buf, uint32_t num_bytes, uint16_t addr)
{
    struct i2c_msg msg = {.buf = buf, .len = num_bytes, .flags = I2C_MSG_READ | I2C_MSG_STOP};
    return i2c_transfer(dev, &msg, 1, addr);
}

int i2c_write_read(const struct device *dev, uint16_t addr, const void *write_buf, size_t num_write, void *read_buf,
                   size_t num_read)
{
    struct i2c_msg msgs[2] = {
        {.buf = (uint8_t *)write_buf, .len = (uint32_t)num_write, .flags = I2C_MSG_WRITE},
        {.buf = read_buf, .len = (uint32_t)num_read, .flags = I2C_MSG_RESTART | I2C_MSG_READ | I2C_MSG_STOP},
    };
    return i2c_transfer(dev, msgs, 2, addr);
}

int i2c_burst_read(const struct device *dev, uint16_t dev_addr, uint8_t start_addr, uint8_t *buf, uint32_t num_bytes)
{
    return i2c_write_read(dev, dev_addr, &start_addr, 1, buf, num_bytes);
}

int i2c_burst_write(const struct device *dev, uint16_t dev_addr, uint8_t start_addr, const uint8_t *buf,
                    uint32_t num_bytes)
{
    struct i2c_msg msgs[2] = {
        {.buf = &start_addr, .len = 1, .flags = I2C_MSG_WRITE},
        {.buf = (uint8_t *)buf, .len = num_bytes, .flags = I2C_MSG_WRITE | I2C_MSG_STOP},
    };
    return i2c_transfer(dev, msgs, 2, dev_addr);
}

int i2c_reg_read_byte(const struct device *dev, uint16_t dev_addr, uint8_t reg_addr, uint8_t *value)
{
    return i2c_write_read(dev, dev_addr, &reg_addr, 1, value, 1);
}

int i2c_reg_write_byte(const struct device *dev, uint16_t dev_addr, uint8_t reg_addr, uint8_t value)
{
    uint8_t both[2] = {reg_addr, value};
    return i2c_write(dev, both, 2, dev_addr);
}

int i2c_reg_update_byte(const struct device *dev, uint16_t dev_addr, uint8_t reg_addr, uint8_t mask, uint8_t value)
{
    uint8_t old;
    int ret = i2c_reg_read_byte(dev, dev_addr, reg_addr, &old);
    if (ret)
        return ret;
    uint8_t wanted = (uint8_t)((old & ~mask) | (value & mask));
    return wanted == old ? 0 : i2c_reg_write_byte(dev, dev_addr, reg_addr, wanted);
}
