/* The process: its start and end, signals, time, what it prints. */
#include "lu.h"

#include <stdarg.h>
#include <stdio.h>
#include <sys/time.h>
#include <time.h>

int candidate_main(int argc, char **argv);

enum { SIGNALS = 64, CALL_NS = 2000 };
#define REAL_OFFSET 1764547200000000000LL /* 2025-12-01: the wall clock at boot */

static fb_thread *process;
static fb_queue changed;
static uint64_t pending, mask;
static struct sigaction actions[SIGNALS + 1];
static unsigned handled, entered; /* handlers run so far, and when the waiting call began */
static bool last_restarts, ended;
static int status = -1;
static int64_t ended_at = -1;
static size_t open_at_end;
static void (*at_exit[32])(void);
static size_t at_exit_count;

/* ---- signals ---- */
static uint64_t bit(int number) { return 1ull << number; }
uint64_t lu_set_of(const sigset_t *set)
{
    uint64_t all = 0;
    for (int i = 1; i < SIGNALS; i++)
        if (sigismember(set, i) == 1)
            all |= bit(i);
    return all;
}
bool lu_deliverable(void) { return pending & ~mask; }
bool lu_restarts(void) { return last_restarts; }

static void run_handlers(void *unused)
{
    (void)unused;
    for (int i = 1; i < SIGNALS; i++) {
        if (!(pending & ~mask & bit(i)))
            continue;
        struct sigaction *action = &actions[i];
        if (action->sa_handler == SIG_IGN) {
            pending &= ~bit(i);
            continue;
        }
        pending &= ~bit(i);
        fb_trace("signal", "%d", i);
        uint64_t old = mask;
        mask |= lu_set_of(&action->sa_mask) | (action->sa_flags & SA_NODEFER ? 0 : bit(i));
        int saved = errno;
        if (action->sa_flags & SA_SIGINFO)
            action->sa_sigaction(i, &(siginfo_t){.si_signo = i}, NULL);
        else
            action->sa_handler(i);
        errno = saved;
        mask = old;
        last_restarts = action->sa_flags & SA_RESTART;
        if (action->sa_flags & (int)SA_RESETHAND)
            action->sa_handler = SIG_DFL;
        handled++;
    }
}
static bool kills(int number) { return number != SIGCHLD && number != SIGURG && number != SIGWINCH && number != SIGCONT; }

/* Signals come in as an interrupt does: between any two basic blocks of the program. */
static void attend(void)
{
    for (int i = 1; i < SIGNALS; i++)
        if (pending & ~mask & bit(i) && actions[i].sa_handler == SIG_DFL) {
            pending &= ~bit(i);
            if (kills(i) && !ended) {
                ended = true;
                status = 128 + i;
                ended_at = fb_now();
                open_at_end = lu_open_files();
                fb_trace("exit", "killed by signal %d", i);
                fb_thread_suspend(process);
                return;
            }
        }
    if (lu_deliverable())
        fb_irq("signal", 100, run_handlers, NULL);
    fb_wake_all(&changed);
}
static void send(void *number)
{
    fb_trace("sent", "%d", (int)(intptr_t)number);
    pending |= bit((int)(intptr_t)number);
    attend();
}
void lu_signal_at(int64_t when, int number) { fb_at(when, send, (void *)(intptr_t)number); }
uint64_t lu_mask_swap(uint64_t other)
{
    uint64_t old = mask;
    mask = other & ~(bit(SIGKILL) | bit(SIGSTOP));
    attend();
    fb_reschedule();
    return old;
}
long lu_take_signal(uint64_t among)
{
    for (int i = 1; i < SIGNALS; i++)
        if (pending & among & bit(i)) {
            pending &= ~bit(i);
            return i;
        }
    return 0;
}
bool lu_pending_among(uint64_t among);
bool lu_pending_among(uint64_t among) { return pending & among; }
int lu_wait(int64_t until)
{
    unsigned before = entered;
    if (fb_in_isr()) {
        fb_fault("blocking_in_signal_handler", "a signal handler waits");
        return -EINTR;
    }
    if (lu_deliverable())
        fb_reschedule();
    entered = handled;
    if (handled != before)
        return -EINTR;
    int woken = fb_wait(&changed, until);
    fb_reschedule();
    entered = handled;
    if (handled != before)
        return -EINTR;
    return woken ? -ETIMEDOUT : 0;
}
static unsigned waits, before_wait;
static int number_before_wait;
void lu_signal_before_wait(unsigned nth, int number)
{
    before_wait = nth;
    number_before_wait = number;
}
void lu_enter_wait(void)
{
    if (!fb_in_isr() && ++waits == before_wait) {
        send((void *)(intptr_t)number_before_wait);
        fb_reschedule();
    }
    entered = handled;
    lu_system_call();
}
void lu_changed(void) { fb_wake_all(&changed); }

