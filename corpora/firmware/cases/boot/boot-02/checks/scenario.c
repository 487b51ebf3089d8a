/* Fills the two slots with images that are right, or wrong in one way each, and takes the application's place in the end. */
#define FB_BLOCKS 20000000UL
#include "fb_cortex_m.h"

enum {
    SLOT_A = 0x00040000, SLOT_B = 0x00041000, SIZE = 0x1000, APP = 0x100, ROOM = SIZE - APP, MAGIC = 0x474D4931,
    STACK = 0x2000C000, STUB = 0x80, PLAIN = 0x200,
};

uint32_t boot_select(void);
void boot_jump(uint32_t slot);
int main(void);

typedef struct {
    uint32_t version, size, magic, sp, reset, crc_error;
} image;

static struct {
    uint32_t selected[24];
    uint32_t msp, psp, control, primask, basepri, vtor, systick, enabled, pending, pending_core;
    uint32_t slot, strange_handlers, own_handlers, entries, recovered, recovered_before_entry;
} seen;
static bool jumping;

static uint32_t crc_of(const uint8_t *data, uint32_t n)
{
    static uint32_t table[256];
    if (!table[1])
        for (uint32_t i = 0; i < 256; i++) {
            uint32_t c = i;
            for (int k = 0; k < 8; k++)
                c = c & 1 ? c >> 1 ^ 0xEDB88320u : c >> 1;
            table[i] = c;
        }
    uint32_t crc = ~0u;
    while (n--)
        crc = table[(crc ^ *data++) & 0xff] ^ crc >> 8;
    return ~crc;
}

void landing(void);
static void application_timer(void);

/* A whole image: vectors, a stub that goes to landing(), and a pattern. */
static void put(uint32_t slot, image wanted)
{
    uint32_t *header = (uint32_t *)slot, *app = (uint32_t *)(slot + APP);
    memset((void *)slot, 0xff, SIZE);
    for (uint32_t i = 0; i < ROOM / 4; i++)
        app[i] = i * 0x01010101u;
    for (int i = 0; i < 32; i++)
        app[i] = (uint32_t)application_timer;
    app[0] = wanted.sp;
    app[1] = wanted.reset ? wanted.reset : (slot + APP + STUB) | 1;
    app[STUB / 4] = 0x47004800; /* ldr r0, [pc, #0]; bx r0 */
    app[STUB / 4 + 1] = (uint32_t)landing;
    header[0] = wanted.magic;
    header[1] = wanted.version;
    header[2] = wanted.size;
    uint32_t covered = wanted.size <= ROOM + 1 ? wanted.size : PLAIN;
    header[3] = crc_of((const uint8_t *)app, covered) ^ wanted.crc_error;
}
static image good(uint32_t version) { return (image){version, PLAIN, MAGIC, STACK, 0, 0}; }
static void clear(uint32_t slot) { memset((void *)slot, 0xff, SIZE); }

#define VARIANT(change) ({ image i_ = good(9); change; i_; })
enum { EXPERIMENTS = 23 };
static const struct {
    const char *what;
    uint32_t expected;
} CASES[EXPERIMENTS] = {
    {"A newer", SLOT_A}, {"B newer", SLOT_B}, {"the same version", SLOT_A}, {"A with the top bit in its version", SLOT_A},
    {"only B there", SLOT_B}, {"nothing there", 0}, {"A with a wrong CRC", SLOT_B}, {"A with a wrong magic", SLOT_B},
    {"A with size 0xFFFFFFFF", SLOT_B}, {"A one byte longer than its slot", SLOT_B}, {"A as long as its slot", SLOT_A},
    {"A with size 4", SLOT_B}, {"A with the stack pointer below RAM", SLOT_B}, {"A with the stack pointer above RAM", SLOT_B},
    {"A with the stack pointer at the end of RAM", SLOT_A}, {"A with a stack pointer that is no multiple of 8", SLOT_B},
    {"A with an even reset vector", SLOT_B}, {"A with its reset vector in slot B", SLOT_B},
    {"A with its reset vector behind its end", SLOT_B}, {"A with its reset vector at the vector table", SLOT_B},
    {"A with size 0xFFFFFF00", SLOT_B}, {"A with its reset vector right behind the first two words", SLOT_A},
    {"A with its reset vector at its last halfword", SLOT_A},
};

