/* Another right answer: frames written and read with single-buffer helpers, the answer fetched by repeating the command. */
#include <zephyr/kernel.h>
#include <zephyr/device.h>
#include <zephyr/devicetree.h>
#include <zephyr/drivers/spi.h>

static struct spi_dt_spec spec = SPI_DT_SPEC_GET(DT_NODELABEL(encoder0), SPI_WORD_SET(8) | SPI_MODE_CPHA, 0);
static struct k_mutex lock;

static int prepare(void)
{
    return k_mutex_init(&lock);
}
SYS_INIT(prepare, POST_KERNEL, 0);

static uint16_t add_parity(uint16_t v)
{
    uint16_t p = 0;

    for (int i = 0; i < 15; i++) {
        p ^= (v >> i) & 1;
    }
    return (v & 0x7fff) | (p << 15);
}

static int frame(uint16_t cmd, uint16_t *rsp)
{
    uint8_t tx[2] = {cmd >> 8, cmd & 0xff}, rx[2] = {0};
    struct spi_buf tb[] = {{.buf = tx, .len = 2}}, rb[] = {{.buf = rx, .len = 2}};
    struct spi_buf_set ts = {tb, 1}, rs = {rb, 1};
    int err = spi_transceive(spec.bus, &spec.config, &ts, &rs);

    if (!err && rsp) {
        *rsp = ((uint16_t)rx[0] << 8) | rx[1];
    }
    return err;
}

static int get(uint16_t reg, uint16_t *rsp)
{
    int err = frame(add_parity(0x4000 | reg), NULL);

    if (err) {
        return err;
    }
    return frame(add_parity(0x4000), rsp);
}

static int get_good(uint16_t reg, uint16_t *out)
{
    int tries = 3;

    while (tries--) {
        uint16_t rsp, dummy;
        int err = get(reg, &rsp);

        if (err) {
            return err;
        }
        if (rsp == add_parity(rsp)) {
            if (!(rsp & 0x4000)) {
                *out = rsp & 0x3fff;
                return 0;
            }
            err = get(0x0001, &dummy);
            if (err) {
                return err;
            }
        }
    }
    return -EIO;
}

int encoder_init(void)
{
    uint16_t diag = 0, old;
    int err;

    if (!device_is_ready(spec.bus)) {
        return -ENODEV;
    }
    k_mutex_lock(&lock, K_FOREVER);
    err = get(0x0001, &old);
    for (int i = 0; !err; i++) {
        err = get_good(0x3ffc, &diag);
        if (err || (diag & 0x100)) {
            break;
        }
        if (i >= 20) {
            err = -ETIMEDOUT;
        } else {
            k_sleep(K_MSEC(5));
        }
    }
    k_mutex_unlock(&lock);
    return err;
}

int encoder_read(uint16_t *angle)
{
    uint16_t tmp;
    int err;

    k_mutex_lock(&lock, K_FOREVER);
    err = get_good(0x3fff, &tmp);
    k_mutex_unlock(&lock);
    if (err == 0) {
        *angle = tmp;
    }
    return err;
}

int32_t encoder_turn(uint16_t from, uint16_t to)
{
    int32_t d = (int32_t)to - (int32_t)from;

    if (d < -8192) {
        d += 16384;
    } else if (d > 8191) {
        d -= 16384;
    }
    return d;
}
