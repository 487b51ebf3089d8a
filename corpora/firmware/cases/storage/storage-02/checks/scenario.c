/* A record saved again and again while the power is cut in every kind of place; then wear, faults, and a partition with
 * content that makes no sense. The first boot uses a blank partition, without cuts. */
#include <string.h>

#include "fb_application.h"
#include "fb_flash.h"
#include "fb_zephyr.h"
#include "power.h"
#include "sim.h"

FB_POWER_CYCLES;

int record_init(void);
int record_load(uint8_t data[64]);
int record_save(const uint8_t data[64]);

enum { SIZE = 64, CUTS = 260, SAVES = 220 };
#define START FB_PARTITION_OFFSET(record_partition)
#define END (START + FB_PARTITION_SIZE(record_partition))

static struct kept {
    int init_blank, load_blank, first_save, first_load, read_error[2], write_error, after_error, erase_error,
        garbage_init, garbage_load, garbage_save;
    bool first_right, kept_after_error, erase_kept, garbage_right, clean_reload;
    unsigned reads_of_init, blocks_of_init, erases_of_saves, saves_without_cut, most_erases;
    /* The cuts: what is certain, and what may be there instead because the power was cut while it was saved. */
    bool any, maybe;
    uint32_t certain, possible, saves;
    unsigned cuts, lost, mixed, init_failed, save_failed, saves_lost;
    enum { BLANK, CUTTING, COUNT_READS, FIRST_READ_FAILS, LAST_READ_FAILS, GARBAGE, RELOAD } phase;
} *kept;

static void make(uint8_t *data, uint32_t number)
{
    for (uint32_t i = 0; i < SIZE; i++)
        data[i] = (uint8_t)(number * 2654435761u >> (i % 4 * 8)) ^ (uint8_t)(i * 3);
}

static bool holds(const uint8_t *data, uint32_t number)
{
    uint8_t wanted[SIZE];
    make(wanted, number);
    return !memcmp(data, wanted, SIZE);
}

/* A boot in the middle of the cuts: what is loaded must be old or new; then saves go on until the power fails again. */
static void one_boot(void)
{
    uint8_t data[SIZE];
    if (record_init() != 0)
        kept->init_failed++;
    int got = record_load(data);
    if (got != 0) {
        kept->lost += kept->any;
    } else if (kept->maybe && holds(data, kept->possible)) {
        kept->certain = kept->possible;
        kept->any = true;
    } else if (!kept->any || !holds(data, kept->certain)) {
        kept->mixed++;
    }
    kept->maybe = false;
    if (kept->cuts >= CUTS)
        return;
    kept->cuts++;
    /* In turn: somewhere in the next saves, and in or shortly after the next erase. */
    if (kept->cuts % 2)
        fb_flash_cut_after((long)(kept->cuts * 7 % 61));
    else
        fb_flash_cut_after_erase((long)(kept->cuts / 2 % 14));
    for (int i = 0; i < 200; i++) {
        kept->possible = ++kept->saves;
        kept->maybe = true;
        make(data, kept->possible);
        if (record_save(data) != 0) {
            kept->save_failed++;
            break;
        }
        kept->maybe = false;
        kept->certain = kept->possible;
        kept->any = true;
        if (record_load(data) != 0 || !holds(data, kept->certain))
            kept->saves_lost++;
    }
    fb_flash_cut_after(-1);
    fb_power_cycle("a save that writes nothing, or fails");
}

static void blank_boot(void)
{
    uint8_t data[SIZE];
    kept->init_blank = record_init();
    kept->load_blank = record_load(data);
    kept->blocks_of_init = fb_flash_blocks_written(START, END) + fb_flash_erases(START, END);
    make(data, 900);
    kept->first_save = record_save(data);
    memset(data, 0, SIZE);
    kept->first_load = record_load(data);
    kept->first_right = holds(data, 900);
    unsigned before = fb_flash_erases(START, END);
    for (uint32_t i = 0; i < SAVES; i++) {
        make(data, 1000 + i);
        if (record_save(data) != 0)
            break;
        kept->saves_without_cut++;
    }
    kept->erases_of_saves = fb_flash_erases(START, END) - before;
    kept->certain = kept->saves = 1000 + SAVES - 1;
    kept->any = true;
}

static void last_boot(void)
{
    uint8_t data[SIZE];
    make(data, 5000);
    record_save(data);
    fb_flash_fail_writes(0, 1, -EIO);
    make(data, 5001);
    kept->write_error = record_save(data);
    record_load(data);
    kept->kept_after_error = holds(data, 5000);
    make(data, 5002);
    kept->after_error = record_save(data);
    record_load(data);
    kept->after_error |= !holds(data, 5002);
    /* Until a save needs an erase, which then fails. */
    kept->erase_kept = true;
    for (uint32_t i = 0; i < 80 && !kept->erase_error; i++) {
        uint8_t now[SIZE];
        unsigned erases = fb_flash_erases(START, END);
        make(data, 6000 + i);
        if (record_save(data))
            kept->erase_kept = false;
        if (fb_flash_erases(START, END) == erases)
            continue;
        kept->erase_error = 1;
        record_load(now);
        kept->erase_kept &= holds(now, 6000 + i);
    }
}

