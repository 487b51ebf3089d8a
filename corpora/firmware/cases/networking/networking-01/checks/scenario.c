/* The server: it confirms in pieces, takes frames in pieces, closes, resets, lies, stalls and refuses, as planned by
 * the number of the connection and of the frame on it. */
#include <errno.h>
#include <string.h>

#include "fb_net.h"
#include "fb_zephyr.h"
#include "sim.h"

struct reading {
    uint32_t number;
    int16_t temperature;
    uint16_t humidity;
};

#define MOST 64

enum act {
    CONFIRM,
    IN_PIECES,
    CLOSE,
    RESET,
    WRONG_BYTE,
    WRONG_NUMBER,
    NOTHING,
    DRIP,
    CONFIRM_THEN_CLOSE,
};

/* What happens to each frame that arrives, in this order; then all are confirmed. A refused connection is in between.
 */
static const enum act acts[] = {
    CONFIRM, IN_PIECES,    CONFIRM, CLOSE,   CONFIRM, RESET, CONFIRM, WRONG_BYTE,
    CONFIRM, WRONG_NUMBER, CONFIRM, NOTHING, CONFIRM, DRIP,  CONFIRM, CONFIRM_THEN_CLOSE,
    CONFIRM, CONFIRM,
};
/* After this time a confirmed reading is followed by a reset, which is noticed when the next one is sent, and by a
 * minute of refused connections. */
#define REFUSED_AFTER FB_S(68)
#define REFUSED_FOR FB_S(60)

static struct {
    int64_t when;
    uint32_t number;
    unsigned stream;
} frames[MOST];
static unsigned frame_count, connects, accepted, bad_frames, bad_values, skipped, early_takes;
static int64_t connect_times[MOST];
static uint8_t partial[16];
static size_t partial_length;
static unsigned partial_stream;
static uint32_t last_confirmed, taken_count;
static int64_t taken_at[MOST], confirmed_at[MOST];
static int64_t refused_from = FB_FOREVER;

void reading_take(struct reading *reading)
{
    early_takes += taken_count > last_confirmed;
    if (taken_count < MOST)
        taken_at[taken_count] = fb_now();
    taken_count++;
    *reading = (struct reading){taken_count, (int16_t)(-300 * (int)taken_count), (uint16_t)(taken_count * 1001)};
    k_msleep(3);
}

static void confirm(fb_stream *stream, uint32_t number, int64_t after)
{
    uint8_t answer[5] = {6, (uint8_t)(number >> 24), (uint8_t)(number >> 16), (uint8_t)(number >> 8), (uint8_t)number};
    fb_stream_send(stream, after, answer, 5);
    last_confirmed = number;
    if (number < MOST)
        confirmed_at[number] = fb_now() + after + FB_NET_DELAY;
}

static void act_on(fb_stream *stream, uint32_t number)
{
    enum act act = frame_count <= sizeof acts / sizeof *acts ? acts[frame_count - 1] : CONFIRM;
    uint8_t wrong[5] = {6, 0, 0, 0, (uint8_t)number};
    switch (act) {
    case CONFIRM:
        confirm(stream, number, FB_MS(20));
        if (fb_now() > REFUSED_AFTER && refused_from == FB_FOREVER) {
            refused_from = fb_now() + FB_S(1);
            fb_stream_reset(stream, FB_S(1));
        }
        break;
    case IN_PIECES:
        for (int i = 0; i < 5; i++)
            fb_stream_send(stream, FB_MS(100 * i), &wrong[i], 1);
        last_confirmed = number;
        confirmed_at[number] = fb_now() + FB_MS(400) + FB_NET_DELAY;
        break;
    case CLOSE:
        fb_stream_close(stream, 0);
        break;
    case RESET:
        fb_stream_reset(stream, 0);
        break;
    case WRONG_BYTE:
        wrong[0] = 0x15;
        fb_stream_send(stream, 0, wrong, 5);
        break;
    case WRONG_NUMBER:
        wrong[4] = (uint8_t)(number - 1);
        fb_stream_send(stream, 0, wrong, 5);
        break;
    case NOTHING:
        break;
    case DRIP: /* a byte each 1.4 s: never silent, never complete within 3 s */
        for (int i = 0; i < 5; i++)
            fb_stream_send(stream, FB_MS(1400 * (i + 1)), &wrong[i], 1);
        break;
    case CONFIRM_THEN_CLOSE:
        confirm(stream, number, FB_MS(20));
        fb_stream_close(stream, FB_MS(500));
        break;
    }
}

