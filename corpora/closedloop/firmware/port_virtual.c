/* The virtual board: time passes only while the application waits in port_read, by as much as the harness says.
 * harness/lockstep.c describes the messages. */
#include "firmware.h"
#include "port.h"

#include <stdlib.h>
#include <unistd.h>

static uint32_t now;

static void put(const void *data, size_t size)
{
    const char *at = data;
    while (size) {
        ssize_t done = write(1, at, size);
        if (done <= 0)
            _exit(0);
        at += done;
        size -= (size_t)done;
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
    char message[5] = { 'R' };
    __builtin_memcpy(message + 1, ask, 4);
    put(message, 5);
    get(&now, 4);
    get(&count, 2);
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
