#include "fb_zephyr.h"

#define LINE 21
#define MOST 8000
#define MOST_FRAMES 800

void rx_init(void);
uint32_t rx_overruns(void);
uint8_t rx_register(void);
void frame_received(const uint8_t *payload, size_t length);

static uint8_t stream[MOST];
static int64_t due[MOST];
static size_t stream_length, sent, lost;
static bool waits;
static uint8_t current;
static int64_t last_due = FB_MS(5);

static struct {
    int64_t when;
    unsigned hash;
    size_t length;
} got[MOST_FRAMES], wanted[MOST_FRAMES];
static size_t got_count, wanted_count, outside;
static int64_t wanted_at[MOST_FRAMES];
static int priority_seen = 99;

static unsigned hash_of(const uint8_t *bytes, size_t length)
{
    unsigned hash = 17;
    for (size_t i = 0; i < length; i++)
        hash = hash * 131 + bytes[i];
    return hash;
}

uint8_t rx_register(void)
{
    waits = false;
    return current;
}

void frame_received(const uint8_t *payload, size_t length)
{
    if (!fb_may_block("frame_received") || got_count == MOST_FRAMES)
        return;
    outside += length == 0 || length > 32;
    got[got_count].when = fb_now();
    got[got_count].hash = hash_of(payload, length <= 32 ? length : 0);
    got[got_count++].length = length;
    priority_seen = k_thread_priority_get(k_current_get());
    fb_wait(NULL, fb_now() + (length % 5 == 0 ? FB_MS(4) : FB_US(200)));
}

static void byte_comes(void *arg)
{
    ARG_UNUSED(arg);
    if (waits)
        lost++;
    current = stream[sent++];
    waits = true;
    fb_irq_raise(LINE);
    if (sent < stream_length)
        fb_at(due[sent], byte_comes, NULL);
}

static void put(uint8_t byte, int64_t gap)
{
    last_due += gap;
    due[stream_length] = last_due;
    stream[stream_length++] = byte;
}

static void pause_for(int64_t ns)
{
    last_due += ns;
}

/* Frames with `wrong` are spoilt in their checksum. */
static void frame(size_t length, uint8_t seed, int64_t gap, bool wrong, bool is_wanted)
{
    uint8_t payload[32], checksum = (uint8_t)length;
    put(0x7e, gap);
    put((uint8_t)length, gap);
    for (size_t i = 0; i < length; i++) {
        payload[i] = (uint8_t)(i % 7 == 3 ? 0x7e : seed + i * 29);
        checksum ^= payload[i];
        put(payload[i], gap);
    }
    put(checksum ^ wrong, gap);
    if (!wrong && is_wanted) {
        wanted[wanted_count].hash = hash_of(payload, length);
        wanted[wanted_count].length = length;
        wanted_at[wanted_count++] = last_due;
    }
}

static size_t single, garbage, burst, full, after; /* how many frames are wanted up to the end of each part */
static int64_t blocked_from, blocked_to, flooded_from, flooded_to;

/* A more urgent thread that keeps the processor. */
static void hog(void *p1, void *p2, void *p3)
{
    ARG_UNUSED(p1);
    ARG_UNUSED(p2);
    ARG_UNUSED(p3);
    fb_wait(NULL, blocked_from);
    fb_spend(blocked_to - blocked_from);
    fb_wait(NULL, flooded_from);
    fb_spend(flooded_to - flooded_from);
}
K_THREAD_DEFINE(hog_thread, 1024, hog, NULL, NULL, NULL, 3, 0, 0);

static uint32_t overruns_before, overruns_after;
static void look(void *arg)
{
    *(uint32_t *)arg = rx_overruns();
}
static void look_isr(void *arg)
{
    fb_irq("look", FB_IRQ_DEVICE, look, arg);
}

int candidate_main(void)
{
    rx_init();
    return 0;
}

