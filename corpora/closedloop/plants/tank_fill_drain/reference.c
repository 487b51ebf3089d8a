#include "controller.h"

#define LOW 30
#define HIGH 80
#define STALE_MS 1000

static bool pump, fresh;
static uint32_t seen_ms;

void controller_init(void)
{
    pump = false;
    fresh = false;
}

controller_output_t controller_step(const controller_input_t *input)
{
    controller_output_t output = { .state = "IDLE" };
    if (input->kind == EVENT_MALFORMED)
        fresh = false;
    if (input->kind == EVENT_FAULT)
        fresh = false;
    if (input->kind == EVENT_READING) {
        fresh = true;
        seen_ms = input->now_ms;
        if (input->value < LOW)
            pump = true;
        if (input->value > HIGH)
            pump = false;
    }
    if (fresh && input->now_ms - seen_ms > STALE_MS)
        fresh = false;
    if (!fresh)
        pump = false;
    output.on[ACTUATOR_PUMP] = pump;
    if (!fresh)
        output.state = "SAFE";
    else if (pump)
        output.state = "FILLING";
    return output;
}
