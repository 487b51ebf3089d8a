/* A peer that sends frames, noise and broken frames, and reads what the device sends. Boots: 0 no UART, 1 works. */
#include <string.h>

#include <zephyr/sys/crc.h>

#include "fb_application.h"
#include "fb_uart.h"
#include "fb_zephyr.h"
#include "power.h"
#include "sim.h"

FB_POWER_CYCLES;

int link_init(void);
int link_send(const uint8_t *payload, size_t length);
uint32_t link_errors(void);

#define MOST 80

static struct kept {
    int no_uart;
} *kept;

static struct {
    size_t length;
    uint8_t first, last;
    bool content;
    int64_t when;
} frames[MOST];
static unsigned frame_count;
static bool in_interrupt, slow;
static uint8_t line[8192]; /* what the device has sent */
static size_t line_length;

/* The payload number n: its first byte is n. */
static void make(uint8_t *payload, size_t length, uint8_t n)
{
    for (size_t i = 0; i < length; i++)
        payload[i] = i ? (uint8_t)(0xA5 + i * n) : n;
}

static size_t wrap(uint8_t *to, const uint8_t *payload, size_t length)
{
    to[0] = 0xA5;
    to[1] = (uint8_t)length;
    memcpy(to + 2, payload, length);
    uint16_t crc = crc16_itu_t(0, to + 1, length + 1);
    to[length + 2] = (uint8_t)(crc >> 8);
    to[length + 3] = (uint8_t)crc;
    return length + 4;
}

void frame_received(const uint8_t *payload, size_t length)
{
    uint8_t wanted[64];
    in_interrupt |= fb_in_isr();
    if (frame_count < MOST) {
        make(wanted, length <= 64 ? length : 0, payload[0]);
        frames[frame_count].length = length;
        frames[frame_count].first = payload[0];
        frames[frame_count].content = length <= 64 && !memcmp(payload, wanted, length);
        frames[frame_count].when = fb_now();
    }
    frame_count++;
    if (slow && !fb_in_isr()) {
        slow = false;
        k_msleep(40);
    }
}

static int64_t frame_in(int64_t when, uint8_t n, size_t length, int64_t pause)
{
    uint8_t payload[64], whole[68];
    make(payload, length, n);
    return fb_uart_receive(when, whole, wrap(whole, payload, length), pause);
}

static int64_t bytes_in(int64_t when, const char *bytes, size_t length)
{
    return fb_uart_receive(when, bytes, length, 0);
}

static bool received(unsigned from, unsigned count, uint8_t first)
{
    for (unsigned i = 0; i < count; i++)
        if (from + i >= frame_count || from + i >= MOST || frames[from + i].first != first + i ||
            !frames[from + i].content)
            return false;
    return true;
}

static struct {
    int init, zero, large, sent[3];
    bool first_right, after_noise, after_false, after_crc, burst, slow_bytes, after_gap, shortly_after_gap, sizes;
    uint32_t errors_first, errors_false, errors_crc, errors_slow, errors_gap;
    unsigned lost, interrupts_idle, taken, most;
    int64_t send_took;
    bool line_right, all_taken_sent, nothing_else_sent, idle_disabled, sent_again, threads_right;
    int threads[2];
    bool finished;
} saw;

static void use_reception(void)
{
    uint8_t n = 1;
    unsigned at = frame_count;
    int64_t last = frame_in(fb_now() + FB_MS(5), n, 20, 0);
    last = frame_in(last, n + 1, 1, 0);
    last = frame_in(last, n + 2, 64, 0);
    k_msleep(30);
    saw.first_right = received(at, 3, n) && frame_count == at + 3;
    saw.sizes = at + 2 < MOST && frames[at + 1].length == 1 && frames[at + 2].length == 64;
    saw.errors_first = link_errors();

    at = frame_count;
    last = bytes_in(fb_now(), "\x11\x22\x33", 3);
    frame_in(last, 10, 12, 0);
    k_msleep(20);
    saw.after_noise = received(at, 1, 10) && link_errors() == saw.errors_first;

    at = frame_count;
    last = bytes_in(fb_now(), "\xA5\0\xA5\x41\xA5\xFF", 6); /* three lengths that cannot be */
    frame_in(last, 11, 12, 0);
    k_msleep(20);
    saw.after_false = received(at, 1, 11);
    saw.errors_false = link_errors() - saw.errors_first;

    at = frame_count;
    uint32_t errors = link_errors();
    uint8_t payload[8], whole[12];
    make(payload, 8, 12);
    size_t length = wrap(whole, payload, 8);
    whole[5] ^= 0x10;
    last = fb_uart_receive(fb_now(), whole, length, 0);
    whole[5] ^= 0x10;
    whole[11] ^= 0x01;
    last = fb_uart_receive(last, whole, length, 0);
    frame_in(last, 13, 12, 0);
    k_msleep(20);
    saw.after_crc = received(at, 1, 13) && frame_count == at + 1;
    saw.errors_crc = link_errors() - errors;
}

