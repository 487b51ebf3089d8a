/* The board's ports, lights, buttons and watchdog.
 *
 *   gpio0, gpio1  ports of 32 pins
 *   led0..led3    gpio0 13, 14, 15, 16, active low       (led0_pwm and the like: drivers.h)
 *   sw0..sw3      gpio0 11, 12, 24, 25, pulled up, active low
 *   wdt0          watchdog0
 *   zephyr_user   enable-gpios gpio1 1, reset-gpios gpio1 2 active low, ready-gpios gpio1 3 */
#ifndef ZEPHYR_BOARD_SOC_H
#define ZEPHYR_BOARD_SOC_H

#include <zephyr/dt-bindings/gpio/gpio.h>

#define DT_N_EXISTS 1

#define DT_N_NODELABEL_gpio0 DT_N_S_gpio0
#define DT_N_S_gpio0_EXISTS 1
#define DT_N_S_gpio0_STATUS_okay 1
#define DT_N_S_gpio0_ORD 1
#define DT_N_S_gpio0_FULL_NAME "gpio@50000000"
#define DT_N_S_gpio0_PATH "/soc/gpio@50000000"
#define DT_N_S_gpio0_REG_IDX_0_VAL_ADDRESS 0x50000000
#define DT_N_S_gpio0_REG_IDX_0_VAL_SIZE 0x300
#define DT_N_S_gpio0_P_ngpios 32
#define DT_N_S_gpio0_P_ngpios_EXISTS 1

#define DT_N_NODELABEL_gpio1 DT_N_S_gpio1
#define DT_N_S_gpio1_EXISTS 1
#define DT_N_S_gpio1_STATUS_okay 1
#define DT_N_S_gpio1_ORD 2
#define DT_N_S_gpio1_FULL_NAME "gpio@50000300"
#define DT_N_S_gpio1_PATH "/soc/gpio@50000300"
#define DT_N_S_gpio1_REG_IDX_0_VAL_ADDRESS 0x50000300
#define DT_N_S_gpio1_REG_IDX_0_VAL_SIZE 0x300
#define DT_N_S_gpio1_P_ngpios 32
#define DT_N_S_gpio1_P_ngpios_EXISTS 1

#define DT_N_NODELABEL_wdt0 DT_N_S_wdt0
#define DT_N_NODELABEL_wdt DT_N_S_wdt0
#define DT_N_ALIAS_watchdog0 DT_N_S_wdt0
#define DT_N_S_wdt0_EXISTS 1
#define DT_N_S_wdt0_STATUS_okay 1
#define DT_N_S_wdt0_ORD 3
#define DT_N_S_wdt0_FULL_NAME "watchdog@40010000"
#define DT_N_S_wdt0_PATH "/soc/watchdog@40010000"

#define DT_N_S_leds_EXISTS 1
#define DT_N_S_leds_STATUS_okay 1
#define DT_N_S_leds_FOREACH_CHILD(fn) fn(DT_N_S_leds_S_led_0) fn(DT_N_S_leds_S_led_1) fn(DT_N_S_leds_S_led_2) fn(DT_N_S_leds_S_led_3)
#define DT_N_S_buttons_EXISTS 1
#define DT_N_S_buttons_STATUS_okay 1

#define DT_N_NODELABEL_led0 DT_N_S_leds_S_led_0
#define DT_N_ALIAS_led0 DT_N_S_leds_S_led_0
#define DT_N_S_leds_S_led_0_EXISTS 1
#define DT_N_S_leds_S_led_0_STATUS_okay 1
#define DT_N_S_leds_S_led_0_ORD 4
#define DT_N_S_leds_S_led_0_FULL_NAME "led_0"
#define DT_N_S_leds_S_led_0_PARENT DT_N_S_leds
#define DT_N_S_leds_S_led_0_P_label "LED 0"
#define DT_N_S_leds_S_led_0_P_label_EXISTS 1
#define DT_N_S_leds_S_led_0_P_gpios_IDX_0_EXISTS 1
#define DT_N_S_leds_S_led_0_P_gpios_IDX_0_PH DT_N_S_gpio0
#define DT_N_S_leds_S_led_0_P_gpios_IDX_0_VAL_pin 13
#define DT_N_S_leds_S_led_0_P_gpios_IDX_0_VAL_flags GPIO_ACTIVE_LOW
#define DT_N_S_leds_S_led_0_P_gpios_IDX_0_VAL_flags_EXISTS 1
#define DT_N_S_leds_S_led_0_P_gpios_LEN 1
#define DT_N_S_leds_S_led_0_P_gpios_EXISTS 1

