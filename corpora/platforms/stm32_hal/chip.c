/* Start, the tick, the interrupt controller, and waiting. */
#include "hw.h"

int candidate_main(void);

uint32_t SystemCoreClock = HW_CLOCK_HZ;
volatile uint32_t uwTick;
static uint32_t tick_priority = 15;
static bool ticking, tick_suspended;
static uint64_t raised; /* interrupts so far: what WFI waits for */
static fb_queue sleepers = FB_QUEUE_INIT;
static uint32_t group = NVIC_PRIORITYGROUP_4;

#define MOST_REPEATS 64 /* of a handler that leaves its line asserted */

typedef struct {
    const char *name;
    void (*handler)(void);
    IRQn_Type irqn;
    bool (*asserts)(unsigned);
    unsigned argument;
    bool enabled, pended, running, stuck;
    uint32_t priority;
    unsigned repeats;
} vector;

static void unhandled(const char *name)
{
    fb_fault("unhandled_interrupt", "%s is taken, but there is no such handler, so the processor hangs", name);
    fb_panic("Default_Handler in place of %s", name);
}

#define WEAK_VECTOR(name, number)                                                                                     \
    void __attribute__((weak)) name##_IRQHandler(void) { unhandled(#name "_IRQHandler"); }
FB_STM32_IRQS(WEAK_VECTOR)
void __attribute__((weak)) SysTick_Handler(void) { HAL_IncTick(); }
void __attribute__((weak)) HAL_MspInit(void) {}

static vector vectors[] = {
#define VECTOR(name, number) {#name "_IRQHandler", name##_IRQHandler, name##_IRQn, NULL, 0, 0, 0, 0, 0, 0, 0},
    FB_STM32_IRQS(VECTOR)
};
#define VECTORS (sizeof vectors / sizeof *vectors)

static const struct {
    IRQn_Type irqn;
    bool (*asserts)(unsigned);
    unsigned argument;
} lines[] = {
    {EXTI0_IRQn, fb_hw_exti_asserts, 1U << 0},
    {EXTI1_IRQn, fb_hw_exti_asserts, 1U << 1},
    {EXTI2_IRQn, fb_hw_exti_asserts, 1U << 2},
    {EXTI3_IRQn, fb_hw_exti_asserts, 1U << 3},
    {EXTI4_IRQn, fb_hw_exti_asserts, 1U << 4},
    {EXTI9_5_IRQn, fb_hw_exti_asserts, 0x3E0U},
    {EXTI15_10_IRQn, fb_hw_exti_asserts, 0xFC00U},
    {DMA1_Stream0_IRQn, fb_hw_dma_asserts, 0},
    {DMA1_Stream1_IRQn, fb_hw_dma_asserts, 1},
    {DMA1_Stream2_IRQn, fb_hw_dma_asserts, 2},
    {DMA1_Stream3_IRQn, fb_hw_dma_asserts, 3},
    {DMA1_Stream4_IRQn, fb_hw_dma_asserts, 4},
    {DMA1_Stream5_IRQn, fb_hw_dma_asserts, 5},
    {DMA1_Stream6_IRQn, fb_hw_dma_asserts, 6},
    {DMA1_Stream7_IRQn, fb_hw_dma_asserts, 7},
    {DMA2_Stream0_IRQn, fb_hw_dma_asserts, 8},
    {DMA2_Stream1_IRQn, fb_hw_dma_asserts, 9},
    {DMA2_Stream2_IRQn, fb_hw_dma_asserts, 10},
    {DMA2_Stream3_IRQn, fb_hw_dma_asserts, 11},
    {DMA2_Stream4_IRQn, fb_hw_dma_asserts, 12},
    {DMA2_Stream5_IRQn, fb_hw_dma_asserts, 13},
    {DMA2_Stream6_IRQn, fb_hw_dma_asserts, 14},
    {DMA2_Stream7_IRQn, fb_hw_dma_asserts, 15},
    {ADC_IRQn, fb_hw_adc_asserts, 0},
    {USART1_IRQn, fb_hw_uart_asserts, 0},
    {USART2_IRQn, fb_hw_uart_asserts, 1},
    {USART3_IRQn, fb_hw_uart_asserts, 2},
    {UART4_IRQn, fb_hw_uart_asserts, 3},
    {UART5_IRQn, fb_hw_uart_asserts, 4},
    {USART6_IRQn, fb_hw_uart_asserts, 5},
    {TIM1_UP_TIM10_IRQn, fb_hw_tim_asserts, 0U << 16 | TIM_FLAG_UPDATE},
    {TIM1_CC_IRQn, fb_hw_tim_asserts, 0U << 16 | 0x1E},
    {TIM2_IRQn, fb_hw_tim_asserts, 1U << 16 | 0x1F},
    {TIM3_IRQn, fb_hw_tim_asserts, 2U << 16 | 0x1F},
    {TIM4_IRQn, fb_hw_tim_asserts, 3U << 16 | 0x1F},
    {TIM5_IRQn, fb_hw_tim_asserts, 4U << 16 | 0x1F},
    {TIM6_DAC_IRQn, fb_hw_tim_asserts, 5U << 16 | TIM_FLAG_UPDATE},
    {TIM7_IRQn, fb_hw_tim_asserts, 6U << 16 | TIM_FLAG_UPDATE},
};

