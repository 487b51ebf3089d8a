/* Write as many files as large as can be; say how much that was in MiB. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

int main(void)
{
    static char block[1 << 16];
    char name[32];
    long long total = 0;
    signal(SIGXFSZ, SIG_IGN);
    for (int file = 0; file < 10000; file++) {
        snprintf(name, sizeof name, "big%d", file);
        int fd = open(name, O_WRONLY | O_CREAT, 0644);
        long long before = total;
        if (fd < 0)
            break;
        for (ssize_t put; (put = write(fd, block, sizeof block)) > 0;)
            total += put;
        close(fd);
        if (total == before)
            break;
    }
    printf("%lld\n", total >> 20);
    return 0;
}
