/* Two buttons that are pressed, and unplugged while their files are open. Each boot is one experiment. */
#include "linux_kernel.h"

#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>

FB_POWER_CYCLES;

enum { BASICS, WAITING, SIGNAL, UNPLUG_IDLE, UNPLUG_WAITING, CLOSE_LATER, BUSY, OPEN_FAILS, FIRST_FAILURE };
enum { LINE = 11, NEVER = -77 };
static const char *const NAMES[2] = {"button.0", "button.1"};
static const char *const PATHS[2] = {"/dev/button.0", "/dev/button.1"};

static struct results {
    int done;
    bool finished;
    int load, probed[2], nodes, held_after, unload;
    long empty, counts[6], small, fault, after_fault;
    unsigned poll_empty, poll_some;
    int waited, got, others[2];
    long signalled;
    long idle_read, unread_read, open_after;
    unsigned idle_poll, requested;
    int waiting, waiting_polls;
    long woken_read[2];
    unsigned woken_poll;
    int64_t woken_after[3];
    unsigned held_open, held_closed, held_other;
    int busy, busy_then;
    int open_failed, open_held;
    unsigned failures, swallowed, leaking;
    char leak[100], error[100];
} *r;

static void press(int button, int times)
{
    while (times--) {
        lk_raise(LINE + button);
        lk_pause_ms(1);
    }
}
static long count(int fd)
{
    unsigned presses = 0;
    long n = lk_read(fd, &presses, sizeof presses);
    return n == sizeof presses ? (long)presses : n;
}

static void basics(void)
{
    int a = lk_open(PATHS[0], O_RDONLY | O_NONBLOCK), b, other = lk_open(PATHS[1], O_RDONLY | O_NONBLOCK);
    char small[3];
    r->probed[0] = lk_probed(NAMES[0]);
    r->probed[1] = lk_probed(NAMES[1]);
    r->nodes = lk_exists(PATHS[0]) + lk_exists(PATHS[1]);
    r->empty = count(a);
    r->poll_empty = lk_poll(a, POLLIN, 0);
    press(0, 3);
    b = lk_open(PATHS[0], O_RDONLY | O_NONBLOCK);
    press(0, 2);
    r->poll_some = lk_poll(a, POLLIN, 0);
    r->small = lk_read(a, small, 3);
    r->fault = lk_read_raw(a, lk_no_user(), 4);
    r->counts[0] = count(a);
    r->counts[1] = count(a);
    r->counts[2] = count(b);
    r->counts[3] = count(other);
    press(1, 1);
    r->counts[4] = count(other);
    r->counts[5] = count(a);
    lk_close(a);
    lk_close(b);
    lk_close(other);
    r->unload = lk_unload();
    r->held_after = (int)lk_held();
}

static void reads(void *arg)
{
    int at = *(int *)arg;
    int fd = lk_open(PATHS[0], O_RDONLY);
    r->woken_read[at] = count(fd);
    r->woken_after[at] = fb_now();
    lk_close(fd);
}
static void polls(void *unused)
{
    int fd = lk_open(PATHS[0], O_RDONLY);
    (void)unused;
    r->woken_poll = lk_poll(fd, POLLIN, -1);
    r->woken_after[2] = fb_now();
    lk_close(fd);
}
static int first = 0, second = 1;

