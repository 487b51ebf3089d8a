#ifndef ZEPHYR_KERNEL_H
#define ZEPHYR_KERNEL_H

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <zephyr/device.h>
#include <zephyr/fatal.h>
#include <zephyr/init.h>
#include <zephyr/irq.h>
#include <zephyr/kernel/data.h>
#include <zephyr/kernel/sync.h>
#include <zephyr/kernel/thread.h>
#include <zephyr/kernel/work.h>
#include <zephyr/spinlock.h>
#include <zephyr/sys/__assert.h>
#include <zephyr/sys/atomic.h>
#include <zephyr/sys/printk.h>
#include <zephyr/sys/slist.h>
#include <zephyr/sys/dlist.h>
#include <zephyr/sys/util.h>
#include <zephyr/sys_clock.h>
#include <zephyr/toolchain.h>
#include <zephyr/types.h>

FUNC_NORETURN void fb_k_panic(const char *what);
#define k_panic() fb_k_panic("k_panic()")
#define k_oops() fb_k_panic("k_oops()")
void k_cpu_idle(void);
void k_cpu_atomic_idle(unsigned int key);

#endif
