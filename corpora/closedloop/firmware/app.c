/* The application: poll the UART, feed the controller, print what the actuators do. */
#include <stdio.h>
#include <string.h>

#include "firmware.h"
#include "port.h"
#include "protocol.h"

#define POLL_MS 50
#define HEARTBEAT_MS 1000

static controller_output_t shown;

static void say(const char *text)
{
    port_write(text, (int)strlen(text));
}

static void step(controller_input_t input, bool always)
{
    char line[PROTOCOL_LINE];
    input.now_ms = port_now_ms();
    controller_output_t output = controller_step(&input);
    if (always || memcmp(output.on, shown.on, sizeof output.on))
        for (int i = 0; i < ACTUATOR_COUNT; i++)
            port_write(line, protocol_act(line, sizeof line, i, output.on[i]));
    if (output.state && (!shown.state || strcmp(output.state, shown.state))) {
        snprintf(line, sizeof line, "DBG STATE %s\n", output.state);
        say(line);
    }
    shown = output;
}

void firmware_run(void)
{
    char bytes[256], line[PROTOCOL_LINE + 1];
    int used = 0;
    uint32_t beat = 0;
    controller_init();
    say("DBG BOOTED\n");
    for (;;) {
        int count = port_read(bytes, sizeof bytes, POLL_MS);
        for (int i = 0; i < count; i++) {
            if (bytes[i] != '\n') {
                /* A line that is too long stays too long: its tail is no line of its own. */
                if (used < PROTOCOL_LINE)
                    line[used++] = bytes[i];
                continue;
            }
            line[used < PROTOCOL_LINE ? used : 0] = '\0';
            used = 0;
            step(protocol_parse(line), true);
        }
        step((controller_input_t){ EVENT_NONE, 0, 0, 0 }, false);
        if (port_now_ms() - beat >= HEARTBEAT_MS) {
            beat = port_now_ms();
            say("DBG HEARTBEAT\n");
        }
    }
}
