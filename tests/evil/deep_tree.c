/* Nest directories deeper than anyone would want to walk. */
#include <sys/stat.h>
#include <unistd.h>

int main(void)
{
    for (int depth = 0; depth < 3000; depth++)
        if (mkdir("d", 0700) || chdir("d"))
            return 1;
    return 0;
}
