/* The converters: a sequence of channels, one conversion at a time, with overrun, watchdog and DMA. */
#include "hw.h"

#define CONVERSION_CYCLES 12
#define STABLE_NS 3000 /* after ADON */

static const uint16_t sampling[8] = {3, 15, 28, 56, 84, 112, 144, 480};

static struct adc {
    uint32_t status;
    uint16_t value;
    bool on, busy, no_more_requests;
    unsigned rank;
    int64_t stable_at;
    fb_event *conversion;
    size_t conversions;
    struct {
        uint16_t fixed;
        uint16_t (*signal)(int64_t now);
    } inputs[19];
} adcs[FB_STM32_ADCS];

void stm32_adc_input(ADC_TypeDef *adc, unsigned channel, uint16_t value)
{
    adcs[adc - fb_stm32.adc].inputs[channel].fixed = value;
}

void stm32_adc_signal(ADC_TypeDef *adc, unsigned channel, uint16_t (*value)(int64_t))
{
    adcs[adc - fb_stm32.adc].inputs[channel].signal = value;
}

size_t stm32_adc_conversions(ADC_TypeDef *adc) { return adcs[adc - fb_stm32.adc].conversions; }

static void publish(unsigned i)
{
    fb_stm32.adc[i].SR = adcs[i].status;
    fb_stm32.adc[i].DR = adcs[i].value;
}

bool fb_hw_adc_asserts(unsigned unused)
{
    (void)unused;
    for (unsigned i = 0; i < FB_STM32_ADCS; i++) {
        uint32_t status = adcs[i].status, cr1 = fb_stm32.adc[i].CR1;
        if (((status & ADC_SR_EOC) && (cr1 & ADC_IT_EOC)) || ((status & ADC_SR_OVR) && (cr1 & ADC_IT_OVR)) ||
            ((status & ADC_SR_AWD) && (cr1 & ADC_IT_AWD)))
            return true;
    }
    return false;
}

static unsigned ranks(unsigned i)
{
    return fb_stm32.adc[i].CR1 & ADC_CR1_SCAN ? 1 + (fb_stm32.adc[i].SQR1 >> 20 & 0xF) : 1;
}

static unsigned channel(unsigned i)
{
    const ADC_TypeDef *regs = &fb_stm32.adc[i];
    unsigned rank = adcs[i].rank;
    uint32_t reg = rank < 6 ? regs->SQR3 : rank < 12 ? regs->SQR2 : regs->SQR1;
    return reg >> (5 * (rank % 6)) & 0x1F;
}

static int64_t conversion_ns(unsigned i)
{
    unsigned c = channel(i);
    uint32_t reg = c < 10 ? fb_stm32.adc[i].SMPR2 : fb_stm32.adc[i].SMPR1;
    unsigned cycles = CONVERSION_CYCLES + sampling[reg >> (3 * (c % 10)) & 7];
    unsigned prescaler = 2 * ((fb_stm32.adc_common.CCR >> 16 & 3) + 1);
    return FB_S(1) * cycles * prescaler / HW_CLOCK_HZ;
}

static void done(void *argument);

static void convert(unsigned i)
{
    int64_t from = fb_now() > adcs[i].stable_at ? fb_now() : adcs[i].stable_at;
    adcs[i].busy = true;
    adcs[i].conversion = fb_at(from + conversion_ns(i), done, (void *)(uintptr_t)i);
}

static uint16_t sample(unsigned i)
{
    unsigned c = channel(i);
    uint16_t value = c > 18 ? 0 : adcs[i].inputs[c].signal ? adcs[i].inputs[c].signal(fb_now()) : adcs[i].inputs[c].fixed;
    unsigned resolution = fb_stm32.adc[i].CR1 >> 24 & 3;
    value = (uint16_t)((value > 4095 ? 4095 : value) >> (2 * resolution));
    return fb_stm32.adc[i].CR2 & ADC_CR2_ALIGN ? (uint16_t)(value << 4) : value;
}

