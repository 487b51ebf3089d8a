/* A server that answers, answers late, refuses, and is drowned out by datagrams that must be ignored. */
#include <errno.h>
#include <string.h>

#include "fb_application.h"
#include "fb_net.h"
#include "fb_zephyr.h"
#include "sim.h"

int request(uint8_t code, const uint8_t *payload, size_t length, uint8_t *answer, size_t room);

enum call {
    SIMPLE,
    THIRD,
    NEVER,
    JUNK_ALONE,
    JUNK_AROUND,
    REFUSED,
    TOO_LONG,
    EMPTY_ANSWER,
    LARGEST,
    NO_PAYLOAD,
    AT_ONCE,
    CALLS
};
#define SERVER FB_IP(192, 0, 2, 20)
#define PORT 5690
#define MOST 8

static struct {
    int result, open_after;
    int64_t began, took;
    unsigned sent;
    int64_t when[MOST];
    uint8_t first[210];
    size_t length;
    bool all_equal, content, guard;
} seen[CALLS];
static enum call now;
static int too_long, null_payload, no_socket, no_send, open_after_failure, together[2];
static unsigned datagrams_of_refused, finished;
static uint16_t number_before, number_after;
static bool together_right = true, both_ended;
static int64_t free_time, failures_took;
static bool junk_on;
static uint16_t client_port;
static uint16_t old_number;

static void put(uint8_t *to, uint8_t type, const uint8_t *question, const void *payload, uint8_t length)
{
    to[0] = 0xa5;
    to[1] = type;
    memcpy(to + 2, question + 2, 3);
    to[5] = length;
    memcpy(to + 6, payload, length);
}

static void answer(uint16_t port, const uint8_t *question, uint8_t type, const void *payload, uint8_t length,
                   int64_t after)
{
    uint8_t out[210];
    put(out, type, question, payload, length);
    fb_net_datagram(SERVER, PORT, port, after, out, 6u + length);
}

/* Eight kinds of datagram that are no answer, each right but for one thing. */
static void junk(uint16_t port, const uint8_t *question, int kind, int64_t after)
{
    uint8_t out[16];
    size_t length = 9;
    put(out, 2, question, "bad", 3);
    uint32_t from = SERVER;
    uint16_t from_port = PORT;
    switch (kind % 8) {
    case 0:
        from = FB_IP(192, 0, 2, 21);
        break;
    case 1:
        from_port = PORT + 1;
        break;
    case 2:
        length = 5;
        break;
    case 3:
        out[0] = 0x5a;
        break;
    case 4:
        out[1] = kind / 8 % 2 ? 1 : 4;
        break;
    case 5:
        out[2] = (uint8_t)(old_number >> 8);
        out[3] = (uint8_t)old_number;
        break;
    case 6:
        out[4] ^= 1;
        break;
    case 7:
        out[5] = kind / 8 % 2 ? 2 : 4;
        break;
    }
    fb_net_datagram(from, from_port, port, after, out, length);
}

static uint8_t last_question[210];

static void more_junk(void *kind)
{
    intptr_t which = (intptr_t)kind;
    if (!junk_on)
        return;
    junk(client_port, last_question, (int)which, 0);
    fb_at(fb_now() + FB_MS(230), more_junk, (void *)(which + 1));
}

static void note(const uint8_t *data, size_t length)
{
    unsigned n = seen[now].sent++;
    if (n < MOST)
        seen[now].when[n] = fb_now() - FB_NET_DELAY - seen[now].began;
    if (n == 0) {
        seen[now].length = length;
        memcpy(seen[now].first, data, length < sizeof seen->first ? length : sizeof seen->first);
        seen[now].all_equal = true;
    } else if (length != seen[now].length || memcmp(data, seen[now].first, length)) {
        seen[now].all_equal = false;
    }
}

