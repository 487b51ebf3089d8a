/* The guard stands outside, between the caller and a sandbox: it puts the sandbox into its control groups and takes
 * them away when the sandbox has ended, also when the caller was killed and cannot. */
#define _GNU_SOURCE
#include "supervisor.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile pid_t child;

static void stop(int number)
{
    (void)number;
    if (child > 0)
        kill(child, SIGKILL);
}

static void join(const char *group)
{
    char path[4200];
    snprintf(path, sizeof path, "%s/cgroup.procs", group);
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0 || write(fd, "0", 1) != 1)
        fatal(path);
    close(fd);
}

static void kill_members(const char *group)
{
    char path[4200];
    snprintf(path, sizeof path, "%s/cgroup.procs", group);
    FILE *members = fopen(path, "re");
    int pid;
    while (members && fscanf(members, "%d", &pid) == 1)
        if (pid > 1)
            kill(pid, SIGKILL);
    if (members)
        fclose(members);
}

/* A group stays busy for a moment after its last process has gone. */
static void leave(const char *group)
{
    struct timespec pause = {0, 500000};
    for (int tries = 0; rmdir(group) && errno == EBUSY && tries < 400; tries++) {
        if (tries)
            kill_members(group);
        nanosleep(&pause, NULL);
        if (pause.tv_nsec < 20000000)
            pause.tv_nsec *= 2;
    }
}

/* guard GROUP... -- COMMAND... */
int guard(int argc, char **argv)
{
    int groups = 0;
    while (groups < argc && strcmp(argv[groups], "--"))
        groups++;
    if (groups + 1 >= argc) {
        errno = EINVAL;
        fatal("guard needs a command");
    }
    sigset_t term, before;
    sigemptyset(&term);
    sigaddset(&term, SIGTERM);
    sigprocmask(SIG_BLOCK, &term, &before);
    signal(SIGTERM, stop);
    child = fork();
    if (child < 0)
        fatal("fork");
    if (child == 0) {
        signal(SIGTERM, SIG_DFL);
        sigprocmask(SIG_SETMASK, &before, NULL);
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        for (int i = 0; i < groups; i++)
            join(argv[i]);
        execvp(argv[groups + 1], argv + groups + 1);
        fatal(argv[groups + 1]);
    }
    close(0); /* the caller must see the end of the channel when the sandbox ends */
    close(1);
    sigprocmask(SIG_SETMASK, &before, NULL);
    int status;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    for (int i = 0; i < groups; i++)
        leave(argv[i]);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
