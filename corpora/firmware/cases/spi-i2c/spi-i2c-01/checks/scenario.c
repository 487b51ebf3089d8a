/* The EEPROM with pages, a write cycle and endurance, and threads that read and write it. Boots: 0 no bus, 1 works. */
#include <string.h>

#include "fb_application.h"
#include "fb_i2c.h"
#include "fb_zephyr.h"
#include "power.h"
#include "sim.h"

FB_POWER_CYCLES;

int eeprom_read(uint16_t address, uint8_t *data, size_t length);
int eeprom_write(uint16_t address, const uint8_t *data, size_t length);

enum { SIZE = 8192, PAGE = 32 };

static struct kept {
    int no_bus[2];
} *kept;

static uint8_t memory[SIZE];
static unsigned page_writes[SIZE / PAGE];
static uint8_t pending[PAGE];
static bool touched[PAGE];
static unsigned address_bytes, data_bytes;
static uint16_t pointer;
static bool writing, reading, broken;
static int64_t busy_until;
static int64_t cycle = FB_MS(4);
static unsigned refusals, longest_message;
static int64_t last_refusal = -1, shortest_retry = FB_FOREVER, longest_retry;

static bool start(fb_i2c_target *target, bool read)
{
    (void)target;
    if (broken || fb_now() < busy_until) {
        refusals++;
        if (last_refusal >= 0 && fb_now() - last_refusal < FB_MS(30)) {
            int64_t gap = fb_now() - last_refusal;
            shortest_retry = gap < shortest_retry ? gap : shortest_retry;
            longest_retry = gap > longest_retry ? gap : longest_retry;
        }
        last_refusal = fb_now();
        return false;
    }
    last_refusal = -1;
    reading = read;
    if (!read) {
        address_bytes = data_bytes = 0;
        memset(touched, 0, sizeof touched);
    }
    writing = false;
    return true;
}

static bool write(fb_i2c_target *target, uint8_t byte)
{
    (void)target;
    if (address_bytes < 2) {
        pointer = (uint16_t)(pointer << 8 | byte) % SIZE;
        address_bytes++;
        return true;
    }
    writing = true;
    data_bytes++;
    pending[pointer % PAGE] = byte;
    touched[pointer % PAGE] = true;
    pointer = (uint16_t)(pointer / PAGE * PAGE + (pointer + 1) % PAGE);
    return true;
}

static uint8_t read(fb_i2c_target *target)
{
    (void)target;
    uint8_t byte = memory[pointer];
    pointer = (pointer + 1) % SIZE;
    return byte;
}

static void stop(fb_i2c_target *target)
{
    (void)target;
    if (!writing || reading)
        return;
    unsigned page = pointer / PAGE;
    for (int i = 0; i < PAGE; i++)
        if (touched[i])
            memory[page * PAGE + i] = pending[i];
    page_writes[page]++;
    longest_message = data_bytes > longest_message ? data_bytes : longest_message;
    busy_until = fb_now() + cycle;
    writing = false;
}

static fb_i2c_target eeprom = {.address = 0x50, .start = start, .write = write, .read = read, .stop = stop};

static struct {
    int aligned, crossing, back, empty, beyond, far_beyond, null, last_byte, same, partly, other_error, refused, after,
        concurrent[3];
    unsigned bad_transfers, same_writes, partly_writes[3], refused_transfers;
    bool aligned_content, crossing_content, outside_intact, stored_on_return, back_equal, last_content,
        concurrent_content;
    int64_t refused_took, processor_free;
    bool both_ended;
} saw;

static uint8_t large[6000];

static void fill(uint8_t *to, size_t length, uint8_t seed)
{
    for (size_t i = 0; i < length; i++)
        to[i] = (uint8_t)(seed + i * 7);
}