static vector *find(IRQn_Type irqn)
{
    for (size_t i = 0; i < VECTORS; i++)
        if (vectors[i].irqn == irqn)
            return &vectors[i];
    return NULL;
}

static bool wanted(const vector *v) { return v->pended || (v->asserts && v->asserts(v->argument)); }

static void take(void *argument)
{
    vector *v = argument;
    v->pended = false;
    v->running = true;
    fb_spend(150);
    v->handler();
    fb_spend(0);
    v->running = false;
    if (!wanted(v)) {
        v->repeats = 0;
    } else if (++v->repeats >= MOST_REPEATS) {
        fb_fault("interrupt_storm", "%s returns with its interrupt still asserted, so it is entered without end", v->name);
        v->stuck = true;
    }
    fb_hw_lines_changed();
}

void fb_hw_lines_changed(void)
{
    for (size_t i = 0; i < VECTORS; i++) {
        vector *v = &vectors[i];
        if (!v->enabled || v->stuck || v->running || !wanted(v))
            continue;
        raised++;
        fb_wake_all(&sleepers);
        fb_irq(v->name, (int)v->priority, take, v);
    }
}

/* ---- interrupt controller ---- */

void HAL_NVIC_SetPriorityGrouping(uint32_t value) { group = value; }

/* Only the preemption part decides who interrupts whom. */
void HAL_NVIC_SetPriority(IRQn_Type irqn, uint32_t preempt, uint32_t sub)
{
    (void)sub;
    if (preempt > 15)
        fb_fault("invalid_argument", "HAL_NVIC_SetPriority is given priority %u of 15", preempt);
    if (group != NVIC_PRIORITYGROUP_4)
        preempt &= (1U << (7 - group)) - 1;
    vector *v = find(irqn);
    if (v)
        v->priority = preempt & 15;
    if (irqn == SysTick_IRQn)
        tick_priority = preempt & 15;
}

void HAL_NVIC_EnableIRQ(IRQn_Type irqn)
{
    vector *v = find(irqn);
    fb_hw_enter();
    if (v) {
        v->enabled = true;
        fb_hw_lines_changed();
    }
}

void HAL_NVIC_DisableIRQ(IRQn_Type irqn)
{
    vector *v = find(irqn);
    if (v) {
        v->enabled = false;
        fb_irq_cancel(take, v);
    }
}

void HAL_NVIC_SetPendingIRQ(IRQn_Type irqn)
{
    vector *v = find(irqn);
    if (v) {
        v->pended = true;
        fb_hw_lines_changed();
    }
}

void HAL_NVIC_ClearPendingIRQ(IRQn_Type irqn)
{
    vector *v = find(irqn);
    if (v) {
        v->pended = false;
        fb_irq_cancel(take, v);
    }
}

uint32_t HAL_NVIC_GetPendingIRQ(IRQn_Type irqn)
{
    vector *v = find(irqn);
    return v && wanted(v);
}

void HAL_NVIC_SystemReset(void) { fb_stop("system reset"); }
void __disable_irq(void) { fb_irq_lock(); }
void __enable_irq(void) { fb_irq_unlock(0); }
uint32_t __get_PRIMASK(void) { return fb_irq_locked(); }
uint32_t __get_IPSR(void) { return fb_in_isr() ? 16 : 0; }

void __set_PRIMASK(uint32_t mask)
{
    if (mask & 1)
        fb_irq_lock();
    else
        fb_irq_unlock(0);
}

/* ---- waiting ---- */

void fb_hw_enter(void) { fb_spend(HW_CALL_NS); }

void fb_hw_idle(void)
{
    if (fb_self() && !fb_irq_locked())
        fb_wait(&sleepers, fb_now() + FB_US(2));
    else
        fb_spend(FB_US(2));
}

void __WFI(void)
{
    uint64_t seen = raised;
    if (fb_self() && !fb_irq_locked()) {
        fb_spend(100);
        if (raised == seen)
            fb_wait(&sleepers, FB_FOREVER);
        return;
    }
    while (raised == seen)
        fb_spend(FB_US(1));
}

