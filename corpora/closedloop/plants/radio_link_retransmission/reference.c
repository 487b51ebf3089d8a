#include "controller.h"

#define SENDING_MS 200
#define RETRY_MS 500
#define TRIES 4

static bool known[SENSOR_COUNT], exchange, sending, bit, alarm;
static int acknowledged, tries;
static uint32_t began_ms;

static void forget(void)
{
    known[SENSOR_QUEUE] = known[SENSOR_ACK] = false;
    exchange = sending = false;
}

void controller_init(void)
{
    forget();
    alarm = false;
}

static void transmit(uint32_t now_ms)
{
    sending = true;
    began_ms = now_ms;
    tries++;
}

static void reading(const controller_input_t *input)
{
    known[input->sensor] = true;
    if (input->sensor == SENSOR_ACK) {
        acknowledged = input->value;
        if (exchange && acknowledged == bit)
            exchange = sending = false;
    } else if (!exchange && known[SENSOR_ACK] && input->value > 0) {
        exchange = true;
        bit = !acknowledged;
        tries = 0;
        transmit(input->now_ms);
    }
}

static void tick(uint32_t now_ms)
{
    uint32_t age_ms = now_ms - began_ms;
    if (exchange && age_ms >= RETRY_MS) {
        if (tries < TRIES) {
            transmit(now_ms);
        } else {
            exchange = sending = false;
            alarm = true;
        }
    } else if (age_ms >= SENDING_MS)
        sending = false;
}

controller_output_t controller_step(const controller_input_t *input)
{
    controller_output_t output = { 0 };
    if (!alarm) {
        if (input->kind == EVENT_FAULT)
            forget();
        if (input->kind == EVENT_READING)
            reading(input);
        tick(input->now_ms);
    }
    output.on[ACTUATOR_SEND] = sending;
    output.on[ACTUATOR_SEQ] = exchange && bit;
    output.on[ACTUATOR_ALARM] = alarm;
    output.state = alarm ? "ALARM" : exchange ? "EXCHANGE" : "IDLE";
    return output;
}
