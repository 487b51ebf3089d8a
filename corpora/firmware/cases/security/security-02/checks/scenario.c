/* A slot whose writes can go wrong, a signature that is a toy but covers what it should, and a sender that lies. */
#define FB_BLOCKS 30000000UL
#include "fb_cortex_m.h"

enum update_result { UPDATE_OK, UPDATE_STATE, UPDATE_SIGNATURE, UPDATE_VERSION, UPDATE_SIZE, UPDATE_RANGE, UPDATE_FLASH, UPDATE_HASH };
struct update_manifest {
    uint32_t version, size;
    uint8_t hash[32], signature[64];
};
enum update_result update_begin(const struct update_manifest *manifest);
enum update_result update_data(uint32_t offset, const void *data, size_t n);
enum update_result update_finish(void);
enum update_result update_confirm(void);

enum { SLOT = 0x10000, GUARD = 0xC7 };
static uint8_t *const slot = (uint8_t *)0x21000000; /* in the board's large RAM, with a guard behind it */
static uint8_t *const image = (uint8_t *)0x21100000;

static uint32_t counter, running, raises, boots, erases, writes, verified, erased_unverified, wrong_cover, outside;
static bool erase_fails, raise_fails, boot_fails, read_fails, flip;
static int write_fails_at;

static struct {
    uint32_t a, b;
} digest;
void hash_begin(void) { digest.a = 1, digest.b = 0x811c9dc5; }
void hash_add(const void *data, size_t n)
{
    const uint8_t *at = data;
    while (n--) {
        digest.b = (digest.b ^ *at) * 0x01000193u;
        digest.a = (digest.a << 5 | digest.a >> 27) + digest.b + *at++;
    }
}
void hash_end(uint8_t hash[32])
{
    for (int i = 0; i < 32; i++) {
        hash_add(&(uint8_t){(uint8_t)i}, 1);
        hash[i] = (uint8_t)(digest.a >> 13 ^ digest.b >> 7);
    }
}
static void toy_signature(const uint8_t *data, size_t n, uint8_t signature[64])
{
    uint32_t state = 0x6b43a9b5u;
    for (size_t i = 0; i < n; i++)
        state = (state ^ data[i]) * 0x9E3779B1u;
    for (int i = 0; i < 64; i++)
        signature[i] = (uint8_t)((state = state * 1664525u + 1013904223u) >> 24);
}
int signature_verify(const void *data, size_t n, const uint8_t signature[64])
{
    uint8_t right[64];
    wrong_cover += n != 40;
    toy_signature(data, n, right);
    bool is = n == 40 && !memcmp(right, signature, 64);
    verified += is;
    return is ? 0 : -1;
}
int flash_erase(void)
{
    erases++;
    erased_unverified += !verified;
    if (erase_fails)
        return -1;
    memset(slot, 0xff, SLOT);
    return 0;
}
int flash_write(uint32_t offset, const void *data, size_t n)
{
    if (offset > SLOT || n > SLOT - offset) {
        outside++;
        return -1;
    }
    if (write_fails_at >= 0 && writes++ == (uint32_t)write_fails_at)
        return -1;
    memcpy(slot + offset, data, n);
    if (flip && n)
        slot[offset] ^= 4;
    return 0;
}
int flash_read(uint32_t offset, void *data, size_t n)
{
    if (offset > SLOT || n > SLOT - offset) {
        outside++;
        return -1;
    }
    memcpy(data, slot + offset, n);
    return read_fails ? -1 : 0;
}
uint32_t version_counter(void) { return counter; }
int version_counter_raise(uint32_t version)
{
    if (raise_fails)
        return -1;
    raises++;
    counter = version > counter ? version : counter;
    return 0;
}
int boot_request(void)
{
    if (boot_fails)
        return -1;
    boots++;
    return 0;
}
uint32_t running_version(void) { return running; }