static void use_ranges(void)
{
    uint8_t data[200], back[200];
    fill(data, sizeof data, 1);
    saw.aligned = eeprom_write(64, data, 32);
    saw.stored_on_return = fb_now() >= busy_until;
    saw.aligned_content = !memcmp(&memory[64], data, 32);
    saw.crossing = eeprom_write(1000, data, 200);
    saw.stored_on_return &= fb_now() >= busy_until;
    saw.crossing_content = !memcmp(&memory[1000], data, 200);
    saw.outside_intact = true;
    for (int i = 0; i < SIZE; i++)
        if ((i < 64 || i >= 96) && (i < 1000 || i >= 1200) && memory[i] != 0xff)
            saw.outside_intact = false;
    saw.back = eeprom_read(1000, back, 200);
    saw.back_equal = !memcmp(back, data, 200);
    saw.last_byte = eeprom_write(SIZE - 3, data, 3);
    saw.last_content = !memcmp(&memory[SIZE - 3], data, 3) && memory[0] == 0xff;
    unsigned before = fb_i2c_transfers();
    saw.empty = eeprom_write(5, data, 0) | eeprom_read(5, data, 0);
    saw.beyond = eeprom_write(SIZE - 3, data, 4);
    saw.far_beyond = eeprom_read(60000, large, sizeof large);
    saw.null = eeprom_write(0, NULL, 1);
    saw.bad_transfers = fb_i2c_transfers() - before;
}

static void use_endurance(void)
{
    uint8_t data[96];
    fill(data, sizeof data, 90);
    eeprom_write(2048, data, 96);
    unsigned before[3] = {page_writes[64], page_writes[65], page_writes[66]};
    saw.same = eeprom_write(2048, data, 96);
    saw.same_writes = page_writes[64] + page_writes[65] + page_writes[66] - before[0] - before[1] - before[2];
    data[40] ^= 0xff;
    saw.partly = eeprom_write(2048, data, 96);
    for (int i = 0; i < 3; i++)
        saw.partly_writes[i] = page_writes[64 + i] - before[i];
    saw.partly |= memcmp(&memory[2048], data, 96) != 0;
}

static void use_faults(void)
{
    uint8_t data[8];
    fill(data, sizeof data, 33);
    fb_i2c_fail(0, 1, -EBUSY);
    saw.other_error = eeprom_read(0, data, 8);
    fb_i2c_fail(0, 0, 0);
    broken = true;
    int64_t began = fb_now();
    saw.refused = eeprom_read(64, data, 8);
    saw.refused_took = fb_now() - began;
    broken = false;
    saw.after = eeprom_read(64, data, 8);
}

static struct k_thread threads[3], idler;
static K_THREAD_STACK_ARRAY_DEFINE(stacks, 4, 2048);
static struct k_sem done;

static void run(void *index, void *unused, void *unused2)
{
    intptr_t i = (intptr_t)index;
    uint8_t data[80], back[80];
    (void)unused;
    (void)unused2;
    for (int round = 0; round < 3; round++) {
        fill(data, sizeof data, (uint8_t)(50 * i + round * 11 + 1));
        saw.concurrent[i] |= eeprom_write((uint16_t)(4096 + 100 * i), data, sizeof data);
        saw.concurrent[i] |= eeprom_read((uint16_t)(4096 + 100 * i), back, sizeof back);
        if (memcmp(back, data, sizeof data))
            saw.concurrent_content = false;
    }
    k_sem_give(&done);
}

/* How much of the time is left to a thread of lower priority. */
static void idle(void *a, void *b, void *c)
{
    (void)a;
    (void)b;
    (void)c;
    for (;;) {
        fb_spend(FB_US(10));
        saw.processor_free += FB_US(10);
    }
}

static void use_at_once(void)
{
    saw.concurrent_content = true;
    k_sem_init(&done, 0, 3);
    for (intptr_t i = 0; i < 3; i++)
        k_thread_create(&threads[i], stacks[i], K_THREAD_STACK_SIZEOF(stacks[i]), run, (void *)i, NULL, NULL, 7, 0,
                        K_NO_WAIT);
    for (int i = 0; i < 3; i++)
        k_sem_take(&done, K_FOREVER);
    saw.both_ended = true;
}

static int64_t cycles_took;

static void application(void)
{
    uint8_t data[64];
    if (fb_boot() == 0) {
        kept->no_bus[0] = eeprom_read(0, data, 1);
        kept->no_bus[1] = eeprom_write(0, data, 1);
        fb_power_cycle("next boot");
    }
    use_ranges();
    use_endurance();
    use_faults();
    use_at_once();
    k_thread_create(&idler, stacks[3], K_THREAD_STACK_SIZEOF(stacks[3]), idle, NULL, NULL, NULL, 12, 0, K_NO_WAIT);
    int64_t began = fb_now();
    saw.processor_free = 0;
    fill(data, sizeof data, 200);
    eeprom_write(6400, data, 64);
    cycles_took = fb_now() - began;
    fb_stop("the application has seen enough");
}

