/* The harness in lock step: virtual time passes only as the firmware asks for it over two pipes.
 *
 *   ./harness CPU_S PROGRAM...
 *
 * From the firmware: 'W' size16 bytes (what it writes to the UART), 'T' ms16 (it computed for so long), 'R' size16
 * timeout16 (it waits). To it, in answer to 'R': now32 size16 bytes. */
#include "plant.h"

#include <dirent.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define WRITE_LIMIT 262144
#define READ_LIMIT 20000

#define LOOK_MS 250
#define LOOKS 4 /* asleep at so many looks in a row, although it is the firmware's turn */

static char bytes[65536], heard[65536]; /* what is sent or taken in, and what was read beyond that */
static size_t next, held;
static int overslept;

/* Whether no thread of the firmware wants to run. One that only waits for a busy machine's CPU does. */
static int asleep(void)
{
    char path[300], text[512];
    snprintf(path, sizeof path, "/proc/%d/task", firmware_pid);
    DIR *threads = opendir(path);
    int running = !threads;
    for (struct dirent *one; threads && !running && (one = readdir(threads));) {
        if (one->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "/proc/%d/task/%s/stat", firmware_pid, one->d_name);
        FILE *file = fopen(path, "re");
        const char *state = file && fgets(text, sizeof text, file) ? strrchr(text, ')') : NULL;
        running = !state || (state[2] != 'S' && state[2] != 'T');
        if (file)
            fclose(file);
    }
    if (threads)
        closedir(threads);
    return !running;
}

/* Wait until the firmware says or ends something; false where it sleeps on something else than our answer. */
static int awaited(void)
{
    struct pollfd on = { from, POLLIN, 0 };
    for (int looks = 0; poll(&on, 1, LOOK_MS) == 0;) {
        looks = asleep() ? looks + 1 : 0;
        if (looks == LOOKS)
            return 0;
    }
    return 1;
}

static int get(void *data, size_t size)
{
    char *into = data;
    while (size) {
        if (next == held) {
            overslept = !awaited();
            ssize_t count = overslept ? 0 : read(from, heard, sizeof heard);
            if (count <= 0)
                return 0;
            next = 0;
            held = (size_t)count;
        }
        size_t part = held - next < size ? held - next : size;
        memcpy(into, heard + next, part);
        next += part;
        into += part;
        size -= part;
    }
    return 1;
}

static void put(const char *at, size_t size)
{
    while (size) {
        ssize_t count = write(to, at, size);
        if (count <= 0)
            return;
        at += count;
        size -= (size_t)count;
    }
}

/* Let time pass; returns 0 where that was the end of the run or of this start of the firmware. */
static int pass(int ms)
{
    int deadline = now + ms;
    while (!done && plant_next_tick_ms() <= deadline)
        if (plant_tick()) {
            next = held = 0;
            return 0;
        }
    if (done)
        return 0;
    now = deadline;
    return 1;
}

static void answer(int size)
{
    const int head = 6;
    int used = 0;
    for (const char *line; (line = plant_due());) {
        int length = (int)strlen(line);
        if (used + length + 1 > size || head + used + length + 1 > (int)sizeof bytes)
            break;
        memcpy(bytes + head + used, line, (size_t)length);
        bytes[head + used + length] = '\n';
        used += length + 1;
        plant_take();
    }
    memcpy(bytes, &(uint32_t){ (uint32_t)now }, 4);
    memcpy(bytes + 4, &(uint16_t){ (uint16_t)used }, 2);
    put(bytes, (size_t)(head + used));
}

const char *play(void)
{
    int first = 1, written = 0, reads = 0;
    overslept = 0;
    next = held = 0;
    while (!done) {
        char kind;
        uint16_t size, timeout;
        if (!get(&kind, 1) || !get(&size, 2))
            return overslept ? "firmware went to sleep" : "firmware stopped";
        if (kind == 'W') {
            if (!get(bytes, size) || (written += size) > WRITE_LIMIT)
                return "firmware wrote too much";
            plant_hear(bytes, size);
        } else if (kind == 'T' && ++reads < READ_LIMIT) {
            pass(size);
        } else if (kind == 'R' && get(&timeout, 2) && ++reads < READ_LIMIT) {
            if (pass(first ? phase : timeout))
                answer(size);
            first = 0;
        } else {
            return "firmware broke the port";
        }
    }
    return "steps";
}

int main(int argc, char **argv)
{
    return argc < 3 ? 2 : plant_main(atoi(argv[1]), argv + 2);
}
