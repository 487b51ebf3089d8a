#ifndef ZEPHYR_IRQ_H
#define ZEPHYR_IRQ_H

#include <stdint.h>
#include <zephyr/toolchain.h>

unsigned int irq_lock(void);
void irq_unlock(unsigned int key);
void irq_enable(unsigned int irq);
void irq_disable(unsigned int irq);
int irq_is_enabled(unsigned int irq);
int irq_connect_dynamic(unsigned int irq, unsigned int priority, void (*routine)(const void *parameter),
                        const void *parameter, uint32_t flags);
int irq_disconnect_dynamic(unsigned int irq, unsigned int priority, void (*routine)(const void *parameter),
                           const void *parameter, uint32_t flags);
void fb_irq_connect(unsigned int irq, unsigned int priority, void (*routine)(const void *), const void *parameter,
                    const char *name);
void fb_irq_connect_direct(unsigned int irq, unsigned int priority, void (*routine)(void), const char *name);

/* The real ones fill a table when the image is linked; these fill it when the statement is reached. */
#define IRQ_CONNECT(irq, prio, isr, parameter, flags) \
    fb_irq_connect(irq, prio, (void (*)(const void *))(void *)(isr), (const void *)(uintptr_t)(parameter), #isr)
#define IRQ_DIRECT_CONNECT(irq, prio, isr, flags) fb_irq_connect_direct(irq, prio, isr, #isr)
#define ISR_DIRECT_DECLARE(name) \
    static int name##_body(void); \
    void name(void) \
    { \
        (void)name##_body(); \
    } \
    static int name##_body(void)
#define ISR_DIRECT_HEADER()
#define ISR_DIRECT_FOOTER(check) (void)(check)
#define ISR_DIRECT_PM()
#define Z_ISR_DECLARE(...)

typedef void (*irq_offload_routine_t)(const void *parameter);
void irq_offload(irq_offload_routine_t routine, const void *parameter);

#endif
