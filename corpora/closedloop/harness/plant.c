/* The plant. Reads a script, hands each run to `play`, prints a trace.
 *
 * The script (numbers in decimal, variables, actuators and sensors by index; -1 means none):
 *   plant VARIABLES / act NAME ON OFF / sensor NAME VARIABLE IS_DOOR
 *   rule ACTUATOR WANTED VARIABLE CONSTANT SOURCE LOW HIGH [WHERE FROM TO]...: where the actuator is as wanted and each
 *     variable WHERE lies between FROM and TO, add CONSTANT and the variable SOURCE, then clamp
 *   run STEPS PHASE_MS LAST_FRAME_MS LAG_TICKS, then init VALUE..., then events, then go:
 *   set T VARIABLE VALUE / drop T SENSOR / noise T SENSOR DELTA / late T SENSOR MS / text T SENSOR LINE / also T LINE /
 *   restart T
 * The trace: SECRET <tab> run <tab> ms <tab> kind <tab> text, where kind is plant, sent, got, or end. */
#define _GNU_SOURCE
#include "plant.h"
#include "verdict.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>

#define MOST 16
#define CONDITIONS 3
#define RULES 64
#define EVENTS 512
#define FRAMES 512

struct condition { int variable, low, high; };
struct rule {
    int actuator, wanted, variable, constant, source, low, high, conditions;
    struct condition where[CONDITIONS];
};
struct event { char kind[10]; int at, what, value; char line[128]; };
struct frame { int at; char line[160]; };

static struct rule rules[RULES];
static struct { char name[24], on[12], off[12]; } acts[MOST];
static struct { char name[24]; int variable, door; } sensors[MOST];
static struct event events[EVENTS];
static struct frame frames[FRAMES];
static int variables, rule_count, act_count, sensor_count, event_count, frame_count, told, taken;
static int value[MOST], on[MOST], past[MOST][MOST];
static int run, last_frame, lag, tick, cpu_limit_s;
static char *const *command;
static char rest[4096];
static int rest_used;

int now, done, steps, phase;
int firmware_pid, to, from;

void trace(int at, const char *kind, const char *text)
{
    printf("firmbench-verdict %s\t%d\t%d\t%s\t%s\n", verdict_secret_, run, at, kind, text);
}

void firmware_start(void)
{
    struct rlimit cpu = { (rlim_t)cpu_limit_s, (rlim_t)cpu_limit_s };
    firmware_pid = verdict_start(command, &to, &from);
    memset(on, 0, sizeof on);
    rest_used = 0;
    if (firmware_pid < 0)
        exit(4);
    prlimit(firmware_pid, RLIMIT_CPU, &cpu, NULL);
}

void firmware_stop(void)
{
    kill(firmware_pid, SIGKILL);
    close(to);
    close(from);
    waitpid(firmware_pid, NULL, 0);
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
    while (place > told && frames[place - 1].at > at) {
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

static int applies(const struct rule *r, const int *driven)
{
    if (r->actuator >= 0 && driven[r->actuator] != r->wanted)
        return 0;
    for (int i = 0; i < r->conditions; i++) {
        int seen = value[r->where[i].variable];
        if (seen < r->where[i].low || seen > r->where[i].high)
            return 0;
    }
    return 1;
}

static void advance_plant(void)
{
    const int *driven = lag ? past[lag - 1] : on;
    for (int i = 0; i < rule_count; i++) {
        const struct rule *r = &rules[i];
        if (!applies(r, driven))
            continue;
        int sum = value[r->variable] + r->constant + (r->source >= 0 ? value[r->source] : 0);
        value[r->variable] = sum < r->low ? r->low : sum > r->high ? r->high : sum;
    }
    for (int i = MOST - 1; i > 0; i--)
        memcpy(past[i], past[i - 1], sizeof past[i]);
    memcpy(past[0], on, sizeof past[0]);
}

void plant_begin(void)
{
    now = tick = done = frame_count = told = taken = 0;
    memset(past, 0, sizeof past);
}

int plant_next_tick_ms(void)
{
    return tick * TICK_MS;
}

/* A frame is sent when its time comes, whether or not the firmware ever takes it. */
static void send_until(int at)
{
    for (; told < frame_count && frames[told].at <= at; told++)
        trace(frames[told].at, "sent", frames[told].line);
}

int plant_tick(void)
{
    char text[256] = "";
    int at = tick * TICK_MS, used = 0;
    send_until(at);
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
        firmware_stop();
        firmware_start();
        now = at;
        return 1;
    }
    return 0;
}

const char *plant_due(void)
{
    send_until(now);
    return taken < frame_count && frames[taken].at <= now ? frames[taken].line : NULL;
}

const char *plant_take(void)
{
    return frames[taken++].line;
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

void plant_hear(const char *bytes, int count)
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

static void read_rule(const char *text)
{
    struct rule *r = &rules[rule_count++];
    int used = 0;
    if (rule_count > RULES)
        exit(3);
    sscanf(text, "%d %d %d %d %d %d %d%n", &r->actuator, &r->wanted, &r->variable, &r->constant, &r->source, &r->low,
           &r->high, &used);
    text += used;
    for (struct condition c; sscanf(text, "%d %d %d%n", &c.variable, &c.low, &c.high, &used) == 3; text += used) {
        if (r->conditions == CONDITIONS)
            exit(3);
        r->where[r->conditions++] = c;
    }
}

static void read_event(const char *word, const char *text)
{
    if (event_count == EVENTS)
        exit(3);
    struct event *e = &events[event_count++];
    int used = 0;
    memset(e, 0, sizeof *e);
    snprintf(e->kind, sizeof e->kind, "%s", word);
    sscanf(text, "%d%n", &e->at, &used);
    text += used;
    if (strcmp(word, "also") && strcmp(word, "restart")) {
        sscanf(text, "%d%n", &e->what, &used);
        text += used;
        sscanf(text, "%d", &e->value);
    }
    snprintf(e->line, sizeof e->line, "%s", *text ? text + 1 : "");
}

static void go(void)
{
    plant_begin();
    firmware_start();
    const char *ending = play();
    trace(now, "end", ending);
    firmware_stop();
    run++;
}

int plant_main(int cpu_s, char *const argv[])
{
    char line[512], word[16];
    cpu_limit_s = cpu_s;
    command = argv;
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
        } else if (!strcmp(word, "rule"))
            read_rule(rest_of);
        else if (!strcmp(word, "run")) {
            sscanf(rest_of, "%d %d %d %d", &steps, &phase, &last_frame, &lag);
            event_count = 0;
        } else if (!strcmp(word, "init")) {
            char *at = line + skip;
            for (int i = 0; i < variables; i++)
                value[i] = (int)strtol(at, &at, 10);
        } else if (!strcmp(word, "go"))
            go();
        else
            read_event(word, rest_of);
    }
    verdict_end();
    return 0;
}
