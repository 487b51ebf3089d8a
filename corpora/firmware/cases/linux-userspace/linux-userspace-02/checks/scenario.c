/* The other end of the line. Each boot is one run of the program. */
#include "linux_user.h"

#include <stdio.h>
#include <string.h>

FB_POWER_CYCLES;

enum { WHOLE, PIECES, BROKEN, UNPLUGGED, LATE, TERM, BEFORE_WAITS = TERM + 8, LAST = BEFORE_WAITS + 7 };
enum { MOST = 64 };

typedef struct answer {
    uint8_t kind, value;
} answer;

static struct results {
    int finished[LAST + 1];
    char wrong[LAST + 1][120];
    unsigned answers[LAST + 1];
    int64_t slowest;
    unsigned opened[LAST + 1], most_open;
    unsigned bad_ends;
    char end[100];
} *r;

static lu_serial *line;
static answer expected[64];
static int64_t complete_at[64];
static unsigned expected_count;
static int64_t at;

static uint8_t crc(const uint8_t *data, size_t n)
{
    uint8_t value = 0;
    for (size_t i = 0; i < n; i++)
        for (int bit = 7; bit >= 0; bit--) {
            bool top = (value >> 7 ^ data[i] >> bit) & 1;
            value = (uint8_t)(value << 1 ^ (top ? 0x07 : 0));
        }
    return value;
}
static void bytes(const void *data, size_t n)
{
    lu_serial_receive(line, at, data, n);
    at += (int64_t)n * 86806;
}
static void expect(uint8_t kind, uint8_t value)
{
    complete_at[expected_count] = at;
    expected[expected_count++] = (answer){kind, value};
}
/* A frame whose payload begins with `first` and goes on with a pattern that has the awkward bytes in it. */
static void frame(uint8_t first, uint8_t n, bool right)
{
    static const uint8_t AWKWARD[] = {0x0d, 0x11, 0x13, 0x7e, 0x0a, 0x03, 0x00, 0xff, 0x1a, 0x80};
    uint8_t all[MOST + 3] = {0x7e, n, first};
    for (int i = 1; i < n; i++)
        all[2 + i] = AWKWARD[i % 10];
    all[2 + n] = (uint8_t)(crc(all + 1, n + 1u) ^ (right ? 0 : 0x55));
    bytes(all, n + 3u);
    expect(right ? 0x06 : 0x15, right ? first : 0);
}
static void pause_ms(int ms) { at += FB_MS(ms); }

static void plan(unsigned run)
{
    at = FB_MS(50);
    if (run == WHOLE) {
        frame('a', 1, true);
        frame('b', 12, true);
        frame(0x7e, 64, true);
        frame(0x0a, 11, true); /* the answer has a newline in it */
        frame('d', 3, true);
        pause_ms(100);
        frame('e', 2, true);
    } else if (run == PIECES) {
        lu_serial_most(line, 3, 2);
        frame('a', 20, true);
        frame('b', 5, true);
        pause_ms(60);
        uint8_t slow[] = {0x7e, 3, 'c', 1, 2, 0};
        slow[5] = crc(slow + 1, 4);
        for (int i = 0; i < 6; i++) {
            bytes(&slow[i], 1);
            if (i < 5)
                pause_ms(15);
        }
        expect(0x06, 'c');
        pause_ms(50);
        lu_serial_block_writes(line, at, at + FB_MS(40));
        frame('d', 4, true);
        frame('e', 4, true);
        complete_at[expected_count - 2] = complete_at[expected_count - 1] = at + FB_MS(40);
    } else if (run == BROKEN) {
        bytes("noise\n", 6);
        frame('a', 4, true);
        frame('b', 4, false);
        frame('c', 4, true);
        bytes((uint8_t[]){0x7e, 0}, 2);
        expect(0x15, 0);
        frame('d', 4, true);
        bytes((uint8_t[]){0x7e, 65}, 2);
        expect(0x15, 0);
        frame('e', 64, true);
        pause_ms(60);
        bytes((uint8_t[]){0x7e, 9, 1, 2, 3}, 5); /* the rest never comes */
        pause_ms(40);
        frame('f', 4, true);
        pause_ms(40);
        bytes((uint8_t[]){0x7e}, 1);
        pause_ms(40);
        frame('g', 4, true);
    } else if (run == UNPLUGGED) {
        frame('a', 4, true);
        pause_ms(20);
        bytes((uint8_t[]){0x7e, 40, 1, 2, 3}, 5);
        lu_serial_unplug(line, at + FB_MS(2));
        lu_serial_plug(line, at + FB_MS(1200));
        pause_ms(1200 + 600);
        frame('b', 4, true);
        pause_ms(30);
        lu_serial_unplug(line, at);
        lu_serial_plug(line, at + FB_MS(100));
        pause_ms(800);
        frame('c', 4, true);
    } else if (run == LATE) {
        lu_serial_unplug(line, 0);
        lu_serial_plug(line, FB_MS(700));
        at = FB_MS(1400);
        frame('a', 4, true);
    } else {
        frame('a', 8, true);
        bytes((uint8_t[]){0x7e, 40, 1}, 3);
        frame('b', 8, true);
    }
}

