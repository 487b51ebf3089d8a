/* Sends frames, counts instructions, and searches the RAM for what should have been erased. */
#define FB_BLOCKS 6000000UL
#include "fb_cortex_m.h"

#define ALWAYS_INLINE static inline __attribute__((always_inline))
enum { END = 0x21001000 }; /* frames end here */

enum command_result { COMMAND_OK, COMMAND_MALFORMED, COMMAND_BAD_TAG, COMMAND_REPLAYED, COMMAND_STORAGE };
struct command {
    uint8_t length;
    uint8_t payload[32];
};
enum command_result command_accept(const uint8_t *frame, size_t size, struct command *command);

extern uint32_t _sdata[], _ebss[], _sstack[];

/* A byte of the key each time it is asked for: it is in no variable. */
ALWAYS_INLINE uint8_t key_byte(unsigned i) { return (uint8_t)(0x5d + 29 * i + (i * i << 3)); }

static FB_KEPT uint32_t stored, stores, key_loads, fill_at_store;
static FB_KEPT bool store_fails;
static FB_KEPT struct command command;
static FB_KEPT uint8_t frame[96], tag_now[16];

void key_load(uint8_t key[16])
{
    key_loads++;
    for (unsigned i = 0; i < 16; i++)
        key[i] = key_byte(i);
}
uint32_t counter_load(void) { return stored; }
int counter_store(uint32_t value)
{
    stores++;
    fill_at_store += command.length != 0xEE;
    if (store_fails)
        return -5;
    stored = value;
    return 0;
}

/* A toy MAC: what it lacks in strength does not matter here. It keeps its state where no one looks for it. */
void mac_compute(const uint8_t key[16], const uint8_t *data, size_t n, uint8_t tag[16])
{
    static FB_KEPT uint32_t state[4];
    for (int i = 0; i < 4; i++)
        state[i] = (uint32_t)(key[i] | key[i + 4] << 8 | key[i + 8] << 16) * 0x9E3779B1u + key[i + 12];
    for (size_t i = 0; i < n + 16; i++) {
        uint32_t in = i < n ? data[i] : (uint32_t)i * 0x11u + (uint32_t)n;
        state[i & 3] = (state[i & 3] ^ in) * 0x01000193u + (state[(i + 1) & 3] >> 7);
        state[(i + 2) & 3] += state[i & 3] << 11 | state[i & 3] >> 21;
    }
    for (int i = 0; i < 16; i++)
        tag[i] = (uint8_t)(state[i & 3] >> (i / 4 * 8));
}

static size_t build(uint32_t counter, uint8_t length)
{
    uint8_t key[16];
    size_t n = 5u + length;
    for (int i = 0; i < 4; i++)
        frame[i] = (uint8_t)(counter >> 8 * i);
    frame[4] = length;
    for (size_t i = 5; i < n; i++)
        frame[i] = (uint8_t)(0x40 + i);
    for (unsigned i = 0; i < 16; i++)
        key[i] = key_byte(i);
    mac_compute(key, frame, n, frame + n);
    memcpy(tag_now, frame + n, 16);
    for (volatile uint8_t *at = key; at < key + 16;)
        *at++ = 0;
    return n + 16;
}

static FB_KEPT unsigned key_left, tag_left;
static FB_KEPT const char *left_in;

/* Half of a secret is enough to tell that it was left. Inline, because a call would write over what is searched. */
ALWAYS_INLINE bool is_key(const volatile uint8_t *at, unsigned half)
{
    for (unsigned i = 0; i < 8; i++)
        if (at[i] != key_byte(half * 8 + i))
            return false;
    return true;
}
ALWAYS_INLINE bool is_tag(const volatile uint8_t *at, unsigned half)
{
    for (unsigned i = 0; i < 8; i++)
        if (at[i] != tag_now[half * 8 + i])
            return false;
    return true;
}
ALWAYS_INLINE void search(const volatile uint8_t *from, const volatile uint8_t *to, const char *what)
{
    for (; from + 8 <= to; from++) {
        bool key = is_key(from, 0) || is_key(from, 1), tag = is_tag(from, 0) || is_tag(from, 1);
        key_left += key;
        tag_left += tag;
        if (key || tag)
            left_in = what;
    }
}

/* One call on a stack that holds nothing of before, with a frame behind which there is no memory. */
__attribute__((noinline)) static enum command_result call(size_t size, uint32_t *ticks)
{
    for (volatile uint32_t *at = _sstack; at < (uint32_t *)(__get_MSP() - 16); at++)
        *at = 0;
    memset(&command, 0xEE, sizeof command);
    uint8_t *end = (uint8_t *)END, *at = size <= sizeof frame ? end - size : end - sizeof frame;
    memcpy(at, frame, (size_t)(end - at));
    fb_stopwatch();
    enum command_result result = command_accept(at, size, &command);
    if (ticks)
        *ticks = fb_elapsed();
    search((const uint8_t *)_sdata, (const uint8_t *)_ebss, "a variable");
    search((const uint8_t *)_sstack, (const uint8_t *)__get_MSP(), "the stack");
    return result;
}
static bool untouched(void)
{
    for (size_t i = 0; i < sizeof command; i++)
        if (((uint8_t *)&command)[i] != 0xEE)
            return false;
    return true;
}

