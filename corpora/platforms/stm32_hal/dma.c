/* The DMA controllers: streams that peripherals or, for memory to memory, the controller itself drive. */
#include "hw.h"

#define ITEM_NS 60 /* of a memory-to-memory transfer */

static struct stream {
    bool running, will_fail;
    uint32_t total, moved;
    fb_event *event;
} streams[FB_STM32_STREAMS];

static uint32_t flags[FB_STM32_STREAMS]; /* in the order of the status registers: FE, -, DME, TE, HT, TC */
enum { TE = 8, HT = 16, TC = 32, ALL = 61 };

/* Which requests reach a stream, from the reference manual's tables; a channel selects one. */
static const struct {
    const volatile uint32_t *data;
    bool to_memory;
    uint8_t stream, channel; /* streams of DMA2 from 8 on */
} requests[] = {
    {&fb_stm32.usart[0].DR, true, 8 + 2, 4},  {&fb_stm32.usart[0].DR, true, 8 + 5, 4},
    {&fb_stm32.usart[0].DR, false, 8 + 7, 4}, {&fb_stm32.usart[1].DR, true, 5, 4},
    {&fb_stm32.usart[1].DR, false, 6, 4},     {&fb_stm32.usart[2].DR, true, 1, 4},
    {&fb_stm32.usart[2].DR, false, 3, 4},     {&fb_stm32.usart[2].DR, false, 4, 7},
    {&fb_stm32.usart[3].DR, true, 2, 4},      {&fb_stm32.usart[3].DR, false, 4, 4},
    {&fb_stm32.usart[4].DR, true, 0, 4},      {&fb_stm32.usart[4].DR, false, 7, 4},
    {&fb_stm32.usart[5].DR, true, 8 + 1, 5},  {&fb_stm32.usart[5].DR, true, 8 + 2, 5},
    {&fb_stm32.usart[5].DR, false, 8 + 6, 5}, {&fb_stm32.usart[5].DR, false, 8 + 7, 5},
    {&fb_stm32.adc[0].DR, true, 8 + 0, 0},    {&fb_stm32.adc[0].DR, true, 8 + 4, 0},
    {&fb_stm32.adc[1].DR, true, 8 + 2, 1},    {&fb_stm32.adc[1].DR, true, 8 + 3, 1},
    {&fb_stm32.adc[2].DR, true, 8 + 0, 2},    {&fb_stm32.adc[2].DR, true, 8 + 1, 2},
};
#define REQUESTS (sizeof requests / sizeof *requests)

static const unsigned shift[4] = {0, 6, 16, 22};

static void publish(unsigned i)
{
    volatile uint32_t *status = i % 8 < 4 ? &fb_stm32.dma[i / 8].LISR : &fb_stm32.dma[i / 8].HISR;
    *status = (*status & ~(0x3FU << shift[i % 4])) | flags[i] << shift[i % 4];
}

static void raise(unsigned i, uint32_t flag)
{
    flags[i] |= flag;
    publish(i);
    fb_hw_lines_changed();
}

bool fb_hw_dma_asserts(unsigned i)
{
    uint32_t cr = fb_stm32.stream[i].CR;
    return ((flags[i] & TC) && (cr & DMA_SxCR_TCIE)) || ((flags[i] & HT) && (cr & DMA_SxCR_HTIE)) ||
           ((flags[i] & TE) && (cr & DMA_SxCR_TEIE));
}

void fb_hw_dma_flags_look(unsigned controller)
{
    DMA_TypeDef *regs = &fb_stm32.dma[controller];
    for (unsigned n = 0; n < 8; n++) {
        flags[controller * 8 + n] &= ~((n < 4 ? regs->LIFCR : regs->HIFCR) >> shift[n % 4] & ALL);
        publish(controller * 8 + n);
    }
    regs->LIFCR = regs->HIFCR = 0;
}

static uint32_t item_bytes(uint32_t cr, bool memory) { return 1U << (cr >> (memory ? 13 : 11) & 3); }

static void stop(unsigned i)
{
    streams[i].running = false;
    fb_cancel(streams[i].event);
    fb_stm32.stream[i].CR &= ~DMA_SxCR_EN;
}

void stm32_dma_fail_next(DMA_Stream_TypeDef *stream) { streams[stream - fb_stm32.stream].will_fail = true; }

static void fail(void *argument)
{
    unsigned i = (unsigned)(uintptr_t)argument;
    stop(i);
    raise(i, TE);
}

