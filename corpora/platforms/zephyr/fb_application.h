/* The rest of the firmware, for answers that are a library: a scenario's thread, which calls them. */
#ifndef FB_APPLICATION_H
#define FB_APPLICATION_H

/* Called in scenario(): `entry` runs in a preemptible thread (priority 7), begun when all SYS_INIT functions have run. */
void fb_application(void (*entry)(void));

#endif
