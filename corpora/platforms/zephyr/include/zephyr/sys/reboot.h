#ifndef ZEPHYR_SYS_REBOOT_H
#define ZEPHYR_SYS_REBOOT_H
#include <zephyr/toolchain.h>
#define SYS_REBOOT_WARM 0
#define SYS_REBOOT_COLD 1
FUNC_NORETURN void sys_reboot(int type);
#endif
