#include "controller.h"

#define CLEAR 30
#define STREAK 3
#define KEEP_LEVEL 40
#define EMPTY 10
#define SETTLE_MS 400
#define STALE_MS 1000

static enum { WAITING, FILTERING, SETTLING, DRAINING, COMPLETE } stage;
static const char *const names[] = { "WAITING", "FILTERING", "SETTLING", "DRAINING", "COMPLETE" };
static bool fresh[SENSOR_COUNT];
static int level, streak;
static uint32_t seen_ms[SENSOR_COUNT], since_ms;

static void forget(void)
{
    for (int i = 0; i < SENSOR_COUNT; i++)
        fresh[i] = false;
}

void controller_init(void)
{
    forget();
    stage = WAITING;
    streak = 0;
}

static void turbidity(int value, uint32_t now_ms)
{
    bool clear = value <= CLEAR;
    if (!clear)
        streak = 0;
    if (stage == FILTERING && clear && level >= KEEP_LEVEL && ++streak >= STREAK) {
        stage = SETTLING;
        since_ms = now_ms;
    }
    if (stage == SETTLING && !clear)
        stage = FILTERING;
    if (stage == DRAINING && !clear)
        stage = FILTERING; /* the streak is 0 already: the reading was not clear */
}

static void advance(const controller_input_t *input)
{
    if (stage == WAITING) {
        stage = FILTERING;
        streak = 0;
    }
    if (stage == FILTERING && level < KEEP_LEVEL)
        streak = 0;
    if (input->kind == EVENT_READING && input->sensor == SENSOR_TURB)
        turbidity(input->value, input->now_ms);
    if (stage == SETTLING && input->now_ms - since_ms >= SETTLE_MS)
        stage = DRAINING;
    if (stage == DRAINING && level < EMPTY)
        stage = COMPLETE;
}

controller_output_t controller_step(const controller_input_t *input)
{
    controller_output_t output = { 0 };
    if (input->kind == EVENT_MALFORMED)
        forget();
    if (input->kind == EVENT_FAULT)
        forget();
    if (input->kind == EVENT_READING) {
        fresh[input->sensor] = true;
        seen_ms[input->sensor] = input->now_ms;
        if (input->sensor == SENSOR_LEVEL)
            level = input->value;
    }
    for (int i = 0; i < SENSOR_COUNT; i++)
        if (input->now_ms - seen_ms[i] > STALE_MS)
            fresh[i] = false;
    bool valid = fresh[SENSOR_LEVEL] && fresh[SENSOR_TURB];
    if (stage != COMPLETE) {
        if (valid)
            advance(input);
        else
            stage = WAITING;
    }
    output.on[ACTUATOR_FILTER] = stage == FILTERING;
    output.on[ACTUATOR_DRAIN] = stage == DRAINING;
    output.state = names[stage];
    return output;
}
