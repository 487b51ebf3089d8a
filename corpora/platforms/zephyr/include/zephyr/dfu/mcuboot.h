#ifndef ZEPHYR_DFU_MCUBOOT_H
#define ZEPHYR_DFU_MCUBOOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define BOOT_SWAP_TYPE_NONE 1
#define BOOT_SWAP_TYPE_TEST 2
#define BOOT_SWAP_TYPE_PERM 3
#define BOOT_SWAP_TYPE_REVERT 4
#define BOOT_SWAP_TYPE_FAIL 5

#define BOOT_UPGRADE_TEST 0
#define BOOT_UPGRADE_PERMANENT 1

#define BOOT_IMG_VER_STRLEN_MAX 25

struct mcuboot_img_sem_ver {
    uint8_t major;
    uint8_t minor;
    uint16_t revision;
    uint32_t build_num;
};

struct mcuboot_img_header_v1 {
    uint32_t image_size;
    struct mcuboot_img_sem_ver sem_ver;
};

struct mcuboot_img_header {
    uint32_t mcuboot_version;
    union {
        struct mcuboot_img_header_v1 v1;
    } h;
};

bool boot_is_img_confirmed(void);
int boot_write_img_confirmed(void);
int boot_write_img_confirmed_multi(int image_index);
int boot_request_upgrade(int permanent);
int boot_request_upgrade_multi(int image_index, int permanent);
int boot_set_next(int image_index, bool active, bool confirm);
int boot_erase_img_bank(uint8_t area_id);
int boot_read_bank_header(uint8_t area_id, struct mcuboot_img_header *header, size_t header_size);
uint8_t boot_fetch_active_slot(void);
int mcuboot_swap_type(void);
int mcuboot_swap_type_multi(int image_index);
ssize_t boot_get_area_trailer_status_offset(uint8_t area_id);
ssize_t boot_get_trailer_status_offset(size_t area_size);

#endif
