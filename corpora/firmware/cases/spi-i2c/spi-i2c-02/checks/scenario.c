/* The encoder: frames bounded by the chip select, answers one frame late, errors at chosen reads.
 * Boots: 0 no controller, 1 never ready, 2 works. */
#include <string.h>

#include "fb_application.h"
#include "fb_spi.h"
#include "fb_zephyr.h"
#include "power.h"
#include "sim.h"

#include <zephyr/drivers/spi.h>

FB_POWER_CYCLES;

int encoder_init(void);
int encoder_read(uint16_t *angle);
int32_t encoder_turn(uint16_t from, uint16_t to);

enum { BOOT_NO_BUS, BOOT_NEVER_READY, BOOT_WORKS };
enum { REG_ERRFL = 0x0001, REG_DIAG = 0x3ffc, REG_ANGLE = 0x3fff };

static struct kept {
    int no_bus, never;
    int64_t never_took;
} *kept;

static uint16_t angle, answer, shift_out, shift_in;
static unsigned bits_in_frame;
static bool error_flag;
static int64_t ready_at = FB_MS(60);
static unsigned frames, bad_frames, bad_parity, writes, errfl_reads, angle_reads, diag_reads;
static unsigned spoil_parity, spoil_error; /* how many of the next angle answers */
static int64_t last_diag = -1, shortest_diag = FB_FOREVER, longest_diag;
static unsigned diag_before_errfl;

static uint16_t with_parity(uint16_t value)
{
    return (uint16_t)(value | (__builtin_popcount(value & 0x7fff) & 1) << 15);
}

static void note_diag(void)
{
    diag_reads++;
    diag_before_errfl += errfl_reads == 0;
    if (last_diag >= 0 && !(fb_now() - last_diag > FB_MS(50))) {
        int64_t gap = fb_now() - last_diag;
        shortest_diag = gap < shortest_diag ? gap : shortest_diag;
        longest_diag = gap > longest_diag ? gap : longest_diag;
    }
    last_diag = fb_now();
}

static uint16_t data_of(uint16_t reg)
{
    switch (reg) {
    case REG_ERRFL:
        errfl_reads++;
        error_flag = false;
        return 0x0004;
    case REG_DIAG:
        note_diag();
        return fb_now() >= ready_at ? 0x0100 : 0x0000;
    case REG_ANGLE:
        angle_reads++;
        return angle;
    default:
        return 0;
    }
}

static void command(uint16_t frame)
{
    bool parity_fails = false;
    frames++;
    if (__builtin_popcount(frame) & 1) {
        bad_parity++;
        error_flag = true;
        answer = with_parity(0x4000);
        return;
    }
    writes += !(frame & 0x4000);
    uint16_t reg = frame & 0x3fff, data = frame & 0x4000 ? data_of(reg) : 0;
    if (reg == REG_ANGLE && spoil_error) {
        spoil_error--;
        error_flag = true;
        data = 0x0aaa;
    } else if (reg == REG_ANGLE && spoil_parity) {
        spoil_parity--;
        parity_fails = true;
        data ^= 0x0100;
    }
    answer = with_parity((uint16_t)(data | (error_flag ? 0x4000 : 0)));
    if (parity_fails)
        answer ^= 0x8000;
}

static void select(fb_spi_target *target, bool selected)
{
    (void)target;
    if (selected) {
        shift_out = answer;
        bits_in_frame = 0;
        return;
    }
    if (bits_in_frame == 16)
        command(shift_in);
    else
        bad_frames++;
}

static uint8_t exchange(fb_spi_target *target, uint8_t out)
{
    (void)target;
    uint8_t in = (uint8_t)(shift_out >> 8);
    shift_out = (uint16_t)(shift_out << 8);
    shift_in = (uint16_t)(shift_in << 8 | out);
    bits_in_frame += 8;
    return in;
}

static fb_spi_target encoder = {
    .slave = 0, .mode = SPI_MODE_CPHA, .max_hz = 1000000, .select = select, .exchange = exchange};