static void datagram(uint16_t port, const uint8_t *data, size_t length)
{
    static uint8_t big[200];
    if (length > sizeof last_question)
        return;
    client_port = port;
    memcpy(last_question, data, length);
    note(data, length);
    switch (now) {
    case SIMPLE:
        answer(port, data, 2, "hello", 5, FB_MS(80));
        break;
    case THIRD:
        if (seen[now].sent == 3)
            answer(port, data, 2, "third", 5, FB_MS(1500));
        break;
    case NEVER:
        old_number = (uint16_t)(data[2] << 8 | data[3]);
        break;
    case JUNK_ALONE:
        if (seen[now].sent == 1) {
            junk_on = true;
            more_junk(0);
        }
        break;
    case JUNK_AROUND:
        for (int kind = 0; kind < 16; kind++)
            junk(port, data, kind, FB_MS(10 + kind));
        answer(port, data, 2, "right", 5, FB_MS(100));
        break;
    case REFUSED:
        answer(port, data, 3, "", 0, FB_MS(30));
        break;
    case TOO_LONG:
        answer(port, data, 2, "0123456789", 10, FB_MS(30));
        break;
    case EMPTY_ANSWER:
    case NO_PAYLOAD:
        answer(port, data, 2, "", 0, FB_MS(30));
        break;
    case LARGEST:
        for (size_t i = 0; i < sizeof big; i++)
            big[i] = (uint8_t)(i * 5);
        answer(port, data, 2, big, 200, FB_MS(30));
        break;
    case AT_ONCE:
        answer(port, data, 2, &data[4], 1, FB_MS(500));
        break;
    case CALLS:
        break;
    }
}

static fb_server server = {.address = SERVER, .port = PORT, .datagram = datagram};

static void one_call(uint8_t code, const void *payload, size_t length, size_t room, const void *wanted,
                     size_t wanted_length)
{
    uint8_t got[260];
    memset(got, 0xee, sizeof got);
    seen[now].began = fb_now();
    seen[now].result = request(code, payload, length, got, room);
    seen[now].took = fb_now() - seen[now].began;
    seen[now].open_after = fb_sockets_open();
    seen[now].content = seen[now].result == (int)wanted_length && !memcmp(got, wanted, wanted_length);
    seen[now].guard = true;
    for (size_t i = seen[now].result > 0 ? (size_t)seen[now].result : 0; i < sizeof got; i++)
        seen[now].guard &= got[i] == 0xee;
    junk_on = false;
    k_msleep(50);
    finished++;
}

static struct k_thread threads[2], idler;
static K_THREAD_STACK_ARRAY_DEFINE(stacks, 3, 4096);
static struct k_sem done;

static void run(void *index, void *unused, void *unused2)
{
    (void)unused;
    (void)unused2;
    for (int i = 0; i < 3; i++) {
        uint8_t code = (uint8_t)(0x40 + 16 * (intptr_t)index + i), got[4] = {0};
        int result = request(code, &code, 1, got, sizeof got);
        if (result != 1)
            together[(intptr_t)index] = result ? result : -1;
        together_right &= got[0] == code;
        k_msleep(1);
    }
    k_sem_give(&done);
}

static void idle(void *a, void *b, void *c)
{
    (void)a;
    (void)b;
    (void)c;
    for (;;) {
        fb_spend(FB_US(100));
        free_time += now == NEVER ? FB_US(100) : 0;
        if (now != NEVER)
            k_sleep(K_MSEC(20));
    }
}

static void use_failures(void)
{
    uint8_t big[201] = {0}, got[8];
    now = CALLS;
    size_t before = fb_traced("net", "datagram");
    too_long = request(1, big, 201, got, sizeof got);
    null_payload = request(1, NULL, 1, got, sizeof got);
    datagrams_of_refused = (unsigned)(fb_traced("net", "datagram") - before);
    number_before = (uint16_t)(last_question[2] << 8 | last_question[3]);
    now = NO_PAYLOAD;
    one_call(9, NULL, 0, 8, "", 0);
    number_after = (uint16_t)(last_question[2] << 8 | last_question[3]);
    now = CALLS;
    int64_t began = fb_now();
    fb_net_fail_socket(0, 1, ENOMEM);
    no_socket = request(1, NULL, 0, got, sizeof got);
    fb_net_fail_socket(0, 0, 0);
    fb_net_fail_send(0, 1, ENETDOWN);
    no_send = request(1, NULL, 0, got, sizeof got);
    fb_net_fail_send(0, 0, 0);
    failures_took = fb_now() - began;
    open_after_failure = fb_sockets_open();
}

