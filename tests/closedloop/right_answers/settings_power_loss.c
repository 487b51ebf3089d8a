/* Steps through erase and write with the target latched, and checks at every call that the latch still holds. */
#include "controller.h"

#include <string.h>

struct reading { bool known; int value; uint32_t at; };

static struct reading seen[SENSOR_COUNT];
static enum { REST, ERASING, WRITING } step;
static int slot;

void controller_init(void)
{
    memset(seen, 0, sizeof seen);
    step = REST;
}

static int usable(uint32_t now)
{
    for (int i = 0; i < SENSOR_COUNT; i++)
        if (!seen[i].known || now - seen[i].at > 1000)
            return 0;
    return 1;
}

static int newest(void)
{
    int count = 0, which = -1;
    for (int i = SENSOR_SLOT_A; i <= SENSOR_SLOT_B; i++)
        if (seen[i].value == 3) {
            count++;
            which = i;
        }
    return count == 1 ? which : -1;
}

controller_output_t controller_step(const controller_input_t *input)
{
    controller_output_t out;
    memset(&out, 0, sizeof out);
    if (input->kind == EVENT_READING)
        seen[input->sensor] = (struct reading){ true, input->value, input->now_ms };
    else if (input->kind != EVENT_NONE)
        memset(seen, 0, sizeof seen);

    if (!usable(input->now_ms)) {
        for (int i = 0; i < SENSOR_COUNT; i++)
            if (seen[i].known && input->now_ms - seen[i].at > 1000)
                seen[i].known = false; /* or it would seem new again once the clock has gone round */
        step = REST;
    } else if (seen[SENSOR_REQUEST].value < 1 || newest() < 0) {
        step = REST;
    } else {
        int other = newest() == SENSOR_SLOT_A ? SENSOR_SLOT_B : SENSOR_SLOT_A;
        if (step == REST || slot != other) {
            slot = other;
            step = ERASING;
        }
        if (step == ERASING && seen[slot].value == 0)
            step = WRITING;
    }
    out.state = step == REST ? "REST" : step == ERASING ? "ERASING" : "WRITING";
    if (step != REST) {
        out.on[ACTUATOR_ERASE] = step == ERASING;
        out.on[ACTUATOR_WRITE] = step == WRITING;
        out.on[ACTUATOR_SLOT] = slot == SENSOR_SLOT_B;
    }
    return out;
}
