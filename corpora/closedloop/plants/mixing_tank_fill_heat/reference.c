#include "controller.h"

#define FILL 60
#define FULL 75
#define GUARD 55
#define COLD 45
#define EARLY 46
#define HOT 48
#define STALE_MS 1000

static bool fresh[SENSOR_COUNT], inlet, heater;
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
    inlet = false;
    heater = false;
}

static void decide(bool rising)
{
    int level = value[SENSOR_LEVEL], temperature = value[SENSOR_TEMP];
    if (level < FILL)
        inlet = true;
    else if (level > FULL)
        inlet = false;
    if (level < GUARD)
        heater = false;
    else if (temperature < COLD)
        heater = true;
    else if (temperature > HOT)
        heater = false;
    else if (temperature >= EARLY && rising)
        heater = false;
}

controller_output_t controller_step(const controller_input_t *input)
{
    controller_output_t output = { .state = "SAFE" };
    bool rising = false;
    for (int i = 0; i < SENSOR_COUNT; i++)
        if (input->now_ms - seen_ms[i] > STALE_MS)
            fresh[i] = false;
    if (input->kind == EVENT_MALFORMED)
        forget();
    if (input->kind == EVENT_FAULT)
        forget();
    if (input->kind == EVENT_READING) {
        rising = input->sensor == SENSOR_TEMP && fresh[SENSOR_TEMP] && input->value > value[SENSOR_TEMP];
        fresh[input->sensor] = true;
        value[input->sensor] = input->value;
        seen_ms[input->sensor] = input->now_ms;
    }
    if (fresh[SENSOR_LEVEL] && fresh[SENSOR_TEMP]) {
        decide(rising);
        output.state = heater ? "HEATING" : inlet ? "FILLING" : "HOLDING";
    } else {
        inlet = false;
        heater = false;
    }
    output.on[ACTUATOR_INLET] = inlet;
    output.on[ACTUATOR_HEATER] = heater;
    return output;
}
