/* Each boot is one experiment with a freshly loaded module; the last boots fail its acquisitions, one each. */
#include "linux_kernel.h"

#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>

FB_POWER_CYCLES;

enum { SIZE = 64, COUNT = 0x80046601u, CLEAR = 0x6602u, NODE_RW = O_RDWR, FIRST_FAILURE = 7 };
enum { WRITERS = 3, RECORDS = 40, RECORD = 10 };

static struct results {
    int done; /* experiments that came to their end */
    bool finished;
    int load, unload, held_after, node_gone, node;
    long wrote, read_back, order, short_read, short_write, empty, full, zero;
    long fault_read, fault_write, kernel_write, partial_read, after_faults;
    int count_result, count, cleared, cleared_count, bad_ioctl, bad_count;
    unsigned poll_empty, poll_some, poll_full;
    int reader_waits, writer_waits, reader_got, writer_done, clear_woke, poll_waits;
    unsigned poll_woke;
    int64_t woke_after;
    long signalled_read, signalled_write, after_signal;
    int got[2];
    struct polled {
        unsigned events, found;
        bool slept;
        int64_t woke_at;
    } polled[2];
    int stress_reads, stress_wrong, stress_total;
    int busy, busy_then;
    unsigned failures, failed_loads, leaking, wrong_error;
    char leak[120], error[120];
} *r;
static lk_task *task[4];

static int opened(int flags)
{
    return lk_open("/dev/fifo0", flags);
}

/* ---- 0: one process ---- */
static void basics(void)
{
    char data[2 * SIZE], back[2 * SIZE];
    for (int i = 0; i < 2 * SIZE; i++)
        data[i] = (char)(i * 7 + 1);
    r->node = lk_exists("/dev/fifo0");
    int fd = opened(O_RDWR | O_NONBLOCK);
    r->poll_empty = lk_poll(fd, POLLIN | POLLOUT, 0);
    r->empty = lk_read(fd, back, 5);
    r->zero = lk_read(fd, back, 0);
    r->wrote = lk_write(fd, data, 50);
    r->poll_some = lk_poll(fd, POLLIN | POLLOUT, 0);
    r->read_back = lk_read(fd, back, 30);
    r->order = memcmp(data, back, 30) == 0;
    r->short_write = lk_write(fd, data + 50, 60); /* 44 fit, around the end of the buffer */
    r->full = lk_write(fd, data, 1);
    r->poll_full = lk_poll(fd, POLLIN | POLLOUT, 0);
    r->count_result = (int)lk_ioctl_with(fd, COUNT, &r->count, sizeof r->count);
    r->short_read = lk_read(fd, back, 2 * SIZE);
    r->order &= r->short_read == SIZE && memcmp(data + 30, back, SIZE) == 0;

    lk_write(fd, data, 40);
    r->fault_read = lk_read_raw(fd, lk_no_user(), 8);
    char *half = lk_user(4); /* what follows belongs to nobody */
    r->partial_read = lk_read_raw(fd, half, 8);
    r->fault_write = lk_write_raw(fd, lk_no_user(), 8);
    r->kernel_write = lk_read_raw(fd, lk_kernel_pointer(), 8);
    memset(back, 0, sizeof back);
    r->after_faults = lk_read(fd, back, sizeof back);
    r->order &= memcmp(data, back, 40) == 0;

    lk_write(fd, data, SIZE);
    r->bad_ioctl = (int)lk_ioctl(fd, 0x6603u, 0);
    r->bad_count = (int)lk_ioctl(fd, COUNT, (unsigned long)lk_no_user());
    r->cleared = (int)lk_ioctl(fd, CLEAR, 0);
    r->cleared_count = -1;
    lk_ioctl_with(fd, COUNT, &r->cleared_count, sizeof r->cleared_count);
    lk_close(fd);
    r->unload = lk_unload();
    r->held_after = (int)lk_held();
    r->node_gone = !lk_exists("/dev/fifo0");
}

