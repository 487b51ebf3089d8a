/* The timers: counting, update events, preloaded registers, PWM outputs and input captures. */
#include "hw.h"

static struct tim {
    bool running;
    uint32_t status;
    uint32_t psc, arr, ccr[4]; /* in effect, behind their preload registers */
    uint32_t written_arr, written_ccr[4];
    uint32_t count; /* while it stands */
    int64_t zero;   /* when the counter was 0, while it runs */
    uint32_t repeats;
    fb_event *update, *match[4];
    stm32_pwm shown[4];
} tims[FB_STM32_TIMERS];

static uint32_t top(unsigned i) { return i == 1 || i == 4 ? 0xFFFFFFFFU : 0xFFFFU; }

static bool centred(unsigned i) { return fb_stm32.tim[i].CR1 & TIM_CR1_CMS; }

static int64_t ticks_ns(unsigned i, uint64_t ticks)
{
    return (int64_t)((__int128)ticks * (tims[i].psc + 1ULL) * 1000000000LL / HW_CLOCK_HZ);
}

static uint64_t elapsed_ticks(unsigned i)
{
    __int128 cycles = (__int128)(fb_now() - tims[i].zero) * HW_CLOCK_HZ / 1000000000LL;
    return (uint64_t)(cycles / (tims[i].psc + 1ULL));
}

static uint64_t period_ticks(unsigned i) { return centred(i) ? 2ULL * tims[i].arr : tims[i].arr + 1ULL; }

static uint32_t counter(unsigned i)
{
    const struct tim *t = &tims[i];
    if (!t->running)
        return t->count;
    uint64_t n = elapsed_ticks(i);
    if (centred(i))
        return (uint32_t)(n > t->arr ? 2ULL * t->arr - n : n);
    if (fb_stm32.tim[i].CR1 & TIM_CR1_DIR)
        return (uint32_t)(n > t->arr ? 0 : t->arr - n);
    return (uint32_t)n;
}

bool fb_hw_tim_asserts(unsigned line)
{
    unsigned i = line >> 16;
    return tims[i].status & fb_stm32.tim[i].DIER & line & 0x1F;
}


/* ---- PWM ---- */

static uint32_t mode_bits(unsigned i, unsigned c)
{
    const TIM_TypeDef *regs = &fb_stm32.tim[i];
    return (c < 2 ? regs->CCMR1 : regs->CCMR2) >> (8 * (c % 2)) & 0xFF;
}

static bool is_input(unsigned i, unsigned c) { return mode_bits(i, c) & 3; }

/* Reading a captured value clears its flag. */
void fb_hw_tim_before_read(unsigned i, const volatile void *reg)
{
    TIM_TypeDef *regs = &fb_stm32.tim[i];
    if (!fb_hw_clocked(regs))
        return;
    for (unsigned c = 0; c < 4; c++)
        if (reg == &regs->CCR1 + c && is_input(i, c))
            tims[i].status &= ~(TIM_SR_CC1IF << c);
    regs->CNT = counter(i);
    regs->SR = tims[i].status;
}

stm32_pwm fb_hw_tim_pwm(unsigned i, unsigned c)
{
    const TIM_TypeDef *regs = &fb_stm32.tim[i];
    uint32_t mode = mode_bits(i, c) & 0x70;
    bool main_output = (i != 0 && i != 7) || (regs->BDTR & TIM_BDTR_MOE);
    if (!tims[i].running || is_input(i, c) || !(regs->CCER >> (4 * c) & 1) || !main_output ||
        (mode != TIM_OCMODE_PWM1 && mode != TIM_OCMODE_PWM2))
        return (stm32_pwm){0};
    uint64_t period = period_ticks(i), high = centred(i) ? 2ULL * tims[i].ccr[c] : tims[i].ccr[c];
    if (high > period)
        high = period;
    bool inverted = (mode == TIM_OCMODE_PWM2) != ((regs->CCER >> (4 * c) & 2) != 0);
    return (stm32_pwm){true, ticks_ns(i, period), ticks_ns(i, inverted ? period - high : high)};
}