void __WFE(void) { __WFI(); }

void HAL_PWR_EnterSLEEPMode(uint32_t regulator, uint8_t entry)
{
    (void)regulator;
    (void)entry;
    __WFI();
}

HAL_StatusTypeDef fb_hw_wait(bool (*ready)(void *), void *arg, uint32_t start, uint32_t timeout)
{
    while (!ready(arg)) {
        if (timeout != HAL_MAX_DELAY && (timeout == 0 || HAL_GetTick() - start > timeout))
            return HAL_TIMEOUT;
        fb_hw_idle();
    }
    return HAL_OK;
}

/* ---- the tick ---- */

static void systick(void *unused)
{
    (void)unused;
    SysTick_Handler();
}

static void tick(void *unused)
{
    (void)unused;
    fb_at(fb_now() + FB_MS(1), tick, NULL);
    if (tick_suspended)
        return;
    raised++;
    fb_wake_all(&sleepers);
    fb_irq("SysTick_Handler", (int)tick_priority, systick, NULL);
}

HAL_StatusTypeDef HAL_InitTick(uint32_t priority)
{
    tick_priority = priority;
    if (!ticking)
        fb_at(fb_now() + FB_MS(1), tick, NULL);
    ticking = true;
    return HAL_OK;
}

HAL_StatusTypeDef HAL_Init(void)
{
    fb_hw_enter();
    HAL_InitTick(TICK_INT_PRIORITY);
    HAL_MspInit();
    return HAL_OK;
}

HAL_StatusTypeDef HAL_DeInit(void) { return HAL_OK; }
void HAL_IncTick(void) { uwTick += 1; }
void HAL_SuspendTick(void) { tick_suspended = true; }
void HAL_ResumeTick(void) { tick_suspended = false; }
HAL_TickFreqTypeDef HAL_GetTickFreq(void) { return HAL_TICK_FREQ_1KHZ; }
uint32_t HAL_SYSTICK_Config(uint32_t ticks) { return ticks ? (uint32_t)HAL_InitTick(tick_priority) : 1; }
void HAL_SYSTICK_CLKSourceConfig(uint32_t source) { (void)source; }

uint32_t HAL_GetTick(void)
{
    fb_spend(50);
    return uwTick;
}

static void tick_can_come(const char *call)
{
    if (!ticking)
        fb_fault("no_tick", "%s is called before HAL_Init started the tick", call);
    else if (fb_irq_locked())
        fb_fault("delay_without_tick", "%s is called with interrupts disabled, so the tick that it waits for never comes",
                 call);
    else if (fb_in_isr() && (uint32_t)fb_isr_priority() <= tick_priority)
        fb_fault("delay_in_isr", "%s is called in an interrupt of priority %d, which SysTick (%u) cannot interrupt", call,
                 fb_isr_priority(), tick_priority);
    else
        return;
    fb_panic("%s never returns", call);
}

void HAL_Delay(uint32_t delay)
{
    tick_can_come("HAL_Delay");
    uint32_t start = HAL_GetTick();
    uint32_t wait = delay < HAL_MAX_DELAY ? delay + 1 : delay;
    while (HAL_GetTick() - start < wait) {
        if (fb_self())
            fb_wait(&sleepers, FB_FOREVER);
        else
            fb_spend(FB_US(5));
    }
}

/* ---- clocks ---- */

HAL_StatusTypeDef HAL_RCC_OscConfig(RCC_OscInitTypeDef *init) { return init ? HAL_OK : HAL_ERROR; }

HAL_StatusTypeDef HAL_RCC_ClockConfig(RCC_ClkInitTypeDef *init, uint32_t latency)
{
    (void)latency;
    return init ? HAL_OK : HAL_ERROR;
}

void SystemCoreClockUpdate(void) {}
uint32_t HAL_RCC_GetSysClockFreq(void) { return HW_CLOCK_HZ; }
uint32_t HAL_RCC_GetHCLKFreq(void) { return HW_CLOCK_HZ; }
uint32_t HAL_RCC_GetPCLK1Freq(void) { return HW_CLOCK_HZ / 2; }
uint32_t HAL_RCC_GetPCLK2Freq(void) { return HW_CLOCK_HZ; }

static void run_main(void *unused)
{
    (void)unused;
    candidate_main();
    fb_stop("main returned");
}

void platform_boot(void)
{
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        vector *v = find(lines[i].irqn);
        v->asserts = lines[i].asserts;
        v->argument = lines[i].argument;
    }
    fb_hw_registers_boot();
    fb_hw_memory_boot();
    fb_thread_new("main", 0, run_main, NULL);
}