void scenario(void)
{
    for (size_t i = 0; i < 5; i++) {
        frame(1 + i * 7, (uint8_t)(3 * i), FB_US(87), false, true);
        pause_for(FB_MS(8));
    }
    single = wanted_count;
    put(0x11, FB_US(87));
    put(0x00, FB_US(87));
    frame(9, 40, FB_US(87), true, true); /* the checksum is wrong */
    frame(3, 50, FB_US(87), false, true);
    put(0x7e, FB_US(87)); /* a length of 0, of 33, of 0x7e */
    put(0, FB_US(87));
    put(0x7e, FB_US(87));
    put(33, FB_US(87));
    frame(4, 60, FB_US(87), false, true);
    put(0x7e, FB_US(87));
    put(0x7e, FB_US(87));
    frame(31, 61, FB_US(87), false, true);
    garbage = wanted_count;
    /* 256 bytes, at the least distance, while the thread cannot run. */
    pause_for(FB_MS(30));
    blocked_from = last_due;
    for (size_t i = 0; i < 32; i++)
        frame(5, (uint8_t)(70 + i), FB_US(10), false, true);
    blocked_to = last_due + FB_MS(2);
    pause_for(FB_MS(400));
    burst = wanted_count;
    /* More than any buffer holds, all noise, and then frames again. */
    fb_at(last_due, look_isr, &overruns_before);
    flooded_from = last_due;
    for (size_t i = 0; i < 1400; i++)
        put(0x55, FB_US(10));
    flooded_to = last_due + FB_MS(2);
    pause_for(FB_MS(100));
    fb_at(last_due - FB_MS(1), look_isr, &overruns_after);
    full = wanted_count;
    /* Bytes that come while the thread takes others out, at every distance. */
    for (size_t i = 0; i < 500; i++) {
        frame(1 + i % 4, (uint8_t)i, 10010 + (int64_t)i * 17, false, true);
        pause_for(FB_US(140));
    }
    after = wanted_count;
    fb_at(due[0], byte_comes, NULL);
    fb_end_at(last_due + FB_S(1));
}

static size_t right(size_t from, size_t to)
{
    size_t count = 0;
    for (size_t i = from; i < to && i < got_count; i++)
        count += got[i].hash == wanted[i].hash && got[i].length == wanted[i].length;
    return count;
}

void conclude(void)
{
    FB_CHECK("receives_single_frames", right(0, single) == single, "5 frames", "%zu right", right(0, single));
    int64_t latest = 0;
    for (size_t i = 0; i < single && i < got_count; i++)
        latest = MAX(latest, got[i].when - wanted_at[i]);
    FB_CHECK("frame_passed_on_at_once", got_count >= single && latest < FB_MS(1),
             "a frame within 1 ms of its last byte", "%.3f ms", latest / 1e6);
    FB_CHECK("skips_what_is_wrong", right(single, garbage) == garbage - single, "3 frames between wrong ones",
             "%zu right", right(single, garbage));
    FB_CHECK("buffers_256_bytes", right(garbage, burst) == burst - garbage, "32 frames", "%zu right",
             right(garbage, burst));
    uint32_t dropped = overruns_after - overruns_before;
    FB_CHECK("counts_what_is_dropped", overruns_before == 0 && dropped >= 1400 - 1024 - 1 && dropped <= 1400 - 256,
             "nothing before, then 375 to 1144 bytes of 1400", "%u before, %u dropped", overruns_before, dropped);
    FB_CHECK("receives_after_an_overrun", right(full, after) == after - full, "500 frames", "%zu right",
             right(full, after));
    FB_CHECK("no_frame_too_many", got_count == wanted_count && outside == 0, "each frame once", "%zu of %zu", got_count,
             wanted_count);
    FB_CHECK("no_byte_lost_in_hardware", sent == stream_length && lost == 0 && !waits,
             "every byte fetched before the next came", "%zu lost of %zu", lost, sent);
    FB_CHECK("delivers_in_priority_7", priority_seen == 7, "a thread of priority 7", "%d", priority_seen);
}
