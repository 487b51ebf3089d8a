#ifndef ZEPHYR_DRIVERS_SPI_H
#define ZEPHYR_DRIVERS_SPI_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <zephyr/device.h>
#include <zephyr/devicetree.h>
#include <zephyr/drivers/gpio.h>
#include <zephyr/kernel.h>

#define SPI_OP_MODE_MASTER 0U
#define SPI_OP_MODE_SLAVE BIT(0)
#define SPI_OP_MODE_MASK 0x1UL
#define SPI_OP_MODE_GET(operation) ((operation) & SPI_OP_MODE_MASK)
#define SPI_MODE_CPOL BIT(1)
#define SPI_MODE_CPHA BIT(2)
#define SPI_MODE_LOOP BIT(3)
#define SPI_MODE_MASK (0xEUL)
#define SPI_MODE_GET(mode) ((mode) & SPI_MODE_MASK)
#define SPI_TRANSFER_MSB (0U)
#define SPI_TRANSFER_LSB BIT(4)
#define SPI_WORD_SIZE_SHIFT (5U)
#define SPI_WORD_SIZE_MASK (0x3FUL << SPI_WORD_SIZE_SHIFT)
#define SPI_WORD_SIZE_GET(operation) (((operation) & SPI_WORD_SIZE_MASK) >> SPI_WORD_SIZE_SHIFT)
#define SPI_WORD_SET(word_size) ((word_size) << SPI_WORD_SIZE_SHIFT)
#define SPI_HOLD_ON_CS BIT(12)
#define SPI_LOCK_ON BIT(13)
#define SPI_CS_ACTIVE_HIGH BIT(14)
#define SPI_LINES_SINGLE (0U << 16)
#define SPI_LINES_DUAL (1U << 16)
#define SPI_LINES_QUAD (2U << 16)
#define SPI_HALF_DUPLEX BIT(11)
#define SPI_FULL_DUPLEX (0U)
#define SPI_FRAME_FORMAT_MOTOROLA (0U)

typedef uint32_t spi_operation_t;

struct spi_cs_control {
    struct gpio_dt_spec gpio;
    uint32_t delay;
};

struct spi_config {
    uint32_t frequency;
    spi_operation_t operation;
    uint16_t slave;
    struct spi_cs_control cs;
};

struct spi_dt_spec {
    const struct device *bus;
    struct spi_config config;
};

struct spi_buf {
    void *buf;
    size_t len;
};

struct spi_buf_set {
    const struct spi_buf *buffers;
    size_t count;
};

struct spi_driver_api {
    int (*transceive)(const struct device *dev, const struct spi_config *config, const struct spi_buf_set *tx_bufs,
                      const struct spi_buf_set *rx_bufs);
    int (*release)(const struct device *dev, const struct spi_config *config);
};

/* The controller of this board drives its chip selects itself, so none is a pin of a port. */
#define SPI_CS_CONTROL_INIT(node_id, delay_) {.delay = (delay_)}
#define SPI_CONFIG_DT(node_id, operation_, delay_) \
    {.frequency = DT_PROP(node_id, spi_max_frequency), \
     .operation = (operation_), \
     .slave = DT_REG_ADDR(node_id), \
     .cs = SPI_CS_CONTROL_INIT(node_id, delay_)}
#define SPI_DT_SPEC_GET(node_id, operation_, delay_) \
    {.bus = DEVICE_DT_GET(DT_BUS(node_id)), .config = SPI_CONFIG_DT(node_id, operation_, delay_)}
#define SPI_CONFIG_DT_INST(inst, operation_, delay_) SPI_CONFIG_DT(DT_DRV_INST(inst), operation_, delay_)
#define SPI_DT_SPEC_INST_GET(inst, operation_, delay_) SPI_DT_SPEC_GET(DT_DRV_INST(inst), operation_, delay_)

static inline bool spi_cs_is_gpio(const struct spi_config *config)
{
    return config->cs.gpio.port != NULL;
}

static inline bool spi_cs_is_gpio_dt(const struct spi_dt_spec *spec)
{
    return spi_cs_is_gpio(&spec->config);
}

static inline bool spi_is_ready_dt(const struct spi_dt_spec *spec)
{
    return device_is_ready(spec->bus) && (!spi_cs_is_gpio_dt(spec) || gpio_is_ready_dt(&spec->config.cs.gpio));
}

int spi_transceive(const struct device *dev, const struct spi_config *config, const struct spi_buf_set *tx_bufs,
                   const struct spi_buf_set *rx_bufs);
int spi_release(const struct device *dev, const struct spi_config *config);

static inline int spi_read(const struct device *dev, const struct spi_config *config, const struct spi_buf_set *rx_bufs)
{
    return spi_transceive(dev, config, NULL, rx_bufs);
}

static inline int spi_write(const struct device *dev, const struct spi_config *config,
                            const struct spi_buf_set *tx_bufs)
{
    return spi_transceive(dev, config, tx_bufs, NULL);
}

static inline int spi_transceive_dt(const struct spi_dt_spec *spec, const struct spi_buf_set *tx_bufs,
                                    const struct spi_buf_set *rx_bufs)
{
    return spi_transceive(spec->bus, &spec->config, tx_bufs, rx_bufs);
}

static inline int spi_read_dt(const struct spi_dt_spec *spec, const struct spi_buf_set *rx_bufs)
{
    return spi_read(spec->bus, &spec->config, rx_bufs);
}

static inline int spi_write_dt(const struct spi_dt_spec *spec, const struct spi_buf_set *tx_bufs)
{
    return spi_write(spec->bus, &spec->config, tx_bufs);
}

static inline int spi_release_dt(const struct spi_dt_spec *spec)
{
    return spi_release(spec->bus, &spec->config);
}

#endif
