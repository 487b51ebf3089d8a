#ifndef ZEPHYR_SYS_ITERABLE_SECTIONS_H
#define ZEPHYR_SYS_ITERABLE_SECTIONS_H
#include <zephyr/toolchain.h>
#endif
