/* What a driver says it drives. */
#ifndef _LINUX_MOD_DEVICETABLE_H
#define _LINUX_MOD_DEVICETABLE_H

#include "types.h"

struct of_device_id {
    char name[32];
    char type[32];
    char compatible[128];
    const void *data;
};
struct platform_device_id {
    char name[20];
    kernel_ulong_t driver_data;
};
struct i2c_device_id {
    char name[20];
    kernel_ulong_t driver_data;
};
struct acpi_device_id {
    char id[16];
    kernel_ulong_t driver_data;
};

#endif
