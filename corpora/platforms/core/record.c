/* The record of a run: what happened when and in which context; faults; the console. */
#include "core.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    int64_t when;
    char *context, *kind, *text;
} entry;

static entry *entries;
static size_t entry_count, entry_room;
static char line[512];
static size_t line_used;

static void context_name(char *to, size_t room)
{
    if (fb_core.phase == FB_BOOT)
        snprintf(to, room, "boot");
    else if (fb_core.in_event)
        snprintf(to, room, "event");
    else if (fb_core.isr)
        snprintf(to, room, "isr:%s", fb_core.isr->name);
    else if (fb_core.running)
        snprintf(to, room, "thread:%s", fb_core.running->name);
    else
        snprintf(to, room, "idle");
}

static void append(const char *kind, const char *text)
{
    if (entry_count == FB_MOST_RECORDS) {
        fb_core.limit = "too many lines in the record";
        if (fb_core.phase == FB_RUN)
            fb_finish();
        return;
    }
    if (entry_count == entry_room) {
        entry_room = entry_room ? entry_room * 2 : 256;
        entries = realloc(entries, entry_room * sizeof *entries);
    }
    char context[96];
    context_name(context, sizeof context);
    entries[entry_count++] = (entry){fb_core.now, strdup(context), strdup(kind), strdup(text)};
}

static void append_format(const char *kind, const char *format, va_list args)
{
    char text[512];
    vsnprintf(text, sizeof text, format, args);
    append(kind, text);
}

void fb_trace(const char *kind, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    append_format(kind, format, args);
    va_end(args);
}

void fb_fault(const char *kind, const char *format, ...)
{
    char text[400], whole[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    snprintf(whole, sizeof whole, "%s: %s", kind, text);
    append("fault", whole);
}

void fb_panic(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    append_format("crash", format, args);
    va_end(args);
    if (fb_core.phase == FB_RUN)
        fb_finish();
    abort();
}

void fb_stop(const char *reason)
{
    append("stop", reason);
    fb_finish();
}

static const entry *find(const char *kind, const char *part, size_t nth)
{
    for (size_t i = 0; i < entry_count; i++)
        if (!strcmp(entries[i].kind, kind) && (!part || strstr(entries[i].text, part)) && nth-- == 0)
            return &entries[i];
    return NULL;
}

size_t fb_traced_between(const char *kind, const char *part, int64_t from, int64_t to)
{
    size_t count = 0;
    for (size_t i = 0; i < entry_count; i++)
        count += entries[i].when >= from && entries[i].when < to && !strcmp(entries[i].kind, kind) &&
                 (!part || strstr(entries[i].text, part));
    return count;
}

size_t fb_traced(const char *kind, const char *part)
{
    return fb_traced_between(kind, part, 0, FB_FOREVER);
}

int64_t fb_traced_at(const char *kind, const char *part, size_t nth)
{
    const entry *one = find(kind, part, nth);
    return one ? one->when : -1;
}

const char *fb_traced_text(const char *kind, const char *part, size_t nth)
{
    const entry *one = find(kind, part, nth);
    return one ? one->text : "";
}

const char *fb_traced_by(const char *kind, const char *part, size_t nth)
{
    const entry *one = find(kind, part, nth);
    return one ? one->context : "";
}

size_t fb_faults(const char *kind)
{
    if (!kind)
        return fb_traced("fault", NULL);
    char start[128];
    size_t count = 0, length = (size_t)snprintf(start, sizeof start, "%s: ", kind);
    for (size_t i = 0; i < entry_count; i++)
        count += !strcmp(entries[i].kind, "fault") && !strncmp(entries[i].text, start, length);
    return count;
}

static void console_line(void)
{
    line[line_used] = '\0';
    line_used = 0;
    append("console", line);
}

void fb_console(const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (text[i] == '\n' || line_used == sizeof line - 1)
            console_line();
        if (text[i] != '\n' && text[i] != '\r')
            line[line_used++] = text[i];
    }
}

void fb_console_format(const char *format, va_list args)
{
    char text[1024];
    int length = vsnprintf(text, sizeof text, format, args);
    if (length > 0)
        fb_console(text, (size_t)length < sizeof text ? (size_t)length : sizeof text - 1);
}

void fb_record_end(void)
{
    if (line_used)
        console_line();
}

void fb_record_print(void)
{
    for (size_t i = 0; i < entry_count; i++)
        fprintf(stderr, "%14lld  %-20s %-10s %s\n", (long long)entries[i].when, entries[i].context, entries[i].kind,
                entries[i].text);
}
