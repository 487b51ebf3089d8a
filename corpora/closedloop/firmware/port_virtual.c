/* The virtual board: time passes only while the application waits in port_read, by as much as the harness says.
 * harness/lockstep.c describes the messages. */
#include "firmware.h"
#include "port.h"

#include <stdlib.h>
#include <unistd.h>

static uint32_t now;

/* What was said since the last wait: the harness cannot tell when within it, so one call tells all. */
static char said[4096];
static size_t saying;

static void flush(void)
{
    for (size_t at = 0; at < saying;) {
        ssize_t done = write(1, said + at, saying - at);
        if (done <= 0)
            _exit(0);
        at += (size_t)done;
    }
    saying = 0;
}

static void put(const void *data, size_t size)
{
    for (const char *at = data; size;) {
        size_t room = sizeof said - saying, part = size < room ? size : room;
        __builtin_memcpy(said + saying, at, part);
        saying += part;
        at += part;
        size -= part;
        if (saying == sizeof said)
            flush();
    }
}

static void get(void *data, size_t size)
{
    char *at = data;
    while (size) {
        ssize_t done = read(0, at, size);
        if (done <= 0)
            _exit(0);
        at += done;
        size -= (size_t)done;
    }
}

int port_read(char *buffer, int size, int timeout_ms)
{
    uint16_t ask[2] = { (uint16_t)size, (uint16_t)timeout_ms }, count;
    struct __attribute__((packed)) { uint32_t now; uint16_t size; } answer;
    char message[5] = { 'R' };
    __builtin_memcpy(message + 1, ask, 4);
    put(message, 5);
    flush();
    get(&answer, sizeof answer);
    now = answer.now;
    count = answer.size;
    get(buffer, count);
    return count;
}

void port_write(const char *data, int size)
{
    uint16_t count = (uint16_t)size;
    char message[3] = { 'W' };
    __builtin_memcpy(message + 1, &count, 2);
    put(message, 3);
    put(data, count);
}

uint32_t port_now_ms(void)
{
    return now;
}

/* With any argument: the host steps. */
int main(int argc, char **argv)
{
    (void)argv;
    if (argc > 1)
        return firmware_host_steps();
    firmware_run();
    return 0;
}
