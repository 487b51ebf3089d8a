/* Leave what could outlive a run: files without permissions, a deep tree, a locked directory, a hidden file. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

int main(int count, char **argument)
{
    const char *marker = argument[count - 1];
    close(open(marker, O_WRONLY | O_CREAT, 0));
    close(open("/tmp/.hidden", O_WRONLY | O_CREAT, 0));
    mkdir("locked", 0700);
    close(open("locked/inside", O_WRONLY | O_CREAT, 0600));
    chmod("locked", 0);
    for (int depth = 0; depth < 40; depth++) {
        mkdir("deep", 0700);
        if (chdir("deep"))
            return 1;
    }
    for (int depth = 0; depth < 40; depth++)
        if (chdir(".."))
            return 1;
    chmod(".", 0);
    return 0;
}