static FB_KEPT unsigned good, good_filled, good_stored, malformed_wrong, malformed_loads, bad_tag_wrong, replay_wrong, storage_wrong, touched,
    wrong_order;
static FB_KEPT uint32_t shortest, longest;

static void expect(enum command_result saw, enum command_result wanted, unsigned *wrong)
{
    *wrong += saw != wanted;
    if (saw != COMMAND_OK)
        touched += !untouched();
}

int main(void)
{
    size_t n;
    uint32_t ticks;
    fb_guard(END);

    /* Right ones: empty, full, and a counter whose bytes tell their order. */
    static const struct {
        uint32_t counter;
        uint8_t length;
    } RIGHT[] = {{1, 0}, {0x00000102, 32}, {0x00010000, 7}, {0x80000000, 5}, {0xFFFFFFFE, 32}};
    for (size_t i = 0; i < sizeof RIGHT / sizeof *RIGHT; i++) {
        n = build(RIGHT[i].counter, RIGHT[i].length);
        fill_at_store = 0;
        good += call(n, NULL) == COMMAND_OK;
        good_filled += command.length == RIGHT[i].length && !memcmp(command.payload, frame + 5, RIGHT[i].length);
        good_stored += stored == RIGHT[i].counter;
        wrong_order += fill_at_store;
    }

    /* Malformed: too short, too long, lengths that lie. */
    stored = 100;
    key_loads = 0;
    n = build(200, 8);
    for (size_t size = 0; size < 48; size++)
        if (size != n)
            expect(call(size, NULL), COMMAND_MALFORMED, &malformed_wrong);
    n = build(200, 33);
    expect(call(n, NULL), COMMAND_MALFORMED, &malformed_wrong);
    frame[4] = 0xff;
    expect(call(n, NULL), COMMAND_MALFORMED, &malformed_wrong);
    expect(call((size_t)-1, NULL), COMMAND_MALFORMED, &malformed_wrong);
    malformed_loads = key_loads;
    stores = 0;

    /* Wrong tags: one byte at each place, and all bytes; with a counter that would be a replay, too. */
    for (int place = 0; place <= 16; place++) {
        n = build(200, 16);
        for (int i = 0; i < 16; i++)
            if (i == place || place == 16)
                frame[n - 16 + (size_t)i] ^= 0x81;
        expect(call(n, &ticks), COMMAND_BAD_TAG, &bad_tag_wrong);
        if (!shortest || ticks < shortest)
            shortest = ticks;
        if (ticks > longest)
            longest = ticks;
    }
    n = build(50, 4);
    frame[n - 1] ^= 1;
    expect(call(n, NULL), COMMAND_BAD_TAG, &bad_tag_wrong);
    bad_tag_wrong += stores != 0 || stored != 100;

    /* Replays. */
    static const uint32_t OLD[] = {100, 99, 0};
    for (size_t i = 0; i < 3; i++)
        expect(call(build(OLD[i], 4), NULL), COMMAND_REPLAYED, &replay_wrong);
    stored = 0x80000005;
    expect(call(build(7, 4), NULL), COMMAND_REPLAYED, &replay_wrong);
    replay_wrong += stores != 0;

    /* The counter cannot be stored. */
    stored = 100;
    store_fails = true;
    expect(call(build(101, 4), NULL), COMMAND_STORAGE, &storage_wrong);
    storage_wrong += stores != 1;
    fb_end(NULL);
}

void conclude(void)
{
    FB_CHECK("accepts", good == 5 && good_filled == 5, "5 right frames are accepted and copied", "%u accepted, %u copied", good, good_filled);
    FB_CHECK("stores_the_counter", good_stored == 5 && !wrong_order, "the counter is stored, and before the command is filled",
             "%u stored, %u filled before", good_stored, wrong_order);
    FB_CHECK("refuses_malformed", !malformed_wrong, "COMMAND_MALFORMED for each of 50", "%u wrong", malformed_wrong);
    FB_CHECK("no_key_for_malformed", !malformed_loads, "the key is not loaded", "%u times", malformed_loads);
    FB_CHECK("refuses_bad_tags", !bad_tag_wrong, "COMMAND_BAD_TAG, and no counter is stored", "%u wrong", bad_tag_wrong);
    FB_CHECK("constant_time", longest - shortest <= 3, "the same number of instructions wherever the tag is wrong",
             "%lu to %lu ticks", shortest, longest);
    FB_CHECK("refuses_replays", !replay_wrong, "COMMAND_REPLAYED for counters that are not greater", "%u wrong", replay_wrong);
    FB_CHECK("tells_storage_failure", !storage_wrong, "COMMAND_STORAGE", "%u wrong", storage_wrong);
    FB_CHECK("command_untouched", !touched, "the command is left as it was", "changed %u times", touched);
    FB_CHECK("key_erased", !key_left, "the key is nowhere in RAM", "found %u times, last in %s", key_left, left_in ? left_in : "none");
    FB_CHECK("tag_erased", !tag_left, "the computed tag is nowhere in RAM", "found %u times, last in %s", tag_left, left_in ? left_in : "none");
}
