/* The devices of a scenario, as the buses share them. */
#ifndef LK_BUS_H
#define LK_BUS_H

#include "lk.h"

#include "linux_kernel.h"

typedef struct property {
    char name[32];
    u32 value;
    struct property *next;
} property;

typedef struct device_model {
    char name[48], compatible[64];
    bool i2c;
    struct platform_device pdev;
    struct i2c_client client;
    struct resource resources[2];
    struct device_node node;
    const lk_registers *registers;
    const lk_i2c_model *bus;
    property *properties;
    const void *driver; /* the platform_driver or i2c_driver it is bound to */
    struct device_driver *tried;
    const void *match;
    int probed;
    struct device_model *next;
} device_model;

#define LK_WINDOW 0x10000UL
#define LK_PHYSICAL 0x40000000UL
#define LK_VIRTUAL 0xffffc90000000000UL
extern device_model *lk_devices;

#endif
