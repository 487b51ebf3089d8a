/* The platform bus and the I2C bus: matching, probing, removing, what firmware says of a device. */
#include "bus.h"

device_model *lk_devices;
static struct i2c_adapter adapter = {.nr = 1, .name = "modelled I2C bus"};
static unsigned count;

static struct device *dev_of(device_model *one) { return one->i2c ? &one->client.dev : &one->pdev.dev; }
static device_model *add(const char *name, const char *compatible)
{
    device_model *one = calloc(1, sizeof *one), **end = &lk_devices;
    lk_strscpy(one->name, name, sizeof one->name);
    lk_strscpy(one->compatible, compatible ? compatible : "", sizeof one->compatible);
    one->probed = 1;
    one->node.name = one->name;
    while (*end)
        end = &(*end)->next;
    *end = one;
    return one;
}
static device_model *model_named(const char *name)
{
    for (device_model *one = lk_devices; one; one = one->next)
        if (!strcmp(one->name, name))
            return one;
    fb_panic("the scenario has no device %s", name);
}
void lk_platform_device(const char *name, const char *compatible, const lk_registers *registers, int irq)
{
    device_model *one = add(name, compatible);
    unsigned long start = LK_PHYSICAL + count++ * LK_WINDOW;
    u32 n = 0;
    one->registers = registers;
    if (registers)
        one->resources[n++] = (struct resource){start, start + registers->bytes - 1, one->name, IORESOURCE_MEM};
    if (irq > 0) {
        lk_irq_line(irq);
        one->resources[n++] = (struct resource){(resource_size_t)irq, (resource_size_t)irq, one->name, IORESOURCE_IRQ};
    }
    one->pdev = (struct platform_device){.name = one->name, .id = -1, .num_resources = n, .resource = one->resources};
    one->pdev.dev.of_node = compatible ? &one->node : NULL;
    one->pdev.dev.lk_model = one;
    lk_device_begin(&one->pdev.dev, name);
}
void lk_i2c_device(const char *name, const char *compatible, uint8_t address, const lk_i2c_model *model, int irq)
{
    device_model *one = add(name, compatible);
    one->i2c = true;
    one->bus = model;
    if (irq > 0)
        lk_irq_line(irq);
    one->client = (struct i2c_client){.addr = address, .adapter = &adapter, .irq = irq};
    lk_strscpy(one->client.name, name, sizeof one->client.name);
    one->client.dev.of_node = compatible ? &one->node : NULL;
    one->client.dev.lk_model = one;
    lk_device_begin(&one->client.dev, name);
}
void lk_property(const char *device, const char *name, uint32_t value)
{
    device_model *one = model_named(device);
    property *p = calloc(1, sizeof *p);
    lk_strscpy(p->name, name, sizeof p->name);
    p->value = value;
    p->next = one->properties;
    one->properties = p;
}
int lk_probed(const char *device) { return model_named(device)->probed; }

