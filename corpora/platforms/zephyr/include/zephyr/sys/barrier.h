#ifndef ZEPHYR_SYS_BARRIER_H
#define ZEPHYR_SYS_BARRIER_H
#include <zephyr/toolchain.h>
#endif
