/* How the scheduler's start makes the timer service task. */
#ifndef FB_RTOS_TIMERS_H
#define FB_RTOS_TIMERS_H

void fb_rtos_start_timers(void);

#endif
