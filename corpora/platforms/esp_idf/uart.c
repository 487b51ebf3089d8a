/* The serial driver: a FIFO that its interrupt empties into a ring, and a queue of events. */
#include "uart.h"

#include <stdlib.h>
#include <string.h>

#define RATE_TOLERANCE 3 /* percent */

struct fb_uart_port fb_uart_ports[UART_NUM_MAX] = {
    {.tx_gpio = 43, .rx_gpio = 44}, {.tx_gpio = -1, .rx_gpio = -1}, {.tx_gpio = -1, .rx_gpio = -1}};

static struct {
    uint8_t *bytes;
    int64_t *at;
    size_t count;
} wires[64]; /* what was sent, by GPIO */
static size_t lost;

size_t esp_uart_lost(void) { return lost; }

struct fb_uart_port *fb_uart_find(uart_port_t number, bool installed, const char *call)
{
    if ((unsigned)number >= UART_NUM_MAX || !esp_enter(call)) {
        esp_refuse(ESP_ERR_INVALID_ARG, call, "no such UART");
        return NULL;
    }
    if (installed && !fb_uart_ports[number].installed) {
        esp_refuse(ESP_FAIL, call, "uart_driver_install comes first");
        return NULL;
    }
    return &fb_uart_ports[number];
}

static int64_t frame_ns(const struct fb_uart_port *p)
{
    static const int halves[] = {2, 2, 3, 4};
    int bits = 1 + 5 + (int)p->config.data_bits + (p->config.parity ? 1 : 0);
    return p->config.baud_rate > 0 ? FB_S(1) * (2 * bits + halves[p->config.stop_bits & 3]) / 2 / p->config.baud_rate
                                   : FB_MS(1);
}

/* ---- receiving ---- */

static void report(struct fb_uart_port *p, uart_event_type_t type, size_t size, bool timeout, BaseType_t *woken)
{
    uart_event_t event = {type, size, timeout};
    if (p->events && xQueueSendFromISR(p->events, &event, woken) != pdPASS)
        fb_trace("uart_event_lost", "%d", (int)type);
}

static void watch_pattern(struct fb_uart_port *p, uint8_t byte, size_t position, BaseType_t *woken)
{
    if (!p->pattern_on)
        return;
    p->pattern_run = byte == (uint8_t)p->pattern ? p->pattern_run + 1 : 0;
    if (p->pattern_run < p->pattern_count)
        return;
    p->pattern_run = 0;
    if (p->position_count < p->position_most)
        p->positions[p->position_count++] = (int)(position + 1 - p->pattern_count);
    report(p, UART_PATTERN_DET, 1, false, woken);
}

/* From the FIFO into the ring, as far as it has room. */
static size_t drain(struct fb_uart_port *p, BaseType_t *woken)
{
    size_t moved = 0;
    while (moved < p->fifo_used && p->ring_used < p->ring_size) {
        uint8_t byte = p->fifo[moved++];
        p->ring[(p->ring_first + p->ring_used) % p->ring_size] = byte;
        watch_pattern(p, byte, p->ring_used, woken);
        p->ring_used++;
    }
    memmove(p->fifo, p->fifo + moved, p->fifo_used - moved);
    p->fifo_used -= moved;
    if (moved)
        fb_rtos_wake(&p->readers, woken);
    return moved;
}

static void serve(struct fb_uart_port *p, bool timeout)
{
    BaseType_t woken = pdFALSE;
    fb_spend(FB_US(2));
    if (p->fifo_used && !p->ring_full) {
        size_t moved = drain(p, &woken);
        if (moved)
            report(p, UART_DATA, moved, timeout, &woken);
        if (p->fifo_used) {
            p->ring_full = true;
            report(p, UART_BUFFER_FULL, p->fifo_used, false, &woken);
        }
    }
    portYIELD_FROM_ISR(woken);
}

static void threshold_interrupt(void *p) { serve(p, false); }
static void timeout_interrupt(void *p) { serve(p, true); }

static void overflow_interrupt(void *argument)
{
    struct fb_uart_port *p = argument;
    BaseType_t woken = pdFALSE;
    p->fifo_used = 0;
    report(p, UART_FIFO_OVF, 0, false, &woken);
    portYIELD_FROM_ISR(woken);
}

static void frame_error_interrupt(void *argument)
{
    BaseType_t woken = pdFALSE;
    report(argument, UART_FRAME_ERR, 0, false, &woken);
    portYIELD_FROM_ISR(woken);
}

static void line_is_idle(void *argument)
{
    struct fb_uart_port *p = argument;
    if (p->fifo_used)
        fb_irq("uart", ESP_IRQ_PRIORITY, timeout_interrupt, p);
}

typedef struct {
    uint8_t *bytes;
    size_t count, next;
    uint32_t baud;
    int gpio;
} feed;

static void byte_came(void *argument)
{
    feed *f = argument;
    uint8_t byte = f->bytes[f->next++];
    for (int n = 0; n < UART_NUM_MAX; n++) {
        struct fb_uart_port *p = &fb_uart_ports[n];
        if (!p->installed || p->rx_gpio != f->gpio)
            continue;
        int64_t mine = p->config.baud_rate, theirs = f->baud;
        bool wrong = mine * 100 < theirs * (100 - RATE_TOLERANCE) || mine * 100 > theirs * (100 + RATE_TOLERANCE);
        if (wrong || p->config.parity)
            fb_irq("uart", ESP_IRQ_PRIORITY, frame_error_interrupt, p);
        if (p->fifo_used == UART_FIFO) {
            lost++;
            fb_irq("uart", ESP_IRQ_PRIORITY, overflow_interrupt, p);
        } else {
            p->fifo[p->fifo_used++] = wrong ? byte ^ 0x5A : byte;
        }
        fb_cancel(p->idle);
        p->idle = fb_at(fb_now() + p->timeout * frame_ns(p), line_is_idle, p);
        if (p->fifo_used >= (size_t)p->full_threshold || (p->pattern_on && byte == (uint8_t)p->pattern))
            fb_irq("uart", ESP_IRQ_PRIORITY, threshold_interrupt, p);
    }
    if (f->next < f->count)
        fb_at(fb_now() + FB_S(1) * 10 / f->baud, byte_came, f);
}

