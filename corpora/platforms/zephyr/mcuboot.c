/* The application's side of MCUboot over two slots, and what the boot loader makes of it at the next start. */
#include <errno.h>
#include <string.h>

#include <zephyr/dfu/mcuboot.h>
#include <zephyr/storage/flash_map.h>

#include "fb_mcuboot.h"
#include "power.h"
#include "sim.h"

static struct kept {
    bool known, confirmed, on_trial;
    int running, other;
    enum fb_upgrade requested;
} *kept;
static unsigned confirm_calls;
static struct {
    unsigned count;
    int error;
} confirm_fault, request_fault;

static struct kept *state(void)
{
    if (!kept)
        kept = fb_kept("mcuboot", sizeof *kept);
    if (!kept->known) {
        kept->known = true;
        kept->confirmed = true;
    }
    return kept;
}

static void swap(struct kept *s)
{
    int image = s->running;
    s->running = s->other;
    s->other = image;
}

void fb_mcuboot_start(int first_running, int first_other)
{
    struct kept *s = state();
    if (fb_boot() == 0) {
        s->running = first_running;
        if (s->requested == FB_UPGRADE_NONE)
            s->other = first_other;
    }
    if (s->requested != FB_UPGRADE_NONE) {
        swap(s);
        s->confirmed = s->requested == FB_UPGRADE_PERMANENT;
        s->requested = FB_UPGRADE_NONE;
        s->on_trial = !s->confirmed;
    } else if (s->on_trial) {
        swap(s);
        s->on_trial = false;
        s->confirmed = true;
    }
    fb_trace("mcuboot", "runs image %d, %s", s->running, s->confirmed ? "confirmed" : "on trial");
}

int fb_mcuboot_running(void)
{
    return state()->running;
}

bool fb_mcuboot_confirmed(void)
{
    return state()->confirmed;
}

enum fb_upgrade fb_mcuboot_requested(void)
{
    return state()->requested;
}

void fb_mcuboot_request(enum fb_upgrade upgrade, int other)
{
    state()->requested = upgrade;
    state()->other = other;
}

unsigned fb_mcuboot_confirm_calls(void)
{
    return confirm_calls;
}

void fb_mcuboot_fail_confirm(unsigned count, int error)
{
    confirm_fault.count = count;
    confirm_fault.error = error;
}

void fb_mcuboot_fail_request(unsigned count, int error)
{
    request_fault.count = count;
    request_fault.error = error;
}

bool boot_is_img_confirmed(void)
{
    return state()->confirmed;
}

int boot_write_img_confirmed(void)
{
    int ret = confirm_fault.count ? (confirm_fault.count--, confirm_fault.error) : 0;
    confirm_calls++;
    fb_trace("mcuboot", "confirm: %d", ret);
    fb_spend(FB_US(500));
    if (!ret) {
        state()->confirmed = true;
        state()->on_trial = false;
    }
    return ret;
}

int boot_write_img_confirmed_multi(int image_index)
{
    return image_index ? -EINVAL : boot_write_img_confirmed();
}

int boot_request_upgrade(int permanent)
{
    int ret = request_fault.count ? (request_fault.count--, request_fault.error) : 0;
    fb_trace("mcuboot", "request %s: %d", permanent ? "permanent" : "test", ret);
    fb_spend(FB_US(500));
    if (!ret)
        state()->requested = permanent ? FB_UPGRADE_PERMANENT : FB_UPGRADE_TEST;
    return ret;
}

int boot_request_upgrade_multi(int image_index, int permanent)
{
    return image_index ? -EINVAL : boot_request_upgrade(permanent);
}

int boot_set_next(int image_index, bool active, bool confirm)
{
    if (image_index)
        return -EINVAL;
    if (active)
        return confirm ? boot_write_img_confirmed() : -EINVAL;
    return boot_request_upgrade(confirm);
}

int mcuboot_swap_type(void)
{
    struct kept *s = state();
    if (s->requested != FB_UPGRADE_NONE)
        return s->requested == FB_UPGRADE_PERMANENT ? BOOT_SWAP_TYPE_PERM : BOOT_SWAP_TYPE_TEST;
    return s->on_trial ? BOOT_SWAP_TYPE_REVERT : BOOT_SWAP_TYPE_NONE;
}

int mcuboot_swap_type_multi(int image_index)
{
    return image_index ? -EINVAL : mcuboot_swap_type();
}

int boot_erase_img_bank(uint8_t area_id)
{
    const struct flash_area *area;
    int ret = flash_area_open(area_id, &area);
    if (ret)
        return ret;
    ret = flash_area_erase(area, 0, area->fa_size);
    flash_area_close(area);
    return ret;
}

int boot_read_bank_header(uint8_t area_id, struct mcuboot_img_header *header, size_t header_size)
{
    if (header_size < sizeof *header || area_id >= FB_PARTITIONS)
        return -EINVAL;
    memset(header, 0, sizeof *header);
    header->mcuboot_version = 1;
    header->h.v1.sem_ver.major =
        (uint8_t)(area_id == FIXED_PARTITION_ID(slot0_partition) ? state()->running : state()->other);
    return 0;
}

uint8_t boot_fetch_active_slot(void)
{
    return FIXED_PARTITION_ID(slot0_partition);
}

ssize_t boot_get_trailer_status_offset(size_t area_size)
{
    return (ssize_t)area_size - 4096;
}

ssize_t boot_get_area_trailer_status_offset(uint8_t area_id)
{
    return area_id >= FB_PARTITIONS ? -EINVAL : boot_get_trailer_status_offset(fb_flash_areas[area_id].fa_size);
}
