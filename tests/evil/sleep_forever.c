/* Use no CPU time at all. */
#include <unistd.h>

int main(void)
{
    for (;;)
        pause();
}
