#include "fb_zephyr.h"

#define MOST 400

int pool_start(void);
int pool_submit(void (*job)(void *), void *argument, k_timeout_t timeout);
int pool_stop(void);

static struct {
    int id;
    int64_t from, to;
} runs[MOST];
static size_t run_count, at_once, most_at_once;
static int nested_result = 1;

static size_t begin(void *argument)
{
    size_t i = run_count < MOST ? run_count++ : MOST - 1;
    runs[i].id = (int)(intptr_t)argument;
    runs[i].from = fb_now();
    at_once++;
    most_at_once = MAX(most_at_once, at_once);
    return i;
}

static void end(size_t i)
{
    at_once--;
    runs[i].to = fb_now();
}

static void job_10ms(void *argument)
{
    size_t i = begin(argument);
    fb_wait(NULL, fb_now() + FB_MS(10));
    end(i);
}

/* The second and the third one hold their workers, so that places come free one by one. */
static void job_100ms(void *argument)
{
    size_t i = begin(argument);
    fb_wait(NULL, fb_now() + FB_MS(runs[i].id == 101 || runs[i].id == 102 ? 500 : 100));
    end(i);
}

static void job_that_submits(void *argument)
{
    size_t i = begin(argument);
    nested_result = pool_submit(job_10ms, (void *)(intptr_t)901, K_NO_WAIT);
    end(i);
}

static size_t runs_of(int from, int to)
{
    size_t count = 0;
    for (size_t i = 0; i < run_count; i++)
        count += runs[i].id >= from && runs[i].id < to && runs[i].to >= runs[i].from && runs[i].to > 0;
    return count;
}

static struct late {
    int result;
    int64_t from, to;
    k_timeout_t timeout;
    int id;
} late[2];

static void submit_late(void *p1, void *p2, void *p3)
{
    ARG_UNUSED(p2);
    ARG_UNUSED(p3);
    struct late *one = p1;
    one->from = fb_now();
    one->result = pool_submit(job_10ms, (void *)(intptr_t)one->id, one->timeout);
    one->to = fb_now();
}
static K_THREAD_STACK_ARRAY_DEFINE(stacks, 2, 1024);
static struct k_thread threads[2];

static void submit_from_thread(int i, int id, k_timeout_t timeout)
{
    late[i] = (struct late){.id = id, .timeout = timeout, .result = 1};
    k_thread_create(&threads[i], stacks[i], 1024, submit_late, &late[i], NULL, NULL, 4, 0, K_NO_WAIT);
}

/* Two threads that submit at the same time as main, with jobs that end at odd times. */
static size_t crowd_refused;
static void crowd(void *p1, void *p2, void *p3)
{
    ARG_UNUSED(p2);
    ARG_UNUSED(p3);
    for (int i = 0; i < 20; i++) {
        crowd_refused += pool_submit(job_10ms, (void *)((intptr_t)p1 + i), K_MSEC(200)) != 0;
        fb_spend(FB_US(130) + (int64_t)(intptr_t)p1 * 1700);
    }
}

static int results[40];
static size_t result_count, threads_running, threads_after[3], done_at_stop[3];
static int64_t stop_began;
#define RESULT(call) (results[result_count++] = (call))
static bool reached_end;
static int64_t refused_after;

int candidate_main(void)
{
    size_t base = fb_threads_alive();
    RESULT(pool_submit(job_10ms, NULL, K_NO_WAIT)); /* 0: not running */
    RESULT(pool_stop());                            /* 1: not running */
    RESULT(pool_start());                           /* 2 */
    RESULT(pool_start());                           /* 3: already */
    threads_running = fb_threads_alive() - base;
    RESULT(pool_submit(NULL, NULL, K_NO_WAIT)); /* 4: no job */
    k_msleep(5);
    for (int i = 0; i < 3; i++)
        RESULT(pool_submit(job_100ms, (void *)(intptr_t)(100 + i), K_NO_WAIT)); /* 5 to 7 */
    k_msleep(1);
    for (int i = 3; i < 11; i++)
        results[8] += pool_submit(job_100ms, (void *)(intptr_t)(100 + i), K_NO_WAIT) != 0; /* 8 */
    result_count = 9;
    RESULT(pool_submit(job_100ms, (void *)(intptr_t)111, K_NO_WAIT)); /* 9: full */
    int64_t start = fb_now();
    RESULT(pool_submit(job_100ms, (void *)(intptr_t)112, K_MSEC(30))); /* 10: full for 30 ms */
    refused_after = fb_now() - start;
    RESULT(pool_submit(job_100ms, (void *)(intptr_t)113, K_MSEC(90))); /* 11: a place in time */
    submit_from_thread(0, 114, K_FOREVER);
    submit_from_thread(1, 115, K_MSEC(60));
    k_msleep(20);
    stop_began = fb_now();
    RESULT(pool_stop()); /* 12: 8 jobs wait, 3 run, two submits wait */
    done_at_stop[0] = runs_of(100, 200);
    threads_after[0] = fb_threads_alive() - base;
    RESULT(pool_submit(job_10ms, (void *)(intptr_t)199, K_NO_WAIT)); /* 13: stopped */
    RESULT(pool_stop());                                             /* 14 */
    k_msleep(300);

    RESULT(pool_start()); /* 15: again */
    k_thread_create(&threads[0], stacks[0], 1024, crowd, (void *)200, NULL, NULL, 4, 0, K_NO_WAIT);
    k_thread_create(&threads[1], stacks[1], 1024, crowd, (void *)300, NULL, NULL, 8, 0, K_NO_WAIT);
    crowd((void *)400, NULL, NULL);
    k_msleep(400);
    RESULT(pool_submit(job_that_submits, (void *)900, K_NO_WAIT)); /* 16 */
    k_msleep(1);
    RESULT(pool_stop()); /* 17 */
    done_at_stop[1] = runs_of(200, 500) + runs_of(900, 902);
    threads_after[1] = fb_threads_alive() - base;

    for (int round = 0; round < 5; round++) {
        RESULT(pool_start());
        RESULT(pool_submit(job_10ms, (void *)(intptr_t)(500 + round), K_NO_WAIT));
        RESULT(pool_stop());
    }
    done_at_stop[2] = runs_of(500, 600);
    reached_end = true;
    return 0;
}

