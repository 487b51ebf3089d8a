#include "stm32_scenario.h"

#include <string.h>

#include "sim.h"

#define BYTE_NS (FB_S(1) * 10 / 115200)
#define END FB_MS(900)
#define OVERLOADED FB_MS(500)
#define MOST_RECORDS 4000
#define QUEUE 256

int log_write(const void *data, size_t size);

static struct {
    uint8_t source, number, size;
    int64_t begun, ended;
} taken[MOST_RECORDS];
static size_t taken_count, taken_bytes;
static unsigned refused, refused_with_room, taken_without_room;
static int64_t slowest;
static uint8_t numbers[4];
static int bad_sizes, step;
static size_t filled; /* records taken at the start, where four make 256 bytes */
static bool overfilled;

/* A record says who wrote it, which of his it is, its size and a sum, so that the line can be read back. */
static size_t make(uint8_t *record, uint8_t source, size_t size)
{
    record[0] = (uint8_t)(0xC0 + source);
    record[1] = numbers[source];
    record[2] = (uint8_t)size;
    for (size_t i = 3; i < size; i++)
        record[i] = (uint8_t)(numbers[source] * 5 + i * 3 + source);
    return size;
}

static size_t line_bytes(void)
{
    size_t sent;
    stm32_uart_sent(USART2, &sent);
    return sent;
}

static void write_record(uint8_t source, size_t size)
{
    uint8_t record[64];
    make(record, source, size);
    size_t bytes_before = taken_bytes;
    int64_t begun = fb_now();
    int got = log_write(record, size);
    int64_t took = fb_now() - begun;
    memset(record, 0xEE, sizeof record);
    if (!fb_in_isr() && took > slowest)
        slowest = took;
    bool alone = taken_bytes == bytes_before;
    if (got == (int)size) {
        if (taken_count < MOST_RECORDS) {
            taken[taken_count].source = source;
            taken[taken_count].number = numbers[source];
            taken[taken_count].size = (uint8_t)size;
            taken[taken_count].begun = begun;
            taken[taken_count++].ended = fb_now();
        }
        taken_bytes += size;
        numbers[source]++;
        taken_without_room += alone && taken_bytes - line_bytes() > QUEUE;
    } else {
        refused++;
        refused_with_room += fb_now() < OVERLOADED; /* until then less comes than the line carries */
    }
}

static void isr_low(void *unused)
{
    (void)unused;
    write_record(1, 9);
}

static int64_t raised, longest_lock;

static void isr_high(void *unused)
{
    (void)unused;
    if (fb_now() - raised > longest_lock)
        longest_lock = fb_now() - raised;
    write_record(2, 5);
}

static void again_low(void *unused)
{
    (void)unused;
    fb_irq("low", 9, isr_low, NULL);
    if (fb_now() < FB_MS(600))
        fb_at(fb_now() + FB_US(2517), again_low, NULL);
}

static void again_high(void *unused)
{
    (void)unused;
    raised = fb_now();
    fb_irq("high", 1, isr_high, NULL);
    if (fb_now() < FB_MS(600))
        fb_at(fb_now() + FB_US(1113) + fb_now() % 1013, again_high, NULL);
}

/* First alone, then beside interrupts, then more than the line carries, then a single record. */
void work(void)
{
    int64_t now = fb_now();
    if (step == 0) {
        uint8_t bytes[80] = {0};
        bad_sizes += log_write(bytes, 0) != -1;
        bad_sizes += log_write(bytes, 65) != -1;
        for (int i = 0; i < 4; i++)
            write_record(0, 64);
        filled = taken_count;
        write_record(0, 3);
        overfilled = taken_count > filled;
        refused = refused_with_room = 0;
        step++;
    } else if (now < FB_MS(100)) {
        static int64_t next = FB_MS(20);
        if (now >= next) {
            write_record(0, 3 + (size_t)(now / 1000000) % 40);
            next = now + FB_MS(7);
        }
    } else if (now < OVERLOADED) {
        write_record(0, 3 + numbers[0] % 11);
        fb_spend(FB_US(4100));
    } else if (now < FB_MS(600)) {
        write_record(0, 3 + numbers[0] % 62);
        fb_spend(FB_US(150));
    } else if (now >= FB_MS(800) && step == 1) {
        write_record(0, 33);
        step++;
    }
    fb_spend(FB_US(3));
}

