/* The program's start: boots the platform, runs to the end, and reports the checks of the core and of the scenario.
 * Linked first, so that verdict.h takes the secret before graded code runs. FB_RECORD=1 prints the record to stderr. */
#include "verdict.h"

#include "core.h"

#include <stdlib.h>

bool fb_check(const char *name, bool pass, const char *expected, const char *format, ...)
{
    char saw[512];
    va_list args;
    va_start(args, format);
    vsnprintf(saw, sizeof saw, format, args);
    va_end(args);
    return verdict_check(name, pass, expected, saw);
}

static void core_check(const char *name, const char *kind, const char *expected)
{
    size_t count = fb_traced(kind, NULL);
    if (!count) {
        verdict_check(name, 1, expected, "none");
        return;
    }
    fb_check(name, false, expected, "%s (in %s at %.6f s; %zu in all)", fb_traced_text(kind, NULL, 0),
             fb_traced_by(kind, NULL, 0), (double)fb_traced_at(kind, NULL, 0) / 1e9, count);
}

int main(void)
{
    scenario();
    platform_boot();
    fb_run();
    if (getenv("FB_RECORD"))
        fb_record_print();
    core_check("no_crash", "crash", "the program runs to the end of the scenario");
    core_check("no_api_misuse", "fault", "no call that the API forbids");
    fb_check("within_limits", !fb_core.limit, "the run ends by itself or at its time", "%s at %.6f s",
             fb_core.limit ? fb_core.limit : "ended", (double)fb_core.now / 1e9);
    conclude();
    return verdict_end();
}
