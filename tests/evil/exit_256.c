/* End with a status of 256, of which the kernel keeps eight bits: 0. */
#include <stdlib.h>

int main(void)
{
    exit(256);
}
