/* /dev/i2c-N: I2C_SLAVE with read and write, I2C_RDWR, SMBus transfers. */
#include "lu.h"

#include <linux/i2c-dev.h>
#include <linux/i2c.h>

#define BYTE_NS 25000 /* 400 kHz, nine clocks a byte and a little */

typedef struct bus {
    const lu_i2c *chips;
    size_t count;
    long address; /* of I2C_SLAVE; -1: none yet */
} bus;

static int transfer(bus *b, unsigned address, const uint8_t *write, size_t write_n, uint8_t *read, size_t read_n)
{
    fb_spend(BYTE_NS * (int64_t)(1 + write_n + read_n));
    for (size_t i = 0; i < b->count; i++)
        if (b->chips[i].address == address)
            return b->chips[i].transfer(write, write_n, read, read_n);
    return -ENXIO;
}

static long bus_read(void *self, void *to, size_t n)
{
    bus *b = self;
    int error = b->address < 0 ? -ENXIO : transfer(b, (unsigned)b->address, NULL, 0, to, n);
    return error ? error : (long)n;
}
static long bus_write(void *self, const void *from, size_t n)
{
    bus *b = self;
    int error = b->address < 0 ? -ENXIO : transfer(b, (unsigned)b->address, from, n, NULL, 0);
    return error ? error : (long)n;
}

static int rdwr(bus *b, const struct i2c_rdwr_ioctl_data *data)
{
    if (!data || data->nmsgs > I2C_RDWR_IOCTL_MAX_MSGS)
        return -EINVAL;
    for (unsigned i = 0; i < data->nmsgs; i++) {
        const struct i2c_msg *m = &data->msgs[i], *next = i + 1 < data->nmsgs ? m + 1 : NULL;
        bool reads = m->flags & I2C_M_RD, pair = !reads && next && next->flags & I2C_M_RD && next->addr == m->addr;
        int error = reads ? transfer(b, m->addr, NULL, 0, m->buf, m->len)
                          : transfer(b, m->addr, m->buf, m->len, pair ? next->buf : NULL, pair ? next->len : 0);
        if (error)
            return error;
        i += pair;
    }
    return (int)data->nmsgs;
}

static int smbus(bus *b, const struct i2c_smbus_ioctl_data *a)
{
    uint8_t out[34] = {a->command}, in[34];
    bool reads = a->read_write == I2C_SMBUS_READ;
    size_t n;
    if (b->address < 0)
        return -ENXIO;
    switch (a->size) {
    case I2C_SMBUS_BYTE:
        return reads ? transfer(b, (unsigned)b->address, NULL, 0, &a->data->byte, 1)
                     : transfer(b, (unsigned)b->address, out, 1, NULL, 0);
    case I2C_SMBUS_BYTE_DATA:
        n = 1;
        break;
    case I2C_SMBUS_WORD_DATA:
        n = 2;
        break;
    case I2C_SMBUS_I2C_BLOCK_DATA:
        n = a->data->block[0];
        if (n == 0 || n > I2C_SMBUS_BLOCK_MAX)
            return -EINVAL;
        break;
    default:
        return -EOPNOTSUPP;
    }
    uint8_t *data = a->size == I2C_SMBUS_I2C_BLOCK_DATA ? a->data->block + 1 : &a->data->byte;
    if (!reads) {
        memcpy(out + 1, data, n);
        return transfer(b, (unsigned)b->address, out, 1 + n, NULL, 0);
    }
    int error = transfer(b, (unsigned)b->address, out, 1, in, n);
    if (!error)
        memcpy(data, in, n);
    return error;
}

static int bus_ioctl(void *self, unsigned long request, void *argument)
{
    bus *b = self;
    switch (request) {
    case I2C_SLAVE:
    case I2C_SLAVE_FORCE:
        if ((unsigned long)argument > 0x7f)
            return -EINVAL;
        b->address = (long)argument;
        return 0;
    case I2C_RDWR:
        return rdwr(b, argument);
    case I2C_SMBUS:
        return smbus(b, argument);
    case I2C_FUNCS:
        *(unsigned long *)argument = I2C_FUNC_I2C | I2C_FUNC_SMBUS_EMUL;
        return 0;
    case I2C_RETRIES:
    case I2C_TIMEOUT:
    case I2C_TENBIT:
    case I2C_PEC:
        return 0;
    default:
        return -ENOTTY;
    }
}

void lu_i2c_bus(const char *path, const lu_i2c *chips, size_t n)
{
    bus *b = calloc(1, sizeof *b);
    *b = (bus){chips, n, -1};
    lu_add(&(lu_device){.path = path, .self = b, .read = bus_read, .write = bus_write, .ioctl = bus_ioctl});
}