void scenario(void)
{
    fb_end_at(FB_S(10));
}

void conclude(void)
{
    FB_CHECK("starts_three_threads", results[2] == 0 && threads_running == 3, "0, and 3 threads more", "%d, %zu more",
             results[2], threads_running);
    FB_CHECK("start_says_already", results[3] == -EALREADY, "-EALREADY", "%d", results[3]);
    FB_CHECK("refuses_when_stopped",
             results[0] == -ESHUTDOWN && results[1] == -EALREADY && results[13] == -ESHUTDOWN &&
                 results[14] == -EALREADY,
             "-ESHUTDOWN and -EALREADY, before the start and after the stop", "%d, %d, %d, %d", results[0], results[1],
             results[13], results[14]);
    FB_CHECK("refuses_no_job", results[4] == -EINVAL, "-EINVAL", "%d", results[4]);
    FB_CHECK("three_jobs_at_once", most_at_once == 3, "3", "%zu", most_at_once);
    FB_CHECK("eight_jobs_wait",
             result_count > 9 && !results[5] && !results[6] && !results[7] && !results[8] && results[9] == -EAGAIN,
             "3 jobs run, 8 wait, the next is refused at once", "%d of 8 refused, then %d", results[8], results[9]);
    FB_CHECK("waits_until_timeout", results[10] == -EAGAIN && refused_after >= FB_MS(30) && refused_after <= FB_MS(31),
             "-EAGAIN after 30 ms", "%d after %.1f ms", results[10], refused_after / 1e6);
    FB_CHECK("waits_for_a_place", result_count > 11 && results[11] == 0, "0", "%d", results[11]);
    bool order = run_count >= 12;
    int last = 99;
    for (size_t i = 0; i < run_count; i++)
        if (runs[i].id >= 100 && runs[i].id < 114) {
            order = order && runs[i].id > last;
            last = runs[i].id;
        }
    FB_CHECK("jobs_begin_in_order", order, "the order in which they were accepted", "%s",
             order ? "the same" : "another");
    bool told = late[0].result == -ESHUTDOWN && late[1].result == -ESHUTDOWN && late[0].to - stop_began <= FB_MS(1) &&
                late[1].to - stop_began <= FB_MS(1);
    FB_CHECK("stop_ends_waiting_submits", result_count > 12 && told, "-ESHUTDOWN twice, at once", "%d and %d",
             late[0].result, late[1].result);
    FB_CHECK("stop_runs_what_was_accepted", result_count > 14 && results[12] == 0 && done_at_stop[0] == 12,
             "all 12 accepted jobs were run", "%zu when it returned", done_at_stop[0]);
    FB_CHECK("stop_ends_the_threads", result_count > 17 && threads_after[0] == 0 && threads_after[1] == 0,
             "no worker is left", "%zu and %zu threads more than before", threads_after[0], threads_after[1]);
    FB_CHECK("many_submit_at_once", reached_end && crowd_refused == 0 && done_at_stop[1] == 62,
             "60 jobs of three threads and 2 more run once", "%zu run, %zu refused", done_at_stop[1], crowd_refused);
    FB_CHECK("job_may_submit", nested_result == 0 && runs_of(901, 902) == 1, "0", "%d", nested_result);
    FB_CHECK("starts_again", reached_end && done_at_stop[2] == 5, "5 rounds of start, job, stop", "%zu jobs run",
             done_at_stop[2]);
}
