#include <zephyr/irq.h>
