/* Fork as often as the kernel lets us, up to a hundred; say how many children there were. */
#include <stdio.h>
#include <unistd.h>

int main(void)
{
    int children = 0;
    while (children < 100) {
        int pid = fork();
        if (pid == 0)
            for (;;)
                pause();
        if (pid < 0)
            break;
        children++;
    }
    printf("%d\n", children);
    return 0;
}
