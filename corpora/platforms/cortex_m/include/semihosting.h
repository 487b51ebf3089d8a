/* The way out of the machine: Arm's semihosting calls, which QEMU serves. */
#ifndef SEMIHOSTING_H
#define SEMIHOSTING_H

#include <stddef.h>
#include <stdint.h>

/* RAM that no start-up code touches and that is zero at power-on: the harness's own state. */
#define FB_KEPT __attribute__((section(".fb_kept")))

void semihosting_write(const char *data, size_t length);
__attribute__((noreturn)) void semihosting_exit(int status);

#endif