static void compare(unsigned run)
{
    uint8_t sent[1024];
    size_t n = lu_serial_sent(line, sent, sizeof sent), used = 0;
    unsigned count = 0;
    char *wrong = r->wrong[run];
    for (; used + 5 <= n && count < expected_count; used += 5, count++) {
        const uint8_t *one = sent + used;
        if (one[0] != 0x7e || one[1] != 2 || one[4] != crc(one + 1, 3) || one[2] != expected[count].kind || one[3] != expected[count].value) {
            snprintf(wrong, sizeof r->wrong[run], "answer %u is %02x %02x %02x %02x %02x, not 7e 02 %02x %02x and a CRC", count + 1, one[0],
                     one[1], one[2], one[3], one[4], expected[count].kind, expected[count].value);
            return;
        }
        int64_t took = lu_serial_sent_at(line, used) - complete_at[count];
        if (took > r->slowest)
            r->slowest = took;
    }
    if (count < expected_count || used != n)
        snprintf(wrong, sizeof r->wrong[run], "%zu bytes for %u answers", n, expected_count);
    r->answers[run] = count;
}

static void watch(void *unused)
{
    if (lu_open_count("/dev/ttyUSB0") > r->most_open)
        r->most_open = (unsigned)lu_open_count("/dev/ttyUSB0");
    fb_at(fb_now() + FB_MS(10), watch, unused);
}

static void done(void *unused)
{
    (void)unused;
    unsigned run = fb_boot();
    r->finished[run] = 1;
    r->opened[run] = lu_serial_opened(line);
    if (run < TERM)
        compare(run);
    int64_t sent = fb_traced_at("sent", NULL, 0);
    const char *why = !lu_exited() ? "it does not end" : lu_exit_status() != 0 ? "its status is not 0"
                      : lu_exit_at() > sent + FB_MS(30) ? "it ends late" : NULL;
    if (why) {
        r->bad_ends++;
        snprintf(r->end, sizeof r->end, "%s (SIGTERM at %.3f ms of run %u)", why, (double)sent / 1e6, run);
    }
    if (run < LAST)
        fb_power_cycle("the next run");
    fb_stop("all runs are done");
}

void scenario(void)
{
    r = fb_kept("scenario", sizeof *r);
    unsigned run = fb_boot();
    line = lu_serial_line("/dev/ttyUSB0");
    plan(run);
    int64_t end = at + FB_MS(60);
    if (run >= BEFORE_WAITS)
        lu_signal_before_wait(run - BEFORE_WAITS + 1, SIGTERM);
    else if (run >= TERM)
        lu_signal_at(FB_MS(50) + FB_US(230) * (run - TERM), SIGTERM);
    else
        lu_signal_at(end, SIGTERM);
    fb_at(FB_MS(5), watch, NULL);
    fb_at(end + FB_MS(100), done, NULL);
    fb_end_at(end + FB_S(1));
}

#define AFTER(run, ...) do { if (r->finished[run]) FB_CHECK(__VA_ARGS__); } while (0)

void conclude(void)
{
    unsigned finished = 0;
    for (int i = 0; i <= LAST; i++)
        finished += (unsigned)r->finished[i];
    FB_CHECK("all_runs", finished == LAST + 1, "every run comes to its end", "%u of %d do", finished, LAST + 1);
    AFTER(WHOLE, "answers", !*r->wrong[WHOLE], "six answers", "%u right; %s", r->answers[WHOLE], r->wrong[WHOLE]);
    AFTER(PIECES, "pieces", !*r->wrong[PIECES], "five answers to frames in pieces, written in pieces", "%u right; %s", r->answers[PIECES],
          r->wrong[PIECES]);
    AFTER(BROKEN, "broken_frames", !*r->wrong[BROKEN], "nine answers as the frames are right or wrong", "%u right; %s", r->answers[BROKEN],
          r->wrong[BROKEN]);
    AFTER(UNPLUGGED, "unplugged", !*r->wrong[UNPLUGGED], "answers before and after each unplugging", "%u right; %s", r->answers[UNPLUGGED],
          r->wrong[UNPLUGGED]);
    AFTER(LATE, "missing_at_start", !*r->wrong[LATE], "an answer once the device is there", "%u right; %s", r->answers[LATE], r->wrong[LATE]);
    AFTER(LATE, "answers_at_once", r->slowest < FB_MS(3), "within 3 ms of the frame's end", "%.3f ms", (double)r->slowest / 1e6);
    AFTER(UNPLUGGED, "closes_what_is_gone", r->most_open == 1 && r->opened[UNPLUGGED] == 3, "opened three times, one descriptor at a time",
          "opened %u times, up to %u descriptors", r->opened[UNPLUGGED], r->most_open);
    AFTER(LAST, "ends_on_sigterm", !r->bad_ends, "status 0 within 30 ms, in each of the runs", "%u do not; %s", r->bad_ends, r->end);
}