static void waiting(void)
{
    lk_task *task = lk_process("reader", reads, &first);
    r->woken_read[0] = NEVER;
    lk_pause_ms(10);
    r->waited = lk_sleeps(task) && !lk_ended(task);
    press(1, 1);
    r->waited &= !lk_ended(task);
    press(0, 1);
    r->got = (int)r->woken_read[0];
}
static void signalled(void)
{
    lk_task *task = lk_process("reader", reads, &first);
    lk_pause_ms(10);
    lk_signal(task);
    lk_pause_ms(10);
    r->signalled = r->woken_read[0];
}
static void unplug_idle(void)
{
    int a = lk_open(PATHS[0], O_RDONLY), b = lk_open(PATHS[0], O_RDONLY | O_NONBLOCK);
    press(0, 2);
    count(a);
    lk_unbind(NAMES[0]);
    r->requested = lk_requested(LINE);
    lk_raise(LINE);
    lk_pause_ms(5);
    r->idle_read = count(a);
    r->unread_read = count(b);
    r->idle_poll = lk_poll(b, POLLIN, 0);
    r->open_after = lk_open(PATHS[0], O_RDONLY);
    r->others[0] = lk_open(PATHS[1], O_RDONLY | O_NONBLOCK);
    press(1, 1);
    r->others[1] = (int)count(r->others[0]);
    lk_close(a);
    lk_close(b);
}
static void unplug_waiting(void)
{
    lk_task *tasks[] = {lk_process("first", reads, &first), lk_process("second", reads, &second), lk_process("poller", polls, NULL)};
    lk_pause_ms(10);
    r->waiting = lk_sleeps(tasks[0]) && lk_sleeps(tasks[1]) && lk_sleeps(tasks[2]);
    int64_t from = fb_now();
    r->woken_read[0] = r->woken_read[1] = NEVER;
    lk_unbind(NAMES[0]);
    lk_pause_ms(10);
    for (int i = 0; i < 3; i++)
        r->woken_after[i] -= from;
}
/* What is held of the one device with a file open, and with none; the module and the other device hold the rest. */
static void close_later(void)
{
    r->held_other = 0;
    int fd = lk_open(PATHS[0], O_RDONLY);
    lk_unbind(NAMES[1]);
    lk_unbind(NAMES[0]);
    r->held_open = (unsigned)lk_held();
    lk_pause_ms(5);
    lk_close(fd);
    r->held_closed = (unsigned)lk_held();
    lk_unload();
    r->held_other = (unsigned)lk_held();
}
static void busy(void)
{
    int fd = lk_open(PATHS[0], O_RDONLY);
    r->busy = lk_unload();
    if (!r->busy)
        return;
    lk_close(fd);
    r->busy_then = lk_unload();
}
static void open_fails(void)
{
    size_t before = lk_held();
    lk_fail(1);
    r->open_failed = lk_open(PATHS[0], O_RDONLY);
    if (*lk_failed() && r->open_failed >= 0)
        r->open_failed = NEVER;
    if (!*lk_failed()) { /* opening acquires nothing */
        lk_close(r->open_failed);
        r->open_failed = -ENOMEM;
    }
    r->open_held = (int)(lk_held() - before);
    lk_unload();
    r->open_held += (int)lk_held();
}

static bool fails(unsigned nth)
{
    lk_fail(nth);
    int error = lk_load();
    if (!*lk_failed())
        return false;
    int expected = strstr(lk_failed(), "interrupt") || strstr(lk_failed(), "misc") ? -EBUSY : -ENOMEM;
    bool told = error == expected || lk_probed(NAMES[0]) == expected || lk_probed(NAMES[1]) == expected;
    r->failures++;
    if (!told) {
        r->swallowed++;
        snprintf(r->error, sizeof r->error, "%s failed, load gave %d, the probes %d and %d", lk_failed(), error, lk_probed(NAMES[0]),
                 lk_probed(NAMES[1]));
    }
    lk_raise(LINE);
    lk_unload();
    if (lk_held()) {
        r->leaking++;
        snprintf(r->leak, sizeof r->leak, "%s was left when %s failed", lk_held_first(), lk_failed());
    }
    return true;
}

void userspace(void)
{
    static void (*const EXPERIMENTS[])(void) = {basics, waiting, signalled, unplug_idle, unplug_waiting, close_later, busy, open_fails};
    unsigned boot = fb_boot();
    if (boot < FIRST_FAILURE) {
        int error = lk_load();
        if (boot == BASICS)
            r->load = error;
        if (error)
            fb_stop("the module does not load");
        EXPERIMENTS[boot]();
    } else if (!fails(boot - FIRST_FAILURE + 1) || boot > 60) {
        r->finished = true;
        fb_stop("every acquisition has failed once");
    }
    r->done++;
    fb_power_cycle("the next experiment");
}

void scenario(void)
{
    r = fb_kept("scenario", sizeof *r);
    for (int i = 0; i < 2; i++)
        lk_platform_device(NAMES[i], "acme,button", NULL, LINE + i);
    fb_end_at(FB_S(20));
}

#define AFTER(experiment, ...) do { if (r->done > (experiment)) FB_CHECK(__VA_ARGS__); } while (0)

