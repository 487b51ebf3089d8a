/* Character devices with a minor number and nothing else of their own. */
#ifndef _LINUX_MISCDEVICE_H
#define _LINUX_MISCDEVICE_H

#include "device.h"
#include "fs.h"
#include "module.h"

#define MISC_MAJOR 10
#define MISC_DYNAMIC_MINOR 255
struct miscdevice {
    int minor;
    const char *name;
    const struct file_operations *fops;
    struct list_head list;
    struct device *parent;
    struct device *this_device;
    const struct attribute_group **groups;
    const char *nodename;
    umode_t mode;
};
int misc_register(struct miscdevice *misc);
void misc_deregister(struct miscdevice *misc);
#define module_misc_device(misc) module_driver(misc, misc_register, misc_deregister)

#endif