static void garbage_boot(void)
{
    uint8_t data[SIZE];
    kept->garbage_init = record_init();
    kept->garbage_load = record_load(data);
    make(data, 7000);
    kept->garbage_save = record_save(data);
    kept->garbage_right = record_load(data) == 0 && holds(data, 7000);
}

static void reload_boot(void)
{
    uint8_t data[SIZE];
    kept->clean_reload = record_init() == 0 && record_load(data) == 0 && holds(data, 7000);
}

static void application(void)
{
    switch (kept->phase) {
    case BLANK:
        blank_boot();
        break;
    case CUTTING:
        one_boot(); /* returns after the last cut only */
        last_boot();
        break;
    case COUNT_READS:
        record_init();
        kept->reads_of_init = fb_flash_reads();
        break;
    case FIRST_READ_FAILS:
        fb_flash_fail_reads(0, 1, -EIO);
        kept->read_error[0] = record_init();
        break;
    case LAST_READ_FAILS:
        fb_flash_fail_reads(kept->reads_of_init - 1, 1, -EIO);
        kept->read_error[1] = record_init();
        break;
    case GARBAGE:
        garbage_boot();
        break;
    case RELOAD:
        reload_boot();
        fb_stop("the application has seen enough");
    }
    kept->phase++;
    fb_power_cycle("next boot");
}

void scenario(void)
{
    fb_application(application);
    kept = fb_kept("scenario", sizeof *kept);
    if (kept->phase == GARBAGE) {
        static uint8_t garbage[FB_PARTITION_SIZE(record_partition)];
        for (size_t i = 0; i < sizeof garbage; i++)
            garbage[i] = (uint8_t)(i * 2654435761u >> 13);
        fb_flash_set(START, garbage, sizeof garbage);
    }
    fb_end_at(FB_S(60));
}

void conclude(void)
{
    FB_CHECK("blank_partition", kept->init_blank == 0 && kept->load_blank == -ENOENT, "0, then -ENOENT", "%d, %d",
             kept->init_blank, kept->load_blank);
    FB_CHECK("init_only_reads", kept->init_blank == 0 && kept->blocks_of_init == 0, "no write and no erase", "%u",
             kept->blocks_of_init);
    FB_CHECK("saves_and_loads", kept->first_save == 0 && kept->first_load == 0 && kept->first_right, "0, 0, the record",
             "%d, %d, %s", kept->first_save, kept->first_load, kept->first_right ? "right" : "wrong");
    FB_CHECK("saves_do_not_end", kept->saves_without_cut == SAVES, "220 saves", "%u", kept->saves_without_cut);
    FB_CHECK("wear_limited",
             kept->saves_without_cut == SAVES && kept->erases_of_saves > 0 && kept->erases_of_saves <= SAVES / 20,
             "1 to 11 erases in 220 saves", "%u", kept->erases_of_saves);
    FB_CHECK("all_cuts_lived_through", kept->cuts == CUTS && kept->phase == RELOAD, "260 power cuts", "%u", kept->cuts);
    FB_CHECK("record_never_lost", kept->cuts > 0 && kept->lost == 0, "a record after each cut", "%u without",
             kept->lost);
    FB_CHECK("old_or_new_after_cut", kept->cuts > 0 && kept->mixed == 0, "the old or the new one after each cut",
             "%u others", kept->mixed);
    FB_CHECK("starts_after_cut", kept->cuts > 0 && kept->init_failed == 0, "record_init gives 0", "%u failed",
             kept->init_failed);
    FB_CHECK("saves_after_cut", kept->cuts > 0 && kept->save_failed == 0, "record_save gives 0", "%u failed",
             kept->save_failed);
    FB_CHECK("saved_is_loaded", kept->cuts > 0 && kept->saves_lost == 0, "each record that was saved", "%u not",
             kept->saves_lost);
    FB_CHECK("write_error_passed_on", kept->write_error == -EIO && kept->kept_after_error,
             "-EIO, and the record before", "%d, %s", kept->write_error, kept->kept_after_error ? "kept" : "lost");
    FB_CHECK("works_after_error", kept->phase == RELOAD && kept->after_error == 0, "the next save is stored", "%d",
             kept->after_error);
    FB_CHECK("record_kept_over_erase", kept->erase_error && kept->erase_kept, "the record, right after an erase", "%d",
             kept->erase_kept);
    FB_CHECK("read_error_passed_on", kept->read_error[0] == -EIO && kept->read_error[1] == -EIO,
             "-EIO from record_init for the first and for the last read", "%d, %d", kept->read_error[0],
             kept->read_error[1]);
    FB_CHECK("senseless_content",
             kept->phase == RELOAD && kept->garbage_init == 0 && kept->garbage_load == -ENOENT &&
                 kept->garbage_save == 0 && kept->garbage_right && kept->clean_reload,
             "0, -ENOENT, and saves", "%d, %d, %d, %s", kept->garbage_init, kept->garbage_load, kept->garbage_save,
             kept->garbage_right && kept->clean_reload ? "stored" : "not stored");
}
