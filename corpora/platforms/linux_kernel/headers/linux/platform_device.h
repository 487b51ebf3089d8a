/* Devices on the platform bus and their resources. */
#ifndef _LINUX_PLATFORM_DEVICE_H
#define _LINUX_PLATFORM_DEVICE_H

#include "device.h"
#include "io.h"
#include "module.h"

#define IORESOURCE_MEM 0x00000200
#define IORESOURCE_IRQ 0x00000400
#define PLATFORM_DEVID_NONE (-1)
#define PLATFORM_DEVID_AUTO (-2)
struct resource {
    resource_size_t start, end;
    const char *name;
    unsigned long flags;
};
static inline resource_size_t resource_size(const struct resource *r) { return r->end - r->start + 1; }
typedef struct pm_message {
    int event;
} pm_message_t;
struct platform_device {
    const char *name;
    int id;
    struct device dev;
    u32 num_resources;
    struct resource *resource;
    const struct platform_device_id *id_entry;
};
struct platform_driver {
    int (*probe)(struct platform_device *);
    union {
        void (*remove)(struct platform_device *);
        void (*remove_new)(struct platform_device *);
    };
    void (*shutdown)(struct platform_device *);
    int (*suspend)(struct platform_device *, pm_message_t);
    int (*resume)(struct platform_device *);
    struct device_driver driver;
    const struct platform_device_id *id_table;
};
#define to_platform_device(at) container_of(at, struct platform_device, dev)
#define platform_get_drvdata(pdev) dev_get_drvdata(&(pdev)->dev)
#define platform_set_drvdata(pdev, data) dev_set_drvdata(&(pdev)->dev, data)
int lk_platform_driver_register(struct platform_driver *driver, struct module *owner);
#define platform_driver_register(driver) lk_platform_driver_register(driver, THIS_MODULE)
void platform_driver_unregister(struct platform_driver *driver);
#define module_platform_driver(driver) module_driver(driver, platform_driver_register, platform_driver_unregister)
struct resource *platform_get_resource(struct platform_device *pdev, unsigned type, unsigned n);
struct resource *platform_get_resource_byname(struct platform_device *pdev, unsigned type, const char *name);
int platform_get_irq(struct platform_device *pdev, unsigned n);
int platform_get_irq_optional(struct platform_device *pdev, unsigned n);
int platform_get_irq_byname(struct platform_device *pdev, const char *name);
int platform_irq_count(struct platform_device *pdev);
void __iomem *devm_platform_ioremap_resource(struct platform_device *pdev, unsigned n);
void __iomem *devm_platform_get_and_ioremap_resource(struct platform_device *pdev, unsigned n, struct resource **res);
void __iomem *devm_ioremap_resource(struct device *dev, const struct resource *res);

#endif
