/* Leave links where files are to be collected: to a file outside, to a directory outside, a hard link, a pipe. */
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void)
{
    if (symlink("/usr/bin/gcc", "a.out") || symlink("/usr/bin", "folder") || mkfifo("pipe", 0666) || mkdir("plain", 0777))
        return 1;
    symlink("/proc/self/environ", "environment");
    FILE *honest = fopen("plain/honest", "w");
    fputs("honest", honest);
    return fclose(honest);
}
