#include "freertos_scenario.h"

#include <string.h>

#include "FreeRTOS.h"
#include "sim.h"
#include "task.h"

int tanks_move(int from, int to, uint32_t litres, TickType_t wait);
uint32_t tanks_level(int tank);
uint32_t tanks_total(void);

static bool busy[4];
static size_t pumps, shared, wrong_arguments, at_once, most_at_once;
static TickType_t pump_ticks = 4;

void pump(int from, int to, uint32_t litres)
{
    if (from < 0 || from > 3 || to < 0 || to > 3 || from == to || litres == 0) {
        wrong_arguments++;
        return;
    }
    shared += busy[from] || busy[to];
    busy[from] = busy[to] = true;
    pumps++;
    if (++at_once > most_at_once)
        most_at_once = at_once;
    vTaskDelay(pump_ticks);
    fb_spend(FB_US(300));
    at_once--;
    busy[from] = busy[to] = false;
}

/* ---- 0 to 400 ms: moves that cross each other ---- */

static size_t crossings[3];

static void cross(void *which)
{
    static const int routes[3][3][2] = {{{0, 1}, {1, 2}, {2, 0}}, {{1, 0}, {2, 1}, {0, 2}}, {{3, 0}, {2, 3}, {1, 3}}};
    int n = (int)(intptr_t)which;
    vTaskDelay((TickType_t)n + 1);
    for (unsigned i = 0; xTaskGetTickCount() < 400; i++) {
        const int *route = routes[n][i % 3];
        if (tanks_move(route[0], route[1], 1 + i % 5, portMAX_DELAY) == 0)
            crossings[n]++;
        if (i % 4 == 0)
            vTaskDelay(1);
    }
    vTaskDelete(NULL);
}

static size_t totals, wrong_totals;
static int64_t slowest_question;

static void watch(void *unused)
{
    (void)unused;
    for (;;) {
        vTaskDelay(1);
        int64_t begun = fb_now();
        uint32_t sum = tanks_total();
        tanks_level((int)(totals % 4));
        if (fb_now() - begun > slowest_question)
            slowest_question = fb_now() - begun;
        totals++;
        wrong_totals += sum != 4000;
    }
}

/* A task that burns time and looks at the total in between, at the lowest priority. */
static void count(void *unused)
{
    (void)unused;
    while (xTaskGetTickCount() < 390) {
        totals++;
        wrong_totals += tanks_total() != 4000;
        fb_spend(FB_US(37));
    }
    vTaskDelete(NULL);
}

/* ---- from 500 ms: one thing after the other ---- */

static struct {
    int result;
    int64_t begun, took;
} apart, together, none, both, later, urgent;
static int wrong_calls = -1;
static uint32_t level_of_none = 99, level_after, level_before;

static int timed(int from, int to, uint32_t litres, TickType_t wait, int64_t *took)
{
    int64_t begun = fb_now();
    int result = tanks_move(from, to, litres, wait);
    *took = fb_now() - begun;
    return result;
}

static size_t held, opposite;

static void hold(void *tanks)
{
    int pair = (int)(intptr_t)tanks;
    held += tanks_move(pair / 10, pair % 10, 1, portMAX_DELAY) == 0;
    vTaskDelete(NULL);
}

static void start(int pair, UBaseType_t priority)
{
    xTaskCreate(hold, "hold", 512, (void *)(intptr_t)pair, priority, NULL);
}

static void hog(void *unused)
{
    (void)unused;
    vTaskDelay(5);
    fb_spend(FB_MS(150));
    vTaskDelete(NULL);
}

