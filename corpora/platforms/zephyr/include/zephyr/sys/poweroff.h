#ifndef ZEPHYR_SYS_POWEROFF_H
#define ZEPHYR_SYS_POWEROFF_H
#include <zephyr/toolchain.h>
FUNC_NORETURN void sys_poweroff(void);
#endif
