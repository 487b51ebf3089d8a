/* Changes alone, in bursts, without end, from interrupts, during failures; then another boot with what was saved, and
 * one with values that must be refused. */
#include <string.h>

#include <zephyr/settings/settings.h>

#include "fb_application.h"
#include "fb_settings.h"
#include "fb_zephyr.h"
#include "power.h"
#include "sim.h"

FB_POWER_CYCLES;

int prefs_init(void);
uint8_t prefs_volume(void);
void prefs_volume_set(uint8_t percent);
void prefs_name(char name[17]);
int prefs_name_set(const char *name);

enum { FRESH, SAVED, REFUSED };

static struct kept {
    int init[3];
    uint8_t volume[3];
    char name[3][17];
    unsigned writes_of_load;
    int refused[7], name_refused[3];
    bool name_of_1, name_of_16, capped, at_once, in_interrupt;
    char long_name[17];
    unsigned single_writes, single_name_writes, burst_writes, steady_writes, same_writes, interrupt_writes,
        retry_writes;
    int64_t single_after, burst_after, steady_after, interrupt_after;
    int64_t tries[4];
    unsigned try_count, said;
    bool saved_at_last;
    long stored_volume, stored_name;
    bool finished, taken;
} *kept;

static unsigned writes(const char *name)
{
    return fb_settings_writes(name);
}

/* Wait until something is saved; the time it took, -1 if nothing was within the limit. */
static int64_t until_saved(int64_t limit)
{
    int64_t began = fb_now();
    unsigned before = writes(NULL);
    while (fb_now() - began < limit) {
        k_msleep(10);
        if (writes(NULL) != before)
            return fb_now() - began;
    }
    return -1;
}

static void change_singly(void)
{
    unsigned volume = writes("prefs/volume"), name = writes("prefs/name");
    prefs_volume_set(40);
    kept->at_once = prefs_volume() == 40;
    kept->single_after = until_saved(FB_S(4));
    k_msleep(3000);
    kept->single_writes = writes("prefs/volume") - volume;
    kept->single_name_writes = writes("prefs/name") - name;
    prefs_volume_set(41);
    k_msleep(1000);
    prefs_volume_set(40); /* as stored: nothing to write */
    k_msleep(4000);
    kept->same_writes = writes("prefs/volume") - volume - kept->single_writes;
}

static void change_in_bursts(void)
{
    unsigned before = writes(NULL);
    for (int i = 0; i < 30; i++) {
        prefs_volume_set((uint8_t)(50 + i));
        k_msleep(100);
    }
    kept->burst_after = until_saved(FB_S(4));
    k_msleep(3000);
    kept->burst_writes = writes(NULL) - before;

    before = writes(NULL);
    int64_t began = fb_now();
    kept->steady_after = -1;
    for (int i = 0; i < 25; i++) { /* a change each second: never quiet for 2 s */
        prefs_volume_set((uint8_t)(10 + i));
        for (int k = 0; k < 100; k++) {
            k_msleep(10);
            if (kept->steady_after < 0 && writes(NULL) != before)
                kept->steady_after = fb_now() - began;
        }
    }
    k_msleep(4000);
    kept->steady_writes = writes(NULL) - before;
}

static void knob(const void *unused)
{
    (void)unused;
    prefs_volume_set(200);
    kept->capped = prefs_volume() == 100;
}

static void raise_knob(void *unused)
{
    fb_irq("knob", FB_IRQ_DEVICE, (void (*)(void *))knob, unused);
}

static void change_in_interrupt(void)
{
    unsigned before = writes("prefs/volume");
    fb_at(fb_now() + FB_MS(1), raise_knob, NULL);
    kept->interrupt_after = until_saved(FB_S(4));
    kept->interrupt_writes = writes("prefs/volume") - before;
    k_msleep(500);
}

static void change_names(void)
{
    kept->name_refused[0] = prefs_name_set("");
    kept->name_refused[1] = prefs_name_set("12345678901234567");
    kept->name_refused[2] = prefs_name_set(NULL);
    kept->name_of_16 = prefs_name_set("1234567890123456") == 0;
    memset(kept->long_name, 'x', sizeof kept->long_name);
    prefs_name(kept->long_name);
    k_msleep(3000);
    kept->name_of_1 = prefs_name_set("d") == 0;
    k_msleep(3000);
}

