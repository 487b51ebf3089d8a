/* Frames over the two descriptors that the supervisor was started with: 0 to read, 1 to write. */
#define _GNU_SOURCE
#include "supervisor.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static int in = -1, out = -1;

_Noreturn void fatal(const char *what)
{
    dprintf(2, "supervisor: %s: %s\n", what, strerror(errno));
    _exit(125);
}

/* Move a descriptor out of the way of 0..3, which commands get; it closes on exec. */
int high(int fd)
{
    int moved = fcntl(fd, F_DUPFD_CLOEXEC, 10);
    if (moved < 0)
        fatal("descriptor");
    close(fd);
    return moved;
}

/* Descriptor 2 stays: the set-up still has things to say. */
void wire_open(void)
{
    syscall(SYS_close_range, 3u, ~0u, 0u);
    in = high(0);
    out = high(1);
    if (open("/dev/null", O_RDWR) != 0 || dup(0) != 1)
        fatal("/dev/null");
}

int wire_in(void)
{
    return in;
}

void wire_read(void *into, size_t length)
{
    for (char *at = into; length;) {
        ssize_t got = read(in, at, length);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            the_end();
        at += got;
        length -= (size_t)got;
    }
}

void wire_skip(size_t length)
{
    char buffer[4096];
    while (length) {
        size_t part = length < sizeof buffer ? length : sizeof buffer;
        wire_read(buffer, part);
        length -= part;
    }
}

void wire_header(uint8_t *type, uint32_t *length)
{
    wire_read(type, 1);
    wire_read(length, 4);
}

void wire_write(const void *data, size_t length)
{
    for (const char *at = data; length;) {
        ssize_t put = write(out, at, length);
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0)
            the_end();
        at += put;
        length -= (size_t)put;
    }
}

void wire_begin(uint8_t type, size_t length)
{
    uint8_t header[5] = {type};
    uint32_t size = (uint32_t)length;
    memcpy(header + 1, &size, 4);
    wire_write(header, sizeof header);
}

void wire_send(uint8_t type, const void *payload, size_t length)
{
    wire_begin(type, length);
    wire_write(payload, length);
}