/* Only these of the calls modelled here may be made in a signal handler (signal-safety(7)). */
void lu_system_call(void) { fb_spend(CALL_NS); }
static void unsafe(const char *call)
{
    if (fb_in_isr())
        fb_fault("not_signal_safe", "%s is called in a signal handler", call);
}

int lu_sigaction(int number, const struct sigaction *wanted, struct sigaction *old)
{
    if (number < 1 || number >= SIGNALS || number == SIGKILL || number == SIGSTOP)
        return lu_fail(EINVAL);
    if (old)
        *old = actions[number];
    if (wanted)
        actions[number] = *wanted;
    return 0;
}
sighandler_t lu_signal(int number, sighandler_t handler)
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART}, old;
    sigemptyset(&action.sa_mask);
    return lu_sigaction(number, &action, &old) ? SIG_ERR : old.sa_handler;
}
int lu_sigprocmask(int how, const sigset_t *set, sigset_t *old)
{
    if (old) {
        sigemptyset(old);
        for (int i = 1; i < SIGNALS; i++)
            if (mask & bit(i))
                sigaddset(old, i);
    }
    if (set) {
        uint64_t bits = lu_set_of(set);
        lu_mask_swap(how == SIG_BLOCK ? mask | bits : how == SIG_UNBLOCK ? mask & ~bits : bits);
    }
    return 0;
}
int lu_pthread_sigmask(int how, const sigset_t *set, sigset_t *old) { return lu_sigprocmask(how, set, old); }
int lu_sigpending(sigset_t *set)
{
    sigemptyset(set);
    for (int i = 1; i < SIGNALS; i++)
        if (pending & bit(i))
            sigaddset(set, i);
    return 0;
}
int lu_kill(pid_t pid, int number)
{
    (void)pid;
    send((void *)(intptr_t)number);
    fb_reschedule();
    return 0;
}
int lu_raise(int number) { return lu_kill(0, number); }
pid_t lu_getpid(void) { return 100; }
int lu_pause(void)
{
    lu_enter_wait();
    while (lu_wait(FB_FOREVER) != -EINTR)
        ;
    return lu_fail(EINTR);
}
int lu_sigsuspend(const sigset_t *set)
{
    lu_enter_wait();
    unsigned before = handled;
    uint64_t old = lu_mask_swap(lu_set_of(set));
    while (handled == before && lu_wait(FB_FOREVER) != -EINTR)
        ;
    lu_mask_swap(old);
    return lu_fail(EINTR);
}
int lu_sigtimedwait(const sigset_t *set, siginfo_t *info, const struct timespec *timeout)
{
    int64_t until = timeout ? fb_now() + timeout->tv_sec * 1000000000LL + timeout->tv_nsec : FB_FOREVER;
    lu_enter_wait();
    for (;;) {
        long number = lu_take_signal(lu_set_of(set));
        if (number) {
            if (info)
                *info = (siginfo_t){.si_signo = (int)number};
            return (int)number;
        }
        int waited = lu_wait(until);
        if (waited == -EINTR || waited == -ETIMEDOUT)
            return lu_fail(waited == -EINTR ? EINTR : EAGAIN);
    }
}
int lu_sigwaitinfo(const sigset_t *set, siginfo_t *info) { return lu_sigtimedwait(set, info, NULL); }
int lu_sigwait(const sigset_t *set, int *number)
{
    do
        *number = lu_sigtimedwait(set, NULL, NULL);
    while (*number < 0);
    return 0;
}
static fb_event *alarm_event;
static int64_t alarm_every;
static void ring(void *unused)
{
    (void)unused;
    alarm_event = alarm_every ? fb_at(fb_now() + alarm_every, ring, NULL) : NULL;
    send((void *)(intptr_t)SIGALRM);
}
unsigned lu_alarm(unsigned seconds)
{
    fb_cancel(alarm_event);
    alarm_every = 0;
    alarm_event = seconds ? fb_at(fb_now() + FB_S(seconds), ring, NULL) : NULL;
    return 0;
}
int lu_setitimer(int which, const struct itimerval *value, struct itimerval *old)
{
    (void)which;
    if (old)
        *old = (struct itimerval){0};
    fb_cancel(alarm_event);
    alarm_every = value->it_interval.tv_sec * 1000000000LL + value->it_interval.tv_usec * 1000LL;
    int64_t first = value->it_value.tv_sec * 1000000000LL + value->it_value.tv_usec * 1000LL;
    alarm_event = first ? fb_at(fb_now() + first, ring, NULL) : NULL;
    return 0;
}
int lu_getitimer(int which, struct itimerval *value)
{
    (void)which;
    *value = (struct itimerval){0};
    return 0;
}

