/* Before main the process forks: the parent stays as it was loaded and makes one child a boot. So a boot starts with the
 * initial values of all static data, which no reset of a used image could promise. */
#include "power.h"

#include "core.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define KEPT_BYTES (4u << 20)
#define MOST_BOOTS 2000u
#define CYCLE 113

static struct kept {
    unsigned boot;
    bool cycle; /* set right before the exit: its status alone could be the candidate's doing */
    _Alignas(16) unsigned char memory[KEPT_BYTES];
} *kept;
static size_t used;

static void pass_on(int status)
{
    if (WIFSIGNALED(status)) {
        signal(WTERMSIG(status), SIG_DFL);
        raise(WTERMSIG(status));
    }
    _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 1);
}

/* After verdict.h's constructor (101), so that the secret is in every boot. */
__attribute__((constructor(200))) static void supply(void)
{
    if (!&fb_wants_power_cycles)
        return;
    kept = mmap(NULL, sizeof *kept, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (kept == MAP_FAILED)
        abort();
    for (;; kept->boot++) {
        int status;
        pid_t child = fork();
        if (child == 0)
            return;
        if (child < 0 || waitpid(child, &status, 0) != child)
            abort();
        bool again = WIFEXITED(status) && WEXITSTATUS(status) == CYCLE && kept->cycle && kept->boot < MOST_BOOTS;
        kept->cycle = false;
        if (!again)
            pass_on(status);
    }
}

bool fb_can_power_cycle(void)
{
    return kept;
}

unsigned fb_boot(void)
{
    return kept ? kept->boot : 0;
}

void *fb_kept(size_t bytes)
{
    bytes = (bytes + 15) & ~(size_t)15;
    if (!kept)
        return calloc(1, bytes);
    if (bytes > KEPT_BYTES - used)
        fb_panic("the scenario keeps more than %u bytes", KEPT_BYTES);
    used += bytes;
    return kept->memory + used - bytes;
}

void fb_power_cycle(const char *reason)
{
    if (!kept || fb_faults(NULL) || fb_traced("crash", NULL))
        fb_stop(reason);
    fb_trace("power", "cycle: %s", reason);
    if (getenv("FB_RECORD"))
        fb_record_print();
    kept->cycle = true;
    _exit(CYCLE);
}
