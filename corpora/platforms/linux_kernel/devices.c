/* Devices, classes, attributes in sysfs. */
#include "lk.h"

#include "linux_kernel.h"

/* ---- names and references ---- */
const char *dev_name(const struct device *dev) { return dev->lk_name[0] ? dev->lk_name : dev->init_name ? dev->init_name : "(no name)"; }
const char *dev_driver_string(const struct device *dev)
{
    return dev->driver ? dev->driver->name : dev->class ? dev->class->name : "";
}
int dev_set_name(struct device *dev, const char *format, ...)
{
    __builtin_va_list args;
    __builtin_va_start(args, format);
    lk_vsnprintf(dev->lk_name, sizeof dev->lk_name, format, args);
    __builtin_va_end(args);
    dev->kobj.name = dev->lk_name;
    return 0;
}
void lk_device_begin(struct device *dev, const char *name)
{
    dev->lk_references = 1;
    if (name)
        dev_set_name(dev, "%s", name);
}
void device_initialize(struct device *dev) { lk_device_begin(dev, dev->init_name); }
struct device *get_device(struct device *dev)
{
    if (dev)
        dev->lk_references++;
    return dev;
}
void put_device(struct device *dev)
{
    if (!dev || --dev->lk_references)
        return;
    if (dev->release)
        dev->release(dev);
    else if (dev->lk_allocated)
        lk_block_retire(lk_block_at(dev));
}

/* ---- sysfs ---- */
typedef struct entry {
    struct device *dev;
    const struct attribute *attr;
    struct entry *next;
} entry;
static entry *entries;

void lk_sysfs_add(struct device *dev, const struct attribute *attr)
{
    entry *one = calloc(1, sizeof *one);
    *one = (entry){dev, attr, entries};
    entries = one;
}
void lk_sysfs_remove(struct device *dev, const struct attribute *attr)
{
    for (entry **at = &entries; *at;)
        if ((*at)->dev == dev && (!attr || (*at)->attr == attr)) {
            entry *one = *at;
            *at = one->next;
            free(one);
        } else
            at = &(*at)->next;
}
struct device *lk_sysfs_find(const char *path, const struct attribute **attr)
{
    for (entry *one = entries; one; one = one->next) {
        char whole[128];
        lk_snprintf(whole, sizeof whole, "%s/%s", dev_name(one->dev), one->attr->name);
        if (!strcmp(whole, path)) {
            *attr = one->attr;
            return one->dev;
        }
    }
    return NULL;
}
static void add_group(struct device *dev, const struct attribute_group *group, bool add)
{
    for (int i = 0; group->attrs && group->attrs[i]; i++) {
        if (add && group->is_visible && !group->is_visible(&dev->kobj, group->attrs[i], i))
            continue;
        (add ? lk_sysfs_add : lk_sysfs_remove)(dev, group->attrs[i]);
    }
}
static void add_groups(struct device *dev, const struct attribute_group **groups, bool add)
{
    for (int i = 0; groups && groups[i]; i++)
        add_group(dev, groups[i], add);
}
int device_create_file(struct device *dev, const struct device_attribute *attr)
{
    lk_may_sleep("device_create_file");
    if (lk_refuses(LK_SYSFS, attr->attr.name))
        return -ENOMEM;
    lk_sysfs_add(dev, &attr->attr);
    lk_hold(LK_SYSFS, &attr->attr, attr->attr.name);
    return 0;
}
void device_remove_file(struct device *dev, const struct device_attribute *attr)
{
    if (!lk_let_go(LK_SYSFS, &attr->attr))
        fb_fault("double_release", "the attribute %s is removed but not there", attr->attr.name);
    lk_sysfs_remove(dev, &attr->attr);
}
int sysfs_create_file(struct kobject *kobj, const struct attribute *attr)
{
    return device_create_file(kobj_to_dev(kobj), container_of(attr, struct device_attribute, attr));
}
void sysfs_remove_file(struct kobject *kobj, const struct attribute *attr)
{
    device_remove_file(kobj_to_dev(kobj), container_of(attr, struct device_attribute, attr));
}
int sysfs_create_group(struct kobject *kobj, const struct attribute_group *group)
{
    if (lk_refuses(LK_SYSFS, "group"))
        return -ENOMEM;
    add_group(kobj_to_dev(kobj), group, true);
    lk_hold(LK_SYSFS, group, "group");
    return 0;
}
void sysfs_remove_group(struct kobject *kobj, const struct attribute_group *group)
{
    if (!lk_let_go(LK_SYSFS, group))
        fb_fault("double_release", "a sysfs group is removed but not there");
    add_group(kobj_to_dev(kobj), group, false);
}
int sysfs_create_groups(struct kobject *kobj, const struct attribute_group **groups)
{
    int error = 0;
    for (int i = 0; groups && groups[i] && !error; i++) {
        error = sysfs_create_group(kobj, groups[i]);
        if (error)
            while (i--)
                sysfs_remove_group(kobj, groups[i]);
    }
    return error;
}
void sysfs_remove_groups(struct kobject *kobj, const struct attribute_group **groups)
{
    for (int i = 0; groups && groups[i]; i++)
        sysfs_remove_group(kobj, groups[i]);
}
int device_add_groups(struct device *dev, const struct attribute_group **groups) { return sysfs_create_groups(&dev->kobj, groups); }
static void remove_managed_group(struct device *dev, void *group) { sysfs_remove_group(&dev->kobj, group); }
int devm_device_add_group(struct device *dev, const struct attribute_group *group)
{
    int error = sysfs_create_group(&dev->kobj, group);
    if (!error)
        lk_devres_add(dev, remove_managed_group, (void *)group, NULL);
    return error;
}
int devm_device_add_groups(struct device *dev, const struct attribute_group **groups)
{
    for (int i = 0; groups && groups[i]; i++) {
        int error = devm_device_add_group(dev, groups[i]);
        if (error)
            return error;
    }
    return 0;
}
void sysfs_notify(struct kobject *kobj, const char *folder, const char *attr)
{
    (void)folder;
    fb_trace("notify", "%s/%s", dev_name(kobj_to_dev(kobj)), attr);
}
int sysfs_emit_at(char *to, int at, const char *format, ...)
{
    __builtin_va_list args;
    __builtin_va_start(args, format);
    int n = vscnprintf(to + at, PAGE_SIZE - (size_t)at, format, args);
    __builtin_va_end(args);
    return n;
}
int sysfs_emit(char *to, const char *format, ...)
{
    if ((unsigned long)to & (PAGE_SIZE - 1))
        fb_fault("sysfs_emit", "sysfs_emit is given something else than the buffer of show()");
    __builtin_va_list args;
    __builtin_va_start(args, format);
    int n = vscnprintf(to, PAGE_SIZE, format, args);
    __builtin_va_end(args);
    return n;
}

