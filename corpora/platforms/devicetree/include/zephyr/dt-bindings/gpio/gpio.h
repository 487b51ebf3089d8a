/* The flags of a GPIO cell, as Zephyr's devicetrees use them. */
#ifndef ZEPHYR_INCLUDE_DT_BINDINGS_GPIO_GPIO_H_
#define ZEPHYR_INCLUDE_DT_BINDINGS_GPIO_GPIO_H_
#define GPIO_ACTIVE_HIGH (0 << 0)
#define GPIO_ACTIVE_LOW (1 << 0)
#define GPIO_PUSH_PULL (0 << 1)
#define GPIO_SINGLE_ENDED (1 << 1)
#define GPIO_LINE_OPEN_SOURCE (0 << 2)
#define GPIO_LINE_OPEN_DRAIN (1 << 2)
#define GPIO_OPEN_DRAIN (GPIO_SINGLE_ENDED | GPIO_LINE_OPEN_DRAIN)
#define GPIO_OPEN_SOURCE (GPIO_SINGLE_ENDED | GPIO_LINE_OPEN_SOURCE)
#define GPIO_PULL_UP (1 << 4)
#define GPIO_PULL_DOWN (1 << 5)
#define GPIO_INT_WAKEUP (1 << 6)
#endif