static void frame(fb_stream *stream)
{
    static const uint8_t length[2] = {0, 8};
    uint32_t number = (uint32_t)partial[2] << 24 | (uint32_t)partial[3] << 16 | (uint32_t)partial[4] << 8 | partial[5];
    int16_t temperature = (int16_t)(partial[6] << 8 | partial[7]);
    uint16_t humidity = (uint16_t)(partial[8] << 8 | partial[9]);
    if (memcmp(partial, length, 2)) {
        bad_frames++;
        return;
    }
    bad_values += temperature != (int16_t)(-300 * (int)number) || humidity != (uint16_t)(number * 1001);
    skipped += number != last_confirmed + 1;
    if (frame_count < MOST) {
        frames[frame_count].when = fb_now();
        frames[frame_count].number = number;
        frames[frame_count].stream = fb_stream_number(stream);
    }
    frame_count++;
    act_on(stream, number);
}

static void receive(fb_stream *stream, const uint8_t *data, size_t length)
{
    if (fb_stream_number(stream) != partial_stream)
        partial_length = 0;
    partial_stream = fb_stream_number(stream);
    for (size_t i = 0; i < length; i++) {
        partial[partial_length++] = data[i];
        if (partial_length == 10) {
            frame(stream);
            partial_length = 0;
        }
    }
}

static int accept(fb_stream *stream)
{
    bool refuse = fb_now() >= refused_from && fb_now() - refused_from < REFUSED_FOR;
    if (connects < MOST)
        connect_times[connects] = fb_now();
    connects++;
    accepted += !refuse;
    fb_stream_take(stream, fb_stream_number(stream) % 2 ? 3 : 0); /* every second connection takes three bytes a call */
    return refuse ? ECONNREFUSED : 0;
}

static fb_server server = {.address = FB_IP(192, 0, 2, 10), .port = 7000, .connect = accept, .receive = receive};

void scenario(void)
{
    fb_net_serve(&server);
    fb_end_at(FB_S(160));
}

static int64_t again(size_t index)
{
    return index + 1 < frame_count ? frames[index + 1].when - frames[index].when : -1;
}

static bool repeated(size_t index, int64_t least, int64_t most)
{
    return index + 1 < frame_count && frames[index + 1].number == frames[index].number &&
           frames[index + 1].stream != frames[index].stream && again(index) >= least && again(index) <= most;
}

#define REPEATED(name, index, least, most, expected) \
    FB_CHECK(name, repeated(index, least, most), expected, "number %u, then %u after %.2f s, %s", \
             frames[index].number, frames[(index) + 1].number, (double)again(index) / 1e9, \
             frames[index].stream == frames[(index) + 1].stream ? "on the same connection" : "on a new connection")

