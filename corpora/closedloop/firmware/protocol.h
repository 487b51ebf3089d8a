/* The UART line protocol: newline-terminated ASCII, at most 128 characters a line. */
#ifndef PROTOCOL_H
#define PROTOCOL_H

#include "controller.h"

#define PROTOCOL_LINE 128

/* What a line without its newline means; now_ms is left alone. */
controller_input_t protocol_parse(const char *line);

/* Write "ACT NAME WORD" and a newline; return its length. */
int protocol_act(char *out, int size, int actuator, bool on);

#endif