/* ---- time ---- */
int64_t lu_clock(clockid_t clock) { return fb_now() + (clock == CLOCK_REALTIME || clock == CLOCK_TAI ? REAL_OFFSET : 5000000000LL); }
static struct timespec timespec_of(int64_t ns) { return (struct timespec){ns / 1000000000, ns % 1000000000}; }
int lu_clock_gettime(clockid_t clock, struct timespec *to)
{
    fb_spend(50);
    *to = timespec_of(lu_clock(clock));
    return 0;
}
int lu_clock_getres(clockid_t clock, struct timespec *to)
{
    (void)clock;
    if (to)
        *to = timespec_of(1);
    return 0;
}
time_t lu_time(time_t *to)
{
    time_t now = lu_clock(CLOCK_REALTIME) / 1000000000;
    if (to)
        *to = now;
    return now;
}
int lu_gettimeofday(struct timeval *to, void *zone)
{
    (void)zone;
    int64_t now = lu_clock(CLOCK_REALTIME);
    *to = (struct timeval){now / 1000000000, now % 1000000000 / 1000};
    return 0;
}
static int sleep_until(int64_t until, struct timespec *left)
{
    while (fb_now() < until) {
        int waited = lu_wait(until);
        if (waited == -EINTR) {
            if (left)
                *left = timespec_of(until > fb_now() ? until - fb_now() : 0);
            return EINTR;
        }
    }
    return 0;
}
int lu_clock_nanosleep(clockid_t clock, int flags, const struct timespec *request, struct timespec *left)
{
    int64_t ns = request->tv_sec * 1000000000LL + request->tv_nsec;
    if (request->tv_nsec < 0 || request->tv_nsec >= 1000000000L || request->tv_sec < 0)
        return EINVAL;
    lu_enter_wait();
    bool absolute = flags & TIMER_ABSTIME;
    return sleep_until(absolute ? ns - (lu_clock(clock) - fb_now()) : fb_now() + ns, absolute ? NULL : left);
}
int lu_nanosleep(const struct timespec *request, struct timespec *left)
{
    int error = lu_clock_nanosleep(CLOCK_MONOTONIC, 0, request, left);
    return error ? lu_fail(error) : 0;
}
int lu_usleep(useconds_t us)
{
    struct timespec request = timespec_of((int64_t)us * 1000);
    return lu_nanosleep(&request, NULL);
}
unsigned lu_sleep(unsigned seconds)
{
    struct timespec request = {seconds, 0}, left = {0, 0};
    return lu_nanosleep(&request, &left) ? (unsigned)(left.tv_sec + (left.tv_nsec > 0)) : 0;
}