/* ---- matching ---- */
static bool matches(device_model *one, const struct device_driver *driver)
{
    for (const struct of_device_id *id = driver->of_match_table; id && (id->compatible[0] || id->name[0]); id++)
        if (!strcmp(id->compatible, one->compatible)) {
            one->match = id->data;
            return true;
        }
    return false;
}
static bool platform_matches(device_model *one, struct platform_driver *driver)
{
    for (const struct platform_device_id *id = driver->id_table; id && id->name[0]; id++)
        if (!strcmp(id->name, one->name)) {
            one->pdev.id_entry = id;
            return true;
        }
    return matches(one, &driver->driver) || (!driver->id_table && driver->driver.name && !strcmp(driver->driver.name, one->name));
}
static bool i2c_matches(device_model *one, struct i2c_driver *driver)
{
    for (const struct i2c_device_id *id = driver->id_table; id && id->name[0]; id++)
        if (!strcmp(id->name, one->name))
            return true;
    return matches(one, &driver->driver);
}
static void bind(device_model *one, const void *driver, struct device_driver *base)
{
    struct device *dev = dev_of(one);
    one->tried = base;
    dev->driver = base;
    one->driver = driver;
    if (one->i2c) {
        const struct i2c_driver *i2c = driver;
        one->probed = i2c->probe ? i2c->probe(&one->client) : -ENODEV;
    } else {
        const struct platform_driver *platform = driver;
        one->probed = platform->probe ? platform->probe(&one->pdev) : 0;
    }
    if (current->lk_locks || lk_atomic())
        fb_fault("lock_left", "probe returns with a lock held");
    if (one->probed > 0)
        fb_fault("probe_result", "probe returns the positive number %d", one->probed);
    if (one->probed) {
        fb_trace("probe", "%s failed: %d", one->name, one->probed);
        lk_devres_release_all(dev);
        dev->driver_data = NULL;
        dev->driver = NULL;
        one->driver = NULL;
        return;
    }
    fb_trace("probe", "%s bound", one->name);
    if (base->dev_groups)
        for (int i = 0; base->dev_groups[i]; i++)
            for (int j = 0; base->dev_groups[i]->attrs[j]; j++)
                lk_sysfs_add(dev, base->dev_groups[i]->attrs[j]);
}
static void unbind(device_model *one)
{
    struct device *dev = dev_of(one);
    if (dev->driver->dev_groups)
        for (int i = 0; dev->driver->dev_groups[i]; i++)
            for (int j = 0; dev->driver->dev_groups[i]->attrs[j]; j++)
                lk_sysfs_remove(dev, dev->driver->dev_groups[i]->attrs[j]);
    if (one->i2c) {
        const struct i2c_driver *i2c = one->driver;
        if (i2c->remove)
            i2c->remove(&one->client);
    } else {
        const struct platform_driver *platform = one->driver;
        if (platform->remove)
            platform->remove(&one->pdev);
    }
    lk_devres_release_all(dev);
    dev->driver_data = NULL;
    dev->driver = NULL;
    one->driver = NULL;
}
static int begin(struct device_driver *base, const void *driver)
{
    lk_may_sleep("driver_register");
    if (!base->name)
        fb_panic("a driver without a name is registered");
    if (lk_refuses(LK_DRIVER, base->name))
        return -ENOMEM;
    lk_hold(LK_DRIVER, driver, base->name);
    return 0;
}
static void end(const void *driver)
{
    if (!lk_let_go(LK_DRIVER, driver)) {
        fb_fault("double_release", "a driver is removed that is not registered");
        return;
    }
    for (device_model *one = lk_devices; one; one = one->next)
        if (one->driver == driver)
            unbind(one);
}
int lk_platform_driver_register(struct platform_driver *driver, struct module *owner)
{
    driver->driver.owner = owner;
    int error = begin(&driver->driver, driver);
    for (device_model *one = lk_devices; one && !error; one = one->next)
        if (!one->i2c && !one->driver && platform_matches(one, driver))
            bind(one, driver, &driver->driver);
    return error;
}
void platform_driver_unregister(struct platform_driver *driver) { end(driver); }
int lk_i2c_register_driver(struct module *owner, struct i2c_driver *driver)
{
    driver->driver.owner = owner;
    int error = begin(&driver->driver, driver);
    for (device_model *one = lk_devices; one && !error; one = one->next)
        if (one->i2c && !one->driver && i2c_matches(one, driver))
            bind(one, driver, &driver->driver);
    return error;
}
void i2c_del_driver(struct i2c_driver *driver) { end(driver); }
void lk_unbind(const char *device)
{
    device_model *one = model_named(device);
    if (one->driver)
        unbind(one);
}
void lk_reprobe(void)
{
    for (device_model *one = lk_devices; one; one = one->next)
        if (!one->driver && one->probed == -EPROBE_DEFER)
            bind(one,
                 one->i2c ? (const void *)to_i2c_driver(one->tried) : container_of(one->tried, struct platform_driver, driver),
                 one->tried);
}

/* ---- resources ---- */
struct resource *platform_get_resource(struct platform_device *pdev, unsigned type, unsigned n)
{
    for (u32 i = 0; i < pdev->num_resources; i++)
        if (pdev->resource[i].flags == type && n-- == 0)
            return &pdev->resource[i];
    return NULL;
}
struct resource *platform_get_resource_byname(struct platform_device *pdev, unsigned type, const char *name)
{
    (void)name;
    return platform_get_resource(pdev, type, 0);
}
int platform_get_irq_optional(struct platform_device *pdev, unsigned n)
{
    struct resource *r = platform_get_resource(pdev, IORESOURCE_IRQ, n);
    return r ? (int)r->start : -ENXIO;
}
int platform_get_irq(struct platform_device *pdev, unsigned n)
{
    int irq = platform_get_irq_optional(pdev, n);
    return irq < 0 ? dev_err_probe(&pdev->dev, irq, "IRQ index %u not found\n", n) : irq;
}
int platform_get_irq_byname(struct platform_device *pdev, const char *name)
{
    (void)name;
    return platform_get_irq(pdev, 0);
}
int platform_irq_count(struct platform_device *pdev) { return platform_get_resource(pdev, IORESOURCE_IRQ, 0) ? 1 : 0; }

/* ---- firmware's description ---- */
static device_model *described(const struct device *dev) { return dev ? dev->lk_model : NULL; }
static property *find(const device_model *model, const char *name)
{
    property *one = model ? model->properties : NULL;
    while (one && strcmp(one->name, name))
        one = one->next;
    return one;
}
int device_property_read_u32(const struct device *dev, const char *name, u32 *to)
{
    property *one = find(described(dev), name);
    if (!one)
        return -EINVAL;
    *to = one->value;
    return 0;
}
bool device_property_present(const struct device *dev, const char *name) { return find(described(dev), name); }
bool device_property_read_bool(const struct device *dev, const char *name) { return device_property_present(dev, name); }
int device_property_read_string(const struct device *dev, const char *name, const char **to)
{
    (void)dev;
    (void)name;
    (void)to;
    return -EINVAL;
}
const void *device_get_match_data(const struct device *dev) { return described(dev) ? described(dev)->match : NULL; }
const void *of_device_get_match_data(const struct device *dev) { return device_get_match_data(dev); }
static const struct device *of_node_device(const struct device_node *node)
{
    return node ? dev_of(container_of(node, device_model, node)) : NULL;
}
int of_property_read_u32(const struct device_node *node, const char *name, u32 *to)
{
    return device_property_read_u32(of_node_device(node), name, to);
}
bool of_property_read_bool(const struct device_node *node, const char *name)
{
    return device_property_present(of_node_device(node), name);
}
int of_property_read_string(const struct device_node *node, const char *name, const char **to)
{
    return device_property_read_string(of_node_device(node), name, to);
}