static struct update_manifest manifest(uint32_t version, uint32_t size)
{
    struct update_manifest m = {.version = version, .size = size};
    hash_begin();
    hash_add(image, size <= SLOT ? size : 0);
    hash_end(m.hash);
    toy_signature((const uint8_t *)&m, 40, m.signature);
    return m;
}
static void reset(void)
{
    boots = raises = erases = writes = verified = 0;
    erase_fails = raise_fails = boot_fails = read_fails = flip = false;
    write_fails_at = -1;
    counter = 5;
}
static enum update_result send(uint32_t size, uint32_t piece)
{
    for (uint32_t at = 0; at < size;) {
        uint32_t n = size - at < piece ? size - at : piece;
        enum update_result result = update_data(at, image + at, n);
        if (result)
            return result;
        at += n;
    }
    return UPDATE_OK;
}

/* Bytes of stack that a call uses, by what it leaves of a pattern. */
extern uint32_t _sstack[];
static uint32_t deepest;
__attribute__((noinline)) static enum update_result finish_measured(void)
{
    uint32_t *top = (uint32_t *)(__get_MSP() - 32), *at = _sstack;
    for (volatile uint32_t *word = _sstack; word < top; word++)
        *word = 0x5AC3A53C;
    enum update_result result = update_finish();
    while (at < top && *(volatile uint32_t *)at == 0x5AC3A53C)
        at++;
    deepest = (uint32_t)((uint8_t *)top - (uint8_t *)at);
    return result;
}

static unsigned failed[16];
static const char *first_wrong;
static enum { WHOLE, NO_UPDATE, SIGNATURE, VERSION, LENGTH, RANGE, MISSING, HASH, FLASH, CONFIRM, CHANGED, RESTART, GROUPS } group;
static void expect_result(unsigned saw, unsigned wanted, const char *what)
{
    if (saw != wanted) {
        failed[group]++;
        first_wrong = first_wrong ? first_wrong : what;
    }
}
#define EXPECT(call, wanted) expect_result((unsigned)(call), (unsigned)(wanted), #call)

