/* Serve one sandbox: set up, then one request at a time. supervisor.h lists the requests. */
#define _GNU_SOURCE
#include "supervisor.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST = 4096, TICK_MS = 20, SECRET_FD = 3 };

/* Emulators reserve memory that they never touch, so the address space is only the last resort behind the tick. */
static const uint64_t RESERVED_BYTES = 2ull << 30;

struct list {
    int count;
    char *item[MOST + 1];
};

static struct list args, envs, names;
static int stdin_fd = -1, secret_fd = -1, children_fd;
static const char *trouble, *box_path = "/tmp/box";
static bool filtered, remove_box, first; /* first: pid 1 of a namespace */

static struct {
    pid_t main;
    int status;
    uint64_t cpu_us, peak_bytes;
} run;

static uint64_t now_us(void)
{
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    return (uint64_t)at.tv_sec * 1000000 + (uint64_t)at.tv_nsec / 1000;
}

static uint64_t in_us(struct timeval time)
{
    return (uint64_t)time.tv_sec * 1000000 + (uint64_t)time.tv_usec;
}

static bool reap(int options)
{
    struct rusage usage;
    int status;
    pid_t pid = wait4(-1, &status, options, &usage);
    if (pid <= 0)
        return pid < 0 && errno == EINTR;
    run.cpu_us += in_us(usage.ru_utime) + in_us(usage.ru_stime);
    if ((uint64_t)usage.ru_maxrss * 1024 > run.peak_bytes)
        run.peak_bytes = (uint64_t)usage.ru_maxrss * 1024;
    if (pid == run.main) {
        run.main = 0;
        run.status = status;
    }
    return true;
}

/* As pid 1 the kernel gives us "everyone but you" in one step that no fork can outrun. Outside of a namespace (trusted
 * code) we are the reaper of orphans, so what is left of a tree turns up among our own children. */
static void kill_everything(void)
{
    do {
        if (first) {
            kill(-1, SIGKILL);
        } else {
            FILE *children = fopen("/proc/thread-self/children", "re");
            int pid;
            while (children && fscanf(children, "%d", &pid) == 1)
                kill(pid, SIGKILL);
            if (children)
                fclose(children);
        }
    } while (reap(0));
}

/* A limit above what we have ourselves cannot be had and is not needed. */
static bool bound(int what, uint64_t soft, uint64_t hard)
{
    struct rlimit old;
    if (getrlimit(what, &old))
        return false;
    struct rlimit limit = {soft < old.rlim_max ? soft : old.rlim_max, hard < old.rlim_max ? hard : old.rlim_max};
    return !setrlimit(what, &limit);
}

static bool bound_if(int what, uint64_t value)
{
    return !value || bound(what, value, value);
}

static bool bounds(const struct limits *limits)
{
    uint64_t seconds = limits->cpu_us / 1000000 + (limits->cpu_us % 1000000 ? 1 : 0);
    /* The tick of `watch` ends a run first, for the sum over its processes; this is for one of them. */
    return bound(RLIMIT_CORE, 0, 0) && (!limits->cpu_us || bound(RLIMIT_CPU, seconds + first, seconds + 2)) &&
           bound_if(RLIMIT_FSIZE, limits->file_bytes) && bound_if(RLIMIT_NOFILE, limits->open_files) &&
           bound_if(RLIMIT_NPROC, limits->processes) &&
           bound_if(RLIMIT_AS, limits->memory_bytes ? limits->memory_bytes + RESERVED_BYTES : 0);
}

static _Noreturn void become(const struct limits *limits, int out, int err, int failed)
{
    sigset_t none;
    sigemptyset(&none);
    setsid();
    if (dup2(stdin_fd >= 0 ? stdin_fd : 0, 0) < 0 || dup2(out, 1) < 0 || dup2(err, 2) < 0 ||
        (secret_fd >= 0 && dup2(secret_fd, SECRET_FD) < 0) || fchdir(box_fd()))
        goto cannot;
    prctl(PR_SET_DUMPABLE, 1); /* or our own file below belongs to root */
    int first_to_go = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (first_to_go >= 0 && write(first_to_go, "1000", 4) < 0)
        goto cannot;
    if (!bounds(limits) || (filtered && filter_install()))
        goto cannot;
    signal(SIGPIPE, SIG_DFL);
    sigprocmask(SIG_SETMASK, &none, NULL);
    environ = envs.item;
    execvp(args.item[0], args.item);
cannot:;
    int why = errno;
    if (write(failed, &why, sizeof why) < 0)
        _exit(126);
    _exit(127);
}

