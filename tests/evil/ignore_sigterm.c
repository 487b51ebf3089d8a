/* Refuse every signal that can be refused, and go on. */
#include <signal.h>
#include <unistd.h>

int main(void)
{
    for (int number = 1; number < 65; number++)
        signal(number, SIG_IGN);
    for (;;)
        pause();
}
