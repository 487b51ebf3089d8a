/* Starts of a device, each with something else in its NVS. */
#include <string.h>

#include <zephyr/sys/crc.h>

#include "fb_application.h"
#include "fb_flash.h"
#include "fb_nvs.h"
#include "fb_zephyr.h"
#include "power.h"
#include "sim.h"

FB_POWER_CYCLES;

struct app_config {
    uint16_t version;
    uint16_t period_s;
    int16_t limit_cdeg;
    uint8_t channel;
    uint8_t flags;
};

int store_init(void);
uint32_t store_starts(void);
void store_get(struct app_config *config);
int store_put(const struct app_config *config);

enum { ID_STARTS = 1, ID_CONFIG = 2 };
enum {
    BOOT_FRESH,
    BOOT_STORED,
    BOOT_BAD_CRC,
    BOOT_OTHER_VERSION,
    BOOT_OUT_OF_RANGE,
    BOOT_TOO_LONG,
    BOOT_SHORT_COUNTER,
    BOOT_NO_FLASH,
    BOOT_READ_ERROR,
    BOOT_WRITE_ERROR,
    BOOT_AT_ONCE,
};

static const struct app_config defaults = {2, 60, 8500, 15, 0}, first = {2, 600, -4000, 26, 0x81},
                               second = {2, 1, 0, 11, 3};

static struct kept {
    int init[11];
    uint32_t starts[11];
    struct app_config config[11];
    int put_early, put, put_again, put_failed, refused[8];
    unsigned config_writes_of_init, writes_of_refused, writes_of_equal;
    struct app_config before_init, after_put, after_failed, after_refused;
    char mount[80];
    bool stored_right, kept_apart;
    int64_t ended;
} *kept;

static bool same(const struct app_config *a, const struct app_config *b)
{
    return !memcmp(a, b, sizeof *a);
}

static void set_record(const struct app_config *config, uint32_t spoil, size_t length)
{
    uint8_t record[16] = {0};
    uint32_t crc = crc32_ieee((const uint8_t *)config, sizeof *config) ^ spoil;
    memcpy(record, config, 8);
    memcpy(record + 8, &crc, 4);
    fb_nvs_set(ID_CONFIG, record, length);
}

static bool nvs_holds(const struct app_config *config)
{
    uint8_t record[16];
    uint32_t crc = crc32_ieee((const uint8_t *)config, sizeof *config);
    return fb_nvs_get(ID_CONFIG, record, sizeof record) == 12 && !memcmp(record, config, 8) &&
           !memcmp(record + 8, &crc, 4);
}

static void put_refused(void)
{
    static const struct app_config wrong[8] = {
        {1, 60, 0, 15, 0},     {3, 60, 0, 15, 0},     {2, 0, 0, 15, 0},  {2, 3601, 0, 15, 0},
        {2, 60, -4001, 15, 0}, {2, 60, 12501, 15, 0}, {2, 60, 0, 10, 0}, {2, 60, 0, 27, 0},
    };
    unsigned before = fb_nvs_writes(ID_CONFIG);
    for (int i = 0; i < 8; i++)
        kept->refused[i] = store_put(&wrong[i]);
    kept->writes_of_refused = fb_nvs_writes(ID_CONFIG) - before;
    store_get(&kept->after_refused);
}

static void use_fresh(void)
{
    kept->config_writes_of_init = fb_nvs_writes(ID_CONFIG);
    snprintf(kept->mount, sizeof kept->mount, "%s", fb_traced_text("nvs", "mount", 0));
    kept->put = store_put(&first);
    store_get(&kept->after_put);
    kept->stored_right = nvs_holds(&first);
    unsigned before = fb_nvs_writes(ID_CONFIG);
    kept->put_again = store_put(&first);
    kept->writes_of_equal = fb_nvs_writes(ID_CONFIG) - before;
    put_refused();
    fb_nvs_fail_writes(0, 1, -EIO);
    kept->put_failed = store_put(&second);
    fb_nvs_fail_writes(0, 0, 0);
    store_get(&kept->after_failed);
}

static struct k_thread urgent;
static K_THREAD_STACK_DEFINE(urgent_stack, 4096);
static struct k_sem done;

static void put_second(void *a, void *b, void *c)
{
    (void)a;
    (void)b;
    (void)c;
    for (int i = 0; i < 20; i++) {
        k_usleep(300);
        store_put(i % 2 ? &defaults : &second);
    }
    k_sem_give(&done);
}

static void put_at_once(void)
{
    kept->kept_apart = true;
    k_sem_init(&done, 0, 1);
    k_thread_create(&urgent, urgent_stack, K_THREAD_STACK_SIZEOF(urgent_stack), put_second, NULL, NULL, NULL, 5, 0,
                    K_NO_WAIT);
    for (int i = 0; i < 20; i++) {
        struct app_config now, mine = first;
        mine.flags = (uint8_t)i;
        store_put(&mine);
        k_sched_lock(); /* the other thread must not store between the two looks */
        store_get(&now);
        kept->kept_apart &= nvs_holds(&now);
        k_sched_unlock();
    }
    k_sem_take(&done, K_FOREVER);
}

static void application(void)
{
    unsigned boot = fb_boot();
    if (boot == BOOT_FRESH) {
        kept->put_early = store_put(&first);
        store_get(&kept->before_init);
    }
    kept->init[boot] = store_init();
    kept->starts[boot] = store_starts();
    store_get(&kept->config[boot]);
    if (boot == BOOT_FRESH)
        use_fresh();
    if (boot < BOOT_AT_ONCE)
        fb_power_cycle("next boot");
    put_at_once();
    kept->ended = fb_now();
    fb_stop("the application has seen enough");
}

