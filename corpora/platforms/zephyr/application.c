/* The thread in which a scenario plays the rest of the firmware. */
#include <zephyr/kernel.h>

#include "fb_application.h"

#define PRIORITY 7

static void (*application)(void);
static struct k_thread thread;
static K_THREAD_STACK_DEFINE(stack, 4096);

void fb_application(void (*entry)(void))
{
    application = entry;
}

static void begin(void *a, void *b, void *c)
{
    (void)a;
    (void)b;
    (void)c;
    application();
}

static int start(void)
{
    if (!application)
        return 0;
    k_thread_create(&thread, stack, K_THREAD_STACK_SIZEOF(stack), begin, NULL, NULL, NULL, PRIORITY, 0, K_NO_WAIT);
    k_thread_name_set(&thread, "application");
    return 0;
}
SYS_INIT(start, APPLICATION, 99);
