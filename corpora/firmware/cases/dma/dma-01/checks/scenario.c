#include "stm32_scenario.h"

#include "sim.h"

#define BLOCK 1000
#define BLOCKS 12
#define FAILS 5 /* the transfer of this block */

static int written, delivered, wrong, first_wrong = -1;
static int delivered_in_vain;
static bool in_isr, asked_in_isr;
static uint8_t *block_at;
static const uint8_t *copy_at;
static int64_t last_none;
static int hurried;

static uint8_t expected(int block, size_t i)
{
    return (uint8_t)(block * 37 + i * 11 + (i >> 5));
}

int next_block(uint8_t *block)
{
    asked_in_isr |= fb_in_isr();
    fb_spend(FB_US(20));
    if (last_none && fb_now() - last_none < FB_US(400))
        hurried++;
    last_none = 0;
    if (written == BLOCKS || fb_now() < FB_MS(4 * (int64_t)written)) {
        last_none = fb_now();
        return 0;
    }
    block_at = block;
    for (size_t i = 0; i < BLOCK; i++)
        block[i] = expected(written, i);
    if (written++ == FAILS)
        stm32_dma_fail_next(DMA2_Stream0);
    return 1;
}

void deliver(const uint8_t *copy)
{
    in_isr |= fb_in_isr();
    copy_at = copy;
    delivered++;
    if (written - 1 == FAILS) {
        delivered_in_vain++;
        return;
    }
    for (size_t i = 0; i < BLOCK; i++)
        if (copy[i] != expected(written - 1, i)) {
            wrong++;
            if (first_wrong < 0)
                first_wrong = (int)i;
            return;
        }
}

void scenario(void)
{
    stm32_dcache_on();
    fb_end_at(FB_MS(80));
}

void conclude(void)
{
    FB_CHECK("each_block_delivered_once", written == BLOCKS && delivered - delivered_in_vain == BLOCKS - 1,
             "11 deliveries of 12 blocks, of which one transfer fails", "%d of %d blocks", delivered, written);
    FB_CHECK("failed_transfer_not_delivered", written > FAILS + 1 && delivered_in_vain == 0, "no delivery of the sixth block", "%d",
             delivered_in_vain);
    FB_CHECK("copies_are_right", delivered > 0 && wrong == 0, "every byte of every copy", "%d wrong, first at byte %d", wrong, first_wrong);
    FB_CHECK("dma_copies", fb_traced("dma", "DMA2_Stream0") == BLOCKS, "one transfer of stream 0 a block", "%zu transfers",
             fb_traced("dma", "DMA2_Stream0"));
    bool apart = block_at && copy_at && (copy_at >= block_at + BLOCK || copy_at + BLOCK <= block_at);
    FB_CHECK("two_buffers", apart, "source and copy apart", "%s", apart ? "apart" : "overlapping or missing");
    FB_CHECK("delivered_outside_of_interrupts", !in_isr && !asked_in_isr, "neither call in an interrupt", "%s",
             in_isr || asked_in_isr ? "in an interrupt" : "outside");
    FB_CHECK("asked_again_after_a_millisecond", hurried == 0, "no sooner than 0.4 ms", "%d times sooner", hurried);
}