static void fail_and_retry(void)
{
    unsigned volume = writes("prefs/volume"), name = writes("prefs/name");
    size_t seen = fb_traced("settings", "save");
    fb_settings_fail_writes(1, 2, -EIO); /* one preference is saved, the other fails twice */
    int64_t began = fb_now();
    prefs_volume_set(77);
    prefs_name_set("kitchen");
    k_msleep(4000);
    prefs_volume_set(77); /* a change that is none, in the meantime */
    k_msleep(14000);
    kept->try_count = 0;
    for (size_t n = seen; n < fb_traced("settings", "save"); n++)
        if (kept->try_count < 4)
            kept->tries[kept->try_count++] = fb_traced_at("settings", "save", n) - began;
    kept->said = (unsigned)fb_traced("console", "prefs not saved");
    kept->retry_writes = writes("prefs/volume") - volume + writes("prefs/name") - name;
    char stored[17] = "";
    uint8_t byte = 0;
    kept->stored_name = fb_settings_get("prefs/name", stored, 16);
    kept->stored_volume = fb_settings_get("prefs/volume", &byte, 1);
    kept->saved_at_last = !memcmp(stored, "kitchen", 8) && byte == 77;
}

static void refuse_values(void)
{
    static const char seventeen[17] = "12345678901234567";
    uint8_t large = 101, two[2] = {1, 1};
    kept->refused[0] = settings_runtime_set("prefs/other", "x", 1);
    kept->refused[1] = settings_runtime_set("prefs/volume/deep", "x", 1);
    kept->refused[2] = settings_runtime_set("prefs/volume", &large, 1);
    kept->refused[3] = settings_runtime_set("prefs/volume", two, 2);
    kept->refused[4] = settings_runtime_set("prefs/name", seventeen, 17);
    kept->refused[5] = settings_runtime_set("prefs/volumes", "\1", 1);
    fb_settings_fail_reads(0, 1, -EIO);
    kept->refused[6] = settings_runtime_set("prefs/volume", "\1", 1);
    fb_settings_fail_reads(0, 0, 0);
}

static void application(void)
{
    unsigned boot = fb_boot();
    unsigned before = writes(NULL);
    kept->init[boot] = prefs_init();
    if (boot == REFUSED)
        refuse_values();
    kept->volume[boot] = prefs_volume();
    prefs_name(kept->name[boot]);
    if (boot == FRESH) {
        change_singly();
        change_in_bursts();
        change_in_interrupt();
        change_names();
        fail_and_retry();
    } else {
        if (boot == REFUSED) /* the largest and the shortest that are right */
            kept->taken = settings_runtime_set("prefs/volume", "\x64", 1) == 0 && prefs_volume() == 100 &&
                          settings_runtime_set("prefs/name", "q", 1) == 0;
        k_msleep(12000);
        kept->writes_of_load += writes(NULL) - before;
    }
    if (boot < REFUSED)
        fb_power_cycle("next boot");
    kept->finished = true;
    fb_stop("the application has seen enough");
}

void scenario(void)
{
    fb_application(application);
    kept = fb_kept("scenario", sizeof *kept);
    if (fb_boot() == REFUSED) {
        fb_settings_set("prefs/volume", "\x65", 1);
        fb_settings_set("prefs/name", "a name of more than 16", 22);
    }
    fb_end_at(FB_S(200));
}

#define WITHIN(time, due) ((time) >= FB_MS((due)-200) && (time) <= FB_MS((due) + 250))

