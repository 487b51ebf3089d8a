/* What a scenario of a kernel module uses: loading, user space, devices, failures on purpose. Include sim.h's words, too.
 *
 * The scenario defines userspace(), which runs as a process once the kernel is up. With FB_POWER_CYCLES (core/power.h)
 * each boot is a fresh kernel, so that each experiment starts with a module as it was built. */
#ifndef LINUX_KERNEL_H
#define LINUX_KERNEL_H

#include "power.h"
#include "sim.h"

#include <errno.h> /* of the C library: a scenario is no kernel code */

void userspace(void);

/* ---- the module ---- */
int lk_load(void);            /* insmod: what the init function returned */
int lk_unload(void);          /* rmmod: 0, or -EBUSY while a file of it is open */
bool lk_loaded(void);
size_t lk_held(void);         /* how many things the module still holds: memory, regions, devices, interrupts, … */
const char *lk_held_first(void); /* the oldest of them in words; "nothing" */
void lk_fail(unsigned nth);   /* the nth acquisition from now on fails (1: the next one) */
unsigned lk_acquired(void);   /* how many acquisitions were asked for since lk_fail() or boot */
const char *lk_failed(void);  /* what failed on purpose; "" if nothing did */

/* ---- processes ---- */
typedef struct task_struct lk_task;
lk_task *lk_process(const char *name, void (*entry)(void *), void *arg);
void lk_signal(lk_task *task);
bool lk_ended(const lk_task *task);
bool lk_sleeps(const lk_task *task); /* it waits for something */
void lk_pause_ms(unsigned ms);

/* ---- files; results as of the system call: a count, or -errno ---- */
int lk_open(const char *path, int flags);
int lk_close(int fd);
long lk_read(int fd, void *to, size_t n);         /* through a fresh user buffer */
long lk_write(int fd, const void *from, size_t n);
long lk_read_raw(int fd, void *user, size_t n);   /* any pointer as user space may pass it */
long lk_write_raw(int fd, const void *user, size_t n);
long lk_ioctl(int fd, unsigned command, unsigned long argument);
long lk_ioctl_with(int fd, unsigned command, void *value, size_t n); /* value goes to user memory and comes back */
long long lk_seek(int fd, long long offset, int whence);
unsigned lk_poll(int fd, unsigned events, int timeout_ms); /* -1: forever */
void *lk_user(size_t bytes);                      /* user memory; the byte behind it belongs to nobody */
void *lk_no_user(void);                           /* an address that no process has mapped */
void *lk_kernel_pointer(void);                    /* an address of the kernel, which user space must not pass */
void lk_user_put(void *user, const void *from, size_t n);
void lk_user_get(void *to, const void *user, size_t n);
bool lk_exists(const char *path);
long lk_show(const char *path, char *to, size_t room); /* "device/attribute" */
long lk_store(const char *path, const char *text);

/* ---- devices ---- */
typedef struct lk_registers {
    uint32_t (*read)(uint32_t offset);
    void (*write)(uint32_t offset, uint32_t value);
    uint32_t bytes;
} lk_registers;
void lk_platform_device(const char *name, const char *compatible, const lk_registers *registers, int irq);
void lk_property(const char *device, const char *name, uint32_t value);
typedef struct lk_i2c_model {
    int (*transfer)(const uint8_t *write, size_t write_n, uint8_t *read, size_t read_n); /* 0 or -errno */
} lk_i2c_model;
void lk_i2c_device(const char *name, const char *compatible, uint8_t address, const lk_i2c_model *model, int irq);
int lk_probed(const char *device); /* what probe returned; 1 if there was none */
void lk_reprobe(void);             /* devices whose probe was deferred */
void lk_unbind(const char *device); /* as when it is unplugged: the driver loses it, open files stay */
void lk_irq_line(int irq);         /* the line exists */
void lk_raise(int irq);            /* asserted until it is handled or lowered */
void lk_lower(int irq);
unsigned lk_unhandled(int irq);    /* how often all handlers said IRQ_NONE */
bool lk_requested(int irq);

#endif