/* The other end went away: nobody waits for a result. As pid 1 our end is the end of everything in here. */
_Noreturn void the_end(void)
{
    if (!first)
        kill_everything();
    if (remove_box && !box_wipe(box_path, box_path))
        rmdir(box_path);
    _exit(0);
}

static void pipe_high(int ends[2])
{
    if (pipe2(ends, O_CLOEXEC))
        fatal("pipe");
    ends[0] = high(ends[0]);
    ends[1] = high(ends[1]);
}

/* Pass on what a stream holds; false at its end or once it has given all it may. */
static bool relay(int fd, uint8_t type, uint64_t *left, struct report *report)
{
    static char buffer[65536];
    ssize_t got = read(fd, buffer, sizeof buffer);
    if (got < 0)
        return errno == EINTR;
    size_t pass = (uint64_t)got < *left ? (size_t)got : (size_t)*left;
    if (pass)
        wire_send(type, buffer, pass);
    *left -= pass;
    report->truncated |= pass < (size_t)got;
    return got > 0 && !report->truncated;
}

static void watch(const struct limits *limits, int out, int err, struct report *report)
{
    struct pollfd on[] = {{wire_in(), POLLIN, 0}, {children_fd, POLLIN, 0}, {out, POLLIN, 0}, {err, POLLIN, 0}};
    uint64_t left[] = {limits->output_bytes, limits->output_bytes};
    uint64_t next_tick = now_us() + TICK_MS * 1000;
    while (run.main && !report->truncated) {
        int ready = poll(on, 4, TICK_MS);
        if (ready < 0 && errno != EINTR)
            fatal("poll");
        if (ready > 0 && on[0].revents) {
            uint8_t type;
            uint32_t length;
            wire_header(&type, &length);
            if (type != REQ_KILL)
                fatal("a request during a run");
            break;
        }
        for (int i = 0; i < 2; i++)
            if (ready > 0 && on[2 + i].revents && !relay(on[2 + i].fd, i ? ANS_STDERR : ANS_STDOUT, &left[i], report))
                on[2 + i].fd = -1;
        if (ready > 0 && on[1].revents) {
            struct signalfd_siginfo ignored;
            if (read(children_fd, &ignored, sizeof ignored) < 0 && errno != EAGAIN)
                fatal("signalfd");
            while (reap(WNOHANG))
                ;
        }
        if (first && now_us() >= next_tick) {
            struct usage usage = usage_of_the_living();
            next_tick = now_us() + TICK_MS * 1000;
            report->cpu_exceeded = limits->cpu_us && run.cpu_us + usage.cpu_us > limits->cpu_us;
            report->out_of_memory = limits->memory_bytes && usage.memory_bytes > limits->memory_bytes;
            if (report->cpu_exceeded || report->out_of_memory)
                break;
        }
    }
    kill_everything();
    for (int i = 0; i < 2; i++)
        while (on[2 + i].fd >= 0 && !report->truncated &&
               relay(on[2 + i].fd, i ? ANS_STDERR : ANS_STDOUT, &left[i], report))
            ;
}

/* Run the command to its end and fill the report; return why it could not be started, if so. */
static const char *execute(const struct limits *limits, struct report *report)
{
    int out[2], err[2], failed[2], why = 0;
    pipe_high(out);
    pipe_high(err);
    pipe_high(failed);
    memset(&run, 0, sizeof run);
    uint64_t kills = memory_kills(), start = now_us();
    run.main = fork();
    if (run.main == 0)
        become(limits, out[1], err[1], failed[1]);
    why = run.main < 0 ? errno : 0;
    close(out[1]);
    close(err[1]);
    close(failed[1]);
    if (!why && read(failed[0], &why, sizeof why) == sizeof why)
        kill_everything();
    if (!why)
        watch(limits, out[0], err[0], report);
    close(out[0]);
    close(err[0]);
    close(failed[0]);
    report->wall_us = now_us() - start;
    report->cpu_us = run.cpu_us;
    report->peak_bytes = run.peak_bytes;
    report->exit = WIFEXITED(run.status) ? WEXITSTATUS(run.status) : -1;
    report->signal = WIFSIGNALED(run.status) ? WTERMSIG(run.status) : 0;
    report->cpu_exceeded |= report->signal == SIGXCPU;
    report->out_of_memory |= memory_kills() > kills;
    return why ? strerror(why) : NULL;
}

static void forget(struct list *list)
{
    while (list->count)
        free(list->item[--list->count]);
    list->item[0] = NULL;
}

static void forget_request(void)
{
    forget(&args);
    forget(&envs);
    forget(&names);
    if (stdin_fd >= 0)
        close(stdin_fd);
    if (secret_fd >= 0)
        close(secret_fd);
    stdin_fd = secret_fd = -1;
    trouble = NULL;
}