void conclude(void)
{
    FB_CHECK("initialised", kept->init[0] == 0 && kept->init[1] == 0, "0", "%d, %d", kept->init[0], kept->init[1]);
    FB_CHECK("defaults", kept->volume[FRESH] == 30 && !strcmp(kept->name[FRESH], "speaker"), "30, 'speaker'",
             "%u, '%s'", kept->volume[FRESH], kept->name[FRESH]);
    FB_CHECK("change_seen_at_once", kept->at_once, "the new volume", "%d", kept->at_once);
    FB_CHECK("saved_after_2_s", WITHIN(kept->single_after, 2000), "2 s after the change", "%.2f s",
             (double)kept->single_after / 1e9);
    FB_CHECK("only_changed_saved", kept->single_writes == 1 && kept->single_name_writes == 0,
             "one write of the volume, none of the name", "%u and %u", kept->single_writes, kept->single_name_writes);
    FB_CHECK("stored_value_not_written", kept->single_writes == 1 && kept->same_writes == 0,
             "no write of what is stored", "%u", kept->same_writes);
    FB_CHECK("burst_gathered", kept->burst_writes == 1 && WITHIN(kept->burst_after, 1900),
             "one write for 30 changes, 2 s after the last", "%u, after %.2f s", kept->burst_writes,
             (double)kept->burst_after / 1e9);
    FB_CHECK("saved_after_10_s", WITHIN(kept->steady_after, 10000), "10 s after the first of steady changes", "%.2f s",
             (double)kept->steady_after / 1e9);
    FB_CHECK("steady_changes_gathered", kept->steady_writes == 3, "three writes in 25 s of changes", "%u",
             kept->steady_writes);
    FB_CHECK("interrupt_changes", kept->capped && kept->interrupt_writes == 1 && WITHIN(kept->interrupt_after, 2000),
             "100 for 200, saved after 2 s", "capped %d, %u writes after %.2f s", kept->capped, kept->interrupt_writes,
             (double)kept->interrupt_after / 1e9);
    FB_CHECK("names_checked",
             kept->name_refused[0] == -EINVAL && kept->name_refused[1] == -EINVAL && kept->name_refused[2] == -EINVAL,
             "-EINVAL three times", "%d, %d, %d", kept->name_refused[0], kept->name_refused[1], kept->name_refused[2]);
    FB_CHECK("limits_accepted", kept->taken && kept->name_of_1, "a volume of 100 and names of one byte", "%d, %d",
             kept->taken, kept->name_of_1);
    FB_CHECK("name_of_16_bytes", kept->name_of_16 && !memcmp(kept->long_name, "1234567890123456", 17),
             "16 bytes and a zero", "'%.17s'", kept->long_name);
    FB_CHECK("failure_said", kept->said == 2, "'prefs not saved' for each failure", "%u", kept->said);
    FB_CHECK("tried_again_after_5_s",
             kept->try_count == 4 && WITHIN(kept->tries[1], 2000) && WITHIN(kept->tries[2], 7000) &&
                 WITHIN(kept->tries[3], 12000),
             "tries at 2, 7 and 12 s", "%u: %.2f, %.2f, %.2f s", kept->try_count, (double)kept->tries[1] / 1e9,
             (double)kept->tries[2] / 1e9, (double)kept->tries[3] / 1e9);
    FB_CHECK("nothing_written_twice", kept->saved_at_last && kept->retry_writes == 2, "one write of each preference",
             "%u", kept->retry_writes);
    FB_CHECK("stored_without_zero", kept->stored_name == 7 && kept->stored_volume == 1, "7 bytes and 1", "%ld and %ld",
             kept->stored_name, kept->stored_volume);
    FB_CHECK("loaded_after_restart", kept->volume[SAVED] == 77 && !strcmp(kept->name[SAVED], "kitchen"),
             "77, 'kitchen'", "%u, '%s'", kept->volume[SAVED], kept->name[SAVED]);
    FB_CHECK("loading_writes_nothing", kept->finished && kept->writes_of_load == 0, "no write", "%u",
             kept->writes_of_load);
    FB_CHECK("other_keys_refused",
             kept->refused[0] == -ENOENT && kept->refused[1] == -ENOENT && kept->refused[5] == -ENOENT,
             "-ENOENT for 'other', 'volume/deep' and 'volumes'", "%d, %d, %d", kept->refused[0], kept->refused[1],
             kept->refused[5]);
    FB_CHECK("wrong_values_refused",
             kept->refused[2] == -EINVAL && kept->refused[3] == -EINVAL && kept->refused[4] == -EINVAL,
             "-EINVAL for 101, two bytes, 17 bytes", "%d, %d, %d", kept->refused[2], kept->refused[3],
             kept->refused[4]);
    FB_CHECK("read_error_passed_on", kept->refused[6] == -EIO, "-EIO", "%d", kept->refused[6]);
    FB_CHECK("preferences_kept",
             kept->finished && kept->volume[REFUSED] == 30 && !strcmp(kept->name[REFUSED], "speaker"),
             "30, 'speaker' after refused values", "%u, '%s'", kept->volume[REFUSED], kept->name[REFUSED]);
}
