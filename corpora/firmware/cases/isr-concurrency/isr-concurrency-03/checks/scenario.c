/* Lets an interrupt in after each number of instructions, and follows every event. */
#include "fb_cortex_m.h"

void events_init(void);
int events_post(uint32_t event);
uint32_t events_dropped(void);

enum { TICKS = 900, QUEUE = 16, MOST = 8192, ROUNDS = 2 * TICKS };

static FB_KEPT uint16_t sent[MOST], got[MOST]; /* the upper bit tells the source */
static FB_KEPT uint32_t sent_count, got_count, timers;
static FB_KEPT uint32_t masked_in_consume, wrong_context, mask_changed, late, lost, overlapping;
static FB_KEPT uint32_t stored, dropped, order_after_full, priorities[3], enabled, post_wrong;
static FB_KEPT bool posted_right, refused;
static FB_KEPT uint8_t byte;
static FB_KEPT int inject;
static FB_KEPT volatile bool armed;

static uint16_t short_of(uint32_t event) { return (uint16_t)((event >> 17 & 1) << 15 | (event & 0x7fff)); }

uint8_t uart_take(void) { return byte++; }

void consume(uint32_t event)
{
    masked_in_consume += __get_PRIMASK() || __get_BASEPRI() || __get_FAULTMASK();
    wrong_context += __get_IPSR() != 14;
    if (got_count < MOST)
        got[got_count++] = short_of(event);
}

/* What the handler of the interrupt that is made pending now will post. */
static void pend(int irq)
{
    if (sent_count < MOST)
        sent[sent_count++] = short_of(irq == UARTRX0_IRQn ? 0x20000u + byte : 0x10000u + timers++);
    NVIC_SetPendingIRQ((IRQn_Type)irq);
    __DSB();
    __ISB();
}

/* Comes `ticks` after the first interrupt, at any instruction where interrupts are not masked. */
void SysTick_Handler(void)
{
    SysTick->CTRL = 0;
    if (!armed)
        return; /* a short period ended twice */
    armed = false;
    overlapping += NVIC->IABR[0] || SCB->SHCSR & 1UL << 10; /* PENDSVACT */
    pend(inject);
}

static void settle(uint32_t ticks)
{
    while (armed)
        ;
    for (volatile uint32_t i = 0; i < 40 + ticks / 20; i++)
        ;
}

/* Whether the two events of this round came, each once, in either order. */
static bool both(uint32_t from)
{
    return got_count == from + 2 && ((got[from] == sent[from] && got[from + 1] == sent[from + 1]) ||
                                     (got[from] == sent[from + 1] && got[from + 1] == sent[from]));
}

static void sweep(int first, int other)
{
    for (uint32_t ticks = 1; ticks <= TICKS; ticks++) {
        uint32_t from = sent_count;
        got_count = from; /* one lost event is one deviation, not one for each that follows */
        inject = other;
        armed = true;
        __disable_irq();
        pend(first);
        SysTick->LOAD = ticks;
        SysTick->VAL = 0;
        SysTick->CTRL = SysTick_CTRL_CLKSOURCE_Msk | SysTick_CTRL_TICKINT_Msk | SysTick_CTRL_ENABLE_Msk;
        __enable_irq();
        settle(ticks);
        late += got_count < from + 2;
        lost += !both(from);
        while (got_count < from + 2) { /* what is left over must not come in the next round */
            uint32_t before = got_count;
            SCB->ICSR = SCB_ICSR_PENDSVSET_Msk;
            settle(0);
            if (got_count == before)
                break;
        }
    }
}

int main(void)
{
    events_init();
    priorities[0] = NVIC_GetPriority(UARTRX0_IRQn);
    priorities[1] = NVIC_GetPriority(TIMER0_IRQn);
    priorities[2] = NVIC_GetPriority(PendSV_IRQn);
    enabled = NVIC_GetEnableIRQ(UARTRX0_IRQn) + NVIC_GetEnableIRQ(TIMER0_IRQn);

    NVIC_SetPriority(SysTick_IRQn, 0);
    sweep(TIMER0_IRQn, UARTRX0_IRQn);
    sweep(UARTRX0_IRQn, TIMER0_IRQn);
    got_count = sent_count;

    /* The masks stay as they are. */
    for (int i = 0; i < 4; i++) {
        uint32_t primask = i & 1, basepri = i & 2 ? 3u << 5 : 0;
        __set_BASEPRI(basepri);
        __set_PRIMASK(primask);
        sent[sent_count++] = short_of(0x30000u + (uint32_t)i);
        post_wrong += events_post(0x30000u + (uint32_t)i) != 0;
        mask_changed += __get_PRIMASK() != primask || __get_BASEPRI() != basepri;
        __set_PRIMASK(0);
        __set_BASEPRI(0);
        settle(0);
    }
    posted_right = got_count == sent_count && !memcmp(&got[got_count - 4], &sent[sent_count - 4], 8) && !post_wrong;
    got_count = sent_count;

    /* A full queue, while PendSV is held back. */
    uint32_t from = got_count;
    __set_BASEPRI(7u << 5);
    for (int i = 0; i < QUEUE + 3; i++)
        pend(UARTRX0_IRQn);
    refused = events_post(0x30000u) == -1;
    dropped = events_dropped();
    __set_BASEPRI(0);
    settle(0);
    stored = got_count - from;
    for (uint32_t i = from; i < got_count; i++)
        order_after_full += i < MOST && got[i] == sent[i];
    fb_end(NULL);
}

void conclude(void)
{
    FB_CHECK("priorities", priorities[0] == 1 && priorities[1] == 2 && priorities[2] == 7 && enabled == 2,
             "UARTRX0 1, TIMER0 2, PendSV 7, both enabled", "%lu, %lu, %lu, %lu enabled", priorities[0], priorities[1],
             priorities[2], enabled);
    FB_CHECK("consumes_at_once", !late, "all events are consumed when no interrupt is active any more", "not in %lu of %d rounds", late, ROUNDS);
    FB_CHECK("consumes_each_once", !lost && overlapping > 100, "each event once, with its value, wherever an interrupt comes",
             "not in %lu of %d rounds (%lu overlapped)", lost, ROUNDS, overlapping);
    FB_CHECK("consumes_in_pendsv", !wrong_context && got_count, "in PendSV", "%lu elsewhere", wrong_context);
    FB_CHECK("consumes_unmasked", !masked_in_consume && got_count, "no interrupt is masked in consume", "%lu times",
             masked_in_consume);
    FB_CHECK("posts_from_anywhere", posted_right, "events_post returns 0, and the event is consumed", "%s", posted_right ? "so it is" : "it is not so");
    FB_CHECK("masks_kept", !mask_changed, "PRIMASK and BASEPRI stay as they are", "changed in %lu of 4 calls",
             mask_changed);
    FB_CHECK("full_queue", stored == QUEUE && dropped == 4 && refused && order_after_full == QUEUE,
             "16 stored, 4 dropped, 16 consumed in order", "%lu stored, %lu dropped, %lu in order", stored, dropped,
             order_after_full);
}
