/* LED control: PWM. */
#ifndef DRIVER_LEDC_H
#define DRIVER_LEDC_H

#include "driver/gpio.h"

typedef enum { LEDC_LOW_SPEED_MODE, LEDC_SPEED_MODE_MAX } ledc_mode_t;
typedef enum { LEDC_INTR_DISABLE = 0, LEDC_INTR_FADE_END, LEDC_INTR_MAX } ledc_intr_type_t;
typedef enum { LEDC_DUTY_DIR_DECREASE = 0, LEDC_DUTY_DIR_INCREASE = 1, LEDC_DUTY_DIR_MAX } ledc_duty_direction_t;
typedef enum { LEDC_TIMER_0 = 0, LEDC_TIMER_1, LEDC_TIMER_2, LEDC_TIMER_3, LEDC_TIMER_MAX } ledc_timer_t;
typedef enum {
    LEDC_CHANNEL_0 = 0,
    LEDC_CHANNEL_1,
    LEDC_CHANNEL_2,
    LEDC_CHANNEL_3,
    LEDC_CHANNEL_4,
    LEDC_CHANNEL_5,
    LEDC_CHANNEL_6,
    LEDC_CHANNEL_7,
    LEDC_CHANNEL_MAX
} ledc_channel_t;
typedef enum {
    LEDC_TIMER_1_BIT = 1,
    LEDC_TIMER_2_BIT,
    LEDC_TIMER_3_BIT,
    LEDC_TIMER_4_BIT,
    LEDC_TIMER_5_BIT,
    LEDC_TIMER_6_BIT,
    LEDC_TIMER_7_BIT,
    LEDC_TIMER_8_BIT,
    LEDC_TIMER_9_BIT,
    LEDC_TIMER_10_BIT,
    LEDC_TIMER_11_BIT,
    LEDC_TIMER_12_BIT,
    LEDC_TIMER_13_BIT,
    LEDC_TIMER_14_BIT,
    LEDC_TIMER_BIT_MAX
} ledc_timer_bit_t;
typedef enum { LEDC_AUTO_CLK = 0, LEDC_USE_APB_CLK, LEDC_USE_RC_FAST_CLK, LEDC_USE_XTAL_CLK } ledc_clk_cfg_t;
typedef enum { LEDC_FADE_NO_WAIT = 0, LEDC_FADE_WAIT_DONE, LEDC_FADE_MAX } ledc_fade_mode_t;
typedef enum { LEDC_FADE_END_EVT } ledc_cb_event_t;
typedef enum {
    LEDC_SLEEP_MODE_NO_ALIVE_NO_PD = 0,
    LEDC_SLEEP_MODE_NO_ALIVE_ALLOW_PD,
    LEDC_SLEEP_MODE_KEEP_ALIVE,
    LEDC_SLEEP_MODE_INVALID
} ledc_sleep_mode_t;

typedef struct {
    int gpio_num;
    ledc_mode_t speed_mode;
    ledc_channel_t channel;
    ledc_intr_type_t intr_type;
    ledc_timer_t timer_sel;
    uint32_t duty;
    int hpoint;
    ledc_sleep_mode_t sleep_mode;
    struct {
        unsigned int output_invert : 1;
    } flags;
} ledc_channel_config_t;
typedef struct {
    ledc_mode_t speed_mode;
    ledc_timer_bit_t duty_resolution;
    ledc_timer_t timer_num;
    uint32_t freq_hz;
    ledc_clk_cfg_t clk_cfg;
    bool deconfigure;
} ledc_timer_config_t;
typedef struct {
    ledc_cb_event_t event;
    uint32_t speed_mode, channel, duty;
} ledc_cb_param_t;
typedef bool (*ledc_cb_t)(const ledc_cb_param_t *param, void *user_arg);
typedef struct {
    ledc_cb_t fade_cb;
} ledc_cbs_t;

#define LEDC_ERR_DUTY 0xFFFFFFFFU
#define LEDC_ERR_VAL (-1)

esp_err_t ledc_timer_config(const ledc_timer_config_t *timer_conf);
esp_err_t ledc_channel_config(const ledc_channel_config_t *ledc_conf);
esp_err_t ledc_set_duty(ledc_mode_t speed_mode, ledc_channel_t channel, uint32_t duty);
esp_err_t ledc_set_duty_with_hpoint(ledc_mode_t speed_mode, ledc_channel_t channel, uint32_t duty, uint32_t hpoint);
esp_err_t ledc_update_duty(ledc_mode_t speed_mode, ledc_channel_t channel);
esp_err_t ledc_set_duty_and_update(ledc_mode_t speed_mode, ledc_channel_t channel, uint32_t duty, uint32_t hpoint);
uint32_t ledc_get_duty(ledc_mode_t speed_mode, ledc_channel_t channel);
int ledc_get_hpoint(ledc_mode_t speed_mode, ledc_channel_t channel);
esp_err_t ledc_set_freq(ledc_mode_t speed_mode, ledc_timer_t timer_num, uint32_t freq_hz);
uint32_t ledc_get_freq(ledc_mode_t speed_mode, ledc_timer_t timer_num);
esp_err_t ledc_stop(ledc_mode_t speed_mode, ledc_channel_t channel, uint32_t idle_level);
esp_err_t ledc_timer_pause(ledc_mode_t speed_mode, ledc_timer_t timer_sel);
esp_err_t ledc_timer_resume(ledc_mode_t speed_mode, ledc_timer_t timer_sel);
esp_err_t ledc_timer_rst(ledc_mode_t speed_mode, ledc_timer_t timer_sel);
esp_err_t ledc_bind_channel_timer(ledc_mode_t speed_mode, ledc_channel_t channel, ledc_timer_t timer_sel);
uint32_t ledc_find_suitable_duty_resolution(uint32_t src_clk_freq, uint32_t timer_freq);
esp_err_t ledc_fade_func_install(int intr_alloc_flags);
void ledc_fade_func_uninstall(void);
esp_err_t ledc_set_fade_with_time(ledc_mode_t speed_mode, ledc_channel_t channel, uint32_t target_duty,
                                  int max_fade_time_ms);
esp_err_t ledc_set_fade_with_step(ledc_mode_t speed_mode, ledc_channel_t channel, uint32_t target_duty, uint32_t scale,
                                  uint32_t cycle_num);
esp_err_t ledc_fade_start(ledc_mode_t speed_mode, ledc_channel_t channel, ledc_fade_mode_t fade_mode);
esp_err_t ledc_fade_stop(ledc_mode_t speed_mode, ledc_channel_t channel);
esp_err_t ledc_set_fade_time_and_start(ledc_mode_t speed_mode, ledc_channel_t channel, uint32_t target_duty,
                                       uint32_t max_fade_time_ms, ledc_fade_mode_t fade_mode);
esp_err_t ledc_cb_register(ledc_mode_t speed_mode, ledc_channel_t channel, ledc_cbs_t *cbs, void *user_arg);

#endif