static void arrange(int n)
{
    put(SLOT_B, good(n == 1 ? 12 : n == 2 ? 9 : n == 0 ? 3 : 2));
    put(SLOT_A, good(9));
    switch (n) {
    case 3: put(SLOT_A, VARIANT(i_.version = 0x80000001)); break;
    case 4: clear(SLOT_A); break;
    case 5: clear(SLOT_A); clear(SLOT_B); break;
    case 6: put(SLOT_A, VARIANT(i_.crc_error = 0x100)); break;
    case 7: put(SLOT_A, VARIANT(i_.magic = 0x474D4932)); break;
    case 8: put(SLOT_A, VARIANT(i_.size = 0xFFFFFFFF)); break;
    case 9: clear(SLOT_B); put(SLOT_A, VARIANT(i_.size = ROOM + 1)); put(SLOT_B, good(2));
            ((uint32_t *)SLOT_A)[3] = crc_of((const uint8_t *)(SLOT_A + APP), ROOM + 1); break;
    case 10: put(SLOT_A, VARIANT(i_.size = ROOM)); break;
    case 11: put(SLOT_A, VARIANT(i_.size = 4)); break;
    case 12: put(SLOT_A, VARIANT(i_.sp = 0x1FFFFFF8)); break;
    case 13: put(SLOT_A, VARIANT(i_.sp = 0x20010008)); break;
    case 14: put(SLOT_A, VARIANT(i_.sp = 0x20010000)); break;
    case 15: put(SLOT_A, VARIANT(i_.sp = STACK + 4)); break;
    case 16: put(SLOT_A, VARIANT(i_.reset = SLOT_A + APP + STUB)); break;
    case 17: put(SLOT_A, VARIANT(i_.reset = (SLOT_B + APP + STUB) | 1)); break;
    case 18: put(SLOT_A, VARIANT(i_.reset = (SLOT_A + APP + PLAIN) | 1)); break;
    case 19: put(SLOT_A, VARIANT(i_.reset = (SLOT_A + APP) | 1)); break;
    case 20: put(SLOT_A, VARIANT(i_.size = 0xFFFFFF00)); break;
    case 21: put(SLOT_A, VARIANT(i_.reset = (SLOT_A + APP + 8) | 1)); break;
    case 22: put(SLOT_A, VARIANT(i_.reset = (SLOT_A + APP + PLAIN - 2) | 1)); break;
    default: break;
    }
}

/* The boot loader's own handlers: they must not run once the application's stack or vectors are in place. */
static bool strange(void)
{
    uint32_t sp = __get_MSP();
    return SCB->VTOR != 0 || (sp <= STACK && sp > STACK - 0x400);
}
void TIMER0_Handler(void)
{
    seen.own_handlers++;
    seen.strange_handlers += strange();
}
void SysTick_Handler(void) { TIMER0_Handler(); }
void PendSV_Handler(void) { TIMER0_Handler(); }
static void application_timer(void) { seen.strange_handlers++; }

/* Interrupts come at every block of the jump: a device's while it is enabled, PendSV until then, too. */
static void disturb(void)
{
    if (!jumping || __get_IPSR())
        return;
    if (NVIC_GetEnableIRQ(TIMER0_IRQn))
        NVIC_SetPendingIRQ(TIMER0_IRQn);
    if (!__get_PRIMASK() || NVIC_GetEnableIRQ(TIMER0_IRQn))
        SCB->ICSR = SCB_ICSR_PENDSVSET_Msk;
}

__attribute__((naked)) void landing(void)
{
    __asm volatile("mrs r0, msp\n\tmrs r1, psp\n\tmrs r2, control\n\tmrs r3, primask\n\tb landed");
}

