/* Interrupt lines, locks of interrupts, and spinlocks. */
#include "fb_zephyr.h"

#define LINES 64

static struct {
    void (*routine)(const void *);
    void (*direct)(void);
    const void *parameter;
    const char *name;
    int priority;
    bool connected, enabled, pending;
} lines[LINES];
static int spinning; /* spinlocks that are held; nothing else runs meanwhile */

static void take(void *arg)
{
    size_t irq = (size_t)(uintptr_t)arg;
    lines[irq].pending = false;
    if (lines[irq].direct)
        lines[irq].direct();
    else
        lines[irq].routine(lines[irq].parameter);
}

static void deliver(unsigned int irq)
{
    if (!lines[irq].pending || !lines[irq].enabled)
        return;
    if (!lines[irq].connected)
        fb_panic("the interrupt line %u is enabled and nothing is connected to it", irq);
    fb_irq(lines[irq].name, lines[irq].priority, take, (void *)(uintptr_t)irq);
}

static bool valid(unsigned int irq, const char *call)
{
    if (irq < LINES)
        return true;
    fb_fault("bad_argument", "%s of the interrupt line %u; there are %d", call, irq, LINES);
    return false;
}

void fb_irq_connect(unsigned int irq, unsigned int priority, void (*routine)(const void *), const void *parameter,
                    const char *name)
{
    if (!valid(irq, "IRQ_CONNECT"))
        return;
    lines[irq].routine = routine;
    lines[irq].parameter = parameter;
    lines[irq].name = name;
    lines[irq].priority = (int)priority;
    lines[irq].connected = true;
}

void fb_irq_connect_direct(unsigned int irq, unsigned int priority, void (*routine)(void), const char *name)
{
    fb_irq_connect(irq, priority, NULL, NULL, name);
    if (irq < LINES)
        lines[irq].direct = routine;
}

int irq_connect_dynamic(unsigned int irq, unsigned int priority, void (*routine)(const void *parameter),
                        const void *parameter, uint32_t flags)
{
    (void)flags;
    fb_irq_connect(irq, priority, routine, parameter, "dynamic");
    return (int)irq;
}

int irq_disconnect_dynamic(unsigned int irq, unsigned int priority, void (*routine)(const void *parameter),
                           const void *parameter, uint32_t flags)
{
    (void)priority;
    (void)routine;
    (void)parameter;
    (void)flags;
    if (valid(irq, "irq_disconnect_dynamic"))
        lines[irq].connected = false;
    return 0;
}

void irq_enable(unsigned int irq)
{
    if (!valid(irq, "irq_enable"))
        return;
    lines[irq].enabled = true;
    deliver(irq);
    fb_reschedule();
}

void irq_disable(unsigned int irq)
{
    if (!valid(irq, "irq_disable"))
        return;
    lines[irq].enabled = false;
    fb_irq_cancel(take, (void *)(uintptr_t)irq);
}

int irq_is_enabled(unsigned int irq)
{
    return valid(irq, "irq_is_enabled") && lines[irq].enabled;
}

void fb_irq_raise(unsigned int irq)
{
    if (valid(irq, "fb_irq_raise")) {
        lines[irq].pending = true;
        deliver(irq);
    }
}

unsigned int irq_lock(void)
{
    return fb_irq_lock();
}

void irq_unlock(unsigned int key)
{
    fb_irq_unlock(key);
}

struct offloaded {
    irq_offload_routine_t routine;
    const void *parameter;
};

static void offloaded(void *arg)
{
    struct offloaded *one = arg;
    one->routine(one->parameter);
}

void irq_offload(irq_offload_routine_t routine, const void *parameter)
{
    fb_irq("irq_offload", 0, offloaded, &(struct offloaded){routine, parameter});
    fb_reschedule();
}

k_spinlock_key_t k_spin_lock(struct k_spinlock *l)
{
    k_spinlock_key_t key = {(int)fb_irq_lock()};
    if (l->holder)
        fb_panic("k_spin_lock of a spinlock that is already held: on one processor it spins for ever");
    l->holder = l;
    spinning++;
    return key;
}

int k_spin_trylock(struct k_spinlock *l, k_spinlock_key_t *k)
{
    if (l->holder)
        return -EBUSY;
    *k = k_spin_lock(l);
    return 0;
}

void k_spin_release(struct k_spinlock *l)
{
    if (!l->holder) {
        fb_fault("unlock_without_lock", "k_spin_unlock of a spinlock that is not held");
        return;
    }
    l->holder = NULL;
    spinning--;
}

void k_spin_unlock(struct k_spinlock *l, k_spinlock_key_t key)
{
    k_spin_release(l);
    fb_irq_unlock((unsigned)key.key);
}

bool z_spin_is_locked(struct k_spinlock *l)
{
    return l->holder != NULL;
}

bool fb_spinlock_held(void)
{
    return spinning > 0;
}