/* Count one item; true if it was the last of the transfer. */
static bool count(unsigned i)
{
    struct stream *s = &streams[i];
    DMA_Stream_TypeDef *regs = &fb_stm32.stream[i];
    s->moved++;
    regs->NDTR = s->total - s->moved;
    bool last = s->moved == s->total;
    if (last && (regs->CR & DMA_SxCR_CIRC)) {
        s->moved = 0;
        regs->NDTR = s->total;
    } else if (last) {
        stop(i);
    }
    if (last)
        raise(i, TC);
    else if (s->moved == s->total / 2)
        raise(i, HT);
    return last;
}

static void memory_to_memory(void *argument)
{
    unsigned i = (unsigned)(uintptr_t)argument;
    struct stream *s = &streams[i];
    DMA_Stream_TypeDef *regs = &fb_stm32.stream[i];
    uint32_t from = item_bytes(regs->CR, false), to = item_bytes(regs->CR, true);
    uint32_t goal = s->moved < s->total / 2 ? s->total / 2 : s->total;
    for (uint32_t n = goal - s->moved; n > 0 && s->running; n--) {
        uint32_t value = 0;
        fb_hw_bus_read(regs->PAR + (regs->CR & DMA_SxCR_PINC ? s->moved * from : 0), &value, from);
        fb_hw_bus_write(regs->M0AR + (regs->CR & DMA_SxCR_MINC ? s->moved * to : 0), &value, to);
        count(i);
    }
    if (s->running)
        s->event = fb_at(fb_now() + (int64_t)(s->total - s->moved) * ITEM_NS, memory_to_memory, argument);
}

static void start(unsigned i)
{
    struct stream *s = &streams[i];
    DMA_Stream_TypeDef *regs = &fb_stm32.stream[i];
    bool fails = s->will_fail;
    *s = (struct stream){.running = true, .total = regs->NDTR & 0xFFFF};
    if (s->total == 0) {
        stop(i);
        return;
    }
    fb_trace("dma", "DMA%u_Stream%u starts %u items of %u bytes", i / 8 + 1, i % 8, s->total, item_bytes(regs->CR, true));
    if (fails) {
        s->event = fb_at(fb_now() + (int64_t)s->total * ITEM_NS / 3, fail, (void *)(uintptr_t)i);
        return;
    }
    if (!(regs->CR & DMA_MEMORY_TO_MEMORY))
        return;
    if (i < 8) {
        fb_fault("dma_memory_to_memory", "only the streams of DMA2 can move memory to memory; this one is of DMA1");
        stop(i);
        raise(i, TE);
        return;
    }
    uint32_t first = s->total / 2 ? s->total / 2 : s->total;
    s->event = fb_at(fb_now() + (int64_t)first * ITEM_NS, memory_to_memory, (void *)(uintptr_t)i);
}

void fb_hw_dma_look(unsigned i)
{
    bool enabled = fb_stm32.stream[i].CR & DMA_SxCR_EN;
    if (enabled && !streams[i].running)
        start(i);
    else if (!enabled && streams[i].running)
        stop(i);
    else if (enabled)
        fb_stm32.stream[i].NDTR = streams[i].total - streams[i].moved;
}

fb_hw_request fb_hw_dma_request(volatile uint32_t *data, bool to_memory)
{
    for (size_t n = 0; n < REQUESTS; n++) {
        unsigned i = requests[n].stream;
        DMA_Stream_TypeDef *regs = &fb_stm32.stream[i];
        bool inward = (regs->CR & (DMA_MEMORY_TO_PERIPH | DMA_MEMORY_TO_MEMORY)) == DMA_PERIPH_TO_MEMORY;
        if (requests[n].data != data || requests[n].to_memory != to_memory || !streams[i].running ||
            regs->PAR != (uint32_t)(uintptr_t)data || inward != to_memory ||
            (regs->CR & DMA_SxCR_CHSEL) >> 25 != requests[n].channel)
            continue;
        uint32_t bytes = item_bytes(regs->CR, true);
        uint32_t address = regs->M0AR + (regs->CR & DMA_SxCR_MINC ? streams[i].moved * bytes : 0);
        if (to_memory) {
            uint32_t value = *data;
            fb_hw_bus_write(address, &value, bytes);
        } else {
            uint32_t value = 0;
            fb_hw_bus_read(address, &value, bytes);
            *data = value;
        }
        return count(i) ? HW_SERVED_LAST : HW_SERVED;
    }
    return HW_NO_REQUEST;
}