#define DT_N_NODELABEL_led1 DT_N_S_leds_S_led_1
#define DT_N_ALIAS_led1 DT_N_S_leds_S_led_1
#define DT_N_S_leds_S_led_1_EXISTS 1
#define DT_N_S_leds_S_led_1_STATUS_okay 1
#define DT_N_S_leds_S_led_1_ORD 5
#define DT_N_S_leds_S_led_1_FULL_NAME "led_1"
#define DT_N_S_leds_S_led_1_PARENT DT_N_S_leds
#define DT_N_S_leds_S_led_1_P_label "LED 1"
#define DT_N_S_leds_S_led_1_P_label_EXISTS 1
#define DT_N_S_leds_S_led_1_P_gpios_IDX_0_EXISTS 1
#define DT_N_S_leds_S_led_1_P_gpios_IDX_0_PH DT_N_S_gpio0
#define DT_N_S_leds_S_led_1_P_gpios_IDX_0_VAL_pin 14
#define DT_N_S_leds_S_led_1_P_gpios_IDX_0_VAL_flags GPIO_ACTIVE_LOW
#define DT_N_S_leds_S_led_1_P_gpios_IDX_0_VAL_flags_EXISTS 1
#define DT_N_S_leds_S_led_1_P_gpios_LEN 1
#define DT_N_S_leds_S_led_1_P_gpios_EXISTS 1

#define DT_N_NODELABEL_led2 DT_N_S_leds_S_led_2
#define DT_N_ALIAS_led2 DT_N_S_leds_S_led_2
#define DT_N_S_leds_S_led_2_EXISTS 1
#define DT_N_S_leds_S_led_2_STATUS_okay 1
#define DT_N_S_leds_S_led_2_ORD 6
#define DT_N_S_leds_S_led_2_FULL_NAME "led_2"
#define DT_N_S_leds_S_led_2_PARENT DT_N_S_leds
#define DT_N_S_leds_S_led_2_P_label "LED 2"
#define DT_N_S_leds_S_led_2_P_label_EXISTS 1
#define DT_N_S_leds_S_led_2_P_gpios_IDX_0_EXISTS 1
#define DT_N_S_leds_S_led_2_P_gpios_IDX_0_PH DT_N_S_gpio0
#define DT_N_S_leds_S_led_2_P_gpios_IDX_0_VAL_pin 15
#define DT_N_S_leds_S_led_2_P_gpios_IDX_0_VAL_flags GPIO_ACTIVE_LOW
#define DT_N_S_leds_S_led_2_P_gpios_IDX_0_VAL_flags_EXISTS 1
#define DT_N_S_leds_S_led_2_P_gpios_LEN 1
#define DT_N_S_leds_S_led_2_P_gpios_EXISTS 1

#define DT_N_NODELABEL_led3 DT_N_S_leds_S_led_3
#define DT_N_ALIAS_led3 DT_N_S_leds_S_led_3
#define DT_N_S_leds_S_led_3_EXISTS 1
#define DT_N_S_leds_S_led_3_STATUS_okay 1
#define DT_N_S_leds_S_led_3_ORD 7
#define DT_N_S_leds_S_led_3_FULL_NAME "led_3"
#define DT_N_S_leds_S_led_3_PARENT DT_N_S_leds
#define DT_N_S_leds_S_led_3_P_label "LED 3"
#define DT_N_S_leds_S_led_3_P_label_EXISTS 1
#define DT_N_S_leds_S_led_3_P_gpios_IDX_0_EXISTS 1
#define DT_N_S_leds_S_led_3_P_gpios_IDX_0_PH DT_N_S_gpio0
#define DT_N_S_leds_S_led_3_P_gpios_IDX_0_VAL_pin 16
#define DT_N_S_leds_S_led_3_P_gpios_IDX_0_VAL_flags GPIO_ACTIVE_LOW
#define DT_N_S_leds_S_led_3_P_gpios_IDX_0_VAL_flags_EXISTS 1
#define DT_N_S_leds_S_led_3_P_gpios_LEN 1
#define DT_N_S_leds_S_led_3_P_gpios_EXISTS 1

