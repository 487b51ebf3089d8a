/* What a scenario does with the file system NVS: it is one on the storage partition, kept over power cycles. */
#ifndef FB_NVS_H
#define FB_NVS_H

#include <stddef.h>
#include <stdint.h>

void fb_nvs_set(uint16_t id, const void *data, size_t length); /* as if it had been written in an earlier boot */
void fb_nvs_remove(uint16_t id);
long fb_nvs_get(uint16_t id, void *data, size_t room); /* the length stored, -1 if there is none */
unsigned fb_nvs_writes(uint16_t id);                   /* that changed the flash, over all boots */
/* After `skip` more calls that would write to the flash, `count` such calls fail with `error`. */
void fb_nvs_fail_writes(unsigned skip, unsigned count, int error);
void fb_nvs_fail_reads(unsigned skip, unsigned count, int error);

#endif