static void application(void)
{
    static uint8_t large[200], wanted[200];

    k_thread_create(&idler, stacks[2], K_THREAD_STACK_SIZEOF(stacks[2]), idle, NULL, NULL, NULL, 14, 0, K_NO_WAIT);
    for (size_t i = 0; i < 200; i++) {
        large[i] = (uint8_t)(i * 3);
        wanted[i] = (uint8_t)(i * 5);
    }
    now = SIMPLE;
    one_call(0x21, "ping", 4, 100, "hello", 5);
    now = THIRD;
    one_call(0x22, "abc", 3, 5, "third", 5);
    now = NEVER;
    one_call(0x23, "x", 1, 100, "", 0);
    now = JUNK_ALONE;
    one_call(0x24, "x", 1, 100, "", 0);
    now = JUNK_AROUND;
    one_call(0x25, "x", 1, 100, "right", 5);
    now = REFUSED;
    one_call(0x26, "x", 1, 100, "", 0);
    now = TOO_LONG;
    one_call(0x27, "x", 1, 9, "", 0);
    now = EMPTY_ANSWER;
    one_call(0x28, "x", 1, 100, "", 0);
    now = LARGEST;
    one_call(0x29, large, 200, 200, wanted, 200);
    use_failures();
    now = AT_ONCE;
    k_sem_init(&done, 0, 2);
    for (intptr_t i = 0; i < 2; i++)
        k_thread_create(&threads[i], stacks[i], K_THREAD_STACK_SIZEOF(stacks[i]), run, (void *)i, NULL, NULL, 7, 0,
                        K_NO_WAIT);
    k_sem_take(&done, K_FOREVER);
    k_sem_take(&done, K_FOREVER);
    both_ended = true;
    fb_stop("all requests are over");
}

void scenario(void)
{
    fb_application(application);
    fb_net_serve(&server);
    fb_end_at(FB_S(120));
}

static bool times(enum call call, unsigned count)
{
    static const int64_t due[4] = {0, 1, 3, 7};
    for (unsigned i = 0; i < count; i++)
        if (i >= MOST || seen[call].when[i] < FB_S(due[i]) - FB_MS(100) ||
            seen[call].when[i] > FB_S(due[i]) + FB_MS(100))
            return false;
    return seen[call].sent == count;
}

#define TIMES(name, call, count, expected) \
    FB_CHECK(name, times(call, count), expected, "%u: %.2f, %.2f, %.2f, %.2f s", seen[call].sent, \
             (double)seen[call].when[0] / 1e9, (double)seen[call].when[1] / 1e9, (double)seen[call].when[2] / 1e9, \
             (double)seen[call].when[3] / 1e9)

static bool gives_up(enum call call)
{
    return seen[call].result == -ETIMEDOUT && seen[call].took >= FB_MS(14900) && seen[call].took <= FB_MS(15150);
}