void esp_uart_feed(int gpio, int64_t at, const void *bytes, size_t count, uint32_t baud)
{
    feed *f = malloc(sizeof *f);
    *f = (feed){malloc(count), count, 0, baud, gpio};
    memcpy(f->bytes, bytes, count);
    if (count)
        fb_at(at + FB_S(1) * 10 / baud, byte_came, f);
}

static void room_again(struct fb_uart_port *p)
{
    if (!p->ring_full)
        return;
    p->ring_full = false;
    drain(p, NULL);
}

int uart_read_bytes(uart_port_t number, void *buffer, uint32_t length, TickType_t ticks)
{
    static const char call[] = "uart_read_bytes";
    struct fb_uart_port *p = fb_uart_find(number, true, call);
    if (!p || !buffer)
        return -1;
    int64_t until = fb_rtos_deadline(ticks);
    uint32_t got = 0;
    while (got < length) {
        if (p->ring_used == 0) {
            if (ticks == 0 || (!fb_rtos_block(&p->readers, until, call) && p->ring_used == 0))
                break;
            continue;
        }
        ((uint8_t *)buffer)[got++] = p->ring[p->ring_first];
        p->ring_first = (p->ring_first + 1) % p->ring_size;
        p->ring_used--;
        for (int i = 0; i < p->position_count; i++)
            p->positions[i]--;
        if (p->ring_used == 0 || got == length)
            room_again(p);
    }
    return (int)got;
}

esp_err_t uart_get_buffered_data_len(uart_port_t number, size_t *size)
{
    struct fb_uart_port *p = fb_uart_find(number, true, "uart_get_buffered_data_len");
    if (!p || !size)
        return ESP_FAIL;
    *size = p->ring_used;
    return ESP_OK;
}

esp_err_t uart_flush_input(uart_port_t number)
{
    struct fb_uart_port *p = fb_uart_find(number, true, "uart_flush_input");
    if (!p)
        return ESP_FAIL;
    p->ring_used = p->fifo_used = 0;
    p->ring_full = false;
    p->position_count = 0;
    return ESP_OK;
}

esp_err_t uart_flush(uart_port_t number) { return uart_flush_input(number); }

/* ---- sending ---- */

static void byte_sent(void *argument)
{
    struct fb_uart_port *p = argument;
    if (p->tx_gpio >= 0) {
        size_t n = wires[p->tx_gpio].count++;
        wires[p->tx_gpio].bytes = realloc(wires[p->tx_gpio].bytes, n + 1);
        wires[p->tx_gpio].at = realloc(wires[p->tx_gpio].at, (n + 1) * sizeof(int64_t));
        wires[p->tx_gpio].bytes[n] = p->tx[0];
        wires[p->tx_gpio].at[n] = fb_now();
        fb_trace("uart", "GPIO%d 0x%02X", p->tx_gpio, p->tx[0]);
    }
    memmove(p->tx, p->tx + 1, --p->tx_used);
    p->sending = p->tx_used > 0;
    if (p->sending)
        fb_at(fb_now() + frame_ns(p), byte_sent, p);
    fb_wake_all(&p->writers);
}

int uart_write_bytes(uart_port_t number, const void *bytes, size_t size)
{
    static const char call[] = "uart_write_bytes";
    struct fb_uart_port *p = fb_uart_find(number, true, call);
    if (!p || !bytes)
        return -1;
    for (size_t i = 0; i < size; i++) {
        while (p->tx_used == p->tx_room)
            if (!fb_rtos_block(&p->writers, FB_FOREVER, call))
                return (int)i;
        p->tx[p->tx_used++] = ((const uint8_t *)bytes)[i];
        if (!p->sending) {
            p->sending = true;
            fb_at(fb_now() + frame_ns(p), byte_sent, p);
        }
    }
    return (int)size;
}

esp_err_t uart_wait_tx_done(uart_port_t number, TickType_t ticks)
{
    struct fb_uart_port *p = fb_uart_find(number, true, "uart_wait_tx_done");
    if (!p)
        return ESP_FAIL;
    int64_t until = fb_rtos_deadline(ticks);
    while (p->sending)
        if (ticks == 0 || (!fb_rtos_block(&p->writers, until, "uart_wait_tx_done") && p->sending))
            return ESP_ERR_TIMEOUT;
    return ESP_OK;
}

esp_err_t uart_get_tx_buffer_free_size(uart_port_t number, size_t *size)
{
    struct fb_uart_port *p = fb_uart_find(number, true, "uart_get_tx_buffer_free_size");
    if (!p || !size)
        return ESP_FAIL;
    *size = p->tx_room - p->tx_used;
    return ESP_OK;
}

const uint8_t *esp_uart_sent(int gpio, size_t *count)
{
    *count = wires[gpio].count;
    return wires[gpio].bytes;
}

int64_t esp_uart_sent_at(int gpio, size_t nth) { return nth < wires[gpio].count ? wires[gpio].at[nth] : -1; }