/* ---- 1: waiting ---- */
static void reads_three(void *unused)
{
    char back[8];
    int fd = opened(O_RDWR);
    (void)unused;
    r->reader_got = (int)lk_read(fd, back, 3);
    r->woke_after = fb_now();
}
static void fills(void *unused)
{
    char data[SIZE] = {1};
    int fd = opened(O_RDWR);
    (void)unused;
    lk_write(fd, data, SIZE);
    r->writer_done = (int)lk_write(fd, data, 5) * 10;
    r->writer_done += (int)lk_write(fd, data, 5) == 5;
}
static void polls(void *unused)
{
    int fd = opened(O_RDWR);
    (void)unused;
    r->poll_woke = lk_poll(fd, POLLIN, -1);
}
static void waiting(void)
{
    char data[8] = "abcdefg";
    int fd = opened(O_RDWR);
    task[0] = lk_process("reader", reads_three, NULL);
    task[2] = lk_process("poller", polls, NULL);
    lk_pause_ms(20);
    r->reader_waits = lk_sleeps(task[0]) && !lk_ended(task[0]);
    r->poll_waits = lk_sleeps(task[2]) && !lk_ended(task[2]);
    int64_t wrote_at = fb_now();
    lk_write(fd, data, 4);
    lk_pause_ms(20);
    r->woke_after -= wrote_at;
    lk_ioctl(fd, CLEAR, 0);
    task[1] = lk_process("writer", fills, NULL);
    lk_pause_ms(20);
    r->writer_waits = lk_sleeps(task[1]) && !lk_ended(task[1]);
    lk_read(fd, data, 5); /* room for the first of the two */
    lk_pause_ms(20);
    lk_ioctl(fd, CLEAR, 0); /* and for the second */
    lk_pause_ms(20);
    r->clear_woke = lk_ended(task[1]);
}

/* ---- 2: signals ---- */
static void reads_one(void *unused)
{
    char byte;
    (void)unused;
    r->signalled_read = lk_read(opened(O_RDWR), &byte, 1);
}
static void overfills(void *unused)
{
    char data[SIZE] = {1};
    int fd = opened(O_RDWR);
    (void)unused;
    lk_write(fd, data, SIZE);
    r->signalled_write = lk_write(fd, data, 1);
}
static void signals(void)
{
    char data[SIZE];
    int fd = opened(O_RDWR | O_NONBLOCK);
    task[0] = lk_process("reader", reads_one, NULL);
    lk_pause_ms(10);
    lk_signal(task[0]);
    lk_pause_ms(10);
    task[1] = lk_process("writer", overfills, NULL);
    lk_pause_ms(10);
    lk_signal(task[1]);
    lk_pause_ms(10);
    r->after_signal = lk_read(fd, data, SIZE);
}

/* ---- 3: several at once; a record is RECORD equal bytes, and who writes it goes on where a short write ended ---- */
static void writes_records(void *arg)
{
    int fd = opened(O_RDWR);
    char data[RECORD];
    memset(data, *(const char *)arg, RECORD);
    for (int i = 0; i < RECORDS; i++)
        for (int done = 0; done < RECORD;) {
            long n = lk_write(fd, data + done, (size_t)(RECORD - done));
            if (n <= 0) {
                r->stress_wrong++;
                return;
            }
            done += (int)n;
        }
}
static void stress(void)
{
    static char letters[] = "abc";
    int seen[256] = {0};
    int fd = opened(O_RDWR);
    for (int i = 0; i < WRITERS; i++)
        lk_process("writer", writes_records, &letters[i]);
    for (int total = 0; total < WRITERS * RECORDS * RECORD;) {
        char data[23];
        if (!(lk_poll(fd, POLLIN, 1000) & POLLIN))
            break;
        long n = lk_read(fd, data, sizeof data);
        if (n <= 0)
            break;
        for (long i = 0; i < n; i++)
            seen[(unsigned char)data[i]]++;
        total += (int)n;
        r->stress_total = total;
        r->stress_reads++;
    }
    for (int i = 0; i < 256; i++)
        r->stress_wrong += seen[i] != (i >= 'a' && i < 'a' + WRITERS ? RECORDS * RECORD : 0);
}

/* ---- 5: two readers, one byte ---- */
static void reads_into(void *arg)
{
    char data[4];
    *(int *)arg = (int)lk_read(opened(O_RDWR), data, sizeof data);
}
static void two_readers(void)
{
    int fd = opened(O_RDWR);
    r->got[0] = r->got[1] = -1;
    lk_process("first", reads_into, &r->got[0]);
    lk_process("second", reads_into, &r->got[1]);
    lk_pause_ms(10);
    lk_write(fd, "x", 1);
    lk_pause_ms(10);
    lk_write(fd, "y", 1);
    lk_pause_ms(10);
}