static void use_load_and_gaps(void)
{
    unsigned at = frame_count;
    uint32_t errors = link_errors();
    slow = true;
    int64_t last = frame_in(fb_now() + FB_MS(1), 20, 30, 0);
    for (uint8_t i = 1; i < 7; i++)
        last = frame_in(last, 20 + i, 60, 0); /* 384 bytes within the 40 ms of the first */
    k_msleep(100);
    saw.burst = received(at, 7, 20);
    saw.lost = fb_uart_lost();

    at = frame_count;
    frame_in(fb_now(), 30, 3, FB_MS(38));
    k_msleep(400);
    saw.slow_bytes = received(at, 1, 30);
    saw.errors_slow = link_errors() - errors;

    at = frame_count;
    errors = link_errors();
    bytes_in(fb_now(), "\xA5\x05\x28\x01", 4);
    k_msleep(300);
    frame_in(fb_now(), 31, 5, 0);
    k_msleep(20);
    saw.after_gap = received(at, 1, 31) && frame_count == at + 1;
    saw.errors_gap = link_errors() - errors;
    at = frame_count;
    last = bytes_in(fb_now(), "\xA5\x05\x28\x01", 4);
    frame_in(last + FB_MS(60), 32, 5, 0); /* right after the time is over */
    k_msleep(100);
    saw.shortly_after_gap = received(at, 1, 32) && frame_count == at + 1;
}

static void heard(uint8_t byte)
{
    if (line_length < sizeof line)
        line[line_length++] = byte;
}

/* Whether the line from `at` on is the frames n, n + 1, ... of this length; returns how many bytes they are. */
static size_t on_line(size_t at, uint8_t n, unsigned count, size_t length)
{
    uint8_t payload[64], whole[68];
    for (unsigned i = 0; i < count; i++) {
        make(payload, length, (uint8_t)(n + i));
        size_t size = wrap(whole, payload, length);
        if (at + (i + 1) * size > line_length || memcmp(&line[at + i * size], whole, size))
            return 0;
    }
    return count * (length + 4);
}

static void use_sending(void)
{
    uint8_t payload[65];
    saw.zero = link_send(payload, 0);
    saw.large = link_send(payload, 65);
    for (uint8_t i = 0; i < 3; i++) {
        make(payload, 64, 40 + i);
        int64_t began = fb_now();
        saw.sent[i] = link_send(payload, 64);
        int64_t took = fb_now() - began;
        saw.send_took = took > saw.send_took ? took : saw.send_took;
    }
    k_msleep(40);
    size_t at = on_line(0, 40, 3, 64);
    saw.line_right = at > 0 && at == line_length;
    unsigned before = fb_uart_interrupts();
    saw.idle_disabled = !fb_uart_tx_interrupt_enabled();
    k_msleep(500);
    saw.interrupts_idle = fb_uart_interrupts() - before;

    at = line_length;
    for (saw.taken = 0; saw.taken < 40; saw.taken++) {
        make(payload, 64, (uint8_t)(60 + saw.taken));
        saw.most = saw.taken;
        if (link_send(payload, 64) != 0)
            break;
    }
    int refused = link_send(payload, 64);
    k_msleep(600);
    saw.all_taken_sent = on_line(at, 60, saw.taken, 64) > 0 && saw.taken > 0;
    saw.nothing_else_sent = line_length == at + saw.taken * 68u;
    saw.most = refused == -ENOMEM ? saw.taken : 0;
    at = line_length;
    make(payload, 10, 120);
    link_send(payload, 10);
    k_msleep(20);
    saw.sent_again = on_line(at, 120, 1, 10) == line_length - at && line_length > at;
}

static struct k_thread threads[2];
static K_THREAD_STACK_ARRAY_DEFINE(stacks, 2, 2048);
static struct k_sem done;

static void run(void *index, void *unused, void *unused2)
{
    uint8_t payload[16];
    (void)unused;
    (void)unused2;
    for (int i = 0; i < 20; i++) {
        make(payload, 16, (uint8_t)(128 + 32 * (intptr_t)index + i));
        int ret = link_send(payload, 16);
        if (ret)
            saw.threads[(intptr_t)index] = ret;
        k_usleep(index ? 2100 : 3000);
    }
    k_sem_give(&done);
}

