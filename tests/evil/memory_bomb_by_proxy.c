/* Let a child take all memory and report success when the kernel has killed it. */
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    if (fork() == 0)
        for (;;) {
            char *more = malloc(8u << 20);
            if (!more)
                abort();
            memset(more, 1, 8u << 20);
        }
    wait(NULL);
    return 0;
}
