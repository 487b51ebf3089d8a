#include "fb_zephyr.h"

#include <stdio.h>

void control_step(void);
void sensor_step(void);
void comms_step(void);

#define SENSOR_HANGS FB_S(5)
#define SENSOR_BACK (SENSOR_HANGS + FB_MS(1800))
#define COMMS_HANGS FB_S(12)

static struct task {
    const char *name;
    int64_t first, last_end, end_before_hang, longest_pause;
    int priority;
    size_t steps, at_once;
} tasks[] = {{.name = "control"}, {.name = "sensor"}, {.name = "comms"}};

static void step(struct task *task, int64_t takes)
{
    if (!fb_may_block(task->name))
        return;
    if (!task->steps++)
        task->first = fb_now();
    else if (fb_now() - task->last_end > task->longest_pause)
        task->longest_pause = fb_now() - task->last_end;
    task->priority = k_thread_priority_get(k_current_get());
    task->at_once++;
    fb_wait(NULL, takes == FB_FOREVER ? FB_FOREVER : fb_now() + takes);
    task->at_once--;
    task->last_end = fb_now();
}

void control_step(void)
{
    step(&tasks[0], FB_MS(10));
}

void sensor_step(void)
{
    if (fb_now() >= SENSOR_HANGS && fb_now() < SENSOR_BACK) {
        tasks[1].end_before_hang = tasks[1].last_end;
        step(&tasks[1], SENSOR_BACK - fb_now());
    } else {
        step(&tasks[1], FB_MS(30 + tasks[1].steps * 37 % 70));
    }
}

void comms_step(void)
{
    if (fb_now() >= COMMS_HANGS)
        tasks[2].end_before_hang = tasks[2].last_end;
    step(&tasks[2], fb_now() >= COMMS_HANGS ? FB_FOREVER : FB_MS(700 + tasks[2].steps * 83 % 200));
}

void scenario(void)
{
    fb_end_at(FB_S(20));
}

static double feed_gap(int64_t from, int64_t to)
{
    int64_t last = from, longest = 0;
    for (size_t i = 0;; i++) {
        int64_t at = fb_traced_at("wdt", "feed", i);
        if (at < 0 || at >= to)
            return MAX(longest, to - last) / 1e6;
        if (at < from)
            continue;
        longest = MAX(longest, at - last);
        last = at;
    }
}

void conclude(void)
{
    FB_CHECK("watchdog_installed",
             fb_traced("wdt", "install") == 1 && fb_traced("wdt", "install 0: 0 to 2000 ms, reset 2") == 1,
             "one timeout of 2000 ms with a reset of the SoC", "'%s'", fb_traced_text("wdt", "install", 0));
    FB_CHECK("watchdog_started", fb_traced("wdt", "setup 2") == 1, "started, with a pause for the debugger", "'%s'",
             fb_traced_text("wdt", "setup", 0));
    int64_t start = fb_traced_at("wdt", "setup", 0);
    bool run = start >= 0, paused = true;
    for (size_t i = 0; i < 3; i++) {
        run = run && tasks[i].steps > 5 && tasks[i].first - start <= FB_MS(100);
        paused =
            paused && tasks[i].steps > 5 && (tasks[i].longest_pause < FB_MS(55) && tasks[i].longest_pause >= FB_MS(50));
    }
    FB_CHECK("tasks_run", run, "three tasks, soon after the start of the watchdog", "%zu, %zu and %zu steps",
             tasks[0].steps, tasks[1].steps, tasks[2].steps);
    FB_CHECK("tasks_pause", paused, "50 ms between two steps", "up to %.1f, %.1f and %.1f ms",
             tasks[0].longest_pause / 1e6, tasks[1].longest_pause / 1e6, tasks[2].longest_pause / 1e6);
    FB_CHECK("task_priorities", tasks[0].priority == 3 && tasks[1].priority == 5 && tasks[2].priority == 7,
             "3, 5 and 7", "%d, %d and %d", tasks[0].priority, tasks[1].priority, tasks[2].priority);
    FB_CHECK("fed_while_all_are_alive",
             run && feed_gap(start, SENSOR_HANGS) <= 500 && feed_gap(SENSOR_BACK + FB_MS(300), COMMS_HANGS) <= 300,
             "a feed every 250 ms", "%.0f ms without one", feed_gap(start, SENSOR_HANGS));
    size_t dead = fb_traced_between("wdt", "feed", tasks[1].end_before_hang + FB_MS(1001), SENSOR_BACK);
    FB_CHECK("not_fed_while_sensor_stalls",
             run && dead == 0 &&
                 feed_gap(tasks[1].end_before_hang + FB_MS(400), tasks[1].end_before_hang + FB_MS(1000)) < 400,
             "no feed once the last step was 1000 ms ago, and feeds until then", "%zu feeds", dead);
    FB_CHECK("goes_on_after_recovery",
             run && tasks[2].end_before_hang > 0 && fb_traced_at("reset", NULL, 0) > COMMS_HANGS,
             "no reset for a task that came back", "reset at %.1f s", fb_traced_at("reset", NULL, 0) / 1e9);
    size_t after = fb_traced_between("wdt", "feed", tasks[2].end_before_hang + FB_MS(1001), FB_FOREVER);
    int64_t reset = fb_traced_at("reset", NULL, 0);
    bool in_time = reset >= tasks[2].end_before_hang + FB_MS(2500) && reset <= tasks[2].end_before_hang + FB_MS(3050);
    FB_CHECK("reset_when_comms_hangs", run && tasks[2].end_before_hang > 0 && after == 0 && in_time,
             "a reset 2.7 to 3.05 s after its last step", "after %.2f s, %zu feeds",
             (reset - tasks[2].end_before_hang) / 1e9, after);
    FB_CHECK("stalls_are_printed",
             fb_traced("console", "stalled: sensor") == 1 && fb_traced("console", "stalled: comms") == 1 &&
                 fb_traced("console", "stalled") == 2,
             "'stalled: sensor' and 'stalled: comms', once each", "%zu and %zu of %zu lines",
             fb_traced("console", "stalled: sensor"), fb_traced("console", "stalled: comms"),
             fb_traced("console", "stalled"));
    bool one = fb_traced("wdt", "feed") > 0;
    for (size_t i = 1; i < fb_traced("wdt", "feed"); i++)
        one = one && !strcmp(fb_traced_by("wdt", "feed", i), fb_traced_by("wdt", "feed", 0));
    FB_CHECK("only_the_supervisor_feeds", one, "every feed in one thread", "%s", one ? "one" : "several, or none");
}
