#include "controller.h"

#define LOW 40
#define HIGH 60
#define STALE_MS 1000

static bool fresh[SENSOR_COUNT], pressurizing;
static int value[SENSOR_COUNT];
static uint32_t seen_ms[SENSOR_COUNT];

static void forget(void)
{
    for (int i = 0; i < SENSOR_COUNT; i++)
        fresh[i] = false;
}

void controller_init(void)
{
    forget();
    pressurizing = false;
}

controller_output_t controller_step(const controller_input_t *input)
{
    controller_output_t output = { .state = "SAFE" };
    if (input->kind == EVENT_MALFORMED)
        forget();
    if (input->kind == EVENT_FAULT)
        forget();
    if (input->kind == EVENT_READING) {
        fresh[input->sensor] = true;
        value[input->sensor] = input->value;
        seen_ms[input->sensor] = input->now_ms;
    }
    for (int i = 0; i < SENSOR_COUNT; i++)
        if (input->now_ms - seen_ms[i] > STALE_MS)
            fresh[i] = false;
    bool valid = fresh[SENSOR_PRESS] && fresh[SENSOR_DOOR];
    if (!valid || value[SENSOR_DOOR])
        pressurizing = false;
    else if (value[SENSOR_PRESS] < LOW)
        pressurizing = true;
    else if (value[SENSOR_PRESS] > HIGH)
        pressurizing = false;
    output.on[ACTUATOR_COMPRESSOR] = pressurizing;
    output.on[ACTUATOR_VENT] = !pressurizing;
    if (valid)
        output.state = pressurizing ? "PRESSURIZING" : "VENTING";
    return output;
}
