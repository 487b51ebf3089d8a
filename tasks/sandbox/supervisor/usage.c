/* What the kernel says about the processes in here. */
#define _GNU_SOURCE
#include "supervisor.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *slurp(const char *path)
{
    static char text[4096];
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t got = fd < 0 ? 0 : read(fd, text, sizeof text - 1);
    if (fd >= 0)
        close(fd);
    text[got > 0 ? got : 0] = '\0';
    return text;
}

static uint64_t number_after(const char *path, const char *word)
{
    const char *at = strstr(slurp(path), word);
    return at ? strtoull(at + strlen(word), NULL, 10) : 0;
}

/* How often the kernel killed for want of memory in our control group, where a container shows it (v1, then v2). */
uint64_t memory_kills(void)
{
    uint64_t kills = number_after("/sys/fs/cgroup/memory/memory.oom_control", "oom_kill ");
    return kills ? kills : number_after("/sys/fs/cgroup/memory.events", "oom_kill ");
}

/* What every other process uses: CPU time with that of the children it has waited for, and resident memory.
 * To be asked by pid 1 of a namespace, whose /proc shows nothing else. */
struct usage usage_of_the_living(void)
{
    uint64_t ticks = 0, pages = 0;
    DIR *listing = opendir("/proc");
    for (struct dirent *entry; listing && (entry = readdir(listing));) {
        if (!isdigit((unsigned char)entry->d_name[0]) || !strcmp(entry->d_name, "1"))
            continue;
        char path[300];
        snprintf(path, sizeof path, "/proc/%s/stat", entry->d_name);
        const char *after_name = strrchr(slurp(path), ')');
        unsigned long long user, system, resident;
        long long users, systems;
        if (after_name && sscanf(after_name,
                                 ") %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %llu %llu %lld %lld"
                                 " %*d %*d %*d %*d %*u %*u %llu",
                                 &user, &system, &users, &systems, &resident) == 5) {
            ticks += user + system + (uint64_t)users + (uint64_t)systems;
            pages += resident;
        }
    }
    if (listing)
        closedir(listing);
    return (struct usage){ticks * 1000000 / (uint64_t)sysconf(_SC_CLK_TCK), pages * (uint64_t)sysconf(_SC_PAGESIZE)};
}
