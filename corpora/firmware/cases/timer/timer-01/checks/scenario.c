#include "fb_zephyr.h"

#define END_MS 6000
#define MOST 1000

int32_t sensor_read(void);
void publish(int32_t mean, uint32_t missed);

static int64_t started[MOST], ended[MOST], published[MOST];
static int32_t values[MOST], means[MOST];
static uint32_t missed[MOST];
static size_t reads, publications;

/* Most take 2.3 ms; some more than one, two or five periods; the last ones of two windows among them. */
static int duration_us(size_t i)
{
    static const struct {
        size_t i;
        int us;
    } slow[] = {{7, 13000}, {19, 34500}, {33, 10700}, {47, 58200}, {59, 9600}, {60, 9800}, {150, 21000}};
    for (size_t j = 0; j < ARRAY_SIZE(slow); j++)
        if (slow[j].i == i)
            return slow[j].us;
    return 2300;
}

static int32_t value(size_t i)
{
    if (i >= 30 && i < 40)
        return INT32_MAX - (int32_t)(i % 3);
    if (i >= 40 && i < 50)
        return INT32_MIN + (int32_t)(i * 7 % 11);
    return (int32_t)(i * 2654435761u % 20001) - 10000;
}

int32_t sensor_read(void)
{
    if (!fb_may_block("sensor_read") || reads == MOST)
        return 0;
    size_t i = reads++;
    started[i] = fb_now();
    values[i] = value(i);
    fb_wait(NULL, fb_now() + FB_US(duration_us(i)));
    ended[i] = fb_now();
    return values[i];
}

void publish(int32_t mean, uint32_t count)
{
    if (!fb_may_block("publish") || publications == MOST)
        return;
    size_t i = publications++;
    published[i] = fb_now();
    means[i] = mean;
    missed[i] = count;
    fb_wait(NULL, fb_now() + FB_US(i == 8 ? 5000 : 700));
}

void scenario(void)
{
    fb_end_at(FB_MS(END_MS));
}

static int64_t point(size_t read)
{
    return (started[read] - started[0] + FB_US(500)) / FB_MS(10);
}

void conclude(void)
{
    FB_CHECK("begins_in_time", reads > 0 && started[0] <= FB_MS(30), "the first read within 30 ms",
             "%zu reads, first at %.1f ms", reads, started[0] / 1e6);
    int64_t worst = 0;
    for (size_t i = 0; i < reads; i++) {
        int64_t off = started[i] - started[0] - point(i) * FB_MS(10);
        if (off < -FB_US(50) || off > worst)
            worst = off < -FB_US(50) ? FB_MS(5) : off;
    }
    FB_CHECK("reads_on_the_grid", reads > 0 && worst <= FB_US(500), "every read at most 0.5 ms late",
             "%.2f ms off at most", worst / 1e6);
    size_t skipped = 0;
    for (size_t i = 0; i + 1 < reads; i++) {
        int64_t free_at = ended[i];
        if (i % 10 == 9 && i / 10 < publications)
            free_at = published[i / 10] + FB_US(i / 10 == 8 ? 5000 : 700);
        int64_t next = point(i) + 1;
        while (started[0] + next * FB_MS(10) < free_at - FB_US(100))
            next++;
        skipped += point(i + 1) != next;
    }
    FB_CHECK("takes_the_next_free_point", reads > 100 && skipped == 0, "each read at the first free point of the grid",
             "%zu of %zu elsewhere", skipped, reads);
    bool whole = publications > 0 && publications == reads / 10;
    for (size_t i = 0; i < publications; i++)
        whole = whole && published[i] >= ended[10 * i + 9] &&
                (10 * i + 10 >= reads || published[i] <= started[10 * i + 10]);
    FB_CHECK("publishes_every_ten", whole, "one publish after every ten reads", "%zu of %zu reads", publications,
             reads);
    size_t wrong = 0, wrong_wide = 0;
    for (size_t i = 0; i < publications && 10 * i + 9 < reads; i++) {
        int64_t sum = 0;
        for (size_t j = 0; j < 10; j++)
            sum += values[10 * i + j];
        bool differs = means[i] != (int32_t)(sum / 10);
        *(i == 3 || i == 4 ? &wrong_wide : &wrong) += differs;
    }
    FB_CHECK("mean_is_right", publications > 5 && wrong == 0, "sum / 10", "%zu wrong of %zu", wrong, publications);
    FB_CHECK("mean_does_not_overflow", publications > 5 && wrong_wide == 0, "sum / 10 near the limits of int32_t",
             "%zu wrong of 2", wrong_wide);
    size_t miscounted = 0, total = 0;
    for (size_t i = 0; i < publications && 10 * i + 9 < reads; i++) {
        /* From the previous publication to this one. */
        size_t before = 0;
        for (size_t p = 1; started[0] + (int64_t)p * FB_MS(10) < published[i] - FB_US(100); p++) {
            bool taken = false;
            for (size_t j = 0; j < reads && !taken; j++)
                taken = point(j) == (int64_t)p;
            before += !taken;
        }
        total += missed[i];
        miscounted += total != before;
    }
    FB_CHECK("missed_points_counted", publications > 5 && miscounted == 0, "the points of the grid without a read",
             "%zu wrong of %zu", miscounted, publications);
}