/* ---- 6: poll, with nobody else who could wake it ---- */
static void polls_for(void *arg)
{
    struct polled *p = arg;
    int fd = opened(O_RDWR);
    p->found = lk_poll(fd, p->events, -1);
    p->woke_at = fb_now();
}
static void polling(void)
{
    char data[SIZE] = {0};
    int fd = opened(O_RDWR);
    for (int i = 0; i < 2; i++) {
        struct polled *p = &r->polled[i];
        p->events = i ? POLLOUT : POLLIN;
        task[0] = lk_process("poller", polls_for, p);
        lk_pause_ms(10);
        p->slept = lk_sleeps(task[0]) && !lk_ended(task[0]);
        int64_t from = fb_now();
        if (i)
            lk_read(fd, data, 10);
        else
            lk_write(fd, data, SIZE);
        lk_pause_ms(10);
        p->woke_at = lk_ended(task[0]) ? p->woke_at - from : FB_FOREVER;
    }
}

/* ---- 4: unloading while the device is open ---- */
static void busy(void)
{
    int fd = opened(O_RDWR);
    r->busy = lk_unload();
    if (r->busy == 0)
        return;
    lk_close(fd);
    r->busy_then = lk_unload();
}

/* ---- from FIRST_FAILURE on: the nth acquisition fails ---- */
static bool fails(unsigned nth)
{
    lk_fail(nth);
    int error = lk_load();
    if (!*lk_failed())
        return false;
    r->failures++;
    r->failed_loads += error < 0;
    if (error != (strstr(lk_failed(), "device numbers") ? -EBUSY : -ENOMEM)) {
        r->wrong_error++;
        snprintf(r->error, sizeof r->error, "%d when %s failed", error, lk_failed());
    }
    if (lk_held()) {
        r->leaking++;
        snprintf(r->leak, sizeof r->leak, "%s was left when %s failed", lk_held_first(), lk_failed());
    }
    return true;
}

void userspace(void)
{
    static void (*const EXPERIMENTS[])(void) = {basics, waiting, signals, stress, busy, two_readers, polling};
    unsigned boot = fb_boot();
    if (boot < FIRST_FAILURE) {
        int error = lk_load();
        if (boot == 0)
            r->load = error;
        if (error)
            fb_stop("the module does not load");
        EXPERIMENTS[boot]();
    } else if (!fails(boot - FIRST_FAILURE + 1) || boot > 40) {
        r->finished = true;
        fb_stop("every acquisition has failed once");
    }
    r->done++;
    fb_power_cycle("the next experiment");
}

void scenario(void)
{
    r = fb_kept("scenario", sizeof *r);
    fb_end_at(FB_S(20));
}

#define AFTER(experiment, ...) do { if (r->done > (experiment)) FB_CHECK(__VA_ARGS__); } while (0)

