/* Print success, then crash. */
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    puts("PASSED");
    fflush(stdout);
    *(volatile int *)8 = 1;
    return 0;
}
