/* Periods and flags of a PWM cell, as Zephyr's devicetrees use them. */
#ifndef ZEPHYR_INCLUDE_DT_BINDINGS_PWM_PWM_H_
#define ZEPHYR_INCLUDE_DT_BINDINGS_PWM_PWM_H_
#define PWM_NSEC(x) (x)
#define PWM_USEC(x) (PWM_NSEC(x) * 1000)
#define PWM_MSEC(x) (PWM_USEC(x) * 1000)
#define PWM_SEC(x) (PWM_MSEC(x) * 1000)
#define PWM_HZ(x) (PWM_SEC(1) / (x))
#define PWM_KHZ(x) (PWM_HZ((x) * 1000))
#define PWM_POLARITY_NORMAL (0 << 0)
#define PWM_POLARITY_INVERTED (1 << 0)
#endif
