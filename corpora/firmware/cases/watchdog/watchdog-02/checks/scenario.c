#include "fb_zephyr.h"
#include "power.h"

#include <stdio.h>
#include <zephyr/sys/crc.h>

FB_POWER_CYCLES;

struct reset_record {
    uint32_t magic;
    uint32_t count;
    uint32_t crc;
};
struct reset_record *reset_record(void);
bool reset_by_watchdog(void);
void application_step(void);
void safe_mode(void);

#define MAGIC 0x52435244u
#define BOOTS 12

/* What each boot is like: when the application hangs, and which reset follows. */
static const struct {
    int64_t hangs_at;
    bool watchdog_follows;
    int64_t count; /* that the application must see */
} boots[BOOTS] = {
    {FB_MS(2000), true, 0},                        /* power-on; the memory holds a record that is almost right */
    {FB_MS(1), true, 1},                           /* hangs in its first step */
    {FB_MS(12500), true, 2},                       /* runs longer than 10 s: the count is cleared */
    {FB_MS(9500), false, 1},                       /* shorter than 10 s, then the power fails */
    {FB_MS(500), true, 0},                         /* power-on with a valid record */
    {FB_MS(700), true, 1},                         /* then the record is damaged */
    {FB_MS(300), true, 1},                         /* a watchdog reset with a damaged record */
    {FB_MS(800), true, 2},   {FB_S(99), true, -1}, /* safe mode */
};
#define SAFE_BOOT 8

static struct kept {
    struct reset_record record;
    bool by_watchdog;
    int64_t seen[BOOTS], cleared_at[BOOTS];
    unsigned safe_boot;
    size_t safe_calls, steps[BOOTS], fed_wrongly, setups_in_safe_mode;
    char installed[64];
    unsigned last_boot;
} * kept;

static bool valid(void)
{
    return kept->record.magic == MAGIC && kept->record.crc == crc32_ieee((const uint8_t *)&kept->record, 8);
}

struct reset_record *reset_record(void)
{
    return &kept->record;
}

bool reset_by_watchdog(void)
{
    return kept->by_watchdog;
}

static void power_fails(void *arg)
{
    ARG_UNUSED(arg);
    fb_power_cycle("the power failed");
}

void application_step(void)
{
    unsigned boot = fb_boot();
    if (boot >= BOOTS || !fb_may_block("application_step"))
        return;
    size_t feeds = fb_traced("wdt", "feed");
    kept->fed_wrongly += feeds != kept->steps[boot];
    if (!kept->steps[boot]++) {
        kept->seen[boot] = valid() ? (int64_t)kept->record.count : -2;
        snprintf(kept->installed, sizeof kept->installed, "%s", fb_traced_text("wdt", "install", 0));
    } else if (valid() && kept->record.count == 0 && kept->seen[boot] > 0 && kept->cleared_at[boot] == 0) {
        kept->cleared_at[boot] = fb_now();
    }
    if (fb_now() >= boots[boot].hangs_at || (kept->steps[boot] == 1 && boots[boot].hangs_at < FB_MS(100))) {
        if (boot == 5)
            kept->record.count ^= 0x100;
        kept->by_watchdog = boots[boot].watchdog_follows;
        if (!boots[boot].watchdog_follows)
            fb_at(fb_now() + FB_MS(10), power_fails, NULL);
        fb_wait(NULL, FB_FOREVER);
    }
    fb_wait(NULL, fb_now() + FB_MS(120 + kept->steps[boot] * 31 % 150));
}

void safe_mode(void)
{
    if (!kept->safe_calls++)
        kept->safe_boot = fb_boot();
    kept->setups_in_safe_mode += fb_traced("wdt", "setup");
    fb_wait(NULL, FB_FOREVER);
}

void scenario(void)
{
    kept = fb_kept("scenario", sizeof *kept);
    if (fb_boot() == 0) {
        kept->record = (struct reset_record){MAGIC, 2, 0x12345678};
        memset(kept->seen, 0xff, sizeof kept->seen);
    }
    kept->last_boot = fb_boot();
    fb_end_at(fb_boot() < BOOTS - 1 ? FB_S(20) : FB_MS(1));
}

void conclude(void)
{
    FB_CHECK("watchdog_installed", !strcmp(kept->installed, "install 0: 0 to 1000 ms, reset 2"),
             "1000 ms with a reset of the SoC", "'%s'", kept->installed);
    FB_CHECK("power_on_begins_at_zero", kept->seen[0] == 0 && kept->seen[4] == 0, "0 whatever the memory holds",
             "%lld and %lld", (long long)kept->seen[0], (long long)kept->seen[4]);
    FB_CHECK("watchdog_resets_are_counted", kept->seen[1] == 1 && kept->seen[2] == 2, "1, then 2", "%lld, then %lld",
             (long long)kept->seen[1], (long long)kept->seen[2]);
    bool cleared = kept->cleared_at[2] >= FB_S(10) && kept->cleared_at[2] <= FB_MS(10700) && kept->seen[3] == 1 &&
                   kept->cleared_at[3] == 0;
    FB_CHECK("cleared_after_ten_seconds", cleared, "0 after 10 s, and not before", "at %.1f s, then %lld",
             kept->cleared_at[2] / 1e9, (long long)kept->seen[3]);
    FB_CHECK("damaged_record_counts_as_one", kept->seen[6] == 1 && kept->seen[7] == 2, "1, then 2", "%lld, then %lld",
             (long long)kept->seen[6], (long long)kept->seen[7]);
    FB_CHECK("safe_mode_after_three",
             kept->safe_calls == 1 && kept->safe_boot == SAFE_BOOT && kept->last_boot == SAFE_BOOT,
             "safe mode in boot 8", "%zu calls, in boot %u, %u boots in all", kept->safe_calls, kept->safe_boot,
             kept->last_boot + 1);
    FB_CHECK(
        "no_watchdog_in_safe_mode", kept->safe_calls && kept->setups_in_safe_mode == 0 && kept->steps[SAFE_BOOT] == 0,
        "neither watchdog nor application", "%zu setups, %zu steps", kept->setups_in_safe_mode, kept->steps[SAFE_BOOT]);
    FB_CHECK("fed_after_each_step", kept->steps[2] > 20 && kept->fed_wrongly == 0, "one feed after each step",
             "%zu times otherwise", kept->fed_wrongly);
    FB_CHECK("record_stays_valid", kept->safe_calls && valid() && kept->record.count == 3, "a valid record with 3",
             "%s, %u", valid() ? "valid" : "not valid", kept->record.count);
}
