/* Take memory and touch it until there is none, then keep what was taken. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
    for (size_t block = 8u << 20;;) {
        char *more = malloc(block);
        if (more)
            memset(more, 1, block);
        else
            abort();
    }
}
