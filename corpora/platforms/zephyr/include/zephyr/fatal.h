#ifndef ZEPHYR_FATAL_H
#define ZEPHYR_FATAL_H
#include <zephyr/toolchain.h>
enum k_fatal_error_reason {
    K_ERR_CPU_EXCEPTION,
    K_ERR_SPURIOUS_IRQ,
    K_ERR_STACK_CHK_FAIL,
    K_ERR_KERNEL_OOPS,
    K_ERR_KERNEL_PANIC,
};
struct arch_esf;
FUNC_NORETURN void k_fatal_halt(unsigned int reason);
#endif
