/* Host steps: each input line "RESET" or "now_ms LINE" ("-" for no line) is one step; print the actuators after it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "firmware.h"
#include "protocol.h"

int firmware_host_steps(void)
{
    char text[256], *line;
    while (fgets(text, sizeof text, stdin)) {
        text[strcspn(text, "\n")] = '\0';
        if (!strcmp(text, "RESET")) {
            controller_init();
            continue;
        }
        controller_input_t input = { EVENT_NONE, 0, 0, 0 };
        uint32_t now = (uint32_t)strtoul(text, &line, 10);
        if (strcmp(++line, "-"))
            input = protocol_parse(line);
        input.now_ms = now;
        controller_output_t output = controller_step(&input);
        for (int i = 0; i < ACTUATOR_COUNT; i++)
            putchar(output.on[i] ? '1' : '0');
        putchar('\n');
        fflush(stdout);
    }
    return 0;
}
