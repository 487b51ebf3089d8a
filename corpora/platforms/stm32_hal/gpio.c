/* Pins: modes, levels, external interrupts, and which peripheral's signal a pin carries. */
#include "hw.h"

static struct pin {
    bool driven, driven_level, level, was_output;
} pins[FB_STM32_PORTS][16];

typedef struct {
    char port;
    uint8_t pin, function;
    fb_hw_signal signal;
    uint8_t index, channel;
} route;

/* From the datasheets' tables of alternate functions. */
static const route routes[] = {
    {'A', 0, 1, HW_TIM, 1, 0},     {'A', 1, 1, HW_TIM, 1, 1},     {'A', 2, 1, HW_TIM, 1, 2},
    {'A', 3, 1, HW_TIM, 1, 3},     {'A', 5, 1, HW_TIM, 1, 0},     {'A', 15, 1, HW_TIM, 1, 0},
    {'B', 3, 1, HW_TIM, 1, 1},     {'B', 10, 1, HW_TIM, 1, 2},    {'B', 11, 1, HW_TIM, 1, 3},
    {'A', 8, 1, HW_TIM, 0, 0},     {'A', 9, 1, HW_TIM, 0, 1},     {'A', 10, 1, HW_TIM, 0, 2},
    {'A', 11, 1, HW_TIM, 0, 3},    {'A', 6, 2, HW_TIM, 2, 0},     {'A', 7, 2, HW_TIM, 2, 1},
    {'B', 0, 2, HW_TIM, 2, 2},     {'B', 1, 2, HW_TIM, 2, 3},     {'B', 4, 2, HW_TIM, 2, 0},
    {'B', 5, 2, HW_TIM, 2, 1},     {'C', 6, 2, HW_TIM, 2, 0},     {'C', 7, 2, HW_TIM, 2, 1},
    {'C', 8, 2, HW_TIM, 2, 2},     {'C', 9, 2, HW_TIM, 2, 3},     {'B', 6, 2, HW_TIM, 3, 0},
    {'B', 7, 2, HW_TIM, 3, 1},     {'B', 8, 2, HW_TIM, 3, 2},     {'B', 9, 2, HW_TIM, 3, 3},
    {'D', 12, 2, HW_TIM, 3, 0},    {'D', 13, 2, HW_TIM, 3, 1},    {'D', 14, 2, HW_TIM, 3, 2},
    {'D', 15, 2, HW_TIM, 3, 3},    {'A', 0, 2, HW_TIM, 4, 0},     {'A', 1, 2, HW_TIM, 4, 1},
    {'A', 2, 2, HW_TIM, 4, 2},     {'A', 3, 2, HW_TIM, 4, 3},     {'A', 9, 7, HW_UART_TX, 0, 0},
    {'A', 10, 7, HW_UART_RX, 0, 0}, {'B', 6, 7, HW_UART_TX, 0, 0}, {'B', 7, 7, HW_UART_RX, 0, 0},
    {'A', 2, 7, HW_UART_TX, 1, 0}, {'A', 3, 7, HW_UART_RX, 1, 0}, {'D', 5, 7, HW_UART_TX, 1, 0},
    {'D', 6, 7, HW_UART_RX, 1, 0}, {'B', 10, 7, HW_UART_TX, 2, 0}, {'B', 11, 7, HW_UART_RX, 2, 0},
    {'C', 10, 7, HW_UART_TX, 2, 0}, {'C', 11, 7, HW_UART_RX, 2, 0}, {'D', 8, 7, HW_UART_TX, 2, 0},
    {'D', 9, 7, HW_UART_RX, 2, 0}, {'A', 0, 8, HW_UART_TX, 3, 0}, {'A', 1, 8, HW_UART_RX, 3, 0},
    {'C', 10, 8, HW_UART_TX, 3, 0}, {'C', 11, 8, HW_UART_RX, 3, 0}, {'C', 12, 8, HW_UART_TX, 4, 0},
    {'D', 2, 8, HW_UART_RX, 4, 0}, {'C', 6, 8, HW_UART_TX, 5, 0}, {'C', 7, 8, HW_UART_RX, 5, 0},
};
#define ROUTES (sizeof routes / sizeof *routes)

enum { INPUT, OUTPUT, ALTERNATE, ANALOG };

static unsigned port_of(const GPIO_TypeDef *port) { return (unsigned)(port - fb_stm32.gpio); }
static unsigned mode_of(unsigned port, unsigned pin) { return fb_stm32.gpio[port].MODER >> (2 * pin) & 3; }

static unsigned number_of(uint16_t mask)
{
    return mask ? (unsigned)__builtin_ctz(mask) : 0;
}

static bool active(const route *r)
{
    unsigned port = (unsigned)(r->port - 'A');
    return mode_of(port, r->pin) == ALTERNATE &&
           (fb_stm32.gpio[port].AFR[r->pin / 8] >> (4 * (r->pin % 8)) & 0xF) == r->function;
}

bool fb_hw_routed(fb_hw_signal signal, unsigned index, unsigned channel)
{
    for (size_t i = 0; i < ROUTES; i++)
        if (routes[i].signal == signal && routes[i].index == index && routes[i].channel == channel && active(&routes[i]))
            return true;
    return false;
}

