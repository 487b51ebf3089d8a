/* Interrupts and what is done after them. */
#ifndef _LINUX_INTERRUPT_H
#define _LINUX_INTERRUPT_H

#include "device.h"
#include "spinlock.h"

typedef enum irqreturn { IRQ_NONE = 0, IRQ_HANDLED = 1, IRQ_WAKE_THREAD = 2 } irqreturn_t;
#define IRQ_RETVAL(x) ((x) ? IRQ_HANDLED : IRQ_NONE)
typedef irqreturn_t (*irq_handler_t)(int irq, void *data);
#define IRQF_TRIGGER_NONE 0x0ul
#define IRQF_TRIGGER_RISING 0x1ul
#define IRQF_TRIGGER_FALLING 0x2ul
#define IRQF_TRIGGER_HIGH 0x4ul
#define IRQF_TRIGGER_LOW 0x8ul
#define IRQF_SHARED 0x80ul
#define IRQF_ONESHOT 0x2000ul
#define IRQF_NO_AUTOEN 0x80000ul
#define IRQF_NO_SUSPEND 0x4000ul
#define IRQ_NOTCONNECTED (1u << 31)
int request_threaded_irq(unsigned irq, irq_handler_t handler, irq_handler_t thread, unsigned long flags,
                         const char *name, void *data) __must_check;
static inline int __must_check request_irq(unsigned irq, irq_handler_t handler, unsigned long flags, const char *name, void *data)
{
    return request_threaded_irq(irq, handler, NULL, flags, name, data);
}
const void *free_irq(unsigned irq, void *data);
int devm_request_threaded_irq(struct device *dev, unsigned irq, irq_handler_t handler, irq_handler_t thread,
                              unsigned long flags, const char *name, void *data) __must_check;
static inline int __must_check devm_request_irq(struct device *dev, unsigned irq, irq_handler_t handler,
                                                unsigned long flags, const char *name, void *data)
{
    return devm_request_threaded_irq(dev, irq, handler, NULL, flags, name, data);
}
void devm_free_irq(struct device *dev, unsigned irq, void *data);
void disable_irq(unsigned irq);
void disable_irq_nosync(unsigned irq);
void enable_irq(unsigned irq);
void synchronize_irq(unsigned irq);
#define irq_set_irq_type(irq, type) 0
#define irq_set_affinity_hint(irq, mask) 0

struct tasklet_struct {
    void (*callback)(struct tasklet_struct *);
    void (*func)(unsigned long);
    unsigned long data;
    bool lk_scheduled, lk_killed;
};
void tasklet_setup(struct tasklet_struct *tasklet, void (*callback)(struct tasklet_struct *));
void tasklet_init(struct tasklet_struct *tasklet, void (*func)(unsigned long), unsigned long data);
void tasklet_schedule(struct tasklet_struct *tasklet);
#define tasklet_hi_schedule tasklet_schedule
void tasklet_kill(struct tasklet_struct *tasklet);
#define from_tasklet(var, tasklet, member) container_of(tasklet, __typeof__(*var), member)

#endif