void conclude(void)
{
    static const uint8_t wanted[] = {0xa5, 1, 0, 1, 0x21, 4, 'p', 'i', 'n', 'g'};
    FB_CHECK("request_format",
             seen[SIMPLE].length == sizeof wanted && !memcmp(seen[SIMPLE].first, wanted, sizeof wanted),
             "a5 01 0001 21 04 and the payload", "%zu bytes, %02x %02x %02x%02x %02x %02x", seen[SIMPLE].length,
             seen[SIMPLE].first[0], seen[SIMPLE].first[1], seen[SIMPLE].first[2], seen[SIMPLE].first[3],
             seen[SIMPLE].first[4], seen[SIMPLE].first[5]);
    FB_CHECK("answer_given",
             seen[SIMPLE].content && seen[SIMPLE].guard && seen[SIMPLE].sent == 1 && seen[SIMPLE].took < FB_MS(250),
             "5, 'hello', one datagram", "%d after %.2f s, %u datagrams", seen[SIMPLE].result,
             (double)seen[SIMPLE].took / 1e9, seen[SIMPLE].sent);
    TIMES("sent_again", THIRD, 3, "3 transmissions at 0, 1, 3 s");
    FB_CHECK("transmissions_equal", seen[THIRD].all_equal && seen[THIRD].sent > 1 && seen[NEVER].all_equal,
             "the same, byte for byte", "%d", seen[THIRD].all_equal);
    FB_CHECK("late_answer_given", seen[THIRD].content, "5, 'third'", "%d", seen[THIRD].result);
    FB_CHECK("numbers_count_up",
             seen[THIRD].first[3] == 2 && seen[NEVER].first[3] == 3 && seen[JUNK_ALONE].first[3] == 4, "2, 3, 4",
             "%u, %u, %u", seen[THIRD].first[3], seen[NEVER].first[3], seen[JUNK_ALONE].first[3]);
    TIMES("four_transmissions", NEVER, 4, "4 transmissions at 0, 1, 3, 7 s");
    FB_CHECK("gives_up_after_15_s", gives_up(NEVER), "-ETIMEDOUT after 15 s", "%d after %.2f s", seen[NEVER].result,
             (double)seen[NEVER].took / 1e9);
    TIMES("times_hold_among_junk", JUNK_ALONE, 4, "4 transmissions at 0, 1, 3, 7 s");
    FB_CHECK("junk_ignored", gives_up(JUNK_ALONE), "-ETIMEDOUT after 15 s", "%d after %.2f s", seen[JUNK_ALONE].result,
             (double)seen[JUNK_ALONE].took / 1e9);
    FB_CHECK("answer_found_among_junk", seen[JUNK_AROUND].content && seen[JUNK_AROUND].sent == 1, "5, 'right'", "%d",
             seen[JUNK_AROUND].result);
    FB_CHECK("refusal_given", seen[REFUSED].result == -ECONNREFUSED, "-ECONNREFUSED", "%d", seen[REFUSED].result);
    FB_CHECK("long_answer_refused", seen[TOO_LONG].result == -EMSGSIZE && seen[TOO_LONG].guard,
             "-EMSGSIZE, nothing copied", "%d, %s", seen[TOO_LONG].result,
             seen[TOO_LONG].guard ? "nothing copied" : "copied");
    FB_CHECK("empty_answer_given", finished > 7 && seen[EMPTY_ANSWER].result == 0 && seen[EMPTY_ANSWER].guard, "0",
             "%d", seen[EMPTY_ANSWER].result);
    FB_CHECK("largest_payloads", seen[LARGEST].content && seen[LARGEST].length == 206, "200 bytes both ways",
             "%d, %zu bytes sent", seen[LARGEST].result, seen[LARGEST].length);
    FB_CHECK("arguments_checked", too_long == -EINVAL && null_payload == -EINVAL && datagrams_of_refused == 0,
             "-EINVAL, no datagram", "%d and %d, %u datagrams", too_long, null_payload, datagrams_of_refused);
    FB_CHECK("no_number_for_refused", number_after != 0 && number_after == (uint16_t)(number_before + 1),
             "the next number afterwards", "%u after %u", number_after, number_before);
    FB_CHECK("no_payload_is_fine", seen[NO_PAYLOAD].result == 0 && seen[NO_PAYLOAD].length == 6, "0, six bytes sent",
             "%d, %zu bytes", seen[NO_PAYLOAD].result, seen[NO_PAYLOAD].length);
    FB_CHECK("failures_given", no_socket < 0 && no_send < 0 && failures_took < FB_MS(500),
             "negative error codes, at once", "%d and %d after %.1f s", no_socket, no_send,
             (double)failures_took / 1e9);
    int open = open_after_failure;
    for (int i = 0; i < CALLS; i++)
        open += seen[i].open_after;
    FB_CHECK("sockets_closed", finished >= 10 && open == 0 && fb_sockets_open() == 0, "none open after a call", "%d",
             open);
    FB_CHECK("calls_kept_apart", both_ended && together_right && !together[0] && !together[1],
             "two threads get the answers to their requests", "results %d and %d, %s", together[0], together[1],
             together_right ? "right" : "wrong");
    FB_CHECK("sleeps_while_waiting", free_time > FB_MS(13500), "the processor is free for nearly all of 15 s", "%.1f s",
             (double)free_time / 1e9);
}
