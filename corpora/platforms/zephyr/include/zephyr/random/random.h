#ifndef ZEPHYR_RANDOM_RANDOM_H
#define ZEPHYR_RANDOM_RANDOM_H

#include <stddef.h>
#include <stdint.h>

/* The same numbers in each run. */
uint8_t sys_rand8_get(void);
uint16_t sys_rand16_get(void);
uint32_t sys_rand32_get(void);
uint64_t sys_rand64_get(void);
void sys_rand_get(void *dst, size_t len);
int sys_csrand_get(void *dst, size_t len);

#endif
