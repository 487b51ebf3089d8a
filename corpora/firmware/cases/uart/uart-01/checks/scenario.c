#include "stm32_scenario.h"

#include <string.h>

#include "sim.h"

#define BAUD 115200
#define BYTE_NS (FB_S(1) * 10 / BAUD)

static const struct {
    int64_t at_ms;
    size_t length;
    uint8_t first; /* the bytes count up from it */
} frames[] = {{10, 5, 1}, {20, 32, 0x21}, {30, 45, 0x90}, {40, 64, 7}, {55, 1, 0x77}, {58, 33, 3}, {100, 12, 0x40}, {110, 64, 0xA1}};
#define FRAMES (sizeof frames / sizeof *frames)
#define BEFORE_ERROR 6

static uint8_t answers[FRAMES][2];

/* An interrupt of low priority, every 50 us: what it waits is how long the others take. */
static int64_t raised, longest_interrupt;
static bool waiting;

static void probe(void *unused)
{
    (void)unused;
    waiting = false;
    if (fb_now() - raised > longest_interrupt)
        longest_interrupt = fb_now() - raised;
}

static void raise_probe(void *unused)
{
    (void)unused;
    if (!waiting)
        raised = fb_now();
    waiting = true;
    fb_irq("probe", 15, probe, NULL);
    fb_at(fb_now() + FB_US(50), raise_probe, NULL);
}

void scenario(void)
{
    for (size_t n = 0; n < FRAMES; n++) {
        uint8_t bytes[64], check = 0;
        for (size_t i = 0; i < frames[n].length; i++)
            check ^= bytes[i] = (uint8_t)(frames[n].first + i);
        answers[n][0] = (uint8_t)frames[n].length;
        answers[n][1] = check;
        stm32_uart_feed(USART2, FB_MS(frames[n].at_ms), bytes, frames[n].length, BAUD);
    }
    /* Noise: bytes at another rate. */
    stm32_uart_feed(USART2, FB_MS(80), "\x55\x0F\x33", 3, 57600);
    fb_at(FB_MS(1), raise_probe, NULL);
    fb_end_at(FB_MS(140));
}

static int64_t deadline(size_t n)
{
    return FB_MS(frames[n].at_ms) + (int64_t)frames[n].length * BYTE_NS + BYTE_NS + FB_MS(1) + FB_US(50);
}

static bool answered(size_t from, size_t to, size_t sent, const uint8_t *bytes)
{
    return sent >= 2 * to && !memcmp(bytes + 2 * from, answers[from], 2 * (to - from));
}

void conclude(void)
{
    size_t count;
    const uint8_t *sent = stm32_uart_sent(USART2, &count);
    FB_CHECK("short_frame_answered", answered(0, 1, count, sent), "05 01 for the first frame", "%zu bytes, %02X %02X", count,
             count > 0 ? sent[0] : 0, count > 1 ? sent[1] : 0);
    FB_CHECK("frames_of_any_length_answered_once", answered(0, BEFORE_ERROR, count, sent),
             "two bytes each for frames of 5, 32, 45, 64, 1 and 33 bytes", "%zu bytes sent; the fifth to eighth %02X %02X %02X %02X",
             count, count > 4 ? sent[4] : 0, count > 5 ? sent[5] : 0, count > 6 ? sent[6] : 0, count > 7 ? sent[7] : 0);
    FB_CHECK("goes_on_after_a_line_error", count >= 4 && !memcmp(sent + count - 4, answers[BEFORE_ERROR], 4),
             "answers to the two frames after the error", "%zu bytes sent in all", count);
    FB_CHECK("nothing_else_sent", count == 2 * FRAMES, "two bytes a frame", "%zu bytes for %zu frames", count, FRAMES);
    FB_CHECK("nothing_waits_in_an_interrupt", longest_interrupt < FB_US(130), "an interrupt of the lowest priority waits less than 130 us",
             "%.0f us", (double)longest_interrupt / 1e3);
    int64_t late = 0;
    for (size_t n = 0; n < FRAMES; n++) {
        int64_t at = stm32_uart_sent_at(USART2, 2 * n + 1);
        if (at < 0 || at > deadline(n))
            late++;
    }
    FB_CHECK("answers_in_time", late == 0, "each answer complete 1 ms after the line became idle", "%lld late or missing",
             (long long)late);
}