bool fb_hw_pin_signal(const GPIO_TypeDef *port, uint16_t pin, fb_hw_signal signal, unsigned *index, unsigned *channel)
{
    for (size_t i = 0; i < ROUTES; i++)
        if ((unsigned)(routes[i].port - 'A') == port_of(port) && routes[i].pin == number_of(pin) &&
            routes[i].signal == signal && active(&routes[i])) {
            *index = routes[i].index;
            *channel = routes[i].channel;
            return true;
        }
    return false;
}

void fb_hw_each_timer_pin(void (*visit)(unsigned, unsigned, unsigned, bool, unsigned, unsigned))
{
    _Static_assert(ROUTES <= HW_MOST_ROUTES, "raise HW_MOST_ROUTES");
    for (unsigned i = 0; i < ROUTES; i++)
        if (routes[i].signal == HW_TIM)
            visit(i, (unsigned)(routes[i].port - 'A'), routes[i].pin, active(&routes[i]), routes[i].index,
                  routes[i].channel);
}

/* ---- levels ---- */

static bool level_of(unsigned port, unsigned pin)
{
    const GPIO_TypeDef *regs = &fb_stm32.gpio[port];
    const struct pin *p = &pins[port][pin];
    bool latch = regs->ODR >> pin & 1;
    bool open_drain = regs->OTYPER >> pin & 1;
    if (mode_of(port, pin) == OUTPUT && !(open_drain && latch))
        return latch;
    if (p->driven)
        return p->driven_level;
    return (regs->PUPDR >> (2 * pin) & 3) == GPIO_PULLUP;
}

static void pend(uint32_t lines);

static void edge(unsigned port, unsigned pin, bool level)
{
    bool selected = (fb_stm32.syscfg.EXTICR[pin / 4] >> (4 * (pin % 4)) & 0xF) == port;
    uint32_t armed = level ? fb_stm32.exti.RTSR : fb_stm32.exti.FTSR;
    if (selected && (armed >> pin & 1))
        pend(1U << pin);
    for (size_t i = 0; i < ROUTES; i++)
        if ((unsigned)(routes[i].port - 'A') == port && routes[i].pin == pin && routes[i].signal == HW_TIM &&
            active(&routes[i]))
            fb_hw_tim_edge(routes[i].index, routes[i].channel, level);
}

static void settle(unsigned port)
{
    uint32_t idr = 0;
    for (unsigned pin = 0; pin < 16; pin++) {
        struct pin *p = &pins[port][pin];
        bool level = level_of(port, pin);
        bool output = mode_of(port, pin) == OUTPUT;
        if (output && (level != p->level || !p->was_output))
            fb_trace("pin", "P%c%u %d", 'A' + port, pin, level);
        p->was_output = output;
        if (level != p->level) {
            p->level = level;
            edge(port, pin, level);
        }
        idr |= (uint32_t)level << pin;
    }
    fb_stm32.gpio[port].IDR = idr;
}

void fb_hw_gpio_look(unsigned port)
{
    GPIO_TypeDef *regs = &fb_stm32.gpio[port];
    uint32_t set = regs->BSRR & 0xFFFF, reset = regs->BSRR >> 16;
    regs->ODR = ((regs->ODR & ~reset) | set) & 0xFFFF;
    regs->BSRR = 0;
    settle(port);
    fb_hw_tim_pins_changed();
}

void stm32_pin_drive(GPIO_TypeDef *port, uint16_t pin, bool level)
{
    struct pin *p = &pins[port_of(port)][number_of(pin)];
    p->driven = true;
    p->driven_level = level;
    settle(port_of(port));
    fb_hw_lines_changed();
}

void stm32_pin_release(GPIO_TypeDef *port, uint16_t pin)
{
    pins[port_of(port)][number_of(pin)].driven = false;
    settle(port_of(port));
    fb_hw_lines_changed();
}

bool stm32_pin_level(GPIO_TypeDef *port, uint16_t pin) { return level_of(port_of(port), number_of(pin)); }

stm32_pwm stm32_pin_pwm(GPIO_TypeDef *port, uint16_t pin)
{
    unsigned index, channel;
    if (!fb_hw_pin_signal(port, pin, HW_TIM, &index, &channel))
        return (stm32_pwm){0};
    return fb_hw_tim_pwm(index, channel);
}

/* ---- external interrupts ---- */

static uint32_t pending; /* what PR holds when nothing was just written to it */

/* Writing a 1 to PR clears the bit. */
void fb_hw_exti_look(const volatile void *reg)
{
    if (reg == &fb_stm32.exti.PR)
        pending &= ~fb_stm32.exti.PR;
    if (reg == &fb_stm32.exti.SWIER)
        pending |= fb_stm32.exti.SWIER;
    fb_stm32.exti.SWIER = 0;
    fb_stm32.exti.PR = pending;
}

static void pend(uint32_t lines)
{
    pending |= lines;
    fb_stm32.exti.PR = pending;
}

bool fb_hw_exti_asserts(unsigned mask) { return (pending & fb_stm32.exti.IMR & mask) != 0; }
