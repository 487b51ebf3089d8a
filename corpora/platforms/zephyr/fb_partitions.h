/* The simulated flash: its shape and where its partitions are, which zephyr/board/drivers.h says. */
#ifndef FB_PARTITIONS_H
#define FB_PARTITIONS_H

#include <zephyr/device.h>

#define FB_FLASH_PAGE 2048
#define FB_FLASH_BLOCK 8
#define FB_FLASH_BYTES 0x30000
#define FB_FLASH DEVICE_DT_GET(DT_NODELABEL(flash0))

#define FB_PARTITIONS 6
#define FB_PARTITION_ID(label) DT_CAT(DT_NODELABEL(label), _PARTITION_ID)
#define FB_PARTITION_OFFSET(label) DT_REG_ADDR(DT_NODELABEL(label))
#define FB_PARTITION_SIZE(label) DT_REG_SIZE(DT_NODELABEL(label))

#endif
