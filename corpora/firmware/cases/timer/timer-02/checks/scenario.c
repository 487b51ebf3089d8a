#include "fb_zephyr.h"

#define MOST 200

int link_send(uint8_t id, const uint8_t *data, size_t length);
void link_ack(uint8_t id);
void radio_tx(uint8_t id, const uint8_t *data, size_t length);
void link_failed(uint8_t id);

static struct {
    int64_t from, to;
    uint8_t id;
    unsigned sum;
} sent[MOST];
static size_t sent_count;
static struct {
    int64_t when;
    uint8_t id;
    int result;
} failed[MOST];
static size_t failed_count;
static size_t overlapping, on_air;
static uint8_t ack_during[MOST]; /* by transmission: the id that is acknowledged in its middle */

static void ack_isr(void *arg)
{
    link_ack((uint8_t)(uintptr_t)arg);
}

static void ack(void *arg)
{
    fb_irq("radio", FB_IRQ_DEVICE, ack_isr, arg);
}

static void ack_at(int64_t when, uint8_t id)
{
    fb_at(when, ack, (void *)(uintptr_t)id);
}

void radio_tx(uint8_t id, const uint8_t *data, size_t length)
{
    if (!fb_may_block("radio_tx") || sent_count == MOST)
        return;
    size_t i = sent_count++;
    sent[i].from = fb_now();
    sent[i].id = id;
    overlapping += on_air++ > 0;
    if (ack_during[i])
        ack_at(fb_now() + FB_MS(2), ack_during[i]);
    fb_wait(NULL, fb_now() + FB_MS(4));
    for (size_t j = 0; j < length; j++)
        sent[i].sum = sent[i].sum * 31 + data[j] + 1;
    sent[i].to = fb_now();
    on_air--;
}

static const uint8_t text[32] = "a message of at most 32 bytes..";

void link_failed(uint8_t id)
{
    if (!fb_may_block("link_failed") || failed_count == MOST)
        return;
    size_t i = failed_count++;
    failed[i].when = fb_now();
    failed[i].id = id;
    failed[i].result = id == 9 ? link_send(10, text, 5) : 0;
    if (id == 9)
        ack_at(fb_now() + FB_MS(20), 10);
}

static void hold_up(struct k_work *work)
{
    ARG_UNUSED(work);
    fb_wait(NULL, fb_now() + FB_MS(60));
}
static K_WORK_DEFINE(hold_up_work, hold_up);

static int results[32];
static size_t result_count;
static size_t marks[16]; /* transmissions before each step */
static size_t step;

static int64_t begin(uint8_t id, size_t length)
{
    uint8_t buffer[64];
    memcpy(buffer, text, sizeof text);
    marks[step++] = sent_count;
    results[result_count++] = link_send(id, buffer, length);
    memset(buffer, 0xee, sizeof buffer);
    return fb_now();
}

static void until(int64_t when)
{
    fb_wait(NULL, when);
}

int candidate_main(void)
{
    int64_t t;
    /* Step 0: never acknowledged; a wrong id changes nothing; busy meanwhile. */
    t = begin(1, 32);
    ack_at(t + FB_MS(50), 77);
    until(t + FB_MS(1000));
    results[result_count++] = link_send(2, text, 3);
    until(t + FB_MS(5000));
    /* Step 1: acknowledged between the second and the third transmission. */
    t = begin(3, 1);
    ack_at(t + FB_MS(200), 3);
    until(t + FB_MS(3500));
    /* Step 2: acknowledged while it is transmitted for the first time. */
    ack_during[sent_count] = 4;
    t = begin(4, 7);
    until(t + FB_MS(3500));
    /* Step 3: acknowledged while it is transmitted again, and a new message right after. */
    ack_during[sent_count + 1] = 5;
    t = begin(5, 8);
    until(t + FB_MS(103));
    t = begin(6, 9); /* step 4 */
    ack_at(t + FB_MS(150), 6);
    until(t + FB_MS(3500));
    /* Step 5: the delay runs out while the work queue is held up; then the acknowledgement and a new message of the
     * same id. */
    t = begin(7, 10);
    until(t + FB_MS(80));
    k_work_submit(&hold_up_work);
    ack_at(t + FB_MS(120), 7);
    until(t + FB_MS(130));
    t = begin(7, 11); /* step 6 */
    ack_at(t + FB_MS(130), 7);
    until(t + FB_MS(3500));
    /* Step 7: failure, in which the next message is sent. */
    t = begin(9, 12);
    until(t + FB_MS(5000));
    results[result_count++] = link_send(11, NULL, 4);
    results[result_count++] = link_send(11, text, 0);
    results[result_count++] = link_send(11, text, 33);
    return 0;
}

