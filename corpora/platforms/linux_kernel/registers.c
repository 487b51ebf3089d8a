/* Registers behind ioremap(): each access goes to the model of the device. */
#include "bus.h"

static device_model *model_at(unsigned long at, unsigned long base, u32 *offset)
{
    for (device_model *one = lk_devices; one; one = one->next)
        if (one->registers) {
            unsigned long start = base + (unsigned long)(one->resources[0].start - LK_PHYSICAL);
            if (at >= start && at - start < one->registers->bytes) {
                *offset = (u32)(at - start);
                return one;
            }
        }
    return NULL;
}
static bool mapped(const device_model *one);
u32 lk_read_register(const volatile void __iomem *at, unsigned width)
{
    u32 offset;
    device_model *one = model_at((unsigned long)at, LK_VIRTUAL, &offset);
    if (!one || !mapped(one) || offset % width)
        fb_panic("oops: a read of a register at %p, which is not mapped", (const void *)at);
    fb_spend(100);
    return one->registers->read ? one->registers->read(offset) : 0;
}
void lk_write_register(u32 value, volatile void __iomem *at, unsigned width)
{
    u32 offset;
    device_model *one = model_at((unsigned long)at, LK_VIRTUAL, &offset);
    if (!one || !mapped(one) || offset % width)
        fb_panic("oops: a write to a register at %p, which is not mapped", (const void *)at);
    fb_spend(100);
    if (one->registers->write)
        one->registers->write(offset, value);
    fb_reschedule();
}
typedef struct mapping {
    void *at;
    const device_model *device;
    bool region;
    struct mapping *next;
} mapping;
static mapping *mappings;
static bool mapped(const device_model *device)
{
    for (mapping *one = mappings; one; one = one->next)
        if (one->device == device && !one->region)
            return true;
    return false;
}
void __iomem *ioremap(phys_addr_t start, size_t n)
{
    u32 offset;
    device_model *device = model_at((unsigned long)start, LK_PHYSICAL, &offset);
    lk_may_sleep("ioremap");
    if (!device || n > device->registers->bytes - offset || lk_refuses(LK_MAPPING, device->name))
        return NULL;
    mapping *one = calloc(1, sizeof *one);
    *one = (mapping){(void *)(LK_VIRTUAL + (start - LK_PHYSICAL)), device, false, mappings};
    mappings = one;
    lk_hold(LK_MAPPING, one->at, device->name);
    return one->at;
}
void iounmap(volatile void __iomem *at)
{
    for (mapping **link = &mappings; *link; link = &(*link)->next)
        if ((*link)->at == at && !(*link)->region) {
            mapping *one = *link;
            *link = one->next;
            lk_let_go(LK_MAPPING, one->at);
            free(one);
            return;
        }
    fb_fault("double_release", "iounmap of registers that are not mapped");
}
static void unmap_managed(struct device *dev, void *at)
{
    (void)dev;
    iounmap(at);
}
void __iomem *devm_ioremap(struct device *dev, resource_size_t start, resource_size_t n)
{
    void *at = ioremap(start, n);
    if (at)
        lk_devres_add(dev, unmap_managed, at, NULL);
    return at;
}
void __iomem *devm_ioremap_resource(struct device *dev, const struct resource *res)
{
    if (!res || res->flags != IORESOURCE_MEM)
        return ERR_PTR(dev_err_probe(dev, -EINVAL, "invalid resource\n"));
    void *at = devm_ioremap(dev, res->start, resource_size(res));
    return at ? at : ERR_PTR(-ENOMEM);
}
void __iomem *devm_platform_ioremap_resource(struct platform_device *pdev, unsigned n)
{
    return devm_ioremap_resource(&pdev->dev, platform_get_resource(pdev, IORESOURCE_MEM, n));
}
void __iomem *devm_platform_get_and_ioremap_resource(struct platform_device *pdev, unsigned n, struct resource **res)
{
    struct resource *r = platform_get_resource(pdev, IORESOURCE_MEM, n);
    if (res)
        *res = r;
    return devm_ioremap_resource(&pdev->dev, r);
}
struct resource *request_mem_region(resource_size_t start, resource_size_t n, const char *name)
{
    (void)n;
    mapping *one = calloc(1, sizeof *one);
    if (lk_refuses(LK_MAPPING, name))
        return NULL;
    *one = (mapping){(void *)(unsigned long)start, NULL, true, mappings};
    mappings = one;
    lk_hold(LK_MAPPING, one, name);
    return (struct resource *)one;
}
void release_mem_region(resource_size_t start, resource_size_t n)
{
    (void)n;
    for (mapping *one = mappings; one; one = one->next)
        if (one->region && one->at == (void *)(unsigned long)start && lk_let_go(LK_MAPPING, one))
            return;
    fb_fault("double_release", "release_mem_region of a region that was not requested");
}
static void release_region(struct device *dev, void *at)
{
    (void)dev;
    release_mem_region((resource_size_t)at, 0);
}
struct resource *devm_request_mem_region(struct device *dev, resource_size_t start, resource_size_t n, const char *name)
{
    struct resource *r = request_mem_region(start, n, name);
    if (r)
        lk_devres_add(dev, release_region, (void *)(unsigned long)start, NULL);
    return r;
}
