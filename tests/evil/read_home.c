/* Look for what a home directory, a checkout or an account file would show. The arguments are paths to try as well.
 * Prints what can be read. */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

extern char **environ;

static int seen;

static void look(const char *path)
{
    int fd = open(path, O_RDONLY);
    char one;
    DIR *listing = opendir(path);
    if (fd >= 0 && (listing || read(fd, &one, 1) == 1)) {
        puts(path);
        seen++;
    }
}

int main(int count, char **argument)
{
    static const char *const paths[] = {
        "/root", "/home", "/etc/shadow", "/etc/passwd", "/root/.ssh", "/var", "/run", "/srv", "/opt", "/.git",
        "/tmp/.git", "/proc/1/environ", "/proc/1/fd", "/proc/1/mem", "/proc/1/cwd", "/proc/kcore",
        "/var/run/docker.sock", "/run/docker.sock",
    };
    for (unsigned i = 0; i < sizeof paths / sizeof *paths; i++)
        look(paths[i]);
    for (int i = 1; i < count; i++)
        look(argument[i]);
    for (char **entry = environ; *entry; entry++)
        puts(*entry);
    return seen != 0;
}
