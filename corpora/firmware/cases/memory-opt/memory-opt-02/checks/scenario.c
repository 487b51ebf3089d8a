#include "freertos_scenario.h"

#include <string.h>

#include "FreeRTOS.h"
#include "sim.h"
#include "task.h"

#define FRAME_IRQ 6
#define MOST 600
#define BURSTS 12
#define BURST 20

void frame_received(const uint8_t *data, size_t size);
uint32_t frames_dropped(void);
uint32_t blocks_free(void);

static struct sent {
    uint8_t size;
    int64_t at;
} sent[MOST];
static size_t sent_count, bad_sent;
static unsigned numbers[MOST];
static size_t handled, corrupt, disordered, changed;
static int last_number = -1;
static int64_t slowest_isr, first_latency = -1;
static const uint8_t *blocks_seen[32];
static size_t blocks_seen_count;
static uint32_t free_at_start, free_in_burst = 99, free_at_end, dropped_at_end, dropped_before_burst;
static size_t allocations_at_start;

static uint8_t content(unsigned number, size_t i)
{
    return (uint8_t)(number * 7 + i * 3 + number / 256);
}

static void receive(void *size_as_pointer)
{
    size_t size = (size_t)size_as_pointer;
    uint8_t frame[200];
    memset(frame, 0, sizeof frame);
    unsigned number = (unsigned)sent_count;
    for (size_t i = 2; i < size && i < sizeof frame; i++)
        frame[i] = content(number, i);
    frame[0] = (uint8_t)number;
    if (size > 1)
        frame[1] = (uint8_t)(number >> 8);
    if (size == 0 || size > 128) {
        bad_sent++;
    } else if (sent_count < MOST) {
        sent[sent_count].size = (uint8_t)size;
        sent[sent_count++].at = fb_now();
    }
    int64_t begun = fb_now();
    frame_received(frame, size);
    if (fb_now() - begun > slowest_isr)
        slowest_isr = fb_now() - begun;
    memset(frame, 0xEE, sizeof frame);
}

static void frame_at(void *size)
{
    fb_irq("frame", FRAME_IRQ, receive, size);
}

void handle_frame(const uint8_t *data, size_t size)
{
    if (sent_count == 1 && first_latency < 0)
        first_latency = fb_now() - sent[0].at;
    unsigned number = data[0];
    if (size > 1)
        number |= (unsigned)data[1] << 8;
    if (number >= sent_count || sent[number].size != size) {
        corrupt++;
        return;
    }
    for (size_t i = 2; i < size; i++)
        if (data[i] != content(number, i)) {
            corrupt++;
            break;
        }
    disordered += (int)number <= last_number;
    last_number = (int)number;
    numbers[handled < MOST ? handled : 0] = number;
    handled++;
    bool known = false;
    for (size_t i = 0; i < blocks_seen_count; i++)
        known |= blocks_seen[i] == data;
    if (!known && blocks_seen_count < 32)
        blocks_seen[blocks_seen_count++] = data;
    uint8_t before[128];
    memcpy(before, data, size);
    if (number % 3 == 0)
        vTaskDelay(pdMS_TO_TICKS(5));
    else
        fb_spend(FB_US(1800));
    changed += memcmp(before, data, size) != 0;
}

/* A task of the rest of the project that asks now and then. */
static void monitor(void *unused)
{
    TickType_t start = 0;
    (void)unused;
    vTaskDelayUntil(&start, 2);
    free_at_start = blocks_free();
    allocations_at_start = freertos_allocations();
    vTaskDelayUntil(&start, 898);
    dropped_before_burst = frames_dropped();
    vTaskDelayUntil(&start, 11);
    free_in_burst = blocks_free();
    vTaskDelayUntil(&start, 1339);
    free_at_end = blocks_free();
    dropped_at_end = frames_dropped();
    vTaskDelete(NULL);
}

void scenario(void)
{
    freertos_task("monitor", configMAX_PRIORITIES - 1, monitor, NULL);
    fb_at(FB_US(10350), frame_at, (void *)64);
    /* A load that the task can carry. */
    for (int i = 0; i < 200; i++)
        fb_at(FB_MS(30) + i * FB_US(4130), frame_at, (void *)(uintptr_t)(3 + i * 5 % 126));
    /* More frames than blocks, many times over. */
    for (int burst = 0; burst < BURSTS; burst++)
        for (int i = 0; i < BURST; i++)
            fb_at(FB_MS(910 + 100 * burst) + i * FB_US(37), frame_at, (void *)(uintptr_t)(128 - i));
    fb_at(FB_MS(2150), frame_at, (void *)0);
    fb_at(FB_MS(2151), frame_at, (void *)129);
    fb_at(FB_MS(2160), frame_at, (void *)2);
    fb_end_at(FB_MS(2300));
}

void conclude(void)
{
    FB_CHECK("frames_handled", handled > 201 && dropped_before_burst == 0, "all frames of a load that the task can carry", "%zu handled, %u dropped",
             handled, dropped_before_burst);
    FB_CHECK("frames_intact_and_in_order", handled > 0 && corrupt == 0 && disordered == 0, "each frame as it came",
             "%zu corrupt, %zu out of order", corrupt, disordered);
    FB_CHECK("blocks_not_reused_while_read", handled > 0 && changed == 0, "no change during handle_frame", "%zu changed", changed);
    FB_CHECK("dropped_only_when_full", dropped_at_end == BURSTS * (BURST - 8) + 2, "12 of each burst of 20, and 2 of a bad size", "%u",
             dropped_at_end);
    FB_CHECK("drops_counted", handled + dropped_at_end == sent_count + bad_sent, "every frame is handled or counted",
             "%zu handled and %u dropped of %zu", handled, dropped_at_end, sent_count + bad_sent);
    FB_CHECK("eight_blocks", free_at_start == 8 && free_in_burst == 0 && blocks_seen_count == 8, "8 free at first, none in a burst, 8 used",
             "%u, %u, %zu", free_at_start, free_in_burst, blocks_seen_count);
    FB_CHECK("no_block_lost", free_at_end == 8, "8 free at the end", "%u", free_at_end);
    FB_CHECK("task_runs_at_once", first_latency >= 0 && first_latency < FB_US(200), "under 200 us after the interrupt", "%.0f us",
             (double)first_latency / 1e3);
    FB_CHECK("interrupt_is_short", slowest_isr < FB_US(100), "under 100 us", "%.0f us", (double)slowest_isr / 1e3);
    FB_CHECK("nothing_allocated_later", freertos_allocations() == allocations_at_start, "no allocation after the start", "%zu",
             freertos_allocations() - allocations_at_start);
}
