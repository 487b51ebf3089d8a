/* The contract between the firmware and the controller. This file is fixed; controller.c is yours. */
#ifndef CONTROLLER_H
#define CONTROLLER_H

#include <stdbool.h>
#include <stdint.h>

#include "channels.h" /* SENSOR_*, SENSOR_COUNT, ACTUATOR_*, ACTUATOR_COUNT of this task */

typedef enum {
    EVENT_NONE,      /* a poll without input: time has passed */
    EVENT_READING,   /* a valid reading: sensor and value are set */
    EVENT_MALFORMED, /* a line that is not a valid frame */
    EVENT_FAULT      /* the line FAULT SENSOR_TIMEOUT */
} event_kind_t;

typedef struct {
    event_kind_t kind;
    int sensor;      /* SENSOR_*, for EVENT_READING */
    int value;       /* a number; for a door 1 is open and 0 is closed */
    uint32_t now_ms; /* time since start; wraps around */
} controller_input_t;

typedef struct {
    bool on[ACTUATOR_COUNT]; /* by ACTUATOR_*; true is on, or open */
    const char *state;       /* printed as DBG STATE when it changes; not graded */
} controller_output_t;

/* Called once at start. */
void controller_init(void);

/* Called for every input line and, with EVENT_NONE, after every poll (at least every 50 ms). */
controller_output_t controller_step(const controller_input_t *input);

#endif
