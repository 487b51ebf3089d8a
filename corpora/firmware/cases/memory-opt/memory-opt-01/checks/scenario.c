#include "freertos_scenario.h"

#include <stdio.h>
#include <string.h>

#include "FreeRTOS.h"
#include "sim.h"
#include "task.h"

#define MOST 400
#define SLOW_FROM FB_MS(1500) /* show takes long from here */
#define SLOW_TO FB_MS(1900)

static int64_t read_at[MOST];
static uint16_t samples[MOST];
static size_t reads, sample_count;
static size_t services, overlaps, alives;
static bool reading;
static struct {
    uint16_t mean, last;
    int64_t at;
} shown[64];
static size_t shown_count;

static bool by(const char *name)
{
    return !strcmp(pcTaskGetName(NULL), name);
}

uint16_t sensor_read(void)
{
    if (reading)
        overlaps++;
    reading = true;
    bool sampling = by("sample");
    uint16_t value = (uint16_t)(1000 + sample_count * 17 % 900);
    if (sampling && reads < MOST)
        read_at[reads++] = fb_now();
    services += by("service");
    fb_spend(sampling ? FB_US(1300) : FB_US(1900));
    reading = false;
    if (!sampling)
        return 0xFFFF;
    if (sample_count < MOST)
        samples[sample_count++] = value;
    return value;
}

void show(uint16_t mean, uint16_t last)
{
    if (shown_count < 64) {
        shown[shown_count].mean = mean;
        shown[shown_count].last = last;
        shown[shown_count++].at = fb_now();
    }
    if (fb_now() >= SLOW_FROM && fb_now() < SLOW_TO)
        vTaskDelay(pdMS_TO_TICKS(200));
    fb_spend(FB_MS(4));
}

void alive(void)
{
    alives++;
}

void scenario(void)
{
    freertos_static_only();
    fb_end_at(FB_MS(3005));
}

static uint16_t mean_of(size_t from)
{
    uint32_t sum = 0;
    for (size_t i = 0; i < 16; i++)
        sum += samples[from + i];
    return (uint16_t)(sum / 16);
}

static size_t stack_words(void)
{
    static const char *const names[] = {"sample", "display", "service"};
    size_t words = 0;
    for (size_t i = 0; i < 3; i++) {
        char part[32];
        snprintf(part, sizeof part, "create %s ", names[i]);
        const char *text = fb_traced_text("task", part, 0);
        const char *stack = strstr(text, "stack ");
        unsigned bytes = 100000;
        if (stack)
            sscanf(stack, "stack %u", &bytes);
        words += bytes / 4;
    }
    return words;
}

static bool has_priority(const char *name, unsigned priority)
{
    char part[48];
    snprintf(part, sizeof part, "create %s priority %u ", name, priority);
    return fb_traced("task", part) == 1;
}

void conclude(void)
{
    size_t late = 0;
    for (size_t i = 0; i < reads; i++) {
        int64_t off = read_at[i] - read_at[0] - FB_MS(10 * (int64_t)i);
        late += off < -FB_MS(1) || off > FB_MS(3);
    }
    FB_CHECK("three_tasks_with_their_priorities", has_priority("sample", 3) && has_priority("display", 2) && has_priority("service", 1),
             "sample 3, display 2, service 1", "%zu tasks were made", fb_traced("task", "create"));
    FB_CHECK("sampled_every_10_ms_without_drift", reads >= 298 && late == 0, "about 300 times, each within 3 ms of its time", "%zu times, %zu off",
             reads, late);
    bool means = shown_count >= 8;
    for (size_t n = 0; n < shown_count && n < 8; n++)
        means &= shown[n].mean == mean_of(16 * n) && shown[n].last == samples[16 * n + 15];
    FB_CHECK("means_of_sixteen_shown", means, "mean and last of each 16 values", "%zu calls; first %u and %u, expected %u and %u", shown_count,
             shown[0].mean, shown[0].last, mean_of(0), samples[15]);
    /* While show was slow, values were dropped from the front: the next 16 begin with the 8 newest. */
    size_t slow = 0;
    while (slow < shown_count && shown[slow].at < SLOW_FROM)
        slow++;
    size_t newest = slow < shown_count ? (size_t)((shown[slow].at + FB_MS(204) - read_at[0]) / FB_MS(10)) : 0;
    bool dropped = false;
    for (size_t from = newest > 10 ? newest - 10 : 0; slow + 1 < shown_count && from <= newest - 4 && from + 16 < sample_count; from++)
        dropped |= shown[slow + 1].mean == mean_of(from) && shown[slow + 1].last == samples[from + 15];
    FB_CHECK("oldest_dropped_when_full", dropped, "the values after a slow display begin with the newest 8", "mean %u, last %u", shown[slow + 1].mean,
             shown[slow + 1].last);
    FB_CHECK("serviced_every_97_ms", services == 30 || services == 31, "30 or 31 calls", "%zu calls", services);
    FB_CHECK("sensor_not_shared", overlaps == 0 && reads > 0, "no overlap", "%zu overlaps", overlaps);
    FB_CHECK("alive_every_100_ms", alives == 30 || alives == 29, "30 calls in 3 s", "%zu calls", alives);
    FB_CHECK("stacks_within_budget", stack_words() <= 768, "768 words in all", "%zu words", stack_words());
    FB_CHECK("nothing_from_the_heap", freertos_allocations() == 0 && fb_traced("heap", NULL) == 0, "no allocation", "%zu asked for",
             fb_traced("heap", NULL));
    FB_CHECK("nothing_made_after_the_start", fb_traced_between("task", "create", FB_MS(1), FB_S(3)) == 0, "no task", "%zu tasks",
             fb_traced_between("task", "create", FB_MS(1), FB_S(3)));
}
