/* The sensor on its bus, and an application that fetches. Boots: 0 another ID, 1 the ID cannot be read, 2 no bus, 3
 * works. */
#include <string.h>

#include <zephyr/drivers/sensor.h>

#include "fb_application.h"
#include "fb_i2c.h"
#include "fb_zephyr.h"
#include "power.h"
#include "sim.h"

FB_POWER_CYCLES;

#define SENSOR DEVICE_DT_GET(DT_NODELABEL(th20))
enum { BOOT_ID, BOOT_ERROR, BOOT_NO_BUS, BOOT_WORKS };

static struct kept {
    int init[4];
    bool ready[4];
} *kept;

static uint8_t registers[16];
static uint8_t pointer;
static bool address_next, spoiled, torn;
static int64_t ready_at = FB_FOREVER;
static int64_t conversion = FB_MS(12);
static unsigned starts;
static int64_t last_look;
static int64_t shortest_look = FB_FOREVER;

static uint8_t crc(const uint8_t *bytes)
{
    unsigned value = 0xff;
    for (int i = 0; i < 2; i++) {
        value ^= bytes[i];
        for (int bit = 0; bit < 8; bit++)
            value = value & 0x80 ? value << 1 ^ 0x31 : value << 1;
    }
    return (uint8_t)value;
}

static void put(int16_t temperature, uint16_t humidity)
{
    registers[3] = (uint8_t)((uint16_t)temperature >> 8);
    registers[4] = (uint8_t)temperature;
    registers[5] = crc(&registers[3]);
    registers[6] = (uint8_t)(humidity >> 8);
    registers[7] = (uint8_t)humidity;
    registers[8] = crc(&registers[6]);
}

static bool converting(void)
{
    return ready_at != FB_FOREVER && fb_now() < ready_at;
}

static bool target_start(fb_i2c_target *target, bool read)
{
    (void)target;
    address_next = !read;
    return true;
}

static bool target_write(fb_i2c_target *target, uint8_t byte)
{
    (void)target;
    if (address_next) {
        pointer = byte;
        address_next = false;
    } else if (pointer++ == 1 && byte == 1) {
        spoiled |= converting();
        starts++;
        ready_at = fb_now() + conversion;
        last_look = -1;
    }
    return true;
}

static uint8_t target_read(fb_i2c_target *target)
{
    (void)target;
    if (pointer == 2) {
        if (last_look >= 0 && fb_now() - last_look < shortest_look)
            shortest_look = fb_now() - last_look;
        last_look = fb_now();
        return ready_at == FB_FOREVER ? 0 : converting() ? 2 : 1;
    }
    torn |= pointer >= 3 && converting();
    uint8_t byte = pointer < sizeof registers ? registers[pointer] : 0xff;
    pointer++;
    return byte;
}

static fb_i2c_target sensor = {.address = 0x44, .start = target_start, .write = target_write, .read = target_read};

static struct {
    int before_fetch, first, all_channels, one_channel, other_channel, crc_temp, crc_hum, bus[3], late, after,
        other_get;
    unsigned other_transfers, get_transfers;
    int64_t timeout_took;
    struct sensor_value warm, cold, small, minus_one, humid, full, kept_temp, kept_hum, kept_late;
    int both[2];
    bool kept_valid, both_ended;
} saw;

static int get(enum sensor_channel channel, struct sensor_value *value)
{
    unsigned before = fb_i2c_transfers();
    int ret = sensor_channel_get(SENSOR, channel, value);
    saw.get_transfers += fb_i2c_transfers() - before;
    return ret;
}

static int fetch_temperature(int16_t raw, struct sensor_value *value)
{
    put(raw, 0x8000);
    int ret = sensor_sample_fetch(SENSOR);
    int got = get(SENSOR_CHAN_AMBIENT_TEMP, value);
    return ret ? ret : got;
}

static void use_values(void)
{
    struct sensor_value value = {-1, -1};
    saw.before_fetch = get(SENSOR_CHAN_AMBIENT_TEMP, &value);
    saw.first = fetch_temperature(0x1980, &saw.warm); /* 25.5 */
    fetch_temperature(-0x0a40, &saw.cold);            /* -10.25 */
    fetch_temperature(-0x0080, &saw.small);           /* -0.5 */
    fetch_temperature(-0x0101, &saw.minus_one);       /* -1.00390625 */
    put(0, 13107);
    saw.one_channel = sensor_sample_fetch_chan(SENSOR, SENSOR_CHAN_HUMIDITY);
    get(SENSOR_CHAN_HUMIDITY, &saw.humid); /* 20 */
    put(0, 65535);
    saw.all_channels = sensor_sample_fetch_chan(SENSOR, SENSOR_CHAN_AMBIENT_TEMP);
    get(SENSOR_CHAN_HUMIDITY, &saw.full); /* 100 */
    unsigned before = fb_i2c_transfers();
    saw.other_channel = sensor_sample_fetch_chan(SENSOR, SENSOR_CHAN_PRESS);
    saw.other_transfers = fb_i2c_transfers() - before;
    saw.other_get = get(SENSOR_CHAN_PRESS, &value);
}

