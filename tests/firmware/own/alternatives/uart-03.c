/* Another right answer: a message queue of bytes, a state machine in a thread that link_init creates, a ring of its own. */
#include <zephyr/kernel.h>
#include <zephyr/device.h>
#include <zephyr/drivers/uart.h>
#include <zephyr/sys/crc.h>

extern void frame_received(const uint8_t *payload, size_t length);

K_MSGQ_DEFINE(rx_q, 1, 768, 1);
K_THREAD_STACK_DEFINE(rx_stack, 1024);
static struct k_thread rx_thread;

static const struct device *dev = DEVICE_DT_GET(DT_NODELABEL(uart1));
static uint8_t tx[512];
static volatile size_t tx_head, tx_tail;
static volatile uint32_t errs;

static void isr(const struct device *d, void *user)
{
    uint8_t c;

    ARG_UNUSED(user);
    if (!uart_irq_update(d)) {
        return;
    }
    if (uart_irq_rx_ready(d)) {
        while (uart_fifo_read(d, &c, 1) == 1) {
            (void)k_msgq_put(&rx_q, &c, K_NO_WAIT);
        }
    }
    if (uart_irq_tx_ready(d)) {
        while (tx_tail != tx_head && uart_fifo_fill(d, &tx[tx_tail], 1) == 1) {
            tx_tail = (tx_tail + 1) % sizeof(tx);
        }
        if (tx_tail == tx_head) {
            uart_irq_tx_disable(d);
        }
    }
}

enum state { IDLE, LEN, BODY };

static void rx_main(void *p1, void *p2, void *p3)
{
    enum state st = IDLE;
    uint8_t buf[67];
    size_t have = 0, need = 0;

    ARG_UNUSED(p1);
    ARG_UNUSED(p2);
    ARG_UNUSED(p3);
    for (;;) {
        uint8_t c;

        if (k_msgq_get(&rx_q, &c, st == IDLE ? K_FOREVER : K_MSEC(48)) != 0) {
            errs++;
            st = IDLE;
            continue;
        }
        switch (st) {
        case IDLE:
            if (c == 0xA5) {
                st = LEN;
            }
            break;
        case LEN:
            if (c == 0 || c > 64) {
                errs++;
                st = IDLE;
                break;
            }
            buf[0] = c;
            have = 1;
            need = (size_t)c + 3;
            st = BODY;
            break;
        case BODY:
            buf[have++] = c;
            if (have == need) {
                uint16_t crc = crc16_itu_t(0x0000, buf, need - 2);

                if (buf[need - 2] == (crc >> 8) && buf[need - 1] == (crc & 0xff)) {
                    frame_received(buf + 1, buf[0]);
                } else {
                    errs++;
                }
                st = IDLE;
            }
            break;
        }
    }
}

int link_init(void)
{
    if (!device_is_ready(dev)) {
        return -ENODEV;
    }
    k_thread_create(&rx_thread, rx_stack, K_THREAD_STACK_SIZEOF(rx_stack), rx_main, NULL, NULL, NULL, K_PRIO_PREEMPT(6), 0,
                    K_NO_WAIT);
    uart_irq_callback_set(dev, isr);
    uart_irq_rx_enable(dev);
    return 0;
}

static void push(uint8_t c)
{
    tx[tx_head] = c;
    tx_head = (tx_head + 1) % sizeof(tx);
}

int link_send(const uint8_t *payload, size_t length)
{
    uint8_t len = length;
    uint16_t crc;
    unsigned int key;
    size_t used;

    if (length == 0 || length > 64) {
        return -EINVAL;
    }
    crc = crc16_itu_t(crc16_itu_t(0, &len, 1), payload, length);
    key = irq_lock();
    used = (tx_head + sizeof(tx) - tx_tail) % sizeof(tx);
    if (sizeof(tx) - 1 - used < length + 4) {
        irq_unlock(key);
        return -ENOMEM;
    }
    push(0xA5);
    push(len);
    for (size_t i = 0; i < length; i++) {
        push(payload[i]);
    }
    push(crc >> 8);
    push(crc & 0xff);
    uart_irq_tx_enable(dev);
    irq_unlock(key);
    return 0;
}

uint32_t link_errors(void)
{
    return errs;
}
