/* Fork without end; the children do, too. */
#include <unistd.h>

int main(void)
{
    for (;;)
        fork();
}