static void watch(unsigned i, uint16_t value)
{
    const ADC_TypeDef *regs = &fb_stm32.adc[i];
    bool watched = (regs->CR1 & ADC_CR1_AWDEN) && (!(regs->CR1 & ADC_CR1_AWDSGL) || (regs->CR1 & 0x1F) == channel(i));
    if (watched && (value > (regs->HTR & 0xFFF) || value < (regs->LTR & 0xFFF)))
        adcs[i].status |= ADC_SR_AWD;
}

/* Put the value where the program or the DMA takes it; false if the last one was still there. */
static bool deliver(unsigned i, uint16_t value, bool end_of_sequence)
{
    ADC_TypeDef *regs = &fb_stm32.adc[i];
    struct adc *a = &adcs[i];
    bool dma = regs->CR2 & ADC_CR2_DMA, each = regs->CR2 & ADC_CR2_EOCS;
    if (!dma) {
        if (each && (a->status & ADC_SR_EOC)) {
            a->status |= ADC_SR_OVR;
            return false;
        }
        a->value = value;
        if (each || end_of_sequence)
            a->status |= ADC_SR_EOC;
        return true;
    }
    a->value = value;
    a->status |= ADC_SR_EOC;
    publish(i);
    if (a->no_more_requests)
        return true;
    fb_hw_request request = fb_hw_dma_request(&regs->DR, true);
    if (request == HW_NO_REQUEST) {
        a->status |= ADC_SR_OVR;
        return false;
    }
    a->status &= ~ADC_SR_EOC;
    if (request == HW_SERVED_LAST && !(regs->CR2 & ADC_CR2_DDS))
        a->no_more_requests = true;
    return true;
}

static void done(void *argument)
{
    unsigned i = (unsigned)(uintptr_t)argument;
    struct adc *a = &adcs[i];
    uint16_t value = sample(i);
    a->conversions++;
    a->busy = false;
    watch(i, value);
    bool last = a->rank + 1 == ranks(i);
    bool stored = deliver(i, value, last);
    a->rank = last ? 0 : a->rank + 1;
    publish(i);
    if (!stored)
        fb_trace("adc_overrun", "ADC%u", i + 1);
    else if (!last || (fb_stm32.adc[i].CR2 & ADC_CR2_CONT))
        convert(i);
    fb_hw_lines_changed();
}

static void begin(unsigned i)
{
    if (!adcs[i].on || adcs[i].busy || (adcs[i].status & ADC_SR_OVR))
        return;
    adcs[i].rank = 0;
    adcs[i].status |= ADC_SR_STRT;
    publish(i);
    convert(i);
}

void fb_hw_adc_trigger(uint32_t source)
{
    for (unsigned i = 0; i < FB_STM32_ADCS; i++) {
        uint32_t cr2 = fb_stm32.adc[i].CR2;
        if ((cr2 & ADC_CR2_EXTEN) && (cr2 & ADC_CR2_EXTSEL) == source)
            begin(i);
    }
}

uint16_t fb_hw_adc_get(unsigned i)
{
    adcs[i].status &= ~ADC_SR_EOC;
    publish(i);
    fb_hw_lines_changed();
    return adcs[i].value;
}

void fb_hw_adc_before_read(unsigned i, const volatile void *reg)
{
    if (!fb_hw_clocked(reg))
        return;
    publish(i);
    if (reg == &fb_stm32.adc[i].DR)
        fb_hw_adc_get(i);
}

void fb_hw_adc_look(unsigned i, const volatile void *reg)
{
    ADC_TypeDef *regs = &fb_stm32.adc[i];
    struct adc *a = &adcs[i];
    if (reg == &regs->SR)
        a->status &= regs->SR;
    bool on = regs->CR2 & ADC_CR2_ADON;
    if (on && !a->on)
        a->stable_at = fb_now() + STABLE_NS;
    if (!on) {
        fb_cancel(a->conversion);
        a->busy = false;
    }
    a->on = on;
    if (!(regs->CR2 & ADC_CR2_DMA))
        a->no_more_requests = false;
    if (regs->CR2 & ADC_CR2_SWSTART) {
        regs->CR2 &= ~ADC_CR2_SWSTART;
        begin(i);
    }
    publish(i);
}
