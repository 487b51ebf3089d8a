/* Use CPU time in one short-lived child after the other, so that no process uses much. */
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

int main(void)
{
    for (;;) {
        if (fork() == 0) {
            while (clock() < CLOCKS_PER_SEC / 20)
                ;
            _exit(0);
        }
        wait(NULL);
    }
}
