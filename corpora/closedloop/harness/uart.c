/* The harness in real time: the UART is a TCP connection that the firmware's emulator makes to a port of ours.
 *
 *   ./harness CPU_S PROGRAM...      the word PORT among the arguments becomes the port
 *
 * Time counts from the line DBG BOOTED, so what a boot loader prints is no part of the run. */
#include "plant.h"

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define BOOT_MS 20000
#define BURST_MS 10 /* lines that follow one another on the wire this closely were said at one moment */
#define WRITE_LIMIT 262144
#define BOOTED "DBG BOOTED\n"

static int listener, uart = -1, written;
static long zero_ms;  /* the clock when `now` was 0 */
static long heard_ms; /* when the last bytes came, and as which time they count */
static int heard_at;

static long clock_ms(void)
{
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    return at.tv_sec * 1000 + at.tv_nsec / 1000000;
}

static int ready(int fd, long until)
{
    long left = until - clock_ms();
    struct pollfd on = { fd, POLLIN, 0 };
    return poll(&on, 1, left > 0 ? (int)left : 0) > 0;
}

/* Take the connection of the firmware that was just started and wait for its first line; `now` stays what it is. */
static int boot(void)
{
    char seen[sizeof BOOTED] = "", byte;
    size_t length = strlen(BOOTED);
    long until = clock_ms() + BOOT_MS;
    if (uart >= 0)
        close(uart);
    uart = ready(listener, until) ? accept(listener, NULL, NULL) : -1;
    if (uart < 0 || setsockopt(uart, IPPROTO_TCP, TCP_NODELAY, &(int){ 1 }, sizeof(int)))
        return 0;
    while (strcmp(seen, BOOTED)) {
        if (!ready(uart, until) || read(uart, &byte, 1) != 1)
            return 0;
        if (strlen(seen) == length)
            memmove(seen, seen + 1, length);
        seen[strlen(seen) + 1] = '\0';
        seen[strlen(seen)] = byte;
    }
    zero_ms = clock_ms() - now;
    heard_ms = clock_ms();
    heard_at = now;
    plant_hear(BOOTED, (int)length);
    return 1;
}

static int hear(void)
{
    char bytes[4096];
    ssize_t got = read(uart, bytes, sizeof bytes);
    if (got <= 0)
        return 0;
    written += (int)got;
    if (clock_ms() - heard_ms > BURST_MS)
        heard_at = (int)(clock_ms() - zero_ms);
    heard_ms = clock_ms();
    now = heard_at;
    plant_hear(bytes, (int)got);
    return 1;
}

static void tell(void)
{
    char text[256];
    while (plant_due()) {
        int length = snprintf(text, sizeof text, "%s\n", plant_take());
        if (write(uart, text, (size_t)length) != length)
            return;
    }
}

const char *play(void)
{
    written = 0;
    if (!boot())
        return "firmware did not boot";
    while (!done) {
        if (ready(uart, clock_ms() + 1) && !hear())
            return "firmware stopped";
        if (written > WRITE_LIMIT)
            return "firmware wrote too much";
        int reached = (int)(clock_ms() - zero_ms);
        while (!done && plant_next_tick_ms() <= reached) {
            now = plant_next_tick_ms();
            if (plant_tick()) {
                if (!boot())
                    return "firmware did not boot";
                reached = now;
            }
        }
        now = done ? now : reached;
        tell();
    }
    return "steps";
}

int main(int argc, char **argv)
{
    static char port[8];
    struct sockaddr_in at = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    socklen_t size = sizeof at;
    listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (argc < 3 || bind(listener, (struct sockaddr *)&at, size) || listen(listener, 1) ||
        getsockname(listener, (struct sockaddr *)&at, &size))
        return 2;
    snprintf(port, sizeof port, "%d", ntohs(at.sin_port));
    for (int i = 2; i < argc; i++)
        if (!strcmp(argv[i], "PORT"))
            argv[i] = port;
    return plant_main(atoi(argv[1]), argv + 2);
}