/* ---- classes and their devices ---- */
static struct device *known[64];

int class_register(const struct class *class)
{
    lk_may_sleep("class_register");
    if (lk_refuses(LK_CLASS, class->name))
        return -ENOMEM;
    lk_hold(LK_CLASS, class, class->name);
    return 0;
}
void class_unregister(const struct class *class)
{
    if (!lk_let_go(LK_CLASS, class))
        fb_fault("double_release", "class %s is removed but not there", class->name);
    if (class->lk_devices)
        fb_fault("release_order", "class %s is removed while a device of it is there", class->name);
}
struct class *class_create(const char *name)
{
    struct class *class = lk_block_new(sizeof *class, "a class");
    memset(class, 0, sizeof *class);
    class->name = name;
    class->lk_allocated = true;
    int error = class_register(class);
    return error ? ERR_PTR(error) : class;
}
void class_destroy(const struct class *class)
{
    if (IS_ERR_OR_NULL(class))
        return;
    class_unregister(class);
    if (class->lk_allocated)
        lk_block_retire(lk_block_at(class));
}

int device_add(struct device *dev)
{
    lk_may_sleep("device_add");
    if (dev->init_name && !dev->lk_name[0])
        dev_set_name(dev, "%s", dev->init_name);
    if (lk_refuses(LK_DEVICE, dev_name(dev)))
        return -ENOMEM;
    for (size_t i = 0; i < ARRAY_SIZE(known); i++)
        if (known[i] && known[i]->class == dev->class && dev->class && !strcmp(dev_name(known[i]), dev_name(dev)))
            return -EEXIST;
    for (size_t i = 0; i < ARRAY_SIZE(known); i++)
        if (!known[i]) {
            known[i] = dev;
            break;
        }
    if (dev->class)
        ((struct class *)dev->class)->lk_devices++;
    dev->lk_added = true;
    add_groups(dev, dev->groups, true);
    if (dev->class)
        add_groups(dev, dev->class->dev_groups, true);
    if (dev->devt)
        lk_node_add(dev_name(dev), dev->devt);
    lk_hold(LK_DEVICE, dev, dev_name(dev));
    return 0;
}
void device_del(struct device *dev)
{
    if (!lk_let_go(LK_DEVICE, dev)) {
        fb_fault("double_release", "device %s is removed but not there", dev_name(dev));
        return;
    }
    for (size_t i = 0; i < ARRAY_SIZE(known); i++)
        if (known[i] == dev)
            known[i] = NULL;
    if (dev->class)
        ((struct class *)dev->class)->lk_devices--;
    if (dev->devt)
        lk_node_remove(dev->devt);
    lk_sysfs_remove(dev, NULL);
    dev->lk_added = false;
}
int device_register(struct device *dev)
{
    device_initialize(dev);
    return device_add(dev);
}
void device_unregister(struct device *dev)
{
    device_del(dev);
    put_device(dev);
}
static struct device *create(const struct class *class, struct device *parent, dev_t devt, void *data,
                             const struct attribute_group **groups, const char *name)
{
    struct device *dev = lk_block_new(sizeof *dev, "a device");
    memset(dev, 0, sizeof *dev);
    dev->lk_allocated = true;
    dev->class = class;
    dev->parent = parent;
    dev->devt = devt;
    dev->driver_data = data;
    dev->groups = groups;
    lk_device_begin(dev, name);
    int error = IS_ERR_OR_NULL(class) ? -ENODEV : device_add(dev);
    if (!error)
        return dev;
    put_device(dev);
    return ERR_PTR(error);
}
#define NAMED(result, groups) \
    char name[64]; \
    __builtin_va_list args; \
    __builtin_va_start(args, format); \
    lk_vsnprintf(name, sizeof name, format, args); \
    __builtin_va_end(args); \
    result = create(class, parent, devt, data, groups, name)
struct device *device_create(const struct class *class, struct device *parent, dev_t devt, void *data, const char *format, ...)
{
    struct device *dev;
    NAMED(dev, NULL);
    return dev;
}
struct device *device_create_with_groups(const struct class *class, struct device *parent, dev_t devt, void *data,
                                         const struct attribute_group **groups, const char *format, ...)
{
    struct device *dev;
    NAMED(dev, groups);
    return dev;
}
void device_destroy(const struct class *class, dev_t devt)
{
    for (size_t i = 0; i < ARRAY_SIZE(known); i++)
        if (known[i] && known[i]->class == class && known[i]->devt == devt) {
            device_unregister(known[i]);
            return;
        }
    fb_fault("double_release", "device_destroy of %u:%u, which is not there", MAJOR(devt), MINOR(devt));
}
