/* The UARTs: a shift register and a data register each way, and lines to the outside. */
#include "hw.h"

#include <stdlib.h>
#include <string.h>

#define RATE_TOLERANCE 3 /* percent between the two ends */
#define LINE_FLAGS (USART_SR_ORE | USART_SR_FE | USART_SR_NE | USART_SR_PE | USART_SR_IDLE)

typedef struct {
    uint8_t *bytes;
    size_t count, next;
    uint32_t baud;
    unsigned index;
} feed;

static struct uart {
    uint32_t status;
    uint8_t received;
    bool status_was_read;
    bool shifting, waiting; /* a byte is in the shift register; one more in the data register */
    uint8_t shift, next;
    fb_event *idle;
    uint8_t *sent;
    int64_t *sent_at;
    size_t sent_count;
} uarts[FB_STM32_USARTS];

static const char *const names[] = {"USART1", "USART2", "USART3", "UART4", "UART5", "USART6"};

static uint32_t rate(unsigned i)
{
    uint32_t clock = i == 0 || i == 5 ? HW_CLOCK_HZ : HW_CLOCK_HZ / 2;
    return fb_stm32.usart[i].BRR ? clock / fb_stm32.usart[i].BRR : 0;
}

static int64_t frame_ns(unsigned i)
{
    const USART_TypeDef *regs = &fb_stm32.usart[i];
    unsigned bits = 1 + (regs->CR1 & USART_CR1_M ? 9 : 8) + (regs->CR2 & USART_CR2_STOP_1 ? 2 : 1);
    return rate(i) ? FB_S(1) * bits / rate(i) : FB_FOREVER;
}

static bool enabled(unsigned i, uint32_t direction)
{
    const USART_TypeDef *regs = &fb_stm32.usart[i];
    return fb_hw_clocked(regs) && (regs->CR1 & (USART_CR1_UE | direction)) == (USART_CR1_UE | direction);
}

static void publish(unsigned i)
{
    if (!uarts[i].status)
        uarts[i].status = USART_SR_TXE | USART_SR_TC;
    uint32_t status = uarts[i].status;
    status = uarts[i].waiting ? status & ~USART_SR_TXE : status | USART_SR_TXE;
    status = uarts[i].shifting ? status & ~USART_SR_TC : status | USART_SR_TC;
    uarts[i].status = fb_stm32.usart[i].SR = status;
    fb_stm32.usart[i].DR = uarts[i].received;
}

bool fb_hw_uart_asserts(unsigned i)
{
    const USART_TypeDef *regs = &fb_stm32.usart[i];
    uint32_t status = regs->SR, cr1 = regs->CR1;
    return ((status & USART_SR_TXE) && (cr1 & USART_CR1_TXEIE)) || ((status & USART_SR_TC) && (cr1 & USART_CR1_TCIE)) ||
           ((status & (USART_SR_RXNE | USART_SR_ORE)) && (cr1 & USART_CR1_RXNEIE)) ||
           ((status & USART_SR_IDLE) && (cr1 & USART_CR1_IDLEIE)) ||
           ((status & (USART_SR_ORE | USART_SR_FE | USART_SR_NE)) && (regs->CR3 & USART_CR3_EIE)) ||
           ((status & USART_SR_PE) && (cr1 & USART_CR1_PEIE));
}

/* ---- sending ---- */

static void feed_by_dma(unsigned i);

static void sent(void *argument)
{
    unsigned i = (unsigned)(uintptr_t)argument;
    struct uart *u = &uarts[i];
    if (fb_hw_routed(HW_UART_TX, i, 0)) {
        u->sent = realloc(u->sent, u->sent_count + 1);
        u->sent_at = realloc(u->sent_at, (u->sent_count + 1) * sizeof *u->sent_at);
        u->sent_at[u->sent_count] = fb_now();
        u->sent[u->sent_count++] = u->shift;
        fb_trace("uart", "%s 0x%02X", names[i], u->shift);
    }
    u->shifting = false;
    if (u->waiting) {
        u->waiting = false;
        u->shift = u->next;
        u->shifting = true;
        fb_at(fb_now() + frame_ns(i), sent, argument);
    }
    publish(i);
    feed_by_dma(i);
    fb_hw_lines_changed();
}

void fb_hw_uart_put(unsigned i, uint8_t byte)
{
    struct uart *u = &uarts[i];
    if (!enabled(i, USART_CR1_TE) || rate(i) == 0)
        return;
    if (u->shifting) {
        u->next = byte;
        u->waiting = true;
    } else {
        u->shift = byte;
        u->shifting = true;
        fb_at(fb_now() + frame_ns(i), sent, (void *)(uintptr_t)i);
    }
    publish(i);
    fb_hw_lines_changed();
}