#define DT_N_NODELABEL_button0 DT_N_S_buttons_S_button_0
#define DT_N_ALIAS_sw0 DT_N_S_buttons_S_button_0
#define DT_N_S_buttons_S_button_0_EXISTS 1
#define DT_N_S_buttons_S_button_0_STATUS_okay 1
#define DT_N_S_buttons_S_button_0_ORD 8
#define DT_N_S_buttons_S_button_0_FULL_NAME "button_0"
#define DT_N_S_buttons_S_button_0_PARENT DT_N_S_buttons
#define DT_N_S_buttons_S_button_0_P_label "Button 0"
#define DT_N_S_buttons_S_button_0_P_label_EXISTS 1
#define DT_N_S_buttons_S_button_0_P_gpios_IDX_0_EXISTS 1
#define DT_N_S_buttons_S_button_0_P_gpios_IDX_0_PH DT_N_S_gpio0
#define DT_N_S_buttons_S_button_0_P_gpios_IDX_0_VAL_pin 11
#define DT_N_S_buttons_S_button_0_P_gpios_IDX_0_VAL_flags (GPIO_PULL_UP | GPIO_ACTIVE_LOW)
#define DT_N_S_buttons_S_button_0_P_gpios_IDX_0_VAL_flags_EXISTS 1
#define DT_N_S_buttons_S_button_0_P_gpios_LEN 1
#define DT_N_S_buttons_S_button_0_P_gpios_EXISTS 1

#define DT_N_NODELABEL_button1 DT_N_S_buttons_S_button_1
#define DT_N_ALIAS_sw1 DT_N_S_buttons_S_button_1
#define DT_N_S_buttons_S_button_1_EXISTS 1
#define DT_N_S_buttons_S_button_1_STATUS_okay 1
#define DT_N_S_buttons_S_button_1_ORD 9
#define DT_N_S_buttons_S_button_1_FULL_NAME "button_1"
#define DT_N_S_buttons_S_button_1_PARENT DT_N_S_buttons
#define DT_N_S_buttons_S_button_1_P_label "Button 1"
#define DT_N_S_buttons_S_button_1_P_label_EXISTS 1
#define DT_N_S_buttons_S_button_1_P_gpios_IDX_0_EXISTS 1
#define DT_N_S_buttons_S_button_1_P_gpios_IDX_0_PH DT_N_S_gpio0
#define DT_N_S_buttons_S_button_1_P_gpios_IDX_0_VAL_pin 12
#define DT_N_S_buttons_S_button_1_P_gpios_IDX_0_VAL_flags (GPIO_PULL_UP | GPIO_ACTIVE_LOW)
#define DT_N_S_buttons_S_button_1_P_gpios_IDX_0_VAL_flags_EXISTS 1
#define DT_N_S_buttons_S_button_1_P_gpios_LEN 1
#define DT_N_S_buttons_S_button_1_P_gpios_EXISTS 1

#define DT_N_NODELABEL_button2 DT_N_S_buttons_S_button_2
#define DT_N_ALIAS_sw2 DT_N_S_buttons_S_button_2
#define DT_N_S_buttons_S_button_2_EXISTS 1
#define DT_N_S_buttons_S_button_2_STATUS_okay 1
#define DT_N_S_buttons_S_button_2_ORD 10
#define DT_N_S_buttons_S_button_2_FULL_NAME "button_2"
#define DT_N_S_buttons_S_button_2_PARENT DT_N_S_buttons
#define DT_N_S_buttons_S_button_2_P_label "Button 2"
#define DT_N_S_buttons_S_button_2_P_label_EXISTS 1
#define DT_N_S_buttons_S_button_2_P_gpios_IDX_0_EXISTS 1
#define DT_N_S_buttons_S_button_2_P_gpios_IDX_0_PH DT_N_S_gpio0
#define DT_N_S_buttons_S_button_2_P_gpios_IDX_0_VAL_pin 24
#define DT_N_S_buttons_S_button_2_P_gpios_IDX_0_VAL_flags (GPIO_PULL_UP | GPIO_ACTIVE_LOW)
#define DT_N_S_buttons_S_button_2_P_gpios_IDX_0_VAL_flags_EXISTS 1
#define DT_N_S_buttons_S_button_2_P_gpios_LEN 1
#define DT_N_S_buttons_S_button_2_P_gpios_EXISTS 1

