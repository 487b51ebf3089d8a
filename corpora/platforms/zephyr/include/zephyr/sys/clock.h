#include <zephyr/sys_clock.h>