void conclude(void)
{
    FB_CHECK("loads", r->load == 0, "the init function returns 0", "%d", r->load);
    FB_CHECK("comes_to_its_end", r->finished, "no operation hangs", "%d experiments came to their end", r->done);
    AFTER(0, "makes_the_node", r->node, "/dev/fifo0 is there", "it is %s", r->node ? "there" : "not there");
    AFTER(0, "keeps_order", r->wrote == 50 && r->read_back == 30 && r->order, "the bytes come back in order, also around the end",
          "wrote %ld, read %ld, order %s", r->wrote, r->read_back, r->order ? "kept" : "not kept");
    AFTER(0, "short_counts", r->short_write == 44 && r->short_read == SIZE, "44 of 60 bytes stored, 64 of 128 read",
          "%ld and %ld", r->short_write, r->short_read);
    AFTER(0, "nonblocking", r->empty == -EAGAIN && r->full == -EAGAIN, "-EAGAIN when empty and when full", "%ld and %ld",
          r->empty, r->full);
    AFTER(0, "zero_bytes", r->zero == 0, "a read of 0 bytes returns 0", "%ld", r->zero);
    AFTER(0, "bad_pointers",
          r->fault_read == -EFAULT && r->fault_write == -EFAULT && r->kernel_write == -EFAULT && r->partial_read == -EFAULT,
          "-EFAULT for each", "read %ld, write %ld, kernel memory %ld, half mapped %ld", r->fault_read, r->fault_write,
          r->kernel_write, r->partial_read);
    AFTER(0, "faults_change_nothing", r->after_faults == 40, "40 bytes are still there", "%ld", r->after_faults);
    AFTER(0, "polls", (r->poll_empty & (POLLIN | POLLOUT)) == POLLOUT && (r->poll_some & (POLLIN | POLLOUT)) == (POLLIN | POLLOUT) &&
          (r->poll_full & (POLLIN | POLLOUT)) == POLLIN, "POLLOUT, both, POLLIN", "0x%x, 0x%x, 0x%x", r->poll_empty, r->poll_some,
          r->poll_full);
    AFTER(0, "counts", r->count_result == 0 && r->count == SIZE && r->bad_count == -EFAULT, "FIFO_COUNT gives 64, and -EFAULT",
          "%d (returned %d), %d", r->count, r->count_result, r->bad_count);
    AFTER(0, "clears", r->cleared == 0 && r->cleared_count == 0, "FIFO_CLEAR leaves 0 bytes", "%d bytes (returned %d)",
          r->cleared_count, r->cleared);
    AFTER(0, "unknown_ioctl", r->bad_ioctl == -ENOTTY, "-ENOTTY", "%d", r->bad_ioctl);
    AFTER(0, "releases_all", r->unload == 0 && r->held_after == 0 && r->node_gone, "nothing is held after unloading",
          "unload %d, %d things held", r->unload, r->held_after);
    AFTER(1, "reader_waits", r->reader_waits && r->reader_got == 3 && r->woke_after < FB_MS(1),
          "a reader sleeps until bytes come, then gets 3 at once", "%s, got %d after %lld us",
          r->reader_waits ? "slept" : "did not sleep", r->reader_got, (long long)r->woke_after / 1000);
    AFTER(1, "writer_waits", r->writer_waits && r->writer_done / 10 == 5, "a writer sleeps until there is room, then stores 5",
          "%s, stored %d", r->writer_waits ? "slept" : "did not sleep", r->writer_done / 10);
    AFTER(1, "clear_wakes_writers", r->clear_woke && r->writer_done == 51, "FIFO_CLEAR lets a writer go on", "it %s",
          r->clear_woke ? "went on" : "still waits");
    AFTER(1, "poll_waits", r->poll_waits && r->poll_woke & POLLIN, "poll sleeps until bytes come", "%s, 0x%x",
          r->poll_waits ? "slept" : "did not sleep", r->poll_woke);
    AFTER(2, "signal_ends_waiting", r->signalled_read == -EINTR && r->signalled_write == -EINTR && r->after_signal == SIZE,
          "-EINTR in user space, and the device works afterwards", "read %ld, write %ld, then %ld", r->signalled_read,
          r->signalled_write, r->after_signal);
    AFTER(3, "several_at_once", !r->stress_wrong && r->stress_total == WRITERS * RECORDS * RECORD,
          "1200 bytes of three writers, 400 each", "%d bytes, %d deviations", r->stress_total, r->stress_wrong);
    AFTER(4, "busy_while_open", r->busy == -EBUSY && r->busy_then == 0, "unloading is refused while open", "%d, then %d", r->busy,
          r->busy_then);
    AFTER(5, "several_readers", r->got[0] == 1 && r->got[1] == 1, "two waiting readers get one byte each", "%d and %d", r->got[0],
          r->got[1]);
    for (int i = 0; i < 2; i++)
        AFTER(6, i ? "poll_waits_for_room" : "poll_waits_for_bytes", r->polled[i].slept && r->polled[i].found & r->polled[i].events &&
              r->polled[i].woke_at < FB_MS(1), "it sleeps, and is woken at once", "%s, 0x%x", r->polled[i].slept ? "slept" : "did not sleep",
              r->polled[i].found);
    AFTER(FIRST_FAILURE, "failure_fails_loading", r->failures >= 5 && r->failed_loads == r->failures && !r->wrong_error,
          "each of at least 5 failures makes loading fail with its error", "%u of %u; %s", r->failed_loads, r->failures,
          r->error);
    AFTER(FIRST_FAILURE, "failure_releases_all", !r->leaking, "nothing is held after a failed load", "%u leaks: %s", r->leaking,
          r->leak);
}
