/* The supervisor is the first process inside a sandbox. It takes files and commands from outside over one byte channel,
 * runs one command at a time, and reports. See docs/sandbox.md for the picture and wire.py for the other end. */
#ifndef SUPERVISOR_H
#define SUPERVISOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* A frame is one byte of type, four bytes of length (little-endian), then the payload. */
enum request {
    REQ_FILE = 'F',    /* u16 length of the path, path, content */
    REQ_STDIN = 'I',   /* content */
    REQ_SECRET = 'S',  /* content, readable on descriptor 3 of the command */
    REQ_ARG = 'A',     /* one argument */
    REQ_ENV = 'E',     /* one NAME=value */
    REQ_COLLECT = 'C', /* a path to hand back after the run */
    REQ_RUN = 'R',     /* struct limits; without arguments nothing is started and files are only collected */
    REQ_KILL = 'K',    /* end the run now */
    REQ_WIPE = 'W',    /* kill everything, empty the writable directory */
};

enum answer {
    ANS_HELLO = 'h',
    ANS_STDOUT = 'o',
    ANS_STDERR = 'e',
    ANS_FILE = 'c',    /* u16 length of the path, path, content */
    ANS_REFUSED = 'n', /* u16 length of the path, path, reason */
    ANS_NOEXEC = 'x',  /* reason: the command could not be started */
    ANS_TROUBLE = '!', /* reason: the files or the run could not be set up */
    ANS_DONE = 'd',    /* struct report */
    ANS_WIPED = 'w',   /* nothing, or the reason why the directory is not clean */
};

/* 0: no limit, or one that is set from outside. */
struct limits {
    uint64_t cpu_us, memory_bytes, processes, file_bytes, open_files, output_bytes, collect_bytes;
} __attribute__((packed));

struct report {
    int32_t exit, signal; /* exit is -1 when a signal ended the command */
    uint64_t wall_us, cpu_us, peak_bytes;
    uint8_t truncated, cpu_exceeded, out_of_memory;
} __attribute__((packed));

/* main.c */
_Noreturn void the_end(void);

/* wire.c */
void wire_open(void);
int wire_in(void);
void wire_header(uint8_t *type, uint32_t *length);
void wire_read(void *into, size_t length);
void wire_skip(size_t length);
void wire_send(uint8_t type, const void *payload, size_t length);
void wire_begin(uint8_t type, size_t length);
void wire_write(const void *data, size_t length);
int high(int fd);
_Noreturn void fatal(const char *what);

/* box.c */
const char *box_enter(const char *path);
int box_fd(void);
const char *box_receive(uint32_t length);
void box_collect(const char *name, uint64_t cap);
const char *box_wipe(const char *root, const char *box);

/* filter.c */
int filter_install(void);

/* usage.c */
struct usage {
    uint64_t cpu_us, memory_bytes;
};
struct usage usage_of_the_living(void);
uint64_t memory_kills(void);

/* privileges.c */
void drop_to(uid_t user);

/* guard.c */
int guard(int argc, char **argv);

#endif
