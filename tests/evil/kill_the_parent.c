/* Try to stop, kill, trace, slow down and starve whoever started us, then everyone. Says what worked. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static void said(const char *what, int failed)
{
    if (!failed) {
        puts(what);
        fflush(stdout);
    }
}

int main(void)
{
    struct rlimit none = {0, 0};
    struct sched_param idle = {0};
    cpu_set_t all;
    CPU_ZERO(&all);
    CPU_SET(0, &all);
    said("starve files", prlimit(1, RLIMIT_NOFILE, &none, NULL));
    said("starve size", prlimit(1, RLIMIT_FSIZE, &none, NULL));
    said("starve time", prlimit(1, RLIMIT_CPU, &none, NULL));
    said("slow down", setpriority(PRIO_PROCESS, 1, 19));
    said("slow down user", setpriority(PRIO_USER, getuid(), 19));
    said("idle", sched_setscheduler(1, SCHED_IDLE, &idle));
    said("pin", sched_setaffinity(1, sizeof all, &all));
    said("trace", ptrace(PTRACE_ATTACH, 1, NULL, NULL) != 0);
    said("memory", open("/proc/1/mem", O_RDWR) < 0);
    said("descriptors", open("/proc/1/fd/10", O_RDWR) < 0);
    said("first to go", open("/proc/1/oom_score_adj", O_RDWR) < 0);
    puts("tried");
    fflush(stdout);
    int stops[] = {SIGSTOP, SIGTERM, SIGKILL, SIGSEGV, SIGINT};
    for (unsigned i = 0; i < sizeof stops / sizeof *stops; i++) {
        kill(getppid(), stops[i]);
        kill(1, stops[i]);
    }
    kill(-1, SIGKILL);
    puts("alive");
    return 0;
}
