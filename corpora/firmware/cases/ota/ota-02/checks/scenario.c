/* One update after the other: refused, broken off, damaged on the way and in the flash, and at last whole ones. */
#include <string.h>

#include <zephyr/sys/crc.h>

#include "fb_application.h"
#include "fb_flash.h"
#include "fb_mcuboot.h"
#include "fb_zephyr.h"
#include "sim.h"

struct update_info {
    uint32_t size;
    uint32_t crc32;
    uint32_t version;
};

int update_run(void);

#define SLOT FB_PARTITION_OFFSET(slot1_partition)
#define SLOT_SIZE FB_PARTITION_SIZE(slot1_partition)
#define TRAILER 4096
enum { RUNNING = 7, SILENT = -1000 };

enum call {
    SAME_VERSION,
    OLDER,
    NO_INFO,
    NO_BYTES,
    TOO_LARGE,
    BROKEN_OFF,
    TOO_SHORT,
    TOO_LONG,
    DAMAGED,
    WRITE_FAILS,
    DAMAGED_IN_FLASH,
    SILENCE,
    REQUEST_FAILS,
    GOOD,
    LARGEST,
    CALLS,
};

static const struct plan {
    uint32_t version, size;
    uint32_t sent;   /* how many bytes come */
    int end;         /* what update_read gives then: 0, an error, or SILENT */
    uint32_t damage; /* of the checksum */
} plans[CALLS] = {
    [SAME_VERSION] = {7, 5000, 5000, 0, 0},
    [OLDER] = {6, 5000, 5000, 0, 0},
    [NO_INFO] = {8, 5000, 5000, 0, 0},
    [NO_BYTES] = {8, 0, 0, 0, 0},
    [TOO_LARGE] = {8, SLOT_SIZE - TRAILER + 1, SLOT_SIZE - TRAILER + 1, 0, 0},
    [BROKEN_OFF] = {8, 9000, 4100, -ECONNRESET, 0},
    [TOO_SHORT] = {8, 9000, 8999, 0, 0},
    [TOO_LONG] = {8, 9000, 9600, 0, 0},
    [DAMAGED] = {8, 9000, 9000, 0, 1},
    [WRITE_FAILS] = {8, 9000, 9000, 0, 0},
    [DAMAGED_IN_FLASH] = {8, 9000, 9000, 0, 0},
    [SILENCE] = {8, 9000, 3000, SILENT, 0},
    [REQUEST_FAILS] = {8, 9000, 9000, 0, 0},
    [GOOD] = {8, 10007, 10007, 0, 0},
    [LARGEST] = {9, SLOT_SIZE - TRAILER, SLOT_SIZE - TRAILER, 0, 0},
};

static struct {
    int result;
    unsigned requests, flash_calls;
    int open;
    int64_t took;
    bool clean_beyond, content_right;
} seen[CALLS];

static enum call now;
static uint32_t sent;
static unsigned reads;
static bool no_room;
static int64_t waited_from = -1, shortest_wait = FB_FOREVER, longest_wait;
static int finished;

static uint8_t image_byte(uint32_t at)
{
    return (uint8_t)((at + 1 + (uint32_t)now * 77) * 2654435761u >> 19);
}

int update_info_get(struct update_info *info)
{
    uint32_t crc = 0;
    for (uint32_t at = 0; at < plans[now].size; at++) {
        uint8_t byte = image_byte(at);
        crc = crc32_ieee_update(crc, &byte, 1);
    }
    *info = (struct update_info){plans[now].size, crc ^ plans[now].damage, plans[now].version};
    return now == NO_INFO ? -EIO : 0;
}

uint32_t running_version(void)
{
    return RUNNING;
}

int update_read(uint8_t *buffer, size_t room)
{
    if (waited_from >= 0) {
        int64_t gap = fb_now() - waited_from;
        shortest_wait = gap < shortest_wait ? gap : shortest_wait;
        longest_wait = gap > longest_wait ? gap : longest_wait;
        waited_from = -1;
    }
    no_room |= room == 0;
    reads++;
    if ((sent == plans[now].sent && plans[now].end == SILENT) || (sent < plans[now].sent && reads % 9 == 5)) {
        waited_from = fb_now();
        return -EAGAIN;
    }
    if (sent == plans[now].sent)
        return plans[now].end;
    size_t length = 1 + reads * 37 % 300;
    length = length < room ? length : room;
    length = length < plans[now].sent - sent ? length : plans[now].sent - sent;
    for (size_t i = 0; i < length; i++)
        buffer[i] = image_byte(sent++);
    if (now == DAMAGED_IN_FLASH && sent == plans[now].sent)
        fb_flash_set(SLOT + 1000, "\0\0\0\0\0\0\0\0", 8);
    return (int)length;
}

static void one_call(void)
{
    size_t requests = fb_traced("mcuboot", "request"), calls = fb_traced("flash", NULL);
    sent = 0;
    waited_from = -1;
    if (now == WRITE_FAILS)
        fb_flash_fail_writes(9, 1, -EIO);
    if (now == REQUEST_FAILS)
        fb_mcuboot_fail_request(1, -EFAULT);
    int64_t began = fb_now();
    seen[now].result = update_run();
    seen[now].took = fb_now() - began;
    seen[now].requests = (unsigned)(fb_traced("mcuboot", "request") - requests);
    seen[now].flash_calls = (unsigned)(fb_traced("flash", NULL) - calls);
    seen[now].open = fb_flash_areas_open();
    seen[now].clean_beyond = seen[now].content_right = true;
    const uint8_t *slot = fb_flash_bytes(SLOT);
    uint32_t size = plans[now].size;
    for (uint32_t at = size; at < size + 700 && at < SLOT_SIZE; at++)
        seen[now].clean_beyond &= slot[at] == 0xff;
    for (uint32_t at = 0; at < size && at < SLOT_SIZE; at++)
        seen[now].content_right &= slot[at] == image_byte(at);
}

