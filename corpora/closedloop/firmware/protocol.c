#include "protocol.h"

#include <stdio.h>
#include <string.h>

#define NUMBER_LIMIT 100000

static const struct { const char *name; bool door; } sensors[] = { SENSOR_TABLE };
static const struct { const char *name, *on, *off; } actuators[] = { ACTUATOR_TABLE };

static bool number(const char *text, int *value)
{
    int sign = 1, total = 0;
    if (*text == '-') {
        sign = -1;
        text++;
    }
    if (!*text)
        return false;
    for (; *text; text++) {
        if (*text < '0' || *text > '9')
            return false;
        total = total * 10 + (*text - '0');
        if (total > NUMBER_LIMIT)
            return false;
    }
    *value = sign * total;
    return true;
}

static bool door(const char *text, int *value)
{
    *value = !strcmp(text, "OPEN");
    return *value || !strcmp(text, "CLOSED");
}

controller_input_t protocol_parse(const char *line)
{
    controller_input_t input = { EVENT_MALFORMED, 0, 0, 0 };
    if (!strcmp(line, "FAULT SENSOR_TIMEOUT")) {
        input.kind = EVENT_FAULT;
        return input;
    }
    if (strncmp(line, "SENSE ", 6))
        return input;
    for (int i = 0; i < SENSOR_COUNT; i++) {
        size_t length = strlen(sensors[i].name);
        const char *word = line + 6 + length;
        if (strncmp(line + 6, sensors[i].name, length) || *word++ != ' ')
            continue;
        int value;
        if (sensors[i].door ? door(word, &value) : number(word, &value))
            input = (controller_input_t){ EVENT_READING, i, value, 0 };
        return input;
    }
    return input;
}

int protocol_act(char *out, int size, int actuator, bool on)
{
    return snprintf(out, (size_t)size, "ACT %s %s\n", actuators[actuator].name,
                    on ? actuators[actuator].on : actuators[actuator].off);
}
