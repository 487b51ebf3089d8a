/* The plant and the clock. Reads a script, runs each scenario against a fresh firmware process, prints a trace.
 *
 * The script (numbers in decimal, variables, actuators and sensors by index; -1 means none):
 *   plant VARIABLES / act NAME ON OFF / sensor NAME VARIABLE IS_DOOR
 *   rule ACTUATOR WANTED VARIABLE CONSTANT SOURCE LOW HIGH: add CONSTANT and the variable SOURCE, then clamp
 *   run STEPS PHASE_MS LAST_FRAME_MS LAG_TICKS, then init VALUE..., then events, then go:
 *   set T VARIABLE VALUE / drop T SENSOR / noise T SENSOR DELTA / late T SENSOR MS / text T SENSOR LINE / also T LINE /
 *   restart T
 * The trace: SECRET <tab> run <tab> ms <tab> kind <tab> text, where kind is plant, sent, got, or end. */
#define _GNU_SOURCE
#include "verdict.h"

#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>

#define TICK_MS 100
#define MOST 8
#define EVENTS 256
#define FRAMES 512
#define WRITE_LIMIT 262144
#define READ_LIMIT 20000

struct rule { int actuator, wanted, variable, constant, source, low, high; };
struct event { char kind[10]; int at, what, value; char line[128]; };
struct frame { int at; char line[160]; };

static struct rule rules[64];
static struct { char name[24], on[12], off[12]; } acts[MOST];
static struct { char name[24]; int variable, door; } sensors[MOST];
static struct event events[EVENTS];
static struct frame frames[FRAMES];
static int variables, rule_count, act_count, sensor_count, event_count, frame_count, taken;
static int value[MOST], on[MOST], past[MOST][MOST];
static int run, steps, phase, last_frame, lag, now, tick, done;
static int pid, to, from;
static char rest[4096];
static int rest_used;

static void trace(int at, const char *kind, const char *text)
{
    printf("firmbench-verdict %s\t%d\t%d\t%s\t%s\n", verdict_secret_, run, at, kind, text);
}

static void start(void)
{
    char *argv[] = { "./firmware", NULL };
    struct rlimit cpu = { 1, 1 };
    pid = verdict_start(argv, &to, &from);
    memset(on, 0, sizeof on);
    rest_used = 0;
    if (pid < 0)
        exit(4);
    prlimit(pid, RLIMIT_CPU, &cpu, NULL);
}

static void stop(void)
{
    kill(pid, SIGKILL);
    close(to);
    close(from);
    waitpid(pid, NULL, 0);
}

static const struct event *find(const char *kind, int at, int what)
{
    for (int i = 0; i < event_count; i++)
        if (events[i].at == at && events[i].what == what && !strcmp(events[i].kind, kind))
            return &events[i];
    return NULL;
}

static void queue(int at, const char *line)
{
    int place = frame_count;
    if (frame_count == FRAMES)
        exit(3);
    while (place > taken && frames[place - 1].at > at) {
        frames[place] = frames[place - 1];
        place--;
    }
    frames[place].at = at;
    snprintf(frames[place].line, sizeof frames[place].line, "%s", line);
    frame_count++;
}

static void send_frames(int at)
{
    char line[160];
    for (int i = 0; i < sensor_count; i++) {
        const struct event *noise = find("noise", at, i), *late = find("late", at, i), *text = find("text", at, i);
        int reading = value[sensors[i].variable] + (noise ? noise->value : 0);
        if (last_frame >= 0 && at > last_frame)
            continue;
        if (find("drop", at, i))
            continue;
        if (text)
            snprintf(line, sizeof line, "%s", text->line);
        else if (sensors[i].door)
            snprintf(line, sizeof line, "SENSE %s %s", sensors[i].name, reading ? "OPEN" : "CLOSED");
        else
            snprintf(line, sizeof line, "SENSE %s %d", sensors[i].name, reading);
        queue(at + (late ? late->value : 0), line);
    }
    for (int i = 0; i < event_count; i++)
        if (events[i].at == at && !strcmp(events[i].kind, "also"))
            queue(at, events[i].line);
}

static void advance_plant(void)
{
    const int *driven = lag ? past[lag - 1] : on;
    for (int i = 0; i < rule_count; i++) {
        struct rule r = rules[i];
        if (r.actuator >= 0 && driven[r.actuator] != r.wanted)
            continue;
        int sum = value[r.variable] + r.constant + (r.source >= 0 ? value[r.source] : 0);
        value[r.variable] = sum < r.low ? r.low : sum > r.high ? r.high : sum;
    }
    for (int i = MOST - 1; i > 0; i--)
        memcpy(past[i], past[i - 1], sizeof past[i]);
    memcpy(past[0], on, sizeof past[0]);
}

/* Returns whether the firmware was started anew. */
static int do_tick(void)
{
    char text[128] = "";
    int at = tick * TICK_MS, used = 0;
    if (tick)
        advance_plant();
    for (int i = 0; i < event_count; i++)
        if (events[i].at == at && !strcmp(events[i].kind, "set"))
            value[events[i].what] = events[i].value;
    for (int i = 0; i < variables; i++)
        used += snprintf(text + used, sizeof text - (size_t)used, i ? " %d" : "%d", value[i]);
    trace(at, "plant", text);
    if (tick++ == steps) {
        done = 1;
        return 0;
    }
    send_frames(at);
    if (find("restart", at, 0)) {
        trace(at, "end", "restart");
        stop();
        start();
        now = at;
        return 1;
    }
    return 0;
}