static void application(void)
{
    for (now = 0; now < CALLS; now++) {
        one_call();
        finished++;
    }
    fb_stop("all updates are over");
}

void scenario(void)
{
    fb_application(application);
    fb_mcuboot_start(RUNNING, 0);
    fb_end_at(FB_S(600));
}

#define RESULT(name, call, wanted, expected) \
    FB_CHECK(name, finished > (int)(call) && seen[call].result == (wanted) && seen[call].requests == 0, \
             expected ", no request", "%d, %u requests", seen[call].result, seen[call].requests)
#define UNTOUCHED(name, call, wanted, expected) \
    FB_CHECK(name, \
             finished > (int)(call) && seen[call].result == (wanted) && seen[call].flash_calls == 0 && \
                 seen[call].requests == 0, \
             expected ", nothing written or erased", "%d, %u flash calls", seen[call].result, seen[call].flash_calls)

void conclude(void)
{
    UNTOUCHED("same_version_refused", SAME_VERSION, -EALREADY, "-EALREADY");
    UNTOUCHED("older_version_refused", OLDER, -EALREADY, "-EALREADY");
    UNTOUCHED("information_error", NO_INFO, -EIO, "-EIO");
    UNTOUCHED("empty_image_refused", NO_BYTES, -EFBIG, "-EFBIG");
    UNTOUCHED("trailer_respected", TOO_LARGE, -EFBIG, "-EFBIG for one byte too many");
    RESULT("read_error_passed_on", BROKEN_OFF, -ECONNRESET, "-ECONNRESET");
    RESULT("short_image", TOO_SHORT, -EBADMSG, "-EBADMSG");
    RESULT("long_image", TOO_LONG, -EBADMSG, "-EBADMSG");
    FB_CHECK("nothing_beyond_size", finished > TOO_LONG && seen[TOO_LONG].clean_beyond,
             "no byte beyond the size is written", "%s", seen[TOO_LONG].clean_beyond ? "none" : "some");
    RESULT("wrong_checksum", DAMAGED, -EBADMSG, "-EBADMSG");
    RESULT("write_error_passed_on", WRITE_FAILS, -EIO, "-EIO");
    RESULT("slot_is_verified", DAMAGED_IN_FLASH, -EBADMSG, "-EBADMSG for a damage in the flash");
    RESULT("silence_ends", SILENCE, -ETIMEDOUT, "-ETIMEDOUT");
    FB_CHECK("silence_of_30_s", finished > SILENCE && seen[SILENCE].took >= FB_S(30) && seen[SILENCE].took <= FB_S(32),
             "30 s after the last byte", "%.1f s", (double)seen[SILENCE].took / 1e9);
    FB_CHECK("sleeps_on_again", shortest_wait >= FB_MS(49) && longest_wait > 0 && longest_wait <= FB_MS(60),
             "50 ms after -EAGAIN", "%.1f to %.1f ms", (double)shortest_wait / 1e6, (double)longest_wait / 1e6);
    FB_CHECK("request_error_passed_on", finished > REQUEST_FAILS && seen[REQUEST_FAILS].result == -EFAULT, "-EFAULT",
             "%d", seen[REQUEST_FAILS].result);
    FB_CHECK("good_image_accepted", finished > GOOD && seen[GOOD].result == 0 && seen[GOOD].requests == 1,
             "0, one request", "%d, %u requests", seen[GOOD].result, seen[GOOD].requests);
    FB_CHECK("whole_image_in_slot",
             finished > GOOD && seen[GOOD].result == 0 && seen[GOOD].content_right && seen[GOOD].clean_beyond,
             "each of 10007 bytes, and no more", "%s", seen[GOOD].content_right ? "right" : "wrong");
    FB_CHECK("largest_image_accepted", finished > LARGEST && seen[LARGEST].result == 0 && seen[LARGEST].content_right,
             "0, each byte", "%d", seen[LARGEST].result);
    FB_CHECK("test_swap_requested", fb_traced("mcuboot", "request test") == 3 && fb_traced("mcuboot", "permanent") == 0,
             "a test swap, never a permanent one", "%zu and %zu", fb_traced("mcuboot", "request test"),
             fb_traced("mcuboot", "permanent"));
    FB_CHECK("read_back_in_pieces", finished == CALLS && fb_flash_longest_read() > 0 && fb_flash_longest_read() <= 512,
             "at most 512 bytes", "%zu", fb_flash_longest_read());
    FB_CHECK("buffer_has_room", finished == CALLS && !no_room, "update_read gets room", "%d", no_room);
    int open = 0;
    for (int i = 0; i < finished; i++)
        open = seen[i].open > open ? seen[i].open : open;
    FB_CHECK("areas_closed", finished == CALLS && open == 0, "no flash area left open", "%d", open);
    FB_CHECK("no_restart", finished == CALLS && fb_traced("reboot", NULL) == 0, "no restart", "%zu",
             fb_traced("reboot", NULL));
}
