/* An SPI controller that drives its chip selects: a call holds the bus, its thread sleeps for as long as the bits take.
 */
#include <stdio.h>

#include <zephyr/drivers/spi.h>

#include "fb_spi.h"
#include "injection.h"
#include "sim.h"

static fb_spi_target *targets;
static fb_queue waiting = FB_QUEUE_INIT;
static bool busy;
static unsigned transfers;
static const struct spi_config *holder; /* keeps the bus or the chip select after its call */
static fb_spi_target *selected;
static injection fault;

void fb_spi_attach(fb_spi_target *target)
{
    target->next = targets;
    targets = target;
}

void fb_spi_fail(unsigned skip, unsigned count, int error)
{
    fault = (injection){skip, count, error};
}

unsigned fb_spi_transfers(void)
{
    return transfers;
}

static fb_spi_target *of_slave(uint16_t slave)
{
    for (fb_spi_target *one = targets; one; one = one->next)
        if (one->slave == slave)
            return one;
    return NULL;
}

static void select(fb_spi_target *target, bool on)
{
    if (on == (selected != NULL && selected == target))
        return;
    selected = on ? target : NULL;
    if (target && target->select)
        target->select(target, on);
}

static size_t length_of(const struct spi_buf_set *set)
{
    size_t total = 0;
    for (size_t i = 0; set && set->buffers && i < set->count; i++)
        total += set->buffers[i].len;
    return total;
}

/* The place of byte `at` of a set; NULL where there is none, or a buffer without memory. */
static uint8_t *byte_of(const struct spi_buf_set *set, size_t at)
{
    for (size_t i = 0; set && set->buffers && i < set->count; i++) {
        if (at < set->buffers[i].len)
            return set->buffers[i].buf ? (uint8_t *)set->buffers[i].buf + at : NULL;
        at -= set->buffers[i].len;
    }
    return NULL;
}

static bool understood(const fb_spi_target *target, const struct spi_config *config)
{
    uint32_t mode = config->operation & (SPI_MODE_CPOL | SPI_MODE_CPHA);
    return mode == target->mode && config->frequency <= target->max_hz && !(config->operation & SPI_TRANSFER_LSB);
}

static void play(const struct spi_config *config, const struct spi_buf_set *tx, const struct spi_buf_set *rx,
                 size_t count)
{
    char out[160] = "", in[160] = "";
    fb_spi_target *target = of_slave(config->slave);
    bool clear = target && understood(target, config);
    select(target, true);
    for (size_t i = 0; i < count; i++) {
        uint8_t *from = byte_of(tx, i), *to = byte_of(rx, i);
        uint8_t sent = from ? *from : 0, got = 0xff;
        if (target)
            got = target->exchange(target, clear ? sent : (uint8_t)(sent >> 1));
        if (target && !clear)
            got = (uint8_t)(got << 1 | 1);
        if (to)
            *to = got;
        if (i < 64) {
            snprintf(out + 2 * i, 3, "%02x", sent);
            snprintf(in + 2 * i, 3, "%02x", got);
        }
    }
    if (!(config->operation & SPI_HOLD_ON_CS))
        select(target, false);
    fb_trace("spi", "%u >%s <%s: 0", config->slave, out, in);
}

static int refused(const struct spi_config *config)
{
    if (SPI_WORD_SIZE_GET(config->operation) != 8 && SPI_WORD_SIZE_GET(config->operation) != 16)
        return -ENOTSUP;
    return !config->frequency || SPI_OP_MODE_GET(config->operation) ? -EINVAL : injected(&fault);
}

static int transceive(const struct device *dev, const struct spi_config *config, const struct spi_buf_set *tx,
                      const struct spi_buf_set *rx)
{
    (void)dev;
    if (fb_in_isr()) {
        fb_fault("blocking_in_isr", "an SPI transfer was begun in an interrupt");
        return -EWOULDBLOCK;
    }
    while (busy || (holder && holder != config))
        fb_wait(&waiting, FB_FOREVER);
    busy = true;
    transfers++;
    size_t sent = length_of(tx), received = length_of(rx), count = sent > received ? sent : received;
    int ret = refused(config);
    if (ret)
        fb_trace("spi", "%u: %d", config->slave, ret);
    else if (count)
        play(config, tx, rx, count);
    fb_wait(NULL, fb_now() + FB_US(2) + (ret ? 0 : (int64_t)count * 8 * FB_S(1) / config->frequency));
    holder = !ret && (config->operation & (SPI_LOCK_ON | SPI_HOLD_ON_CS)) ? config : NULL;
    busy = false;
    fb_wake(&waiting);
    fb_reschedule();
    return ret;
}

static int release(const struct device *dev, const struct spi_config *config)
{
    (void)dev;
    if (holder != config)
        return 0;
    select(of_slave(config->slave), false);
    holder = NULL;
    fb_wake(&waiting);
    fb_reschedule();
    return 0;
}

int spi_transceive(const struct device *dev, const struct spi_config *config, const struct spi_buf_set *tx_bufs,
                   const struct spi_buf_set *rx_bufs)
{
    return ((const struct spi_driver_api *)dev->api)->transceive(dev, config, tx_bufs, rx_bufs);
}

int spi_release(const struct device *dev, const struct spi_config *config)
{
    return ((const struct spi_driver_api *)dev->api)->release(dev, config);
}

static int init(const struct device *dev)
{
    (void)dev;
    return 0;
}

static const struct spi_driver_api api = {.transceive = transceive, .release = release};
DEVICE_DT_DEFINE(DT_NODELABEL(spi0), init, NULL, NULL, NULL, POST_KERNEL, CONFIG_SPI_INIT_PRIORITY, &api);
