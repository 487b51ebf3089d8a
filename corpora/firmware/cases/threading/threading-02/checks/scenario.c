#include "fb_zephyr.h"

#define MOST 40

int table_read_lock(k_timeout_t timeout);
int table_read_unlock(void);
int table_write_lock(k_timeout_t timeout);
int table_write_unlock(void);

/* Who asks for the lock when, and holds it for how long. */
static const struct {
    char kind;
    int ask_ms, timeout_ms, hold_ms, priority; /* timeout -1: for ever */
} asks[] = {
    /* 0: readers at once */
    {'r', 100, -1, 50, 5},
    {'r', 110, -1, 50, 5},
    {'r', 120, 0, 10, 7},
    /* 3: a writer waits for the readers; a reader and a writer behind it; then the readers all at once */
    {'r', 300, -1, 100, 5},
    {'w', 320, -1, 50, 7},
    {'r', 330, -1, 20, 3},
    {'w', 340, -1, 50, 8},
    {'r', 350, -1, 20, 9},
    {'r', 350, 0, 20, 9},
    /* 9: a writer gives up while a reader holds the lock; the reader behind it then comes in */
    {'r', 1000, -1, 200, 5},
    {'w', 1020, 50, 50, 5},
    {'r', 1030, -1, 20, 5},
    {'r', 1040, 10, 20, 5},
    /* 13: a reader that times out behind a writer, while others come and go */
    {'w', 1500, -1, 40, 5},
    {'w', 1505, -1, 40, 5},
    {'w', 1510, -1, 40, 5},
    {'r', 1515, 100, 10, 5},
    {'w', 1520, 90, 10, 6},
    {'w', 1502, 0, 10, 6},
    /* 19: two writers give up one after the other; only the last lets the reader in */
    {'r', 2000, -1, 300, 5},
    {'w', 2010, 50, 10, 5},
    {'w', 2020, 100, 10, 5},
    {'r', 2030, -1, 10, 5},
};
#define USERS ARRAY_SIZE(asks)
static struct user {
    int64_t asked, had, left;
    int result, unlock_result;
} users[USERS];
static K_THREAD_STACK_ARRAY_DEFINE(stacks, USERS, 1024);
static struct k_thread threads[USERS];
static size_t readers_in, writers_in, most_readers, violations;
static int results[8];
static uint32_t table[16];
static size_t torn;

static void use(void *p1, void *p2, void *p3)
{
    ARG_UNUSED(p2);
    ARG_UNUSED(p3);
    size_t i = (size_t)(uintptr_t)p1;
    struct user *one = &users[i];
    bool writes = asks[i].kind == 'w';
    fb_wait(NULL, FB_MS(asks[i].ask_ms));
    k_timeout_t timeout = asks[i].timeout_ms < 0 ? K_FOREVER : K_MSEC(asks[i].timeout_ms);
    one->asked = fb_now();
    one->result = writes ? table_write_lock(timeout) : table_read_lock(timeout);
    one->had = fb_now();
    if (one->result)
        return;
    if (writes)
        writers_in++;
    else
        readers_in++;
    most_readers = MAX(most_readers, readers_in);
    violations += writers_in > 1 || (writers_in && readers_in);
    fb_wait(NULL, fb_now() + FB_MS(asks[i].hold_ms));
    if (writes)
        writers_in--;
    else
        readers_in--;
    one->left = fb_now();
    one->unlock_result = writes ? table_write_unlock() : table_read_unlock();
}

/* Many short uses at odd times: readers must never see a half-written table. */
static void crowd(void *p1, void *p2, void *p3)
{
    ARG_UNUSED(p3);
    unsigned step = (unsigned)(uintptr_t)p1;
    bool writes = p2 != NULL;
    fb_wait(NULL, FB_MS(3000));
    for (int i = 0; i < 60; i++) {
        if (writes ? table_write_lock(K_FOREVER) : table_read_lock(K_FOREVER))
            continue;
        for (size_t j = 0; j < ARRAY_SIZE(table); j++) {
            if (writes)
                table[j]++;
            else
                torn += table[j] != table[0];
            fb_spend(3000 + step);
        }
        if (writes)
            table_write_unlock();
        else
            table_read_unlock();
        fb_wait(NULL, fb_now() + FB_US(300) + step * 10);
    }
}
K_THREAD_DEFINE(crowd_a, 1024, crowd, 77, NULL, NULL, 3, 0, 0);
K_THREAD_DEFINE(crowd_b, 1024, crowd, 131, NULL, NULL, 6, 0, 0);
K_THREAD_DEFINE(crowd_c, 1024, crowd, 211, 1, NULL, 5, 0, 0);
K_THREAD_DEFINE(crowd_d, 1024, crowd, 59, 1, NULL, 7, 0, 0);

