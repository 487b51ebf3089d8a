/* Leave links where files are to be collected: to a file and a directory outside, a pipe. */
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void)
{
    if (symlink("/usr/bin/gcc", "a.out") || symlink("/usr/bin", "folder") ||
        symlink("/proc/self/environ", "environment") || mkfifo("pipe", 0666) || mkdir("plain", 0777))
        return 1;
    FILE *honest = fopen("plain/honest", "w");
    fputs("honest", honest);
    return fclose(honest);
}
