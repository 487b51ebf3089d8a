/* Power cycles: a run of several boots, each in a fresh process image, with memory that outlives them.
 *
 * A scenario that wants them says FB_POWER_CYCLES; once, outside any function. Every boot calls scenario() anew;
 * conclude() is called once, after the boot that does not end in fb_power_cycle(). */
#ifndef FB_POWER_H
#define FB_POWER_H

#include <stdbool.h>
#include <stddef.h>

extern const bool fb_wants_power_cycles __attribute__((weak));
#define FB_POWER_CYCLES const bool fb_wants_power_cycles = true

bool fb_can_power_cycle(void);
unsigned fb_boot(void); /* 0 in the first boot */

/* Memory that a power cycle keeps, the same in each boot for the same name, zeroed before the first. Without power
 * cycles it is ordinary memory. */
void *fb_kept(const char *name, size_t bytes);

void fb_on_power_cycle(void (*fn)(void)); /* called before the record of a boot is gone */

/* Cut the power here and boot again. Nothing of the candidate's memory is left. After a fault or a crash the run ends
 * instead, so that the harness reports it. */
void fb_power_cycle(const char *reason) __attribute__((noreturn));

#endif
