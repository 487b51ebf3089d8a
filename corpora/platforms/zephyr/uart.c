/* A serial port with FIFOs of 8 bytes. Its interrupt is a level: as long as there is a reason, it comes again. */
#include <zephyr/drivers/uart.h>

#include "fb_uart.h"
#include "fb_zephyr.h"
#include "sim.h"

#define FIFO 8
#define AGAIN_NS 2000

typedef struct {
    uint8_t bytes[FIFO];
    unsigned count;
} fifo;

static fifo in, out;
static struct uart_config config = {
    .baudrate = 115200, .stop_bits = UART_CFG_STOP_BITS_1, .data_bits = UART_CFG_DATA_BITS_8};
static bool in_enabled, out_enabled, errors_enabled, shifting, overrun;
static uint8_t shifted;
static uart_irq_callback_user_data_t callback;
static void *callback_data;
static void (*on_sent)(uint8_t byte);
static unsigned interrupts, lost;
static fb_event *again;

static const struct device *const self = DEVICE_DT_GET(DT_NODELABEL(uart1));

static int64_t byte_ns(void)
{
    return 10 * FB_S(1) / config.baudrate;
}

static uint8_t take(fifo *from)
{
    uint8_t first = from->bytes[0];
    from->count--;
    for (unsigned i = 0; i < from->count; i++)
        from->bytes[i] = from->bytes[i + 1];
    return first;
}

static bool reason(void)
{
    return (in_enabled && in.count) || (out_enabled && out.count < FIFO) || (errors_enabled && overrun);
}

static void interrupt(void *unused);

static void attend(void *unused)
{
    (void)unused;
    if (reason())
        fb_irq("uart1", FB_IRQ_DEVICE, interrupt, NULL);
}

static void interrupt(void *unused)
{
    (void)unused;
    if (!reason())
        return;
    interrupts++;
    if (callback)
        callback(self, callback_data);
    fb_cancel(again);
    if (reason())
        again = fb_at(fb_now() + AGAIN_NS, attend, NULL);
}

static void byte_arrives(void *byte)
{
    if (in.count == FIFO) {
        overrun = true;
        lost++;
        fb_trace("uart", "overrun: byte %02x is lost", (unsigned)(uintptr_t)byte);
    } else {
        in.bytes[in.count++] = (uint8_t)(uintptr_t)byte;
    }
    attend(NULL);
}

int64_t fb_uart_receive(int64_t when, const void *data, size_t length, int64_t pause)
{
    for (size_t i = 0; i < length; i++) {
        when += byte_ns() + (i ? pause : 0);
        fb_at(when, byte_arrives, (void *)(uintptr_t)((const uint8_t *)data)[i]);
    }
    return when;
}

void fb_uart_on_sent(void (*fn)(uint8_t byte))
{
    on_sent = fn;
}

unsigned fb_uart_interrupts(void)
{
    return interrupts;
}

unsigned fb_uart_lost(void)
{
    return lost;
}

bool fb_uart_tx_interrupt_enabled(void)
{
    return out_enabled;
}

static void shift(void *unused);

static void begin_shifting(void)
{
    if (shifting || !out.count)
        return;
    shifting = true;
    shifted = take(&out);
    fb_at(fb_now() + byte_ns(), shift, NULL);
}

static void shift(void *unused)
{
    (void)unused;
    shifting = false;
    if (on_sent)
        on_sent(shifted);
    begin_shifting();
    attend(NULL);
}

int uart_fifo_fill(const struct device *dev, const uint8_t *tx_data, int size)
{
    int put = 0;
    (void)dev;
    if (!fb_in_isr())
        fb_fault("fifo_outside_isr", "uart_fifo_fill was called outside the interrupt's callback");
    while (put < size && out.count < FIFO) {
        out.bytes[out.count++] = tx_data[put++];
        begin_shifting();
    }
    fb_spend(FB_US(1));
    return put;
}

int uart_fifo_read(const struct device *dev, uint8_t *rx_data, const int size)
{
    int got = 0;
    (void)dev;
    while (got < size && in.count)
        rx_data[got++] = take(&in);
    fb_spend(FB_US(1));
    return got;
}

int uart_poll_in(const struct device *dev, unsigned char *p_char)
{
    return uart_fifo_read(dev, p_char, 1) == 1 ? 0 : -1;
}

void uart_poll_out(const struct device *dev, unsigned char out_char)
{
    (void)dev;
    while (out.count == FIFO)
        fb_spend(byte_ns() / 4);
    out.bytes[out.count++] = out_char;
    begin_shifting();
    fb_spend(FB_US(1));
}

int uart_err_check(const struct device *dev)
{
    int errors = overrun ? UART_ERROR_OVERRUN : 0;
    (void)dev;
    overrun = false;
    return errors;
}

int uart_configure(const struct device *dev, const struct uart_config *cfg)
{
    (void)dev;
    fb_trace("uart", "configure %u baud", cfg->baudrate);
    if (!cfg->baudrate || cfg->baudrate > 3000000)
        return -EINVAL;
    if (cfg->data_bits != UART_CFG_DATA_BITS_8 || cfg->flow_ctrl != UART_CFG_FLOW_CTRL_NONE)
        return -ENOTSUP;
    config = *cfg;
    return 0;
}

int uart_config_get(const struct device *dev, struct uart_config *cfg)
{
    (void)dev;
    *cfg = config;
    return 0;
}

static void enable(bool *which, bool on)
{
    *which = on;
    attend(NULL);
    fb_reschedule();
}

void uart_irq_tx_enable(const struct device *dev)
{
    (void)dev;
    enable(&out_enabled, true);
}

void uart_irq_tx_disable(const struct device *dev)
{
    (void)dev;
    enable(&out_enabled, false);
}

void uart_irq_rx_enable(const struct device *dev)
{
    (void)dev;
    enable(&in_enabled, true);
}

void uart_irq_rx_disable(const struct device *dev)
{
    (void)dev;
    enable(&in_enabled, false);
}

void uart_irq_err_enable(const struct device *dev)
{
    (void)dev;
    enable(&errors_enabled, true);
}

void uart_irq_err_disable(const struct device *dev)
{
    (void)dev;
    enable(&errors_enabled, false);
}

int uart_irq_tx_ready(const struct device *dev)
{
    (void)dev;
    return out_enabled ? (int)(FIFO - out.count) : 0;
}

int uart_irq_tx_complete(const struct device *dev)
{
    (void)dev;
    return out_enabled && !out.count && !shifting;
}

int uart_irq_rx_ready(const struct device *dev)
{
    (void)dev;
    return in_enabled && in.count;
}

int uart_irq_is_pending(const struct device *dev)
{
    (void)dev;
    return reason();
}

int uart_irq_update(const struct device *dev)
{
    (void)dev;
    return 1;
}

int uart_irq_callback_user_data_set(const struct device *dev, uart_irq_callback_user_data_t cb, void *user_data)
{
    (void)dev;
    callback = cb;
    callback_data = user_data;
    return 0;
}

static int init(const struct device *dev)
{
    (void)dev;
    return 0;
}

DEVICE_DT_DEFINE(DT_NODELABEL(uart1), init, NULL, NULL, NULL, PRE_KERNEL_1, CONFIG_SERIAL_INIT_PRIORITY, &config);
