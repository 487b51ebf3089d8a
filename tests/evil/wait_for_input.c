/* Read standard input to its end and say how much there was. */
#include <stdio.h>
#include <unistd.h>

int main(void)
{
    char block[4096];
    long total = 0;
    for (ssize_t got; (got = read(0, block, sizeof block)) > 0;)
        total += got;
    printf("%ld\n", total);
    return 0;
}
