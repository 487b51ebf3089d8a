/* The board's devicetree as macros; see zephyr/devicetree.h for their names. One file a part. */
#ifndef ZEPHYR_DEVICETREE_GENERATED_H
#define ZEPHYR_DEVICETREE_GENERATED_H

#include <zephyr/board/soc.h>
#if __has_include(<zephyr/board/drivers.h>)
#include <zephyr/board/drivers.h>
#else
#define FB_DEVICES_DRIVERS(X)
#endif

#define FB_DEVICES(X) FB_DEVICES_SOC(X) FB_DEVICES_DRIVERS(X)

#endif