int main(void)
{
    struct update_manifest m;
    for (uint32_t i = 0; i < SLOT; i++)
        image[i] = (uint8_t)(i * 7 + (i >> 8));
    memset(slot + SLOT, GUARD, 64);

    group = NO_UPDATE;
    reset();
    EXPECT(update_data(0, image, 4), UPDATE_STATE);
    EXPECT(update_finish(), UPDATE_STATE);

    group = WHOLE;
    reset();
    m = manifest(6, 3001);
    EXPECT(update_begin(&m), UPDATE_OK);
    EXPECT(send(3001, 700), UPDATE_OK);
    EXPECT(finish_measured(), UPDATE_OK);
    EXPECT(boots, 1);
    EXPECT(raises, 0);
    EXPECT(memcmp(slot, image, 3001) != 0, 0);
    EXPECT(update_finish(), UPDATE_STATE);
    reset();
    m = manifest(5, SLOT); /* the same version, the whole slot */
    EXPECT(update_begin(&m), UPDATE_OK);
    EXPECT(send(SLOT, 4096), UPDATE_OK);
    EXPECT(update_finish(), UPDATE_OK);
    EXPECT(boots, 1);

    group = SIGNATURE;
    for (int i = 0; i < 4; i++) {
        reset();
        m = manifest(6, 100);
        if (i == 0)
            m.signature[63] ^= 1;
        else if (i == 1)
            m.version = 7;
        else if (i == 2)
            m.size = 99;
        else
            m.hash[31] ^= 1;
        EXPECT(update_begin(&m), UPDATE_SIGNATURE);
        EXPECT(erases, 0);
        EXPECT(update_data(0, image, 4), UPDATE_STATE);
    }
    reset();
    m = manifest(1, 0xFFFFFFFF); /* wrong in every way: only the signature is told */
    m.signature[0] ^= 1;
    EXPECT(update_begin(&m), UPDATE_SIGNATURE);

    group = VERSION;
    reset();
    m = manifest(4, 100);
    EXPECT(update_begin(&m), UPDATE_VERSION);
    EXPECT(erases, 0);
    counter = 0x80000001;
    m = manifest(3, 100);
    EXPECT(update_begin(&m), UPDATE_VERSION);
    EXPECT(update_finish(), UPDATE_STATE);

    group = LENGTH;
    static const uint32_t WRONG[] = {0, SLOT + 1, 0x80000000, 0xFFFFFFFF};
    for (int i = 0; i < 4; i++) {
        reset();
        m = manifest(6, WRONG[i]);
        EXPECT(update_begin(&m), UPDATE_SIZE);
        EXPECT(erases, 0);
    }

    group = RANGE;
    reset();
    m = manifest(6, 1000);
    EXPECT(update_begin(&m), UPDATE_OK);
    EXPECT(update_data(4, image, 4), UPDATE_RANGE);
    EXPECT(update_data(0, image, 600), UPDATE_OK);
    EXPECT(update_data(0, image, 4), UPDATE_RANGE);
    EXPECT(update_data(601, image, 4), UPDATE_RANGE);
    EXPECT(update_data(600, image + 600, 401), UPDATE_RANGE);
    EXPECT(update_data(600, image + 600, (size_t)-600), UPDATE_RANGE);
    EXPECT(update_data(600, image + 600, (size_t)-1), UPDATE_RANGE);
    EXPECT(update_data(0xFFFFFFFF, image, 2), UPDATE_RANGE);
    EXPECT(update_data(600, image + 600, 400), UPDATE_OK);
    EXPECT(update_data(1000, image, 1), UPDATE_RANGE);
    EXPECT(update_finish(), UPDATE_OK);
    EXPECT(outside, 0);

    group = MISSING;
    reset();
    m = manifest(6, 1000);
    EXPECT(update_begin(&m), UPDATE_OK);
    EXPECT(update_finish(), UPDATE_RANGE);
    EXPECT(send(999, 500), UPDATE_OK);
    EXPECT(update_finish(), UPDATE_RANGE);
    EXPECT(boots, 0);
    EXPECT(update_data(999, image + 999, 1), UPDATE_OK);
    EXPECT(update_finish(), UPDATE_OK);
    EXPECT(boots, 1);

    group = HASH;
    reset();
    m = manifest(6, 1000);
    image[999] ^= 1;
    EXPECT(update_begin(&m), UPDATE_OK);
    EXPECT(send(1000, 333), UPDATE_OK);
    EXPECT(update_finish(), UPDATE_HASH);
    image[999] ^= 1;
    EXPECT(boots, 0);
    EXPECT(update_finish(), UPDATE_STATE);
    reset();
    flip = true; /* what arrives in the slot is not what was received */
    EXPECT(update_begin(&m), UPDATE_OK);
    EXPECT(send(1000, 333), UPDATE_OK);
    EXPECT(update_finish(), UPDATE_HASH);
    EXPECT(boots, 0);

    group = FLASH;
    reset();
    erase_fails = true;
    EXPECT(update_begin(&m), UPDATE_FLASH);
    EXPECT(update_data(0, image, 4), UPDATE_STATE);
    reset();
    write_fails_at = 1;
    EXPECT(update_begin(&m), UPDATE_OK);
    EXPECT(send(1000, 100), UPDATE_FLASH);
    EXPECT(update_data(100, image + 100, 100), UPDATE_STATE);
    reset();
    EXPECT(update_begin(&m), UPDATE_OK);
    EXPECT(send(1000, 100), UPDATE_OK);
    read_fails = true;
    EXPECT(update_finish(), UPDATE_FLASH);
    EXPECT(boots, 0);
    reset();
    EXPECT(update_begin(&m), UPDATE_OK);
    EXPECT(send(1000, 100), UPDATE_OK);
    boot_fails = true;
    EXPECT(update_finish(), UPDATE_FLASH);
    EXPECT(update_finish(), UPDATE_STATE);

    group = CONFIRM;
    reset();
    running = 9;
    EXPECT(update_confirm(), UPDATE_OK);
    EXPECT(counter, 9);
    EXPECT(update_confirm(), UPDATE_OK);
    EXPECT(raises, 1);
    running = 3;
    EXPECT(update_confirm(), UPDATE_OK);
    EXPECT(counter, 9);
    EXPECT(raises, 1);
    running = 10;
    raise_fails = true;
    EXPECT(update_confirm(), UPDATE_FLASH);

    group = CHANGED;
    reset();
    m = manifest(6, 1000);
    EXPECT(update_begin(&m), UPDATE_OK);
    m.size = 0xFFFF0000; /* whoever sent it changes it now */
    memset(m.hash, 0, sizeof m.hash);
    EXPECT(update_data(0, image, 1001), UPDATE_RANGE);
    EXPECT(send(1000, 1000), UPDATE_OK);
    EXPECT(update_finish(), UPDATE_OK);

    group = RESTART;
    reset();
    m = manifest(6, 1000);
    EXPECT(update_begin(&m), UPDATE_OK);
    EXPECT(send(500, 500), UPDATE_OK);
    m = manifest(7, 800);
    EXPECT(update_begin(&m), UPDATE_OK);
    EXPECT(send(800, 800), UPDATE_OK);
    EXPECT(update_finish(), UPDATE_OK);
    m = manifest(7, 800);
    EXPECT(update_begin(&m), UPDATE_OK);
    m.signature[5] ^= 1;
    EXPECT(update_begin(&m), UPDATE_SIGNATURE); /* gives the first one up, too */
    EXPECT(update_data(0, image, 4), UPDATE_STATE);
    fb_end(NULL);
}

