/* A board to try the firmware out on: it plays lines into the UART and prints everything that passes, by virtual ms.
 *
 * Standard input: the ms at which to end, then lines "MS LINE" in order of time. A line arrives with the first poll
 * that ends at or after its time, as on the real board. */
#include "firmware.h"
#include "port.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t now, end;
static char next[256], spoken[256];
static unsigned long next_ms;
static bool waiting;
static int used;

static void fetch(void)
{
    char text[256], *line;
    waiting = fgets(text, sizeof text, stdin) != NULL;
    if (!waiting)
        return;
    text[strcspn(text, "\n")] = '\0';
    next_ms = strtoul(text, &line, 10);
    snprintf(next, sizeof next, "%s", *line ? line + 1 : line);
}

int port_read(char *buffer, int size, int timeout_ms)
{
    int count = 0;
    now += (uint32_t)timeout_ms;
    if (now > end)
        exit(0);
    while (waiting && next_ms <= now) {
        int length = (int)strlen(next);
        if (count + length + 1 > size)
            break;
        memcpy(buffer + count, next, (size_t)length);
        buffer[count + length] = '\n';
        count += length + 1;
        printf("%6u ms  sent  %s\n", (unsigned)now, next);
        fetch();
    }
    return count;
}

void port_write(const char *data, int size)
{
    for (int i = 0; i < size; i++) {
        if (data[i] == '\n') {
            spoken[used] = '\0';
            used = 0;
            printf("%6u ms  said  %s\n", (unsigned)now, spoken);
        } else if (used < (int)sizeof spoken - 1)
            spoken[used++] = data[i];
    }
}

uint32_t port_now_ms(void)
{
    return now;
}

int main(void)
{
    char text[32];
    if (!fgets(text, sizeof text, stdin))
        return 1;
    end = (uint32_t)strtoul(text, NULL, 10);
    fetch();
    firmware_run();
    return 0;
}