/* ---- the end ---- */
bool lu_exited(void) { return ended; }
int lu_exit_status(void) { return status; }
int64_t lu_exit_at(void) { return ended_at; }
size_t lu_open_files(void)
{
    if (ended && ended_at >= 0 && open_at_end)
        return open_at_end;
    size_t count = 0;
    for (int i = LU_FIRST; i < LU_FDS; i++)
        count += lu_files[i] != NULL;
    return count;
}
void lu_ended(int code)
{
    open_at_end = lu_open_files();
    ended = true;
    status = code & 0xff;
    ended_at = fb_now();
    fb_trace("exit", "status %d", status);
    fb_exit();
}
void lu__exit(int code)
{
    if (fb_in_isr()) { /* in a signal handler: the process goes when the handler has returned */
        ended = true;
        status = code & 0xff;
        ended_at = fb_now();
        open_at_end = lu_open_files();
        fb_trace("exit", "status %d, in a signal handler", status);
        fb_stop("_exit in a signal handler");
    }
    lu_ended(code);
}
void lu__Exit(int code) { lu__exit(code); }
void lu_quick_exit(int code) { lu__exit(code); }
void lu_exit(int code)
{
    unsafe("exit");
    while (at_exit_count)
        at_exit[--at_exit_count]();
    lu__exit(code);
}
int lu_atexit(void (*function)(void))
{
    if (at_exit_count == sizeof at_exit / sizeof *at_exit)
        return -1;
    at_exit[at_exit_count++] = function;
    return 0;
}
void lu_abort(void) { fb_panic("abort() was called"); }

static void run(void *unused)
{
    static char name[] = "program", *argv[] = {name, NULL};
    (void)unused;
    lu_exit(candidate_main(1, argv));
}
void platform_boot(void)
{
    process = fb_thread_new("program", 0, run, NULL);
}

/* ---- what it prints ---- */
void lu_output(const char *text) { fb_console(text, strlen(text)); }
static int print(const char *format, va_list args)
{
    unsafe("a printing function of stdio");
    char text[1024];
    int n = vsnprintf(text, sizeof text, format, args);
    fb_console(text, strlen(text));
    return n;
}
#define PRINTS(after) \
    va_list args; \
    va_start(args, format); \
    int n = print(format, args); \
    va_end(args); \
    after
int lu_fprintf(FILE *to, const char *format, ...) { (void)to; PRINTS(return n;) }
int lu_vfprintf(FILE *to, const char *format, va_list args) { (void)to; return print(format, args); }
int lu_dprintf(int fd, const char *format, ...) { (void)fd; PRINTS(return n;) }
int lu_vdprintf(int fd, const char *format, va_list args) { (void)fd; return print(format, args); }
int lu_fputs(const char *text, FILE *to) { (void)to; unsafe("fputs"); lu_output(text); return 1; }
int lu_fputc(int c, FILE *to) { (void)to; fb_console(&(char){(char)c}, 1); return c; }
int lu_putc(int c, FILE *to) { return lu_fputc(c, to); }
size_t lu_fwrite(const void *from, size_t size, size_t n, FILE *to) { (void)to; fb_console(from, size * n); return n; }
int lu_fflush(FILE *to) { (void)to; return 0; }
int lu_setvbuf(FILE *to, char *buffer, int mode, size_t n) { (void)to; (void)buffer; (void)mode; (void)n; return 0; }
void lu_setbuf(FILE *to, char *buffer) { (void)to; (void)buffer; }
void lu_setlinebuf(FILE *to) { (void)to; }
void lu_perror(const char *text)
{
    char line[256];
    snprintf(line, sizeof line, "%s%s%s\n", text ? text : "", text && *text ? ": " : "", strerror(errno));
    unsafe("perror");
    lu_output(line);
}
void lu_openlog(const char *name, int option, int facility) { (void)name; (void)option; (void)facility; }
void lu_closelog(void) {}
void lu_syslog(int level, const char *format, ...) { (void)level; PRINTS((void)n; lu_output("\n");) }
void lu_vsyslog(int level, const char *format, va_list args) { (void)level; print(format, args); lu_output("\n"); }
void lu_warn(const char *format, ...) { int error = errno; PRINTS((void)n; errno = error; lu_output(": "); lu_output(strerror(error)); lu_output("\n");) }
void lu_warnx(const char *format, ...) { PRINTS((void)n; lu_output("\n");) }
void lu_err(int code, const char *format, ...) { int error = errno; PRINTS((void)n; lu_output(": "); lu_output(strerror(error)); lu_output("\n"); lu_exit(code);) }
void lu_errx(int code, const char *format, ...) { PRINTS((void)n; lu_output("\n"); lu_exit(code);) }
