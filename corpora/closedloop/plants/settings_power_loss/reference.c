#include "controller.h"

#define STALE_MS 1000
#define ERASED 0
#define NEWEST 3

static bool fresh[SENSOR_COUNT], writing;
static int value[SENSOR_COUNT], target;
static uint32_t seen_ms[SENSOR_COUNT];

static void forget(void)
{
    for (int i = 0; i < SENSOR_COUNT; i++)
        fresh[i] = false;
}

void controller_init(void)
{
    forget();
    writing = false;
    target = -1;
}

static bool valid(uint32_t now_ms)
{
    bool all = true;
    for (int i = 0; i < SENSOR_COUNT; i++) {
        if (now_ms - seen_ms[i] > STALE_MS)
            fresh[i] = false;
        all = all && fresh[i];
    }
    return all;
}

/* The slot that may be changed, or -1. */
static int choose(void)
{
    bool a = value[SENSOR_SLOT_A] == NEWEST, b = value[SENSOR_SLOT_B] == NEWEST;
    if (a == b || value[SENSOR_REQUEST] <= 0)
        return -1;
    return a ? SENSOR_SLOT_B : SENSOR_SLOT_A;
}

controller_output_t controller_step(const controller_input_t *input)
{
    controller_output_t output = { .state = "IDLE" };
    if (input->kind == EVENT_MALFORMED)
        forget();
    if (input->kind == EVENT_FAULT)
        forget();
    if (input->kind == EVENT_READING) {
        fresh[input->sensor] = true;
        seen_ms[input->sensor] = input->now_ms;
        value[input->sensor] = input->value;
    }
    int chosen = valid(input->now_ms) ? choose() : -1;
    if (chosen != target)
        writing = false;
    target = chosen;
    if (target < 0)
        return output;
    if (value[target] == ERASED)
        writing = true;
    output.on[ACTUATOR_ERASE] = !writing;
    output.on[ACTUATOR_WRITE] = writing;
    output.on[ACTUATOR_SLOT] = target == SENSOR_SLOT_B;
    output.state = writing ? "WRITING" : "ERASING";
    return output;
}
