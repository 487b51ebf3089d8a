/* Interrupt lines, their handlers and their threads. */
#include "lk.h"

#include "linux_kernel.h"

enum { LINES = 64 };

typedef struct action {
    irq_handler_t handler, thread;
    unsigned long flags;
    char name[32];
    void *data;
    struct task_struct *task;
    bool wanted, busy, ending;
    fb_queue wake, done;
    unsigned irq;
    struct action *next;
} action;

static struct line {
    bool there, raised;
    int disabled;
    unsigned unhandled;
    action *first;
} lines[LINES];

static void deliver(void *arg);

void lk_irq_line(int irq)
{
    if (irq > 0 && irq < LINES)
        lines[irq].there = true;
}

static void attend(unsigned irq)
{
    if (lines[irq].raised && lines[irq].first && !lines[irq].disabled)
        fb_irq("irq", LK_HARDIRQ, deliver, &lines[irq]);
}

static void deliver(void *arg)
{
    struct line *line = arg;
    irqreturn_t all = IRQ_NONE;
    if (!line->first || line->disabled)
        return;
    line->raised = false;
    for (action *one = line->first, *next; one; one = next) {
        next = one->next;
        irqreturn_t said = one->handler ? one->handler((int)one->irq, one->data) : IRQ_WAKE_THREAD;
        if (said == IRQ_WAKE_THREAD && one->thread) {
            one->wanted = true;
            if (one->flags & IRQF_ONESHOT)
                line->disabled++;
            fb_wake(&one->wake);
        }
        all |= said;
    }
    line->unhandled += all == IRQ_NONE;
}

void lk_raise(int irq)
{
    lines[irq].raised = true;
    attend((unsigned)irq);
}
void lk_lower(int irq)
{
    lines[irq].raised = false;
    fb_irq_cancel(deliver, &lines[irq]);
}
unsigned lk_unhandled(int irq) { return lines[irq].unhandled; }
bool lk_requested(int irq) { return lines[irq].first; }

static void thread_loop(void *arg)
{
    action *one = arg;
    while (!one->ending) {
        if (!one->wanted) {
            fb_wait(&one->wake, FB_FOREVER);
            continue;
        }
        one->wanted = false;
        one->busy = true;
        irqreturn_t said = one->thread((int)one->irq, one->data);
        one->busy = false;
        lines[one->irq].unhandled += said == IRQ_NONE;
        if (one->flags & IRQF_ONESHOT) {
            lines[one->irq].disabled--;
            attend(one->irq);
        }
        fb_wake_all(&one->done);
        fb_reschedule();
    }
}

int request_threaded_irq(unsigned irq, irq_handler_t handler, irq_handler_t thread, unsigned long flags, const char *name,
                         void *data)
{
    lk_may_sleep("request_irq");
    if (irq >= LINES || !lines[irq].there || (!handler && !thread))
        return -EINVAL;
    if ((flags & IRQF_SHARED && !data) || (!handler && !(flags & IRQF_ONESHOT)))
        return -EINVAL;
    if (lines[irq].first && !(flags & lines[irq].first->flags & IRQF_SHARED))
        return -EBUSY;
    char what[48];
    lk_snprintf(what, sizeof what, "%u (%s)", irq, name ? name : "");
    if (lk_refuses(LK_IRQ, what))
        return -EBUSY;
    action *one = calloc(1, sizeof *one), **end = &lines[irq].first;
    *one = (action){.handler = handler, .thread = thread, .flags = flags, .data = data, .irq = irq};
    lk_strscpy(one->name, name ? name : "irq", sizeof one->name);
    if (thread)
        one->task = lk_task_new(one->name, LK_TASK + 1, thread_loop, one);
    while (*end)
        end = &(*end)->next;
    *end = one;
    lk_hold(LK_IRQ, one, what);
    if (flags & IRQF_NO_AUTOEN)
        lines[irq].disabled++;
    attend(irq);
    fb_reschedule();
    return 0;
}

void synchronize_irq(unsigned irq)
{
    lk_may_sleep("synchronize_irq");
    for (action *one = irq < LINES ? lines[irq].first : NULL; one; one = one->next)
        while (one->busy || one->wanted)
            fb_wait(&one->done, FB_FOREVER);
}

const void *free_irq(unsigned irq, void *data)
{
    lk_may_sleep("free_irq");
    action **at = irq < LINES ? &lines[irq].first : NULL;
    while (at && *at && (*at)->data != data)
        at = &(*at)->next;
    if (!at || !*at) {
        fb_fault("double_release", "free_irq(%u) of a handler that is not registered with this data", irq);
        return NULL;
    }
    action *one = *at;
    while (one->thread && (one->busy || one->wanted) && one->task != current)
        fb_wait(&one->done, FB_FOREVER);
    *at = one->next;
    one->ending = true;
    fb_wake(&one->wake);
    lk_let_go(LK_IRQ, one);
    return one->data;
}

void disable_irq_nosync(unsigned irq) { lines[irq].disabled++; }
void disable_irq(unsigned irq)
{
    disable_irq_nosync(irq);
    synchronize_irq(irq);
}
void enable_irq(unsigned irq)
{
    if (!lines[irq].disabled) {
        fb_fault("unbalanced_irq", "enable_irq(%u) of an interrupt that is enabled", irq);
        return;
    }
    lines[irq].disabled--;
    attend(irq);
}

static void release_irq(struct device *dev, void *data)
{
    (void)dev;
    action *one = data;
    free_irq(one->irq, one->data);
}
int devm_request_threaded_irq(struct device *dev, unsigned irq, irq_handler_t handler, irq_handler_t thread,
                              unsigned long flags, const char *name, void *data)
{
    int error = request_threaded_irq(irq, handler, thread, flags, name ? name : dev_name(dev), data);
    if (error)
        return error;
    action *one = lines[irq].first;
    while (one && one->data != data)
        one = one->next;
    if (one) /* an interrupt that was waiting may have freed it again */
        lk_devres_add(dev, release_irq, one, NULL);
    return 0;
}
void devm_free_irq(struct device *dev, unsigned irq, void *data)
{
    action *one = irq < LINES ? lines[irq].first : NULL;
    while (one && one->data != data)
        one = one->next;
    if (one && lk_devres_remove(dev, release_irq, one))
        free_irq(irq, data);
    else
        fb_fault("double_release", "devm_free_irq(%u) of a handler that is not registered", irq);
}
