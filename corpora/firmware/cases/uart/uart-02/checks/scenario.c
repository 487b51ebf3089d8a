#include "esp_scenario.h"

#include <stdio.h>
#include <string.h>

#include "freertos/FreeRTOS.h"
#include "freertos/task.h"
#include "sim.h"

#define RX 18
#define BAUD 115200
#define BYTE_NS (FB_S(1) * 10 / BAUD)

static struct {
    char text[100];
    int64_t at;
} handled[200];
static size_t handled_count, lost_calls, lost_before_flood;
static bool slow;

void handle_line(const char *line)
{
    if (handled_count < 200) {
        snprintf(handled[handled_count].text, sizeof handled[0].text, "%s", line);
        handled[handled_count++].at = fb_now();
    }
    if (slow && !strncmp(line, "stall", 5))
        vTaskDelay(pdMS_TO_TICKS(400));
}

void line_lost(void)
{
    lost_calls++;
}

static void send(int at_ms, const char *text)
{
    esp_uart_feed(RX, FB_MS(at_ms), text, strlen(text), BAUD);
}

static char flood[4000], longest[82], too_long[120];

static void before_flood(void *unused)
{
    (void)unused;
    lost_before_flood = lost_calls;
}

void scenario(void)
{
    slow = true;
    send(100, "hello\n");
    send(150, "one\ntwo\r\n\nthree\n");
    send(200, "split ");
    send(260, "in ");
    send(330, "pieces\n");
    memset(longest, 'x', 80);
    longest[80] = '\n';
    send(400, longest);
    memset(too_long, 'y', 100);
    memcpy(too_long + 100, "\nnext\n", 7);
    send(500, too_long);
    /* Several hundred bytes in one go, as fast as the line carries them. */
    static char burst[700];
    for (int i = 0; i < 30; i++)
        snprintf(burst + strlen(burst), sizeof burst - strlen(burst), "burst line number %02d\n", i);
    send(600, burst);
    fb_at(FB_MS(900), before_flood, NULL);
    /* Much more than the buffer holds, while a line is being handled. */
    send(1000, "stall\n");
    for (int i = 0; i < 100; i++)
        snprintf(flood + strlen(flood), sizeof flood - strlen(flood), "flood %02d abcdefghijklmnop\n", i);
    send(1005, flood);
    /* In the middle of a line when the handler has come back: its second half must not become a line. */
    send(1380, "cut here by the overflow ");
    send(1600, "and never a line of its own\n");
    send(1700, "calm\n");
    send(1800, "after the flood\n");
    send(1900, "the end\n");
    fb_end_at(FB_MS(2100));
}

static int64_t came_at(int at_ms, size_t bytes)
{
    return FB_MS(at_ms) + (int64_t)bytes * BYTE_NS;
}

static size_t count_of(const char *text)
{
    size_t count = 0;
    for (size_t i = 0; i < handled_count; i++)
        count += !strcmp(handled[i].text, text);
    return count;
}

static int64_t when(const char *text)
{
    for (size_t i = 0; i < handled_count; i++)
        if (!strcmp(handled[i].text, text))
            return handled[i].at;
    return -1;
}

/* A line that the scenario sent as such, from the flood on. */
static bool was_sent(const char *text)
{
    static const char *const others[] = {"stall", "calm", "after the flood", "the end"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (!strcmp(text, others[i]))
            return true;
    for (int i = 0; i < 100; i++) {
        char line[40];
        snprintf(line, sizeof line, "flood %02d abcdefghijklmnop", i);
        if (!strcmp(text, line))
            return true;
    }
    return !strcmp(text, "cut here by the overflow and never a line of its own");
}

void conclude(void)
{
    static const char *const first[] = {"hello", "one", "two", "three", "split in pieces"};
    bool ordered = handled_count >= 5;
    for (size_t i = 0; ordered && i < 5; i++)
        ordered = !strcmp(handled[i].text, first[i]);
    FB_CHECK("lines_in_any_pieces", ordered, "hello, one, two, three, split in pieces", "%zu lines, '%s', '%s', '%s', '%s', '%s'", handled_count,
             handled[0].text, handled[1].text, handled[2].text, handled[3].text, handled[4].text);
    longest[80] = '\0';
    FB_CHECK("line_of_80_handled", count_of(longest) == 1, "once", "%zu times", count_of(longest));
    size_t parts = 0;
    for (size_t i = 0; i < handled_count; i++)
        parts += handled[i].text[0] == 'y';
    FB_CHECK("longer_line_dropped_whole", parts == 0 && lost_before_flood == 1 && count_of("next") == 1,
             "nothing of it handled, line_lost once, the next line handled", "%zu parts, %zu lost, next %zu times", parts, lost_before_flood,
             count_of("next"));
    size_t burst = 0, last = 0;
    bool in_order = true;
    for (int i = 0; i < 30; i++) {
        char text[40];
        snprintf(text, sizeof text, "burst line number %02d", i);
        burst += count_of(text) == 1;
        for (size_t n = 0; n < handled_count; n++)
            if (!strcmp(handled[n].text, text)) {
                in_order &= n >= last;
                last = n;
            }
    }
    FB_CHECK("burst_handled", burst == 30 && in_order, "30 lines once, in order", "%zu", burst);
    FB_CHECK("overflow_told", lost_calls > lost_before_flood, "line_lost at least once", "%zu times", lost_calls - lost_before_flood);
    char mixed[100] = "";
    for (size_t i = 0; i < handled_count; i++)
        if (handled[i].at > FB_MS(999) && !was_sent(handled[i].text))
            memcpy(mixed, handled[i].text, sizeof mixed);
    FB_CHECK("no_line_of_two_pieces", handled_count > 0 && !*mixed, "only lines that were sent", "'%s'", *mixed ? mixed : "only such");
    FB_CHECK("goes_on_after_the_overflow", count_of("calm") == 1 && count_of("after the flood") == 1 && count_of("the end") == 1,
             "the three lines behind it, once each", "%zu, %zu, %zu", count_of("calm"), count_of("after the flood"), count_of("the end"));
    int64_t hello = when("hello") - came_at(100, 6), pieces = when("split in pieces") - came_at(330, 7);
    FB_CHECK("handled_in_time", when("hello") > 0 && when("split in pieces") > 0 && hello <= FB_MS(30) && pieces <= FB_MS(30),
             "30 ms after the newline", "%.1f and %.1f ms", (double)hello / 1e6, (double)pieces / 1e6);
}