static void remember(struct list *list, uint32_t length)
{
    char *text = malloc((size_t)length + 1);
    if (!text || list->count == MOST)
        fatal("too many or too long words in a request");
    wire_read(text, length);
    text[length] = '\0';
    list->item[list->count++] = text;
    list->item[list->count] = NULL;
}

/* Keep a payload in memory that reads like a file from its start. */
static int receive_memory(int old, uint32_t length)
{
    char buffer[4096];
    int fd = old >= 0 ? old : high(memfd_create("input", MFD_CLOEXEC));
    while (length) {
        uint32_t part = length < sizeof buffer ? length : (uint32_t)sizeof buffer;
        wire_read(buffer, part);
        if (write(fd, buffer, part) != (ssize_t)part)
            trouble = "the standard input does not fit into memory";
        length -= part;
    }
    return fd;
}

static void answer_run(void)
{
    struct limits limits;
    struct report report = {0};
    wire_read(&limits, sizeof limits);
    for (int i = 0; i < 2; i++) {
        int fd = i ? secret_fd : stdin_fd;
        if (fd >= 0)
            lseek(fd, 0, SEEK_SET);
    }
    const char *why = trouble;
    if (!why && args.count && (why = execute(&limits, &report)))
        wire_send(ANS_NOEXEC, why, strlen(why));
    else if (why)
        wire_send(ANS_TROUBLE, why, strlen(why));
    for (int i = 0; !why && i < names.count; i++)
        box_collect(names.item[i], limits.collect_bytes);
    if (!why)
        wire_send(ANS_DONE, &report, sizeof report);
    forget_request();
}

static void answer_wipe(uint32_t length)
{
    wire_skip(length);
    kill_everything();
    const char *why = box_wipe("/tmp", box_path);
    wire_send(ANS_WIPED, why ? why : "", why ? strlen(why) : 0);
    forget_request();
}

static _Noreturn void serve(void)
{
    for (;;) {
        uint8_t type;
        uint32_t length;
        const char *why;
        wire_header(&type, &length);
        switch (type) {
        case REQ_FILE:
            why = box_receive(length);
            trouble = trouble ? trouble : why;
            break;
        case REQ_STDIN: stdin_fd = receive_memory(stdin_fd, length); break;
        case REQ_SECRET: secret_fd = receive_memory(secret_fd, length); break;
        case REQ_ARG: remember(&args, length); break;
        case REQ_ENV: remember(&envs, length); break;
        case REQ_COLLECT: remember(&names, length); break;
        case REQ_RUN: answer_run(); break;
        case REQ_WIPE: answer_wipe(length); break;
        case REQ_KILL: wire_skip(length); break; /* the run it was meant for ended first */
        default: errno = EPROTO; fatal("an unknown request");
        }
    }
}

/* supervisor guard GROUP... -- COMMAND...
 * supervisor serve [--box PATH] [--user UID] [--filter] [--remove] */
int main(int argc, char **argv)
{
    long user = -1;
    if (argc > 1 && !strcmp(argv[1], "guard"))
        return guard(argc - 2, argv + 2);
    if (argc < 2 || strcmp(argv[1], "serve")) {
        errno = EINVAL;
        fatal("neither guard nor serve");
    }
    for (int i = 2; i < argc; i++) {
        if (!strcmp(argv[i], "--filter"))
            filtered = true;
        else if (!strcmp(argv[i], "--remove"))
            remove_box = true;
        else if (!strcmp(argv[i], "--box") && i + 1 < argc)
            box_path = argv[++i];
        else if (!strcmp(argv[i], "--user") && i + 1 < argc)
            user = atol(argv[++i]);
    }
    first = getpid() == 1;
    wire_open();
    umask(022);
    if (user > 0)
        drop_to((uid_t)user);
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_DUMPABLE, 0) || prctl(PR_SET_CHILD_SUBREAPER, 1))
        fatal("prctl");
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* a change of user had cleared it */
    if ((trouble = box_enter(box_path))) {
        dprintf(2, "supervisor: %s: %s\n", box_path, trouble);
        return 125;
    }
    sigset_t children;
    sigemptyset(&children);
    sigaddset(&children, SIGCHLD);
    sigprocmask(SIG_BLOCK, &children, NULL);
    signal(SIGPIPE, SIG_IGN);
    children_fd = high(signalfd(-1, &children, SFD_CLOEXEC | SFD_NONBLOCK));
    wire_send(ANS_HELLO, NULL, 0);
    dup2(0, 2);
    serve();
}