static void unlock_for_another(void *p1, void *p2, void *p3)
{
    ARG_UNUSED(p1);
    ARG_UNUSED(p2);
    ARG_UNUSED(p3);
    results[4] = table_write_unlock();
    results[5] = table_read_lock(K_NO_WAIT);
}
K_THREAD_DEFINE(another, 1024, unlock_for_another, NULL, NULL, NULL, 1, 0, -1);

int candidate_main(void)
{
    results[0] = table_read_unlock();
    results[1] = table_write_unlock();
    results[2] = table_write_lock(K_NO_WAIT);
    results[3] = table_read_unlock();
    k_thread_start(another);
    k_msleep(10);
    results[6] = table_write_unlock();
    results[7] = table_write_unlock();
    for (size_t i = 0; i < USERS; i++)
        k_thread_create(&threads[i], stacks[i], 1024, use, (void *)i, NULL, NULL, asks[i].priority, 0, K_NO_WAIT);
    return 0;
}

void scenario(void)
{
    memset(results, 0x11, sizeof results);
    for (size_t i = 0; i < USERS; i++)
        users[i].result = users[i].unlock_result = 1;
    fb_end_at(FB_S(6));
}

/* User i got the lock `after` us after the asked moment, within 1 ms. */
static bool had(size_t i, int64_t when)
{
    return users[i].result == 0 && users[i].unlock_result == 0 && users[i].had >= when &&
           users[i].had <= when + FB_MS(1);
}

static bool gave_up(size_t i, int ms)
{
    return users[i].result == -EAGAIN && users[i].had - users[i].asked >= FB_MS(ms) &&
           users[i].had - users[i].asked <= FB_MS(ms + 1);
}

void conclude(void)
{
    FB_CHECK("readers_share",
             most_readers >= 3 && had(0, users[0].asked) && had(1, users[1].asked) && had(2, users[2].asked),
             "3 readers at once", "%zu", most_readers);
    FB_CHECK("writers_are_alone", users[0].had > 0 && violations == 0, "no writer beside anyone", "%zu times",
             violations);
    FB_CHECK("writer_waits_for_readers", had(4, users[3].left), "the writer right after the reader", "%.1f ms after",
             (users[4].had - users[3].left) / 1e6);
    FB_CHECK("waiting_writer_keeps_readers_out",
             users[8].result == -EAGAIN && users[5].result == 0 && users[5].had >= users[6].left && users[6].left > 0,
             "no reader before the writers that wait", "%d, reader %.1f ms after the last writer", users[8].result,
             (users[5].had - users[6].left) / 1e6);
    FB_CHECK("writer_goes_before_readers", had(6, users[4].left), "the second writer right after the first",
             "%.1f ms after", (users[6].had - users[4].left) / 1e6);
    FB_CHECK("all_readers_go", users[6].left > 0 && had(5, users[6].left) && had(7, users[6].left),
             "both readers right after the last writer", "%.1f and %.1f ms after", (users[5].had - users[6].left) / 1e6,
             (users[7].had - users[6].left) / 1e6);
    FB_CHECK("writer_gives_up", gave_up(10, 50), "-EAGAIN after 50 ms", "%d after %.1f ms", users[10].result,
             (users[10].had - users[10].asked) / 1e6);
    FB_CHECK("reader_goes_when_writer_gives_up",
             gave_up(10, 50) && had(11, users[10].had - FB_US(200)) && gave_up(12, 10), "the reader at that moment",
             "%d, %.1f ms after", users[11].result, (users[11].had - users[10].had) / 1e6);
    FB_CHECK("timeout_counts_from_the_call", gave_up(16, 100) && gave_up(17, 90),
             "-EAGAIN after 100 ms and 90 ms, whatever went on", "%d after %.1f ms, %d after %.1f ms", users[16].result,
             (users[16].had - users[16].asked) / 1e6, users[17].result, (users[17].had - users[17].asked) / 1e6);
    FB_CHECK("no_wait_returns_at_once", gave_up(18, 0) && gave_up(8, 0), "-EAGAIN at once", "%d and %d",
             users[18].result, users[8].result);
    FB_CHECK("last_of_two_writers_lets_readers_in",
             gave_up(20, 50) && gave_up(21, 100) && had(22, users[21].had - FB_US(200)),
             "the reader when the second writer gave up", "%d, %.1f ms after", users[22].result,
             (users[22].had - users[21].had) / 1e6);
    FB_CHECK("unlock_without_lock",
             results[0] == -EPERM && results[1] == -EPERM && results[3] == -EPERM && results[7] == -EPERM,
             "-EPERM four times", "%d, %d, %d, %d", results[0], results[1], results[3], results[7]);
    FB_CHECK("unlock_by_another", results[2] == 0 && results[4] == -EPERM && results[5] == -EAGAIN && results[6] == 0,
             "-EPERM for another thread, and the lock stays", "%d, then %d and %d", results[4], results[5], results[6]);
    FB_CHECK("table_is_never_torn", table[0] == 120 && table[15] == 120 && torn == 0,
             "120 writes, no half-written table seen", "%u writes, %zu seen", table[0], torn);
}