static void use_faults(void)
{
    put(0x0100, 13107); /* 1, 20 */
    sensor_sample_fetch(SENSOR);
    put(0x0200, 26214);
    registers[5] ^= 0x10;
    saw.crc_temp = sensor_sample_fetch(SENSOR);
    put(0x0300, 26214);
    registers[8] ^= 0x01;
    saw.crc_hum = sensor_sample_fetch(SENSOR);
    put(0x0400, 26214);
    unsigned before = fb_i2c_transfers();
    conversion = FB_MS(3);
    registers[5] ^= 0x01; /* so that this one, too, changes nothing */
    sensor_sample_fetch(SENSOR);
    registers[5] ^= 0x01;
    unsigned whole = fb_i2c_transfers() - before;
    for (unsigned step = 0; step < 3; step++) { /* the start, a look at STATUS, the result */
        fb_i2c_fail(step == 2 ? whole - 1 : step, 1, -EBUSY);
        saw.bus[step] = sensor_sample_fetch(SENSOR);
        fb_i2c_fail(0, 0, 0);
        k_msleep(20);
    }
    conversion = FB_MS(12);
    saw.kept_valid =
        get(SENSOR_CHAN_AMBIENT_TEMP, &saw.kept_temp) == 0 && get(SENSOR_CHAN_HUMIDITY, &saw.kept_hum) == 0;
    conversion = FB_S(1);
    int64_t began = fb_now();
    saw.late = sensor_sample_fetch(SENSOR);
    saw.timeout_took = fb_now() - began;
    get(SENSOR_CHAN_AMBIENT_TEMP, &saw.kept_late);
    k_msleep(1100);
    conversion = FB_MS(12);
    struct sensor_value value;
    saw.after = fetch_temperature(0x0500, &value);
}

static struct k_thread threads[2];
static K_THREAD_STACK_ARRAY_DEFINE(stacks, 2, 2048);
static struct k_sem done;

static void fetch_at_once(void *index, void *unused, void *unused2)
{
    (void)unused;
    (void)unused2;
    for (int i = 0; i < 3; i++)
        saw.both[(intptr_t)index] |= sensor_sample_fetch(SENSOR);
    k_sem_give(&done);
}

static void application(void)
{
    k_msleep(50);
    kept->ready[fb_boot()] = device_is_ready(SENSOR);
    kept->init[fb_boot()] = SENSOR->state->init_res;
    if (fb_boot() < BOOT_WORKS)
        fb_power_cycle("next boot");
    use_values();
    use_faults();
    put(0x0600, 100);
    k_sem_init(&done, 0, 2);
    for (intptr_t i = 0; i < 2; i++)
        k_thread_create(&threads[i], stacks[i], K_THREAD_STACK_SIZEOF(stacks[i]), fetch_at_once, (void *)i, NULL, NULL,
                        7, 0, K_NO_WAIT);
    k_sem_take(&done, K_FOREVER);
    k_sem_take(&done, K_FOREVER);
    saw.both_ended = true;
    fb_stop("the application has seen enough");
}

void scenario(void)
{
    fb_application(application);
    kept = fb_kept("scenario", sizeof *kept);
    registers[0] = fb_boot() == BOOT_ID ? 0x5b : 0x5a;
    fb_i2c_attach(&sensor);
    if (fb_boot() == BOOT_ERROR)
        fb_i2c_fail(0, 100, -EIO);
    if (fb_boot() == BOOT_NO_BUS)
        fb_device_broken(DEVICE_DT_GET(DT_NODELABEL(i2c0)));
    fb_end_at(FB_S(20));
}

static bool near(struct sensor_value value, int64_t micro)
{
    int64_t difference = (int64_t)value.val1 * 1000000 + value.val2 - micro;
    bool signs = (value.val1 >= 0 && value.val2 >= 0) || (value.val1 <= 0 && value.val2 <= 0);
    return difference >= -1 && difference <= 1 && signs && value.val2 > -1000000 && value.val2 < 1000000;
}