void scenario(void)
{
    fb_end_at(FB_S(40));
}

static size_t transmissions(size_t of)
{
    return (of + 1 < step ? marks[of + 1] : sent_count) - marks[of];
}

static unsigned sum_of(size_t length)
{
    unsigned sum = 0;
    for (size_t j = 0; j < length; j++)
        sum = sum * 31 + text[j] + 1;
    return sum;
}

static double gap(size_t i)
{
    return (sent[i].from - sent[i - 1].to) / 1e6;
}

static size_t failures(uint8_t id)
{
    size_t count = 0;
    for (size_t i = 0; i < failed_count; i++)
        count += failed[i].id == id;
    return count;
}

void conclude(void)
{
    bool whole = step == 8;
    double late = -1;
    for (size_t i = 1, wanted = 100; whole && transmissions(0) == 5 && i < 5; i++, wanted *= 2)
        late = gap(i) < wanted - 0.01 || gap(i) > wanted + 5 ? 999 : MAX(late, gap(i) - wanted);
    FB_CHECK("repeats_with_doubling_delays", late >= 0 && late < 999, "5 transmissions, 100, 200, 400 and 800 ms apart",
             "%zu transmissions, %.1f ms between the first two", whole ? transmissions(0) : 0,
             sent_count > 1 ? gap(1) : 0.0);
    double last = failed_count && sent_count > 4 ? (failed[0].when - sent[4].to) / 1e6 : 0;
    FB_CHECK("fails_after_last_delay", failures(1) == 1 && last >= 1600 && last <= 1605,
             "link_failed once, 1600 ms after the fifth", "%zu times, %.1f ms", failures(1), last);
    bool same = sent_count > 0;
    for (size_t i = 0; i < 5 && i < sent_count; i++)
        same = same && sent[i].id == 1 && sent[i].sum == sum_of(32);
    FB_CHECK("repeats_the_same_data", same, "the id and the 32 bytes that were given", "%s",
             same ? "the same" : "others");
    FB_CHECK("busy_while_in_flight", result_count > 1 && results[1] == -EBUSY, "-EBUSY", "%d", results[1]);
    FB_CHECK("ack_stops_repeats", whole && transmissions(1) == 2 && failures(3) == 0, "2 transmissions",
             "%zu, %zu failures", whole ? transmissions(1) : 0, failures(3));
    FB_CHECK("ack_during_first_transmission", whole && transmissions(2) == 1 && failures(4) == 0, "1 transmission",
             "%zu, %zu failures", whole ? transmissions(2) : 0, failures(4));
    FB_CHECK("ack_during_repeat",
             whole && results[4] == 0 && failures(5) == 0 && sent[marks[3]].id == 5 && sent[marks[3] + 1].id == 5,
             "the next message accepted while the old transmission goes on", "%d, %zu failures", results[4],
             failures(5));
    bool fresh = whole && transmissions(4) == 2 && sent[marks[4] + 1].from - sent[marks[4]].to >= FB_MS(100) &&
                 sent[marks[4] + 1].from - sent[marks[4]].to <= FB_MS(105) && failures(6) == 0;
    FB_CHECK("next_message_has_own_delays", fresh, "2 transmissions of it, 100 ms apart", "%zu transmissions",
             whole ? transmissions(4) : 0);
    bool late_work = whole && transmissions(5) == 1 && transmissions(6) == 2 && failures(7) == 0 &&
                     sent[marks[6] + 1].from - sent[marks[6]].to >= FB_MS(100);
    FB_CHECK("late_work_does_nothing", late_work, "1 transmission of the acknowledged message, 2 of the next",
             "%zu and %zu", whole ? transmissions(5) : 0, whole ? transmissions(6) : 0);
    bool next = failures(9) == 1 && failed[failed_count - 1].result == 0 && failures(10) == 0;
    FB_CHECK("send_in_link_failed", next, "0", "%d, %zu failures", failed_count ? failed[failed_count - 1].result : 1,
             failures(9));
    bool refused = result_count == 12 && results[9] == -EINVAL && results[10] == -EINVAL && results[11] == -EINVAL;
    FB_CHECK("refuses_bad_arguments", refused, "-EINVAL three times", "%d, %d, %d", results[9], results[10],
             results[11]);
}
