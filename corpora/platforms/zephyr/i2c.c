/* An I2C controller at 400 kHz: a call holds the bus, its thread sleeps for as long as the bits take. */
#include <stdio.h>

#include <zephyr/drivers/i2c.h>

#include "fb_i2c.h"
#include "injection.h"
#include "sim.h"

#define BYTE_NS FB_US(23)

static fb_i2c_target *targets;
static fb_queue waiting = FB_QUEUE_INIT;
static bool busy;
static unsigned transfers;
static injection fault;
static char said[400];
static size_t said_length;

void fb_i2c_attach(fb_i2c_target *target)
{
    target->next = targets;
    targets = target;
}

void fb_i2c_fail(unsigned skip, unsigned count, int error)
{
    fault = (injection){skip, count, error};
}

unsigned fb_i2c_transfers(void)
{
    return transfers;
}

static void say(const char *format, unsigned value)
{
    if (said_length < sizeof said - 8)
        said_length += (size_t)snprintf(said + said_length, sizeof said - said_length, format, value);
}

static fb_i2c_target *at_address(uint16_t address)
{
    for (fb_i2c_target *one = targets; one; one = one->next)
        if (one->address == address)
            return one;
    return NULL;
}

/* One message; the bits it took are added to *bytes. */
static int message(fb_i2c_target *target, const struct i2c_msg *msg, bool start, unsigned *bytes)
{
    bool read = msg->flags & I2C_MSG_READ;
    if (start) {
        ++*bytes;
        say(read ? " R" : " W", 0);
        if (!target || (target->start && !target->start(target, read)))
            return -EIO;
    }
    for (uint32_t i = 0; i < msg->len; i++) {
        ++*bytes;
        if (read)
            msg->buf[i] = target->read(target);
        else if (!target->write(target, msg->buf[i]))
            return -EIO;
        say("%02x", msg->buf[i]);
    }
    return 0;
}

static int play(struct i2c_msg *msgs, uint8_t count, uint16_t address)
{
    unsigned bytes = 0;
    fb_i2c_target *target = at_address(address);
    int ret = injected(&fault);
    for (uint8_t i = 0; i < count && !ret; i++) {
        bool turned = i && (msgs[i].flags & I2C_MSG_READ) != (msgs[i - 1].flags & I2C_MSG_READ);
        bool stopped = i && (msgs[i - 1].flags & I2C_MSG_STOP);
        if (turned && !stopped && !(msgs[i].flags & I2C_MSG_RESTART))
            ret = -EINVAL; /* what most controllers cannot do */
        else
            ret = message(target, &msgs[i], !i || stopped || (msgs[i].flags & I2C_MSG_RESTART), &bytes);
        if (target && target->stop && (ret || (msgs[i].flags & I2C_MSG_STOP)))
            target->stop(target);
    }
    fb_wait(NULL, fb_now() + BYTE_NS * (bytes + 1));
    return ret;
}

static int transfer(const struct device *dev, struct i2c_msg *msgs, uint8_t count, uint16_t address)
{
    (void)dev;
    if (fb_in_isr()) {
        fb_fault("blocking_in_isr", "an I2C transfer was begun in an interrupt");
        return -EWOULDBLOCK;
    }
    while (busy)
        fb_wait(&waiting, FB_FOREVER);
    busy = true;
    transfers++;
    said_length = 0;
    say("%02x", address);
    int ret = play(msgs, count, address);
    fb_trace("i2c", "%s: %d", said, ret);
    busy = false;
    fb_wake(&waiting);
    fb_reschedule();
    return ret;
}

static int configure(const struct device *dev, uint32_t config)
{
    (void)dev;
    return I2C_SPEED_GET(config) > I2C_SPEED_FAST_PLUS ? -ENOTSUP : 0;
}

static int get_config(const struct device *dev, uint32_t *config)
{
    (void)dev;
    *config = I2C_SPEED_SET(I2C_SPEED_FAST) | I2C_MODE_CONTROLLER;
    return 0;
}

static int recover(const struct device *dev)
{
    (void)dev;
    fb_trace("i2c", "recover");
    return 0;
}

static int init(const struct device *dev)
{
    (void)dev;
    return 0;
}

static const struct i2c_driver_api api = {
    .configure = configure, .get_config = get_config, .transfer = transfer, .recover_bus = recover};
DEVICE_DT_DEFINE(DT_NODELABEL(i2c0), init, NULL, NULL, NULL, POST_KERNEL, CONFIG_I2C_INIT_PRIORITY, &api);
