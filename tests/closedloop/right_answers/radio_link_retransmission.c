/* A state machine with a table of deadlines, which acts on time before it acts on input. */
#include "controller.h"

typedef enum { UNKNOWN, IDLE, TRANSMIT, PAUSE, LOCKED } phase_t;

static phase_t phase;
static int ack = -1, queue_seen, wanted, attempt;
static uint32_t due;

void controller_init(void)
{
    phase = UNKNOWN;
    ack = -1;
    queue_seen = 0;
}

static bool reached(uint32_t now)
{
    return (int32_t)(now - due) >= 0;
}

static void begin(uint32_t now)
{
    phase = TRANSMIT;
    attempt++;
    due = now + 200;
}

controller_output_t controller_step(const controller_input_t *input)
{
    static const char *const name[] = { "UNKNOWN", "IDLE", "TRANSMIT", "PAUSE", "LOCKED" };
    uint32_t now = input->now_ms;
    if (phase == TRANSMIT && reached(now)) {
        phase = PAUSE;
        due += 300;
    }
    if (phase == PAUSE && reached(now)) {
        if (attempt == 4)
            phase = LOCKED;
        else
            begin(now);
    }
    switch (input->kind) {
    case EVENT_FAULT:
        if (phase != LOCKED)
            controller_init();
        break;
    case EVENT_READING:
        if (input->sensor == SENSOR_ACK) {
            ack = input->value;
            if ((phase == TRANSMIT || phase == PAUSE) && ack == wanted)
                phase = IDLE;
        } else {
            queue_seen = 1;
            if (phase == UNKNOWN && ack >= 0)
                phase = IDLE;
            if (phase == IDLE && input->value > 0) {
                wanted = 1 - ack;
                attempt = 0;
                begin(now);
            }
        }
        if (phase == UNKNOWN && queue_seen && ack >= 0)
            phase = IDLE;
        break;
    default:
        break;
    }
    controller_output_t out = { .state = name[phase] };
    bool open = phase == TRANSMIT || phase == PAUSE;
    out.on[ACTUATOR_SEND] = phase == TRANSMIT;
    out.on[ACTUATOR_SEQ] = open && wanted == 1;
    out.on[ACTUATOR_ALARM] = phase == LOCKED;
    return out;
}