static void feed_by_dma(unsigned i)
{
    USART_TypeDef *regs = &fb_stm32.usart[i];
    while ((regs->CR3 & USART_CR3_DMAT) && !uarts[i].waiting && enabled(i, USART_CR1_TE)) {
        if (fb_hw_dma_request(&regs->DR, false) == HW_NO_REQUEST)
            break;
        fb_hw_uart_put(i, (uint8_t)regs->DR);
    }
    publish(i);
}

/* ---- receiving ---- */

static void line_is_idle(void *argument)
{
    unsigned i = (unsigned)(uintptr_t)argument;
    uarts[i].status |= USART_SR_IDLE;
    publish(i);
    fb_hw_lines_changed();
}

uint8_t fb_hw_uart_get(unsigned i)
{
    uarts[i].status &= ~(USART_SR_RXNE | (uarts[i].status_was_read ? LINE_FLAGS : 0));
    uarts[i].status_was_read = false;
    publish(i);
    fb_hw_lines_changed();
    return uarts[i].received;
}

static void receive(unsigned i, uint8_t byte, uint32_t errors)
{
    USART_TypeDef *regs = &fb_stm32.usart[i];
    struct uart *u = &uarts[i];
    if (u->status & USART_SR_RXNE) {
        u->status |= USART_SR_ORE;
        fb_trace("uart_overrun", "%s lost 0x%02X", names[i], byte);
    } else {
        u->received = byte;
        u->status |= USART_SR_RXNE | errors;
    }
    publish(i);
    if ((regs->CR3 & USART_CR3_DMAR) && fb_hw_dma_request(&regs->DR, true) != HW_NO_REQUEST)
        u->status &= ~USART_SR_RXNE;
    publish(i);
    fb_hw_lines_changed();
}

static bool rates_agree(uint32_t mine, uint32_t theirs)
{
    return mine * 100ULL >= theirs * (100ULL - RATE_TOLERANCE) && mine * 100ULL <= theirs * (100ULL + RATE_TOLERANCE);
}

static void byte_came(void *argument)
{
    feed *f = argument;
    unsigned i = f->index;
    uint8_t byte = f->bytes[f->next++];
    int64_t frame = FB_S(1) * 10 / f->baud;
    if (enabled(i, USART_CR1_RE) && fb_hw_routed(HW_UART_RX, i, 0)) {
        bool same = rates_agree(rate(i), f->baud), parity = fb_stm32.usart[i].CR1 & USART_CR1_PCE;
        fb_cancel(uarts[i].idle);
        uarts[i].idle = fb_at(fb_now() + frame + frame / 10, line_is_idle, (void *)(uintptr_t)i);
        receive(i, same ? byte : (uint8_t)(byte ^ 0x5A), (same ? 0 : USART_SR_FE) | (parity ? USART_SR_PE : 0));
    }
    if (f->next < f->count)
        fb_at(fb_now() + frame, byte_came, f);
}

void stm32_uart_feed(USART_TypeDef *usart, int64_t at, const void *bytes, size_t count, uint32_t baud)
{
    feed *f = malloc(sizeof *f);
    *f = (feed){malloc(count), count, 0, baud, (unsigned)(usart - fb_stm32.usart)};
    memcpy(f->bytes, bytes, count);
    if (count)
        fb_at(at + FB_S(1) * 10 / baud, byte_came, f);
}

const uint8_t *stm32_uart_sent(USART_TypeDef *usart, size_t *count)
{
    const struct uart *u = &uarts[usart - fb_stm32.usart];
    *count = u->sent_count;
    return u->sent;
}

int64_t stm32_uart_sent_at(USART_TypeDef *usart, size_t nth)
{
    const struct uart *u = &uarts[usart - fb_stm32.usart];
    return nth < u->sent_count ? u->sent_at[nth] : -1;
}

/* ---- registers ---- */

void fb_hw_uart_before_read(unsigned i, const volatile void *reg)
{
    if (!fb_hw_clocked(reg))
        return;
    publish(i);
    if (reg == &fb_stm32.usart[i].SR)
        uarts[i].status_was_read = true;
    else if (reg == &fb_stm32.usart[i].DR)
        fb_hw_uart_get(i);
}

/* Of the status only RXNE and TC can be cleared by writing a 0. */
void fb_hw_uart_look(unsigned i, const volatile void *reg)
{
    USART_TypeDef *regs = &fb_stm32.usart[i];
    if (reg == &regs->SR)
        uarts[i].status &= regs->SR | ~USART_SR_RXNE;
    if (reg == &regs->DR)
        fb_hw_uart_put(i, (uint8_t)regs->DR);
    publish(i);
    feed_by_dma(i);
}