void conclude(void)
{
    FB_CHECK("frames_whole", frame_count > 0 && bad_frames == 0, "a length of 8 in front of each", "%u frames, %u bad",
             frame_count, bad_frames);
    FB_CHECK("values_in_network_order", frame_count > 0 && bad_values == 0, "the values of the reading", "%u wrong",
             bad_values);
    FB_CHECK("in_order_none_skipped", frame_count > 20 && skipped == 0,
             "each frame is the one after the last confirmed", "%u of %u not", skipped, frame_count);
    FB_CHECK("taken_after_confirmation", taken_count > 10 && early_takes == 0, "none while one is unconfirmed", "%u",
             early_takes);
    FB_CHECK("taken_each_2_s",
             taken_count > 3 && taken_at[1] - taken_at[0] >= FB_MS(1990) && taken_at[1] - taken_at[0] <= FB_MS(2050) &&
                 taken_at[2] - taken_at[1] >= FB_MS(1990) && taken_at[2] - taken_at[1] <= FB_MS(2050),
             "2 s apart", "%.3f and %.3f s", (double)(taken_at[1] - taken_at[0]) / 1e9,
             (double)(taken_at[2] - taken_at[1]) / 1e9);
    FB_CHECK("connection_kept",
             frame_count > 3 && frames[0].stream == frames[1].stream && frames[1].stream == frames[2].stream,
             "the first three on one connection", "%u, %u, %u", frames[0].stream, frames[1].stream, frames[2].stream);
    FB_CHECK("confirmation_in_pieces", frame_count > 2 && frames[2].number == 3 && again(1) < FB_MS(2100),
             "a confirmation byte by byte counts", "number %u after it", frames[2].number);
    REPEATED("after_close", 3, FB_MS(900), FB_MS(1400), "again after 1 s on a new connection");
    unsigned slow = 0;
    for (size_t i = 0; i < frame_count && i < MOST; i++)
        slow += frames[i].stream % 2;
    FB_CHECK("partly_taken_frame_completed", slow > 2 && bad_frames == 0,
             "whole frames on connections that take three bytes a call", "%u", slow);
    REPEATED("after_reset", 5, FB_MS(900), FB_MS(1400), "again after 1 s: the wait begins anew after a confirmed one");
    REPEATED("after_wrong_byte", 7, FB_MS(900), FB_MS(1400), "again after 1 s");
    REPEATED("after_wrong_number", 9, FB_MS(900), FB_MS(1400), "again after 1 s");
    REPEATED("after_silence", 11, FB_MS(3900), FB_MS(4900), "again after 3 s and 1 s");
    REPEATED("after_dripping", 13, FB_MS(3900), FB_MS(4900), "again after 3 s and 1 s, although bytes came");
    FB_CHECK("late_reading_at_once",
             frame_count > 14 && frames[13].number == frames[14].number && frames[14].number < taken_count &&
                 taken_at[frames[14].number] - confirmed_at[frames[14].number] <= FB_MS(60),
             "the next at once after more than 2 s", "%.3f s after the confirmation",
             (double)(taken_at[frames[14].number] - confirmed_at[frames[14].number]) / 1e9);
    size_t first = 0;
    while (first < connects && first < MOST && connect_times[first] < refused_from)
        first++;
    static const int64_t waits[] = {1, 2, 4, 8, 16, 16};
    int right = 0;
    double last = 0;
    for (size_t i = 0; i < 6 && first + i + 1 < connects && first + i + 1 < MOST; i++) {
        int64_t gap = connect_times[first + i + 1] - connect_times[first + i];
        int64_t due = FB_S(waits[i + 1 < 6 ? i + 1 : 5]);
        last = (double)gap / 1e9;
        if (gap < due - FB_MS(210) || gap > due + FB_MS(330))
            break;
        right++;
    }
    FB_CHECK("waits_double", right >= 5, "2, 4, 8, 16 and 16 s between refused connections", "%d right, then %.2f s",
             right, last);
    FB_CHECK("wait_starts_anew",
             repeated(3, FB_MS(900), FB_MS(1400)) && repeated(5, FB_MS(900), FB_MS(1400)) &&
                 repeated(7, FB_MS(900), FB_MS(1400)),
             "1 s after each confirmed reading", "%.2f, %.2f, %.2f s", (double)again(3) / 1e9, (double)again(5) / 1e9,
             (double)again(7) / 1e9);
    FB_CHECK("goes_on_after_refusals",
             frame_count > 0 && frame_count < MOST && frames[frame_count - 1].when > FB_S(150), "readings to the end",
             "the last at %.1f s", frame_count ? (double)frames[frame_count - 1].when / 1e9 : 0.0);
    FB_CHECK("one_socket", accepted > 5 && fb_sockets_most_open() == 1, "one socket at a time", "%d at most",
             fb_sockets_most_open());
}
