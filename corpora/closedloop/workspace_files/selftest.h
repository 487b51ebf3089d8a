/* Tests of a controller on this machine. Every file tests/NAME.c is a program of its own; exit status 0 means that it
 * passed. */
#ifndef SELFTEST_H
#define SELFTEST_H

#include "protocol.h"

#include <stdio.h>

static int selftest_failures;

/* One step of the controller: the line as the UART would bring it, or "" for a poll without one. */
static inline controller_output_t at(uint32_t now_ms, const char *line)
{
    controller_input_t input = { EVENT_NONE, 0, 0, 0 };
    if (*line)
        input = protocol_parse(line);
    input.now_ms = now_ms;
    return controller_step(&input);
}

#define CHECK(condition)                                                        \
    do {                                                                        \
        if (!(condition)) {                                                     \
            printf("%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);      \
            selftest_failures++;                                                \
        }                                                                       \
    } while (0)

/* Run one test on a controller that has just started. */
#define RUN(test)                                                               \
    do {                                                                        \
        int before = selftest_failures;                                         \
        controller_init();                                                      \
        test();                                                                 \
        printf("%s %s\n", selftest_failures == before ? "passed" : "FAILED", #test); \
    } while (0)

#define RESULT (selftest_failures ? 1 : 0)

#endif
