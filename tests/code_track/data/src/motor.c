#include "ring.h"
#include "sdk_gpio.h"

#define MOTOR_MAX_DUTY 1000
#define MOTOR_RAMP 25

enum motor_state { MOTOR_IDLE, MOTOR_RAMPING, MOTOR_RUNNING, MOTOR_FAULT };

struct motor {
    enum motor_state state;
    int duty;
    int wanted;
    int current_ma;
    unsigned ticks;
    struct ring *log;
};

static const int limit_ma = 1800;
static unsigned faults;

static int clamp(int value, int low, int high)
{
    if (value < low) {
        return low;
    }
    return value > high ? high : value;
}

static void motor_log(struct motor *motor, uint8_t event)
{
    if (motor->log != NULL) {
        ring_put(motor->log, event);
        ring_put(motor->log, (uint8_t)motor->state);
    }
}

/**
 * @brief Advance the motor by one tick: ramp towards the wanted duty, watch the current, and latch faults.
 * @param motor the motor, its current already measured
 */
void motor_tick(struct motor *motor)
{
    motor->ticks++;
    if (motor->current_ma > limit_ma && motor->state != MOTOR_FAULT) {
        motor->state = MOTOR_FAULT;
        motor->duty = 0;
        faults++;
        sdk_pwm_write(0, 0);
        motor_log(motor, 0xE0);
        return;
    }
    switch (motor->state) {
    case MOTOR_IDLE:
        if (motor->wanted != 0) {
            motor->state = MOTOR_RAMPING;
            motor_log(motor, 0x01);
        }
        break;
    case MOTOR_RAMPING:
        if (motor->duty < motor->wanted) {
            motor->duty = clamp(motor->duty + MOTOR_RAMP, 0, motor->wanted);
        } else if (motor->duty > motor->wanted) {
            motor->duty = clamp(motor->duty - MOTOR_RAMP, motor->wanted, MOTOR_MAX_DUTY);
        } else {
            motor->state = motor->duty == 0 ? MOTOR_IDLE : MOTOR_RUNNING;
            motor_log(motor, 0x02);
        }
        sdk_pwm_write(0, motor->duty);
        break;
    case MOTOR_RUNNING:
        if (motor->duty != motor->wanted) {
            motor->state = MOTOR_RAMPING;
        }
        break;
    case MOTOR_FAULT:
        if (motor->wanted == 0 && motor->current_ma < limit_ma / 2) {
            motor->state = MOTOR_IDLE;
            motor_log(motor, 0x03);
        }
        break;
    }
#if defined(MOTOR_DEBUG)
    sdk_trace("motor", motor->ticks, motor->duty);
#endif
}

int motor_set(struct motor *motor, int duty)
{
    if (duty < 0 || duty > MOTOR_MAX_DUTY) {
        return -1;
    }
    if (motor->state == MOTOR_FAULT && duty != 0) {
        return -2;
    }
    motor->wanted = duty;
    motor_log(motor, 0x10);
    return 0;
}