#define VALUE(name, value, micro, expected) \
    FB_CHECK(name, near(value, micro), expected, "%d, %d", (value).val1, (value).val2)

void conclude(void)
{
    FB_CHECK("wrong_id_refused", kept->init[BOOT_ID] == ENODEV, "init gives -ENODEV for another ID", "-%d",
             kept->init[BOOT_ID]);
    FB_CHECK("id_error_passed_on", kept->init[BOOT_ERROR] == EIO, "init gives the bus error -5", "-%d",
             kept->init[BOOT_ERROR]);
    FB_CHECK("bus_not_ready", kept->init[BOOT_NO_BUS] == ENODEV, "init gives -ENODEV without a bus", "-%d",
             kept->init[BOOT_NO_BUS]);
    FB_CHECK("device_ready", fb_boot() == BOOT_WORKS && kept->ready[BOOT_WORKS], "the device is ready", "boot %u, %d",
             fb_boot(), kept->ready[BOOT_WORKS]);
    FB_CHECK("no_data_before_fetch", saw.before_fetch == -ENODATA, "-ENODATA before a fetch", "%d", saw.before_fetch);
    FB_CHECK("fetch_works", saw.first == 0 && starts > 0, "0, and a conversion was started", "%d", saw.first);
    VALUE("positive_temperature", saw.warm, 25500000, "25, 500000");
    VALUE("negative_temperature", saw.cold, -10250000, "-10, -250000");
    VALUE("temperature_above_minus_one", saw.small, -500000, "0, -500000");
    VALUE("fraction_of_negative", saw.minus_one, -1003906, "-1, -3906");
    VALUE("humidity_value", saw.humid, 20000000, "20, 0");
    VALUE("humidity_full_scale", saw.full, 100000000, "100, 0");
    FB_CHECK("single_channels_fetched", saw.one_channel == 0 && saw.all_channels == 0, "0 for each channel",
             "%d and %d", saw.one_channel, saw.all_channels);
    FB_CHECK(
        "other_channel_refused", saw.other_channel == -ENOTSUP && saw.other_transfers == 0 && saw.other_get == -ENOTSUP,
        "-ENOTSUP, no transfer", "%d with %u transfers, get %d", saw.other_channel, saw.other_transfers, saw.other_get);
    FB_CHECK("get_leaves_the_bus_alone", saw.get_transfers == 0, "no transfer in channel_get", "%u", saw.get_transfers);
    FB_CHECK("temperature_checksum", saw.crc_temp == -EIO, "-EIO", "%d", saw.crc_temp);
    FB_CHECK("humidity_checksum", saw.crc_hum == -EIO, "-EIO", "%d", saw.crc_hum);
    FB_CHECK("bus_error_passed_on", saw.bus[0] == -EBUSY && saw.bus[1] == -EBUSY && saw.bus[2] == -EBUSY,
             "-EBUSY, as the bus said, at each of three steps", "%d, %d, %d", saw.bus[0], saw.bus[1], saw.bus[2]);
    FB_CHECK("values_kept_after_failure",
             saw.kept_valid && near(saw.kept_temp, 1000000) && near(saw.kept_hum, 20000000) &&
                 near(saw.kept_late, 1000000),
             "1, 0 and 20, 0", "%d, %d and %d, %d", saw.kept_temp.val1, saw.kept_temp.val2, saw.kept_hum.val1,
             saw.kept_hum.val2);
    FB_CHECK("conversion_time_limited",
             saw.late == -ETIMEDOUT && saw.timeout_took >= FB_MS(45) && saw.timeout_took <= FB_MS(65),
             "-ETIMEDOUT after 50 ms", "%d after %.1f ms", saw.late, (double)saw.timeout_took / 1e6);
    FB_CHECK("works_after_timeout", saw.after == 0, "0", "%d", saw.after);
    FB_CHECK("status_read_at_intervals", shortest_look >= FB_US(900), "1 ms or more between looks at STATUS", "%.2f ms",
             (double)shortest_look / 1e6);
    FB_CHECK("result_read_when_ready", !torn, "no data read while converting", "%d", torn);
    FB_CHECK("fetches_kept_apart", saw.both_ended && !spoiled && saw.both[0] == 0 && saw.both[1] == 0,
             "two threads fetch, no conversion started during another", "%s, %s, results %d and %d",
             saw.both_ended ? "both ended" : "a fetch never ended", spoiled ? "spoiled" : "apart", saw.both[0],
             saw.both[1]);
}
