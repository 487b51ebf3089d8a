/* What a scenario, and the model's own sources, use besides Zephyr's API. */
#ifndef FB_ZEPHYR_H
#define FB_ZEPHYR_H

#include <zephyr/kernel.h>

/* ---- for scenarios ---- */
void fb_device_broken(const struct device *dev); /* its init fails: device_is_ready() is false */
void fb_irq_raise(unsigned int irq);             /* the hardware raises this line; pending until it is enabled */
void fb_pm_enable(void);                         /* the idle processor sleeps, as with CONFIG_PM; records "pm" */
size_t fb_heap_used(void);                       /* bytes that k_malloc gave and nobody freed */
size_t fb_threads_alive(void);                   /* of the candidate's own, main included */
struct k_thread *fb_thread_named(const char *name); /* NULL if there is none */
/* "gpio" records read "gpio0.13=1": the level that the port drives onto the pin. */
void fb_gpio_drive(const struct device *port, unsigned int pin, int level); /* what is outside drives the pin */
void fb_gpio_release(const struct device *port, unsigned int pin);          /* nothing outside drives it */
int fb_gpio_level(const struct device *port, unsigned int pin);             /* on the wire: 0 or 1 */
bool fb_gpio_is_output(const struct device *port, unsigned int pin);
bool fb_gpio_is_input(const struct device *port, unsigned int pin);
void fb_gpio_watch(const struct device *port, unsigned int pin, void (*fn)(void *arg, int level), void *arg);

/* ---- for the model's sources ---- */
#define FB_TICK_NS (1000000000LL / CONFIG_SYS_CLOCK_TICKS_PER_SEC)
#define FB_IRQ_CLOCK 1 /* priorities of the interrupts of the board */
#define FB_IRQ_DEVICE 3
struct k_thread *fb_current(void); /* the running thread; NULL in an interrupt */
int64_t fb_deadline(k_timeout_t timeout);
bool fb_may_block(const char *call); /* false, with a fault, where a thread must not wait */
bool fb_spinlock_held(void);
/* Wait in `queue`: what the waker left in swap_result; -EAGAIN when the time came; `busy` at once for K_NO_WAIT. */
int fb_pend(fb_queue *queue, k_timeout_t timeout, int busy, const char *call);
struct k_thread *fb_unpend(fb_queue *queue, int result); /* wake the first one; NULL if none waited */
struct k_thread *fb_thread_of(fb_thread *thread);
bool fb_initialised(unsigned magic, unsigned wanted, const char *call); /* false, with a fault, if it was not */
void fb_poll_changed(void);
void fb_static_threads_start(void);
void fb_idle_create(struct k_thread *thread, k_thread_stack_t *stack, size_t bytes, k_thread_entry_t entry);
void fb_idle_thread_start(void);
void fb_main_thread_start(void (*entry)(void *, void *, void *));
void fb_slabs_init(void);
void fb_system_queue_start(void);

#endif
