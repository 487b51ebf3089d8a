#include "controller.h"

#define LOW 47
#define HIGH 52
#define EARLY 50
#define STALE_MS 1000

static bool heater, fresh;
static int last;
static uint32_t seen_ms;

void controller_init(void)
{
    heater = false;
    fresh = false;
}

static void reading(int value)
{
    bool rising = fresh && value > last;
    if (value < LOW)
        heater = true;
    else if (value > HIGH)
        heater = false;
    else if (value >= EARLY && rising)
        heater = false;
    last = value;
}

controller_output_t controller_step(const controller_input_t *input)
{
    controller_output_t output = { .state = "HOLDING" };
    if (fresh && input->now_ms - seen_ms > STALE_MS)
        fresh = false;
    if (input->kind == EVENT_MALFORMED)
        fresh = false;
    if (input->kind == EVENT_FAULT)
        fresh = false;
    if (!fresh)
        heater = false;
    if (input->kind == EVENT_READING) {
        reading(input->value);
        fresh = true;
        seen_ms = input->now_ms;
    }
    output.on[ACTUATOR_HEATER] = heater;
    if (!fresh)
        output.state = "SAFE";
    else if (heater)
        output.state = "HEATING";
    return output;
}