void scenario(void)
{
    fb_application(application);
    static const struct app_config old = {1, 60, 0, 15, 0}, wide = {2, 60, 0, 27, 0};
    kept = fb_kept("scenario", sizeof *kept);
    switch (fb_boot()) {
    case BOOT_BAD_CRC:
        set_record(&first, 0x100, 12);
        break;
    case BOOT_OTHER_VERSION:
        set_record(&old, 0, 12);
        break;
    case BOOT_OUT_OF_RANGE:
        set_record(&wide, 0, 12);
        break;
    case BOOT_TOO_LONG:
        set_record(&first, 0, 16);
        break;
    case BOOT_SHORT_COUNTER:
        set_record(&first, 0, 12);
        fb_nvs_set(ID_STARTS, "\7\7", 2);
        break;
    case BOOT_NO_FLASH:
        fb_device_broken(FB_FLASH);
        break;
    case BOOT_READ_ERROR:
        fb_nvs_fail_reads(2, 1, -EIO); /* the mount and the counter work */
        break;
    case BOOT_WRITE_ERROR:
        fb_nvs_fail_writes(0, 1, -ENOSPC);
        break;
    }
    fb_end_at(FB_S(5));
}

#define CONFIG(name, config, wanted, expected) \
    FB_CHECK(name, same(config, wanted), expected, "version %u, period %u, limit %d, channel %u, flags %u", \
             (config)->version, (config)->period_s, (config)->limit_cdeg, (config)->channel, (config)->flags)
#define DEFAULTS "2, 60, 8500, 15, 0"

void conclude(void)
{
    FB_CHECK("initialised", kept->init[BOOT_FRESH] == 0 && kept->init[BOOT_STORED] == 0, "0", "%d and %d",
             kept->init[BOOT_FRESH], kept->init[BOOT_STORED]);
    FB_CHECK("mounted_by_flash_page", !strcmp(kept->mount, "mount 0x2c000, 3 sectors of 2048"),
             "3 sectors of 2048 at 0x2c000", "%s", kept->mount);
    FB_CHECK("put_before_init", kept->put_early == -EACCES, "-EACCES", "%d", kept->put_early);
    CONFIG("get_before_init", &kept->before_init, &defaults, DEFAULTS);
    FB_CHECK("starts_counted",
             kept->starts[BOOT_FRESH] == 1 && kept->starts[BOOT_STORED] == 2 && kept->starts[BOOT_BAD_CRC] == 3,
             "1, 2, 3", "%u, %u, %u", kept->starts[BOOT_FRESH], kept->starts[BOOT_STORED], kept->starts[BOOT_BAD_CRC]);
    CONFIG("defaults_at_first_start", &kept->config[BOOT_FRESH], &defaults, DEFAULTS);
    FB_CHECK("defaults_not_written", kept->init[BOOT_FRESH] == 0 && kept->config_writes_of_init == 0, "no write", "%u",
             kept->config_writes_of_init);
    FB_CHECK("record_layout", kept->put == 0 && kept->stored_right, "0, the 12 bytes", "%d, %s", kept->put,
             kept->stored_right ? "right" : "wrong");
    CONFIG("put_is_in_use", &kept->after_put, &first, "2, 600, -4000, 26, 129");
    CONFIG("stored_over_restart", &kept->config[BOOT_STORED], &first, "2, 600, -4000, 26, 129");
    FB_CHECK("equal_is_success", kept->put_again == 0 && kept->writes_of_equal == 0, "0, no write", "%d, %u writes",
             kept->put_again, kept->writes_of_equal);
    int refused = 0;
    for (int i = 0; i < 8; i++)
        refused += kept->refused[i] == -EINVAL;
    FB_CHECK("wrong_fields_refused", refused == 8 && kept->writes_of_refused == 0 && same(&kept->after_refused, &first),
             "-EINVAL for each of 8, nothing changed", "%d of 8, %u writes", refused, kept->writes_of_refused);
    FB_CHECK("failed_write_passed_on", kept->put_failed == -EIO, "-EIO", "%d", kept->put_failed);
    CONFIG("failed_write_changes_nothing", &kept->after_failed, &first, "2, 600, -4000, 26, 129");
    CONFIG("wrong_crc_gives_defaults", &kept->config[BOOT_BAD_CRC], &defaults, DEFAULTS);
    CONFIG("other_version_gives_defaults", &kept->config[BOOT_OTHER_VERSION], &defaults, DEFAULTS);
    CONFIG("wrong_field_gives_defaults", &kept->config[BOOT_OUT_OF_RANGE], &defaults, DEFAULTS);
    CONFIG("longer_record_gives_defaults", &kept->config[BOOT_TOO_LONG], &defaults, DEFAULTS);
    FB_CHECK("counter_of_other_size", kept->init[BOOT_SHORT_COUNTER] == 0 && kept->starts[BOOT_SHORT_COUNTER] == 1,
             "0, 1", "%d, %u", kept->init[BOOT_SHORT_COUNTER], kept->starts[BOOT_SHORT_COUNTER]);
    FB_CHECK("flash_not_ready", kept->init[BOOT_NO_FLASH] == -ENODEV, "-ENODEV", "%d", kept->init[BOOT_NO_FLASH]);
    FB_CHECK("read_error_passed_on", kept->init[BOOT_READ_ERROR] == -EIO, "-EIO", "%d", kept->init[BOOT_READ_ERROR]);
    FB_CHECK("write_error_passed_on", kept->init[BOOT_WRITE_ERROR] == -ENOSPC, "-ENOSPC", "%d",
             kept->init[BOOT_WRITE_ERROR]);
    FB_CHECK("puts_kept_apart", kept->ended > 0 && kept->kept_apart, "the configuration in use is the one stored", "%s",
             kept->ended ? kept->kept_apart ? "so" : "not so" : "a call never returned");
}