static struct {
    int init, read, parity, error, gives_up, driver, after, gives_up_parity, together[2];
    uint16_t value, parity_value, error_value, kept, driver_kept, other_value;
    int64_t init_took;
    unsigned errfl_for_error, errfl_for_parity, errfl_when_clean, angle_reads_given_up, transfers_after_driver_error;
    bool init_waits, values_right, both_ended;
    int32_t turns[6];
} saw;

static void use_faults(void)
{
    unsigned before = errfl_reads;
    angle = 0x1234;
    spoil_parity = 1;
    saw.parity = encoder_read(&saw.parity_value);
    saw.errfl_for_parity = errfl_reads - before;
    before = errfl_reads;
    spoil_error = 2;
    saw.error = encoder_read(&saw.error_value);
    saw.errfl_for_error = errfl_reads - before;
    saw.kept = 7;
    spoil_error = 3;
    before = angle_reads;
    saw.gives_up = encoder_read(&saw.kept);
    saw.angle_reads_given_up = angle_reads - before;
    spoil_error = 0;
    uint16_t value;
    encoder_read(&value);
    spoil_parity = 3;
    saw.gives_up_parity = encoder_read(&saw.kept);
    spoil_parity = 0;
    saw.driver_kept = 9;
    before = fb_spi_transfers();
    fb_spi_fail(1, 1, -EBUSY);
    saw.driver = encoder_read(&saw.driver_kept);
    saw.transfers_after_driver_error = fb_spi_transfers() - before;
    fb_spi_fail(0, 0, 0);
    angle = 0x0101;
    saw.after = encoder_read(&saw.other_value);
}

static struct k_thread threads[2];
static K_THREAD_STACK_ARRAY_DEFINE(stacks, 2, 2048);
static struct k_sem done;

static void run(void *index, void *unused, void *unused2)
{
    (void)unused;
    (void)unused2;
    for (int i = 0; i < 40; i++) {
        uint16_t value = 0;
        if (index) /* the more urgent one comes in at all points of a read of the other */
            k_usleep(100 + 13 * i);
        saw.together[(intptr_t)index] |= encoder_read(&value);
        if (value != angle)
            saw.values_right = false;
    }
    k_sem_give(&done);
}

static void application(void)
{
    int64_t began = fb_now();
    saw.init = encoder_init();
    saw.init_took = fb_now() - began;
    if (fb_boot() == BOOT_NO_BUS) {
        kept->no_bus = saw.init;
        fb_power_cycle("next boot");
    }
    if (fb_boot() == BOOT_NEVER_READY) {
        kept->never = saw.init;
        kept->never_took = saw.init_took;
        fb_power_cycle("next boot");
    }
    unsigned before = errfl_reads;
    angle = 0x2abc;
    saw.read = encoder_read(&saw.value);
    saw.errfl_when_clean = errfl_reads - before;
    use_faults();
    saw.values_right = true;
    angle = 0x1fff;
    k_sem_init(&done, 0, 2);
    for (intptr_t i = 0; i < 2; i++)
        k_thread_create(&threads[i], stacks[i], K_THREAD_STACK_SIZEOF(stacks[i]), run, (void *)i, NULL, NULL, i ? 8 : 9,
                        0, K_NO_WAIT);
    k_sem_take(&done, K_FOREVER);
    k_sem_take(&done, K_FOREVER);
    saw.both_ended = true;
    static const uint16_t pairs[6][2] = {{16380, 4}, {4, 16380}, {0, 8191}, {0, 8192}, {100, 100}, {8192, 0}};
    for (int i = 0; i < 6; i++)
        saw.turns[i] = encoder_turn(pairs[i][0], pairs[i][1]);
    fb_stop("the application has seen enough");
}

void scenario(void)
{
    fb_application(application);
    kept = fb_kept("scenario", sizeof *kept);
    error_flag = true; /* of the power-on */
    answer = with_parity(0x4000);
    fb_spi_attach(&encoder);
    if (fb_boot() == BOOT_NO_BUS)
        fb_device_broken(FB_SPI);
    if (fb_boot() == BOOT_NEVER_READY)
        ready_at = FB_FOREVER;
    fb_end_at(FB_S(10));
}