static int get(void *data, size_t size)
{
    char *at = data;
    while (size) {
        ssize_t count = read(from, at, size);
        if (count <= 0)
            return 0;
        at += count;
        size -= (size_t)count;
    }
    return 1;
}

static void put(const void *data, size_t size)
{
    const char *at = data;
    while (size) {
        ssize_t count = write(to, at, size);
        if (count <= 0)
            return;
        at += count;
        size -= (size_t)count;
    }
}

static void heard(const char *line)
{
    char name[24], word[12], extra;
    trace(now, "got", line);
    if (sscanf(line, "ACT %23s %11s %c", name, word, &extra) != 2)
        return;
    for (int i = 0; i < act_count; i++)
        if (!strcmp(name, acts[i].name)) {
            if (!strcmp(word, acts[i].on))
                on[i] = 1;
            else if (!strcmp(word, acts[i].off))
                on[i] = 0;
        }
}

static void listen(const char *bytes, int count)
{
    for (int i = 0; i < count; i++) {
        char byte = bytes[i];
        if (byte == '\n') {
            rest[rest_used] = '\0';
            rest_used = 0;
            heard(rest);
        } else if (rest_used < 128)
            rest[rest_used++] = byte < ' ' || byte > '~' ? '?' : byte;
    }
}

static void answer(int size, int timeout)
{
    static char bytes[65536];
    int used = 0, deadline = now + timeout;
    while (!done && tick * TICK_MS <= deadline)
        if (do_tick())
            return;
    if (done)
        return;
    now = deadline;
    while (taken < frame_count && frames[taken].at <= now) {
        int length = (int)strlen(frames[taken].line);
        if (used + length + 1 > size)
            break;
        memcpy(bytes + used, frames[taken].line, (size_t)length);
        bytes[used + length] = '\n';
        used += length + 1;
        trace(frames[taken].at, "sent", frames[taken].line);
        taken++;
    }
    uint32_t time = (uint32_t)now;
    uint16_t count = (uint16_t)used;
    put(&time, 4);
    put(&count, 2);
    put(bytes, (size_t)used);
}

static void go(void)
{
    static char bytes[65536];
    int first = 1, written = 0, reads = 0;
    char kind;
    uint16_t size, timeout;
    const char *ending = "steps";
    now = tick = done = frame_count = taken = 0;
    memset(past, 0, sizeof past);
    start();
    while (!done) {
        if (!get(&kind, 1) || !get(&size, 2)) {
            ending = "firmware stopped";
            break;
        }
        if (kind == 'W') {
            if (!get(bytes, size) || (written += size) > WRITE_LIMIT) {
                ending = "firmware wrote too much";
                break;
            }
            listen(bytes, size);
        } else if (kind == 'R' && get(&timeout, 2) && ++reads < READ_LIMIT) {
            answer(size, first ? phase : timeout);
            first = 0;
        } else {
            ending = "firmware broke the port";
            break;
        }
    }
    trace(now, "end", ending);
    stop();
    run++;
}

int main(void)
{
    char line[512], word[16];
    signal(SIGPIPE, SIG_IGN);
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = '\0';
        int skip = 0;
        if (sscanf(line, "%15s%n", word, &skip) != 1)
            continue;
        const char *rest_of = line + skip;
        if (!strcmp(word, "plant"))
            sscanf(rest_of, "%d", &variables);
        else if (!strcmp(word, "act")) {
            sscanf(rest_of, "%23s %11s %11s", acts[act_count].name, acts[act_count].on, acts[act_count].off);
            act_count++;
        } else if (!strcmp(word, "sensor")) {
            sscanf(rest_of, "%23s %d %d", sensors[sensor_count].name, &sensors[sensor_count].variable,
                   &sensors[sensor_count].door);
            sensor_count++;
        } else if (!strcmp(word, "rule")) {
            struct rule *r = &rules[rule_count++];
            sscanf(rest_of, "%d %d %d %d %d %d %d", &r->actuator, &r->wanted, &r->variable, &r->constant, &r->source,
                   &r->low, &r->high);
        } else if (!strcmp(word, "run")) {
            sscanf(rest_of, "%d %d %d %d", &steps, &phase, &last_frame, &lag);
            event_count = 0;
        } else if (!strcmp(word, "init")) {
            char *at = line + skip;
            for (int i = 0; i < variables; i++)
                value[i] = (int)strtol(at, &at, 10);
        } else if (!strcmp(word, "go"))
            go();
        else if (event_count < EVENTS) {
            struct event *e = &events[event_count++];
            int used = 0;
            memset(e, 0, sizeof *e);
            snprintf(e->kind, sizeof e->kind, "%s", word);
            sscanf(rest_of, "%d%n", &e->at, &used);
            rest_of += used;
            if (strcmp(word, "also") && strcmp(word, "restart")) {
                sscanf(rest_of, "%d%n", &e->what, &used);
                rest_of += used;
                sscanf(rest_of, "%d", &e->value);
            }
            snprintf(e->line, sizeof e->line, "%s", *rest_of ? rest_of + 1 : "");
        }
    }
    verdict_end();
    return 0;
}