void conclude(void)
{
    static const struct {
        const char *name, *expected;
    } TEXT[GROUPS] = {
        [WHOLE] = {"installs", "a right update is written, checked and booted"},
        [NO_UPDATE] = {"refuses_without_update", "UPDATE_STATE"},
        [SIGNATURE] = {"signature_first", "UPDATE_SIGNATURE for every changed manifest, and nothing erased"},
        [VERSION] = {"refuses_old_versions", "UPDATE_VERSION below the counter, and nothing erased"},
        [LENGTH] = {"refuses_wrong_sizes", "UPDATE_SIZE, and nothing erased"},
        [RANGE] = {"refuses_wrong_pieces", "UPDATE_RANGE for pieces out of order or beyond the size"},
        [MISSING] = {"waits_for_missing_bytes", "UPDATE_RANGE, and the update goes on"},
        [HASH] = {"checks_the_slot", "UPDATE_HASH by what is read from the slot, and no boot"},
        [FLASH] = {"tells_failures", "UPDATE_FLASH, and the update is over"},
        [CONFIRM] = {"raises_the_counter_late", "the counter rises with update_confirm only"},
        [CHANGED] = {"keeps_its_own_manifest", "a later change of the manifest has no effect"},
        [RESTART] = {"starts_over", "a new update takes the place of the one before"},
    };
    for (int i = 0; i < GROUPS; i++)
        FB_CHECK(TEXT[i].name, !failed[i], TEXT[i].expected, "%u deviations%s%s", failed[i], failed[i] ? ", the first of all: " : "",
                 failed[i] && first_wrong ? first_wrong : "");
    FB_CHECK("erases_only_verified", !erased_unverified, "nothing is erased before a signature was right", "%lu times", erased_unverified);
    FB_CHECK("little_stack", deepest <= 1024 + 512, "1 KiB for reading, and what the calls need", "%lu bytes", deepest);
    FB_CHECK("covers_the_manifest", !wrong_cover, "the signature is verified over 40 bytes", "%lu times over something else", wrong_cover);
}
