/* Try to create or change a file in every directory but the writable one. The file's name is the argument. Prints
 * where it could; the exit status says whether it could at all. */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(int count, char **argument)
{
    static const char *const places[] = {
        "/", "/usr", "/usr/bin", "/usr/local/bin", "/lib", "/bin", "/etc", "/var", "/var/tmp", "/run", "/home", "/root",
        "/opt", "/dev", "/dev/shm", "/dev/mqueue", "/sys", "/proc", "/proc/sys/kernel", "/sys/fs/cgroup",
        "/sys/fs/cgroup/memory", "/mnt", "/srv", "/data",
    };
    char path[4096];
    int written = 0;
    for (unsigned i = 0; i < sizeof places / sizeof *places; i++) {
        snprintf(path, sizeof path, "%s/%s", places[i], argument[count - 1]);
        int fd = open(path, O_WRONLY | O_CREAT, 0666);
        if (fd >= 0) {
            puts(path);
            written++;
        }
    }
    static const char *const files[] = {
        "/usr/bin/gcc", "/bin/sh", "/etc/ld.so.cache", "/supervisor", "/proc/sysrq-trigger",
        "/proc/sys/kernel/core_pattern", "/proc/1/mem", "/proc/1/oom_score_adj", "/dev/mem",
    };
    for (unsigned i = 0; i < sizeof files / sizeof *files; i++)
        if (open(files[i], O_WRONLY) >= 0) {
            puts(files[i]);
            written++;
        }
    return written != 0;
}
