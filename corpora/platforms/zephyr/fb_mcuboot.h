/* What MCUboot would do between two boots, and what a scenario does with it. State outlives a power cycle. */
#ifndef FB_MCUBOOT_H
#define FB_MCUBOOT_H

#include <stdbool.h>

enum fb_upgrade { FB_UPGRADE_NONE, FB_UPGRADE_TEST, FB_UPGRADE_PERMANENT };

/* Play the boot loader: swap if an upgrade was requested, swap back if the image on trial was not confirmed. Called once
 * in each boot, by the scenario. Images are numbers that the scenario chooses. */
void fb_mcuboot_start(int first_running, int first_other);
int fb_mcuboot_running(void);
bool fb_mcuboot_confirmed(void);
enum fb_upgrade fb_mcuboot_requested(void);
void fb_mcuboot_request(enum fb_upgrade upgrade, int other); /* as an updater would have done, for the next boot */
unsigned fb_mcuboot_confirm_calls(void);                     /* in this boot */
void fb_mcuboot_fail_confirm(unsigned count, int error);     /* the next calls */
void fb_mcuboot_fail_request(unsigned count, int error);

#endif