static void director(void *unused)
{
    TickType_t now = 0;
    (void)unused;
    vTaskDelayUntil(&now, 500);
    wrong_calls = tanks_move(0, 0, 1, 10) != -1;
    wrong_calls += tanks_move(-1, 1, 1, 10) != -1;
    wrong_calls += tanks_move(1, 4, 1, 10) != -1;
    wrong_calls += tanks_move(1, 2, 0, 10) != -1;
    wrong_calls += tanks_move(1, 2, 2001, 10) != -1;
    wrong_calls += tanks_move(1, 2, 2001 - tanks_level(2), 10) != -1;
    uint32_t room = 2000 - tanks_level(2), most = tanks_level(1) < room ? tanks_level(1) : room;
    wrong_calls += tanks_move(1, 2, most, 10) != 0;
    wrong_calls += tanks_move(1, 2, 1, 10) != -1;
    wrong_calls += tanks_move(2, 1, most, 10) != 0;
    level_of_none = tanks_level(4) + tanks_level(-1);
    level_before = tanks_level(3);
    wrong_calls += tanks_move(2, 3, 11, 10) != 0;
    level_after = tanks_level(3);

    pump_ticks = 30;
    vTaskDelayUntil(&now, 100);
    start(1, 5); /* tanks 0 and 1 */
    vTaskDelay(2);
    apart.result = timed(2, 3, 1, 0, &apart.took); /* at the same time */
    vTaskDelayUntil(&now, 100);
    start(1, 5);
    vTaskDelay(2);
    none.result = timed(1, 2, 1, 0, &none.took);
    together.result = timed(2, 0, 1, 6, &together.took);
    vTaskDelayUntil(&now, 100);
    /* Tank 0 is free after 20 ms and tank 1 after 42: together they are not had in 35, and are in 60. */
    pump_ticks = 20;
    start(2, 5);
    vTaskDelay(12);
    pump_ticks = 30;
    start(13, 5);
    both.result = timed(0, 1, 1, 20, &both.took);
    vTaskDelayUntil(&now, 100);
    pump_ticks = 20;
    start(2, 5);
    vTaskDelay(12);
    pump_ticks = 30;
    start(13, 5);
    later.result = timed(0, 1, 1, 60, &later.took);
    vTaskDelayUntil(&now, 200);
    /* A task of low priority has the tank, one of middle priority burns time. */
    pump_ticks = 10;
    start(23, 1);
    xTaskCreate(hog, "hog", 512, NULL, 4, NULL);
    vTaskDelay(4);
    urgent.result = timed(3, 1, 1, portMAX_DELAY, &urgent.took);
    vTaskDelayUntil(&now, 200);
    /* One from 0 to 1 and one from 1 to 0 come while tank 1 is busy: the more urgent one gets it first. */
    size_t before = held;
    start(21, 5);
    vTaskDelay(2);
    start(1, 3);
    vTaskDelay(2);
    start(10, 5);
    vTaskDelay(100);
    opposite = held - before;
    vTaskDelete(NULL);
}

void scenario(void)
{
    freertos_task("cross0", 2, cross, (void *)0);
    freertos_task("cross1", 3, cross, (void *)1);
    freertos_task("cross2", 1, cross, (void *)2);
    freertos_task("count", 1, count, NULL);
    freertos_task("watch", 7, watch, NULL);
    freertos_task("director", 6, director, NULL);
    fb_end_at(FB_MS(1600));
}

static double ms(int64_t ns)
{
    return (double)ns / 1e6;
}

void conclude(void)
{
    FB_CHECK("crossing_moves_go_on", crossings[0] > 15 && crossings[1] > 15 && crossings[2] > 15, "all three tasks move on", "%zu, %zu and %zu moves",
             crossings[0], crossings[1], crossings[2]);
    FB_CHECK("opposite_moves_do_not_lock_each_other", opposite == 3, "three moves done", "%zu", opposite);
    FB_CHECK("a_tank_in_one_pump_at_a_time", pumps > 0 && shared == 0 && wrong_arguments == 0, "no pump of a busy tank", "%zu of %zu", shared, pumps);
    FB_CHECK("total_is_4000_at_any_time", totals > 1000 && wrong_totals == 0, "4000", "%zu of %zu sums differ", wrong_totals, totals);
    FB_CHECK("questions_do_not_wait", totals > 0 && slowest_question < FB_US(200), "under 100 us each", "%.0f us for both", ms(slowest_question) * 1e3);
    FB_CHECK("impossible_moves_refused", wrong_calls == 0 && level_of_none == 0, "-1 for each, 0 for what is just possible, 0 litres in no tank", "%d wrong, %u litres", wrong_calls,
             level_of_none);
    FB_CHECK("litres_moved", level_after == level_before + 11, "11 litres more", "%u after %u", level_after, level_before);
    FB_CHECK("disjoint_moves_at_the_same_time", apart.result == 0 && most_at_once >= 2, "no wait for the tanks of others", "result %d", apart.result);
    FB_CHECK("no_wait_when_none_is_allowed", none.result == -2 && none.took < FB_US(300), "-2 at once", "%d after %.1f ms", none.result, ms(none.took));
    FB_CHECK("time_out_kept", together.result == -2 && together.took >= FB_MS(5) && together.took <= FB_MS(7) + FB_US(500), "-2 after 6 ms",
             "%d after %.1f ms", together.result, ms(together.took));
    FB_CHECK("one_time_out_for_both_tanks", both.result == -2 && both.took >= FB_MS(19) && both.took <= FB_MS(21) + FB_US(500), "-2 after 20 ms",
             "%d after %.1f ms", both.result, ms(both.took));
    FB_CHECK("both_tanks_waited_for", later.result == 0 && later.took < FB_MS(75), "moved when both are free", "%d after %.1f ms", later.result,
             ms(later.took));
    FB_CHECK("holder_gets_the_priority_of_who_waits", urgent.result == 0 && urgent.took < FB_MS(40), "not held up by the task of middle priority",
             "%d after %.1f ms", urgent.result, ms(urgent.took));
}