__attribute__((used, noreturn)) void landed(uint32_t msp, uint32_t psp, uint32_t control, uint32_t primask)
{
    fb_on_block = NULL;
    jumping = false;
    seen.entries++;
    seen.msp = msp;
    seen.psp = psp;
    seen.control = control;
    seen.primask = primask;
    seen.basepri = __get_BASEPRI();
    seen.vtor = SCB->VTOR;
    seen.systick = SysTick->CTRL & SysTick_CTRL_ENABLE_Msk;
    for (int i = 0; i < 8; i++) {
        seen.enabled |= NVIC->ISER[i];
        seen.pending |= NVIC->ISPR[i];
    }
    seen.pending_core = SCB->ICSR & (SCB_ICSR_PENDSVSET_Msk | SCB_ICSR_PENDSTSET_Msk);
    __disable_irq();
    SCB->VTOR = 0;
    seen.recovered_before_entry = seen.recovered;
    clear(SLOT_A);
    clear(SLOT_B);
    main();
    fb_end(NULL);
}

void boot_recovery(void)
{
    seen.recovered++;
    if (seen.entries)
        fb_end(NULL);
}

void scenario(void)
{
    for (int n = 0; n < EXPERIMENTS; n++) {
        arrange(n);
        seen.selected[n] = boot_select();
    }
    arrange(1);
    NVIC_EnableIRQ(TIMER0_IRQn);
    NVIC_SetPriority(TIMER0_IRQn, 3);
    NVIC_EnableIRQ(DUALTIMER_IRQn);
    NVIC_SetPendingIRQ(UARTRX0_IRQn); /* pending, but not enabled */
    SysTick_Config(3000);
    jumping = true;
    fb_on_block = disturb;
}

void conclude(void)
{
    static const struct {
        const char *name;
        int first, last;
    } GROUPS[] = {{"chooses_by_version", 0, 3}, {"falls_back", 4, 7}, {"checks_the_size", 8, 11}, {"checks_the_stack_pointer", 12, 15},
                  {"checks_the_reset_vector", 16, 19}, {"checks_without_overflow", 20, 20}, {"accepts_any_reset_vector_within", 21, 22}};
    for (unsigned g = 0; g < sizeof GROUPS / sizeof *GROUPS; g++) {
        int wrong = -1;
        for (int n = GROUPS[g].first; n <= GROUPS[g].last; n++)
            if (seen.selected[n] != CASES[n].expected)
                wrong = n;
        FB_CHECK(GROUPS[g].name, wrong < 0, "the right slot each time", "%s: 0x%08lx", wrong < 0 ? CASES[GROUPS[g].last].what : CASES[wrong].what,
                 seen.selected[wrong < 0 ? GROUPS[g].last : wrong]);
    }
    FB_CHECK("enters_the_application", seen.entries == 1 && !seen.recovered_before_entry, "main starts slot B", "%lu entries, recovery %lu times",
             seen.entries, seen.recovered_before_entry);
    if (seen.entries) {
        FB_CHECK("stack_pointer", seen.msp == STACK && !(seen.control & 2), "the main stack pointer is 0x2000c000", "0x%08lx, CONTROL %lu",
                 seen.msp, seen.control);
        FB_CHECK("vector_table", seen.vtor == SLOT_B + APP, "VTOR is 0x00041100", "0x%08lx", seen.vtor);
        FB_CHECK("interrupts_enabled", !seen.primask && !seen.basepri, "PRIMASK and BASEPRI are 0", "%lu and %lu", seen.primask, seen.basepri);
        FB_CHECK("sources_off", !seen.systick && !seen.enabled, "SysTick is off, no interrupt is enabled", "SysTick %lu, enabled 0x%08lx",
                 seen.systick, seen.enabled);
        FB_CHECK("nothing_pending", !seen.pending && !seen.pending_core, "nothing is pending", "0x%08lx, ICSR 0x%08lx", seen.pending,
                 seen.pending_core);
        FB_CHECK("no_handler_in_between", !seen.strange_handlers, "no handler runs with the application's stack or vectors", "%lu did",
                 seen.strange_handlers);
        FB_CHECK("recovers", seen.recovered - seen.recovered_before_entry == 1, "boot_recovery without a valid image", "called %lu times",
                 seen.recovered - seen.recovered_before_entry);
    }
}