void scenario(void)
{
    fb_application(application);
    kept = fb_kept("scenario", sizeof *kept);
    memset(memory, 0xff, sizeof memory);
    fb_i2c_attach(&eeprom);
    if (fb_boot() == 0)
        fb_device_broken(FB_I2C);
    fb_end_at(FB_S(20));
}

void conclude(void)
{
    FB_CHECK("bus_not_ready", kept->no_bus[0] == -ENODEV && kept->no_bus[1] == -ENODEV, "-ENODEV from both functions",
             "%d and %d", kept->no_bus[0], kept->no_bus[1]);
    FB_CHECK("whole_page_written", saw.aligned == 0 && saw.aligned_content, "0, and the content", "%d, %s", saw.aligned,
             saw.aligned_content ? "stored" : "not stored");
    FB_CHECK("page_limits_kept", saw.crossing == 0 && saw.crossing_content, "200 bytes from 1000 are stored", "%d, %s",
             saw.crossing, saw.crossing_content ? "stored" : "not stored");
    FB_CHECK("nothing_else_written", saw.outside_intact && saw.aligned == 0 && saw.crossing == 0,
             "all other bytes as before", "%s", saw.outside_intact ? "as before" : "changed");
    FB_CHECK("read_back", saw.back == 0 && saw.back_equal, "what was written", "%d, %s", saw.back,
             saw.back_equal ? "equal" : "different");
    FB_CHECK("end_of_memory", saw.last_byte == 0 && saw.last_content, "the last three bytes, none at 0", "%d, %s",
             saw.last_byte, saw.last_content ? "stored" : "not stored");
    FB_CHECK("stored_on_return", saw.aligned == 0 && saw.stored_on_return, "the write cycle is over at the return",
             "%s", saw.stored_on_return ? "over" : "still writing");
    FB_CHECK("empty_range", saw.empty == 0, "0", "%d", saw.empty);
    FB_CHECK("range_checked", saw.beyond == -EINVAL && saw.far_beyond == -EINVAL, "-EINVAL beyond the end", "%d and %d",
             saw.beyond, saw.far_beyond);
    FB_CHECK("null_checked", saw.null == -EINVAL, "-EINVAL", "%d", saw.null);
    FB_CHECK("no_transfer_for_refused", saw.bad_transfers == 0, "no transfer", "%u", saw.bad_transfers);
    FB_CHECK("equal_pages_left", saw.same == 0 && saw.same_writes == 0, "no page written again", "%d, %u pages",
             saw.same, saw.same_writes);
    FB_CHECK("only_changed_page_written",
             saw.partly == 0 && saw.partly_writes[0] == 0 && saw.partly_writes[1] == 1 && saw.partly_writes[2] == 0,
             "one write of the one page that differs", "%d, %u %u %u writes", saw.partly, saw.partly_writes[0],
             saw.partly_writes[1], saw.partly_writes[2]);
    FB_CHECK("retried_at_intervals", refusals > 0 && shortest_retry >= FB_US(190) && longest_retry <= FB_US(2300),
             "0.2 to 2 ms between tries", "%u refusals, %.2f to %.2f ms", refusals, (double)shortest_retry / 1e6,
             (double)longest_retry / 1e6);
    FB_CHECK("other_error_at_once", saw.other_error == -EBUSY, "-EBUSY", "%d", saw.other_error);
    FB_CHECK("refusal_limited",
             saw.refused == -ETIMEDOUT && saw.refused_took >= FB_MS(18) && saw.refused_took <= FB_MS(26),
             "-ETIMEDOUT after 20 ms", "%d after %.1f ms", saw.refused, (double)saw.refused_took / 1e6);
    FB_CHECK("works_after_refusal", saw.after == 0, "0", "%d", saw.after);
    FB_CHECK("calls_kept_apart",
             saw.both_ended && !saw.concurrent[0] && !saw.concurrent[1] && !saw.concurrent[2] && saw.concurrent_content,
             "three threads read what they wrote", "results %d %d %d, content %s", saw.concurrent[0], saw.concurrent[1],
             saw.concurrent[2], saw.concurrent_content ? "right" : "wrong");
    FB_CHECK("sleeps_while_waiting", cycles_took > 0 && saw.processor_free > cycles_took * 8 / 10,
             "the processor is free during write cycles", "%.0f %%",
             cycles_took ? 100.0 * (double)saw.processor_free / (double)cycles_took : 0.0);
}