void conclude(void)
{
    FB_CHECK("loads", r->load == 0, "the module loads", "%d", r->load);
    FB_CHECK("comes_to_its_end", r->finished, "no operation hangs", "%d experiments came to their end", r->done);
    AFTER(BASICS, "makes_the_files", r->nodes == 2 && !r->probed[0] && !r->probed[1], "/dev/button.0 and /dev/button.1", "%d files", r->nodes);
    AFTER(BASICS, "counts_for_each_file", r->counts[0] == 5 && r->counts[2] == 2 && r->counts[3] == -EAGAIN && r->counts[4] == 1,
          "5 for the first file, 2 for the later one, 1 for the other device", "%ld, %ld, %ld", r->counts[0], r->counts[2], r->counts[4]);
    AFTER(BASICS, "counts_once", r->empty == -EAGAIN && r->counts[1] == -EAGAIN && r->counts[5] == -EAGAIN, "-EAGAIN when all was read",
          "%ld, %ld", r->empty, r->counts[1]);
    AFTER(BASICS, "bad_reads", r->small == -EINVAL && r->fault == -EFAULT, "-EINVAL and -EFAULT", "%ld and %ld", r->small, r->fault);
    AFTER(BASICS, "polls", !(r->poll_empty & POLLIN) && r->poll_some & POLLIN, "POLLIN when there is a press", "0x%x, 0x%x", r->poll_empty,
          r->poll_some);
    AFTER(BASICS, "releases_all", !r->unload && !r->held_after, "nothing is held after unloading", "unload %d, %d things held", r->unload,
          r->held_after);
    AFTER(WAITING, "waits_for_a_press", r->waited && r->got == 1, "a read sleeps until this button is pressed", "%s, got %d",
          r->waited ? "slept" : "did not sleep", r->got);
    AFTER(SIGNAL, "signal_ends_waiting", r->signalled == -EINTR, "-EINTR in user space", "%ld", r->signalled);
    AFTER(UNPLUG_IDLE, "tells_that_it_is_gone", r->idle_read == -ENODEV && r->unread_read == -ENODEV && r->idle_poll & POLLHUP &&
          r->idle_poll & POLLERR, "-ENODEV, POLLERR and POLLHUP", "%ld, %ld, 0x%x", r->idle_read, r->unread_read, r->idle_poll);
    AFTER(UNPLUG_IDLE, "cannot_be_opened_again", r->open_after < 0 && !r->requested, "no file and no interrupt any more", "%ld, interrupt %s",
          r->open_after, r->requested ? "requested" : "free");
    AFTER(UNPLUG_IDLE, "other_device_works", r->others[1] == 1, "the other button still counts", "%d", r->others[1]);
    AFTER(UNPLUG_WAITING, "wakes_who_waits", r->waiting && r->woken_read[0] == -ENODEV && r->woken_read[1] == -ENODEV &&
          r->woken_poll & POLLHUP && r->woken_after[0] < FB_MS(1) && r->woken_after[1] < FB_MS(1) && r->woken_after[2] < FB_MS(1),
          "two reads end with -ENODEV, a poll with POLLHUP, at once", "%ld, %ld, 0x%x", r->woken_read[0], r->woken_read[1], r->woken_poll);
    AFTER(CLOSE_LATER, "released_with_the_last_file", r->held_open > r->held_closed && r->held_closed <= 1 && !r->held_other,
          "memory lives as long as the file, and no longer", "%u things held, %u after closing, %u after unloading", r->held_open,
          r->held_closed, r->held_other);
    AFTER(BUSY, "busy_while_open", r->busy == -EBUSY && r->busy_then == 0, "unloading is refused while open", "%d, then %d", r->busy, r->busy_then);
    AFTER(OPEN_FAILS, "open_fails_cleanly", r->open_failed == -ENOMEM && !r->open_held, "-ENOMEM, and nothing is held", "%d, %d things held",
          r->open_failed, r->open_held);
    AFTER(FIRST_FAILURE, "failure_is_told", r->failures >= 6 && !r->swallowed, "each failure comes out of probe or load",
          "%u failures, %u swallowed: %s", r->failures, r->swallowed, r->error);
    AFTER(FIRST_FAILURE, "failure_releases_all", !r->leaking, "nothing is held after a failure and unloading", "%u leaks: %s", r->leaking, r->leak);
}
