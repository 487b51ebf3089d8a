#ifndef ZEPHYR_ARCH_CPU_H
#define ZEPHYR_ARCH_CPU_H
#include <zephyr/irq.h>
#define arch_irq_lock() irq_lock()
#define arch_irq_unlock(key) irq_unlock(key)
#define arch_nop() compiler_barrier()
#endif