#define DT_N_NODELABEL_button3 DT_N_S_buttons_S_button_3
#define DT_N_ALIAS_sw3 DT_N_S_buttons_S_button_3
#define DT_N_S_buttons_S_button_3_EXISTS 1
#define DT_N_S_buttons_S_button_3_STATUS_okay 1
#define DT_N_S_buttons_S_button_3_ORD 11
#define DT_N_S_buttons_S_button_3_FULL_NAME "button_3"
#define DT_N_S_buttons_S_button_3_PARENT DT_N_S_buttons
#define DT_N_S_buttons_S_button_3_P_label "Button 3"
#define DT_N_S_buttons_S_button_3_P_label_EXISTS 1
#define DT_N_S_buttons_S_button_3_P_gpios_IDX_0_EXISTS 1
#define DT_N_S_buttons_S_button_3_P_gpios_IDX_0_PH DT_N_S_gpio0
#define DT_N_S_buttons_S_button_3_P_gpios_IDX_0_VAL_pin 25
#define DT_N_S_buttons_S_button_3_P_gpios_IDX_0_VAL_flags (GPIO_PULL_UP | GPIO_ACTIVE_LOW)
#define DT_N_S_buttons_S_button_3_P_gpios_IDX_0_VAL_flags_EXISTS 1
#define DT_N_S_buttons_S_button_3_P_gpios_LEN 1
#define DT_N_S_buttons_S_button_3_P_gpios_EXISTS 1

#define DT_N_S_zephyr_user_EXISTS 1
#define DT_N_S_zephyr_user_STATUS_okay 1
#define DT_N_S_zephyr_user_ORD 12
#define DT_N_S_zephyr_user_P_enable_gpios_IDX_0_EXISTS 1
#define DT_N_S_zephyr_user_P_enable_gpios_IDX_0_PH DT_N_S_gpio1
#define DT_N_S_zephyr_user_P_enable_gpios_IDX_0_VAL_pin 1
#define DT_N_S_zephyr_user_P_enable_gpios_IDX_0_VAL_flags GPIO_ACTIVE_HIGH
#define DT_N_S_zephyr_user_P_enable_gpios_IDX_0_VAL_flags_EXISTS 1
#define DT_N_S_zephyr_user_P_enable_gpios_LEN 1
#define DT_N_S_zephyr_user_P_enable_gpios_EXISTS 1
#define DT_N_S_zephyr_user_P_reset_gpios_IDX_0_EXISTS 1
#define DT_N_S_zephyr_user_P_reset_gpios_IDX_0_PH DT_N_S_gpio1
#define DT_N_S_zephyr_user_P_reset_gpios_IDX_0_VAL_pin 2
#define DT_N_S_zephyr_user_P_reset_gpios_IDX_0_VAL_flags GPIO_ACTIVE_LOW
#define DT_N_S_zephyr_user_P_reset_gpios_IDX_0_VAL_flags_EXISTS 1
#define DT_N_S_zephyr_user_P_reset_gpios_LEN 1
#define DT_N_S_zephyr_user_P_reset_gpios_EXISTS 1
#define DT_N_S_zephyr_user_P_ready_gpios_IDX_0_EXISTS 1
#define DT_N_S_zephyr_user_P_ready_gpios_IDX_0_PH DT_N_S_gpio1
#define DT_N_S_zephyr_user_P_ready_gpios_IDX_0_VAL_pin 3
#define DT_N_S_zephyr_user_P_ready_gpios_IDX_0_VAL_flags GPIO_ACTIVE_HIGH
#define DT_N_S_zephyr_user_P_ready_gpios_IDX_0_VAL_flags_EXISTS 1
#define DT_N_S_zephyr_user_P_ready_gpios_LEN 1
#define DT_N_S_zephyr_user_P_ready_gpios_EXISTS 1

/* Those of these that are devices. */
#define FB_DEVICES_SOC(X) X(DT_N_S_gpio0) X(DT_N_S_gpio1) X(DT_N_S_wdt0)

#endif