void scenario(void)
{
    fb_at(FB_MS(100), again_low, NULL);
    fb_at(FB_MS(103), again_high, NULL);
    fb_end_at(END);
}

/* Read the line back record by record; how many are whole, and whether each source's are in order without a gap. */
static size_t read_back(const uint8_t *sent, size_t count, bool *whole, bool *ordered)
{
    uint8_t next[4] = {0};
    size_t at = 0, records = 0;
    *whole = *ordered = true;
    while (at < count) {
        uint8_t source = sent[at] - 0xC0;
        size_t size = at + 2 < count ? sent[at + 2] : 0;
        if (source > 2 || size < 3 || at + size > count) {
            *whole = false;
            return records;
        }
        *ordered &= sent[at + 1] == next[source]++;
        for (size_t i = 3; i < size; i++)
            *whole &= sent[at + i] == (uint8_t)(sent[at + 1] * 5 + i * 3 + source);
        at += size;
        records++;
    }
    return records;
}

/* When the nth record of a source was taken. */
static int64_t taken_at(uint8_t source, size_t nth)
{
    for (size_t i = 0; i < taken_count; i++)
        if (taken[i].source == source && nth-- == 0)
            return taken[i].ended;
    return FB_FOREVER;
}

/* The longest time for which the line was idle with a whole record in the queue. */
static int64_t longest_gap(const uint8_t *sent, size_t count)
{
    size_t nth[3] = {0};
    int64_t longest = 0;
    for (size_t at = 0; at + 2 < count;) {
        uint8_t source = sent[at] - 0xC0;
        size_t size = sent[at + 2];
        if (source > 2 || size < 3)
            return FB_S(1);
        int64_t free = at ? stm32_uart_sent_at(USART2, at - 1) : 0, queued = taken_at(source, nth[source]++);
        int64_t gap = stm32_uart_sent_at(USART2, at) - BYTE_NS - (queued > free ? queued : free);
        if (gap > longest)
            longest = gap;
        at += size;
    }
    return longest;
}

void conclude(void)
{
    size_t count;
    const uint8_t *sent = stm32_uart_sent(USART2, &count);
    bool whole, ordered;
    size_t records = read_back(sent, count, &whole, &ordered);
    FB_CHECK("first_record_sent", count >= 64 && sent[0] == 0xC0 && sent[2] == 64 && sent[63] == (uint8_t)(63 * 3), "64 bytes, the first C0",
             "%zu bytes, the first %02X", count, count ? sent[0] : 0);
    FB_CHECK("records_whole", whole && count > 0, "nothing but whole records on the line", "%zu whole ones, then another byte in %zu", records,
             count);
    FB_CHECK("records_in_order_and_once", ordered && records == taken_count && count == taken_bytes, "every record that was taken",
             "%zu of %zu records, %zu of %zu bytes", records, taken_count, count, taken_bytes);
    FB_CHECK("queue_of_exactly_256_bytes", filled == 4 && !overfilled, "four records of 64 bytes taken at the start, a fifth not", "%zu taken, %s",
             filled, overfilled ? "and the fifth" : "the fifth not");
    FB_CHECK("taken_while_there_is_room", refused_with_room == 0 && taken_count > 300, "no refusal while less comes than the line carries", "%u; %zu taken in all",
             refused_with_room, taken_count);
    FB_CHECK("refused_without_room", refused > 50 && taken_without_room == 0, "refusals while more comes than the line carries",
             "%u refused, %u taken above 256 bytes", refused, taken_without_room);
    FB_CHECK("sizes_out_of_range_refused", bad_sizes == 0, "-1 for 0 and 65 bytes", "%d taken", bad_sizes);
    FB_CHECK("log_write_does_not_wait", slowest < FB_US(100) + FB_US(60), "under 100 us, and what interrupts took meanwhile", "%.0f us",
             (double)slowest / 1e3);
    FB_CHECK("interrupts_not_locked_out_for_long", longest_lock < FB_US(50), "an interrupt of priority 1 waits less than 50 us", "%.1f us",
             (double)longest_lock / 1e3);
    int64_t gap = longest_gap(sent, count);
    FB_CHECK("line_never_idle_with_bytes_left", gap <= FB_US(200), "at most 200 us", "%.0f us", (double)gap / 1e3);
}
