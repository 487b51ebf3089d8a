/* Print without end to standard error, and nothing to standard output. */
#include <string.h>
#include <unistd.h>

int main(void)
{
    char block[65536];
    memset(block, 'n', sizeof block);
    for (;;)
        if (write(2, block, sizeof block) < 0)
            return 1;
}