static void send_at_once(void)
{
    size_t at = line_length;
    uint8_t next[2] = {128, 160};
    k_sem_init(&done, 0, 2);
    for (intptr_t i = 0; i < 2; i++)
        k_thread_create(&threads[i], stacks[i], K_THREAD_STACK_SIZEOF(stacks[i]), run, (void *)i, NULL, NULL, i ? 8 : 9,
                        0, K_NO_WAIT);
    k_sem_take(&done, K_FOREVER);
    k_sem_take(&done, K_FOREVER);
    k_msleep(100);
    saw.threads_right = line_length == at + 40 * 20;
    for (; at + 20 <= line_length && saw.threads_right; at += 20) {
        uint8_t who = line[at + 2] >= 160;
        saw.threads_right = on_line(at, next[who]++, 1, 16) == 20;
    }
}

static void application(void)
{
    saw.init = link_init();
    if (fb_boot() == 0) {
        kept->no_uart = saw.init;
        fb_power_cycle("next boot");
    }
    use_reception();
    use_load_and_gaps();
    use_sending();
    send_at_once();
    saw.finished = true;
    fb_stop("the application has seen enough");
}

void scenario(void)
{
    fb_application(application);
    kept = fb_kept("scenario", sizeof *kept);
    fb_uart_on_sent(heard);
    if (fb_boot() == 0)
        fb_device_broken(FB_UART);
    fb_end_at(FB_S(20));
}

void conclude(void)
{
    FB_CHECK("uart_not_ready", kept->no_uart == -ENODEV, "-ENODEV", "%d", kept->no_uart);
    FB_CHECK("frames_given", saw.init == 0 && saw.first_right && saw.sizes, "three frames of 20, 1 and 64 bytes",
             "init %d, %u frames", saw.init, frame_count);
    FB_CHECK("no_error_in_good_frames", saw.first_right && saw.errors_first == 0, "0", "%u", saw.errors_first);
    FB_CHECK("noise_skipped", saw.after_noise, "the frame after noise, no error", "%d", saw.after_noise);
    FB_CHECK("false_lengths", saw.after_false && saw.errors_false == 3, "the frame after them, 3 errors",
             "%d, %u errors", saw.after_false, saw.errors_false);
    FB_CHECK("wrong_checksums", saw.after_crc && saw.errors_crc == 2, "the frame after them alone, 2 errors",
             "%d, %u errors", saw.after_crc, saw.errors_crc);
    FB_CHECK("given_in_a_thread", frame_count > 0 && !in_interrupt, "frame_received in a thread", "%d", in_interrupt);
    FB_CHECK("received_while_busy", saw.burst && saw.lost == 0, "six frames during 40 ms of frame_received",
             "%d, %u bytes lost", saw.burst, saw.lost);
    FB_CHECK("short_pauses_accepted", saw.slow_bytes && saw.errors_slow == 0, "a frame with pauses of 38 ms",
             "%d, %u errors", saw.slow_bytes, saw.errors_slow);
    FB_CHECK("broken_off_frame_dropped", saw.after_gap && saw.errors_gap == 1, "the frame after a pause, 1 error",
             "%d, %u errors", saw.after_gap, saw.errors_gap);
    FB_CHECK("dropped_in_time", saw.shortly_after_gap, "a frame 60 ms after a broken off one", "%d",
             saw.shortly_after_gap);
    FB_CHECK("lengths_checked", saw.zero == -EINVAL && saw.large == -EINVAL, "-EINVAL for 0 and 65", "%d and %d",
             saw.zero, saw.large);
    FB_CHECK("frames_sent", saw.sent[0] == 0 && saw.sent[1] == 0 && saw.sent[2] == 0 && saw.line_right,
             "three frames on the line, nothing else", "%d, %d, %d, line %s", saw.sent[0], saw.sent[1], saw.sent[2],
             saw.line_right ? "right" : "wrong");
    FB_CHECK("send_does_not_wait", saw.line_right && saw.send_took < FB_MS(2), "less than 2 ms for 68 bytes", "%.2f ms",
             (double)saw.send_took / 1e6);
    FB_CHECK("transmit_interrupt_off", saw.line_right && saw.idle_disabled && saw.interrupts_idle == 0,
             "off, no interrupt for 0.5 s", "%s, %u", saw.idle_disabled ? "off" : "on", saw.interrupts_idle);
    FB_CHECK("full_queue_refuses", saw.most >= 3 && saw.most <= 31, "-ENOMEM after 256 to 2048 bytes",
             "%u frames taken", saw.taken);
    FB_CHECK("taken_frames_are_sent", saw.all_taken_sent && saw.nothing_else_sent,
             "each frame that was taken, nothing of the others", "%s, %s", saw.all_taken_sent ? "all" : "not all",
             saw.nothing_else_sent ? "nothing else" : "something else");
    FB_CHECK("sends_after_full_queue", saw.sent_again, "a further frame", "%d", saw.sent_again);
    FB_CHECK("frames_do_not_mix", saw.finished && saw.threads_right && !saw.threads[0] && !saw.threads[1],
             "40 whole frames of two threads", "%s, results %d and %d", saw.threads_right ? "whole" : "not whole",
             saw.threads[0], saw.threads[1]);
}
