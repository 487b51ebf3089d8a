/* What the module holds, and which acquisition fails on purpose. */
#include "lk.h"

#include "linux_kernel.h"

static const char *const WORDS[LK_KINDS] = {
    [LK_MEMORY] = "memory", [LK_REGION] = "device numbers", [LK_CDEV] = "cdev", [LK_CLASS] = "class",
    [LK_DEVICE] = "device", [LK_MISC] = "misc device", [LK_IRQ] = "interrupt", [LK_DRIVER] = "driver",
    [LK_MAPPING] = "register mapping", [LK_QUEUE] = "work queue", [LK_KTHREAD] = "kernel thread",
    [LK_SYSFS] = "sysfs attribute", [LK_CACHE] = "slab cache", [LK_REGMAP] = "regmap",
};

typedef struct held {
    lk_kind kind;
    const void *thing;
    char what[80];
    struct held *next; /* the newer one */
} held;

static held *first;
static unsigned asked, fails_at;
static char failed[100];

bool lk_refuses(lk_kind kind, const char *what)
{
    asked++;
    if (!fails_at || asked != fails_at)
        return false;
    lk_snprintf(failed, sizeof failed, "%s %s", WORDS[kind], what);
    fb_trace("refused", "%s", failed);
    return true;
}

void lk_hold(lk_kind kind, const void *thing, const char *what)
{
    held *one = calloc(1, sizeof *one), **end = &first;
    one->kind = kind;
    one->thing = thing;
    lk_snprintf(one->what, sizeof one->what, "%s %s", WORDS[kind], what);
    while (*end)
        end = &(*end)->next;
    *end = one;
    fb_trace("acquire", "%s", one->what);
}

bool lk_let_go(lk_kind kind, const void *thing)
{
    held *found = NULL;
    for (held *one = first; one; one = one->next)
        if (one->kind == kind && one->thing == thing)
            found = one;
    if (!found)
        return false;
    held **at = &first;
    while (*at != found)
        at = &(*at)->next;
    *at = found->next;
    fb_trace("release", "%s", found->what);
    free(found);
    return true;
}

size_t lk_held(void)
{
    size_t count = 0;
    for (held *one = first; one; one = one->next)
        count++;
    return count;
}

const char *lk_held_first(void)
{
    return first ? first->what : "nothing";
}

void lk_fail(unsigned nth)
{
    asked = 0;
    fails_at = nth;
    failed[0] = '\0';
}

unsigned lk_acquired(void)
{
    return asked;
}

const char *lk_failed(void)
{
    return failed;
}