static void show(unsigned route, unsigned port, unsigned pin, bool active, unsigned i, unsigned c)
{
    static stm32_pwm seen[HW_MOST_ROUTES];
    stm32_pwm now = active ? fb_hw_tim_pwm(i, c) : (stm32_pwm){0};
    stm32_pwm *last = &seen[route];
    if (now.on == last->on && now.period_ns == last->period_ns && now.high_ns == last->high_ns)
        return;
    *last = now;
    if (now.on)
        fb_trace("pwm", "P%c%u period %lld high %lld", 'A' + port, pin, (long long)now.period_ns, (long long)now.high_ns);
    else
        fb_trace("pwm", "P%c%u off", 'A' + port, pin);
}

void fb_hw_tim_pins_changed(void) { fb_hw_each_timer_pin(show); }

/* ---- counting ---- */

static void schedule(unsigned i);

static void trigger_adc(unsigned i)
{
    if ((fb_stm32.tim[i].CR2 & TIM_CR2_MMS) != TIM_TRGO_UPDATE)
        return;
    if (i == 1)
        fb_hw_adc_trigger(ADC_EXTERNALTRIGCONV_T2_TRGO);
    else if (i == 2)
        fb_hw_adc_trigger(ADC_EXTERNALTRIGCONV_T3_TRGO);
    else if (i == 7)
        fb_hw_adc_trigger(ADC_EXTERNALTRIGCONV_T8_TRGO);
}

static void load(unsigned i)
{
    TIM_TypeDef *regs = &fb_stm32.tim[i];
    tims[i].psc = regs->PSC & 0xFFFF;
    tims[i].arr = regs->ARR & top(i);
    for (unsigned c = 0; c < 4; c++)
        if (!is_input(i, c))
            tims[i].ccr[c] = (&regs->CCR1)[c] & top(i);
    tims[i].repeats = regs->RCR & 0xFF;
}

static void update_event(unsigned i, bool flag)
{
    if (fb_stm32.tim[i].CR1 & TIM_CR1_UDIS)
        return;
    load(i);
    if (flag)
        tims[i].status |= TIM_SR_UIF;
    trigger_adc(i);
    fb_hw_tim_pins_changed();
    fb_hw_lines_changed();
}

static void overflow(void *argument)
{
    unsigned i = (unsigned)(uintptr_t)argument;
    struct tim *t = &tims[i];
    t->zero = fb_now();
    if (t->repeats)
        t->repeats--;
    else
        update_event(i, true);
    if (fb_stm32.tim[i].CR1 & TIM_CR1_OPM) {
        t->running = false;
        t->count = 0;
        fb_stm32.tim[i].CR1 &= ~TIM_CR1_CEN;
        fb_hw_tim_pins_changed();
        return;
    }
    schedule(i);
}

static const uint32_t adc_by_compare[FB_STM32_TIMERS][4] = {
    [0] = {ADC_EXTERNALTRIGCONV_T1_CC1, ADC_EXTERNALTRIGCONV_T1_CC2, ADC_EXTERNALTRIGCONV_T1_CC3, ~0U},
    [1] = {~0U, ADC_EXTERNALTRIGCONV_T2_CC2, ADC_EXTERNALTRIGCONV_T2_CC3, ADC_EXTERNALTRIGCONV_T2_CC4},
    [2] = {ADC_EXTERNALTRIGCONV_T3_CC1, ~0U, ~0U, ~0U},
    [3] = {~0U, ~0U, ~0U, ADC_EXTERNALTRIGCONV_T4_CC4},
};

static void matched(unsigned i, unsigned c)
{
    tims[i].status |= TIM_SR_CC1IF << c;
    if (i < 4 && adc_by_compare[i][c] != ~0U && (fb_stm32.tim[i].CCER >> (4 * c) & 1))
        fb_hw_adc_trigger(adc_by_compare[i][c]);
    fb_hw_lines_changed();
}

static void match_0(void *i) { matched((unsigned)(uintptr_t)i, 0); }
static void match_1(void *i) { matched((unsigned)(uintptr_t)i, 1); }
static void match_2(void *i) { matched((unsigned)(uintptr_t)i, 2); }
static void match_3(void *i) { matched((unsigned)(uintptr_t)i, 3); }

