/* What a scenario does with the settings, which are kept over power cycles. */
#ifndef FB_SETTINGS_H
#define FB_SETTINGS_H

#include <stddef.h>

void fb_settings_set(const char *name, const void *value, size_t length); /* as if saved in an earlier boot */
long fb_settings_get(const char *name, void *value, size_t room);         /* its length; -1 if there is none */
unsigned fb_settings_writes(const char *name); /* that changed the flash, over all boots; NULL: of any name */
void fb_settings_fail_writes(unsigned skip, unsigned count, int error);
void fb_settings_fail_reads(unsigned skip, unsigned count, int error); /* of the read_cb that a handler calls */

#endif
