#ifndef ZEPHYR_TYPES_H
#define ZEPHYR_TYPES_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
typedef union {
    long long thelonglong;
    long double thelongdouble;
    uintptr_t theuintptr;
    size_t thesize;
} z_max_align_t;
#endif