/* The next overflow and the compares before it. A counter that is past its reload value first runs to its top. */
static void schedule(unsigned i)
{
    static void (*const on_match[4])(void *) = {match_0, match_1, match_2, match_3};
    struct tim *t = &tims[i];
    void *self = (void *)(uintptr_t)i;
    fb_cancel(t->update);
    for (unsigned c = 0; c < 4; c++)
        fb_cancel(t->match[c]);
    if (!t->running || (t->arr == 0 && !centred(i)))
        return;
    uint64_t now = elapsed_ticks(i), end = period_ticks(i);
    if (now >= end) {
        end = (uint64_t)top(i) + 1;
        fb_trace("pwm_glitch", "TIM%u counts on to %llu after its reload value went below %llu", i + 1,
                 (unsigned long long)end, (unsigned long long)now);
    }
    t->update = fb_at(t->zero + ticks_ns(i, end), overflow, self);
    for (unsigned c = 0; c < 4; c++) {
        bool used = fb_stm32.tim[i].DIER >> (1 + c) & 1 || (i < 4 && adc_by_compare[i][c] != ~0U);
        if (used && !is_input(i, c) && (fb_stm32.tim[i].CCER >> (4 * c) & 1) && t->ccr[c] > now && t->ccr[c] < end)
            t->match[c] = fb_at(t->zero + ticks_ns(i, t->ccr[c]), on_match[c], self);
    }
}

static void set_counter(unsigned i, uint32_t value)
{
    if (tims[i].running && counter(i) != value)
        fb_trace("pwm_glitch", "TIM%u is set from %u to %u in the middle of a period", i + 1, counter(i), value);
    tims[i].count = value;
    tims[i].zero = fb_now() - ticks_ns(i, value);
}

void fb_hw_tim_look(unsigned i, const volatile void *reg)
{
    TIM_TypeDef *regs = &fb_stm32.tim[i];
    struct tim *t = &tims[i];
    if (reg == &regs->SR)
        t->status &= regs->SR;
    if (reg == &regs->CNT)
        set_counter(i, regs->CNT & top(i));
    if (regs->ARR != t->written_arr && (!(regs->CR1 & TIM_CR1_ARPE) || !t->written_arr))
        t->arr = regs->ARR & top(i);
    t->written_arr = regs->ARR;
    for (unsigned c = 0; c < 4; c++) {
        uint32_t written = (&regs->CCR1)[c];
        if (!is_input(i, c) && written != t->written_ccr[c] && !(mode_bits(i, c) & 8))
            t->ccr[c] = written & top(i);
        t->written_ccr[c] = written;
    }
    if (regs->EGR & TIM_EGR_UG) {
        set_counter(i, 0);
        update_event(i, !(regs->CR1 & TIM_CR1_URS));
    }
    regs->EGR = 0;
    bool runs = regs->CR1 & TIM_CR1_CEN;
    if (runs && !t->running) {
        set_counter(i, t->count);
        t->running = true;
    } else if (!runs && t->running) {
        t->count = counter(i);
        t->running = false;
    }
    regs->SR = t->status;
    regs->CNT = counter(i);
    schedule(i);
    fb_hw_tim_pins_changed();
}

/* ---- input capture ---- */

void fb_hw_tim_edge(unsigned i, unsigned pin_channel, bool rising)
{
    TIM_TypeDef *regs = &fb_stm32.tim[i];
    for (unsigned c = 0; c < 4; c++) {
        unsigned selected = mode_bits(i, c) & 3;
        bool here = (selected == 1 && c == pin_channel) || (selected == 2 && (c ^ 1) == pin_channel);
        uint32_t polarity = regs->CCER >> (4 * c) & 0xB;
        bool wanted = (polarity & 0xA) == 0xA || (polarity & 2 ? !rising : rising);
        if (!here || !(polarity & 1) || !wanted || !tims[i].running)
            continue;
        if (tims[i].status & TIM_SR_CC1IF << c)
            tims[i].status |= TIM_SR_CC1OF << c;
        (&regs->CCR1)[c] = counter(i);
        tims[i].status |= TIM_SR_CC1IF << c;
        regs->SR = tims[i].status;
    }
    fb_hw_lines_changed();
}