void conclude(void)
{
    static const int32_t wanted[6] = {8, -8, 8191, -8192, 0, -8192};
    FB_CHECK("bus_not_ready", kept->no_bus == -ENODEV, "-ENODEV", "%d", kept->no_bus);
    FB_CHECK("start_limited",
             kept->never == -ETIMEDOUT && kept->never_took >= FB_MS(95) && kept->never_took <= FB_MS(125),
             "-ETIMEDOUT after 100 ms", "%d after %.0f ms", kept->never, (double)kept->never_took / 1e6);
    FB_CHECK("waits_until_ready",
             saw.init == 0 && fb_boot() == BOOT_WORKS && saw.init_took >= FB_MS(50) && saw.init_took <= FB_MS(80),
             "0 once the angle is ready, after 60 ms", "%d after %.0f ms", saw.init, (double)saw.init_took / 1e6);
    FB_CHECK("old_errors_cleared_first", errfl_reads > 0 && diag_before_errfl == 0, "ERRFL is read before DIAG",
             "%u reads of DIAG before it", diag_before_errfl);
    FB_CHECK("ready_polled_at_intervals", diag_reads >= 5 && shortest_diag >= FB_US(950) && longest_diag <= FB_MS(11),
             "1 to 10 ms between reads of DIAG", "%u reads, %.2f to %.2f ms", diag_reads, (double)shortest_diag / 1e6,
             (double)longest_diag / 1e6);
    FB_CHECK("frames_of_16_bits", frames > 0 && bad_frames == 0, "16 bits for each chip select", "%u others of %u",
             bad_frames, frames + bad_frames);
    FB_CHECK("parity_of_commands", frames > 0 && bad_parity == 0, "even parity in each command", "%u wrong of %u",
             bad_parity, frames);
    FB_CHECK("only_reads", frames > 0 && writes == 0, "no register written", "%u", writes);
    FB_CHECK("angle_read", saw.read == 0 && saw.value == 0x2abc, "0, 0x2abc", "%d, 0x%04x", saw.read, saw.value);
    FB_CHECK("no_needless_clearing", saw.read == 0 && saw.errfl_when_clean == 0, "ERRFL not read without an error",
             "%u", saw.errfl_when_clean);
    FB_CHECK("wrong_parity_read_again", saw.parity == 0 && saw.parity_value == 0x1234, "0, 0x1234", "%d, 0x%04x",
             saw.parity, saw.parity_value);
    FB_CHECK("error_flag_read_again", saw.error == 0 && saw.error_value == 0x1234, "0, 0x1234 after two errors",
             "%d, 0x%04x", saw.error, saw.error_value);
    FB_CHECK("errors_cleared", saw.errfl_for_error == 2 && saw.errfl_for_parity == 0,
             "ERRFL read for each EF, not for a parity", "%u and %u", saw.errfl_for_error, saw.errfl_for_parity);
    FB_CHECK("three_attempts", saw.gives_up == -EIO && saw.gives_up_parity == -EIO && saw.angle_reads_given_up == 3,
             "-EIO after three", "%d and %d, %u reads", saw.gives_up, saw.gives_up_parity, saw.angle_reads_given_up);
    FB_CHECK("angle_kept_on_failure", saw.kept == 7 && saw.driver_kept == 9, "7 and 9, as before", "%u and %u",
             saw.kept, saw.driver_kept);
    FB_CHECK("driver_error_at_once", saw.driver == -EBUSY && saw.transfers_after_driver_error == 2,
             "-EBUSY, no further transfer", "%d, %u transfers", saw.driver, saw.transfers_after_driver_error);
    FB_CHECK("works_after_driver_error", saw.after == 0 && saw.other_value == 0x0101, "0, 0x0101", "%d, 0x%04x",
             saw.after, saw.other_value);
    FB_CHECK("calls_kept_apart", saw.both_ended && saw.values_right && !saw.together[0] && !saw.together[1],
             "two threads read right angles", "%s, results %d and %d", saw.values_right ? "right" : "wrong",
             saw.together[0], saw.together[1]);
    FB_CHECK("shorter_way", saw.both_ended && !memcmp(saw.turns, wanted, sizeof wanted), "8, -8, 8191, -8192, 0, -8192",
             "%d, %d, %d, %d, %d, %d", saw.turns[0], saw.turns[1], saw.turns[2], saw.turns[3], saw.turns[4],
             saw.turns[5]);
}
