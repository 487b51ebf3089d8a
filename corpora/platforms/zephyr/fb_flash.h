/* What a scenario does with the simulated flash: pages of 2 KiB, blocks of 8 bytes that are written once an erase.
 *
 * Content and wear outlive a power cycle. Each block written and each page erased is an operation; the power can be cut
 * in the middle of a chosen one. */
#ifndef FB_FLASH_H
#define FB_FLASH_H

#include <stddef.h>
#include <stdint.h>

#include "fb_partitions.h"

/* Cut the power in the operation after `more` whole ones (needs FB_POWER_CYCLES); -1: never. */
void fb_flash_cut_after(long more);
/* The same, counted from the next erase of a page on: 0 is in that erase. */
void fb_flash_cut_after_erase(long more);
/* After `skip` more calls of the driver that write or erase, `count` such calls fail with `error`. An erase then does
 * nothing; a write spoils its first block. */
void fb_flash_fail_writes(unsigned skip, unsigned count, int error);
void fb_flash_fail_reads(unsigned skip, unsigned count, int error);
void fb_flash_set(size_t offset, const void *data, size_t length); /* as if it had been written before */
const uint8_t *fb_flash_bytes(size_t offset);
unsigned fb_flash_page_erases(size_t offset);        /* of the page there, over all boots */
unsigned fb_flash_blocks_written(size_t from, size_t to); /* in that range, over all boots */
unsigned fb_flash_erases(size_t from, size_t to);
unsigned fb_flash_reads(void);       /* calls, in this boot */
size_t fb_flash_longest_read(void); /* by one call, in this boot */
int fb_flash_areas_open(void); /* by flash_area_open, and not yet closed, in this boot */

#endif
