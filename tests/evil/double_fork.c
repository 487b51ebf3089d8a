/* Leave a grandchild in a session of its own that outlives its parents, keeps writing and holds the streams open. */
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <fcntl.h>

int main(void)
{
    if (fork() == 0) {
        setsid();
        if (fork() == 0) {
            for (;;) {
                int fd = open("outlived", O_WRONLY | O_CREAT | O_APPEND, 0644);
                if (write(fd, "x", 1) < 0)
                    break;
                close(fd);
                nanosleep(&(struct timespec){0, 1000000}, NULL);
            }
        }
        _exit(0);
    }
    struct stat seen;
    for (int tries = 0; stat("outlived", &seen) && tries < 2000; tries++)
        nanosleep(&(struct timespec){0, 1000000}, NULL);
    puts("done");
    return 0;
}
