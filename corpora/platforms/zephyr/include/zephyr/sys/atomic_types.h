#include <zephyr/sys/atomic.h>
