/* Devices, drivers, classes, attributes in sysfs, managed resources. */
#ifndef _LINUX_DEVICE_H
#define _LINUX_DEVICE_H

#include "kernel.h"
#include "list.h"
#include "module_owner.h"
#include "mod_devicetable.h"
#include "pm_model.h"
#include "slab.h"
#include "string.h"

struct device;
struct device_driver;
struct kobject {
    const char *name;
    struct kobject *parent;
};
struct attribute {
    const char *name;
    umode_t mode;
};
struct attribute_group {
    const char *name;
    umode_t (*is_visible)(struct kobject *, struct attribute *, int);
    struct attribute **attrs;
    void **bin_attrs;
};
struct device_attribute {
    struct attribute attr;
    ssize_t (*show)(struct device *dev, struct device_attribute *attr, char *to);
    ssize_t (*store)(struct device *dev, struct device_attribute *attr, const char *from, size_t n);
};
struct device_node {
    const char *name;
};
struct fwnode_handle;
struct device_type {
    const char *name;
};
struct class {
    const char *name;
    const struct attribute_group **class_groups;
    const struct attribute_group **dev_groups;
    char *(*devnode)(const struct device *dev, umode_t *mode);
    int lk_devices;
    bool lk_allocated;
};
struct bus_type {
    const char *name;
};
struct device {
    struct kobject kobj;
    struct device *parent;
    const char *init_name;
    const struct device_type *type;
    const struct bus_type *bus;
    struct device_driver *driver;
    void *platform_data;
    void *driver_data;
    struct device_node *of_node;
    struct fwnode_handle *fwnode;
    dev_t devt;
    u32 id;
    const struct class *class;
    const struct attribute_group **groups;
    void (*release)(struct device *dev);
    char lk_name[64];
    struct lk_devres *lk_resources;
    int lk_references;
    bool lk_added, lk_allocated;
    void *lk_model;
};
enum probe_type { PROBE_DEFAULT_STRATEGY, PROBE_PREFER_ASYNCHRONOUS, PROBE_FORCE_SYNCHRONOUS };
struct device_driver {
    const char *name;
    const struct bus_type *bus;
    struct module *owner;
    const char *mod_name;
    bool suppress_bind_attrs;
    enum probe_type probe_type;
    const struct of_device_id *of_match_table;
    const struct acpi_device_id *acpi_match_table;
    const struct attribute_group **groups;
    const struct attribute_group **dev_groups;
    const struct dev_pm_ops *pm;
};
#define kobj_to_dev(at) container_of(at, struct device, kobj)

static inline void *dev_get_drvdata(const struct device *dev) { return dev->driver_data; }
static inline void dev_set_drvdata(struct device *dev, void *data) { dev->driver_data = data; }
static inline void *dev_get_platdata(const struct device *dev) { return dev->platform_data; }
const char *dev_name(const struct device *dev);
int dev_set_name(struct device *dev, const char *format, ...);
const char *dev_driver_string(const struct device *dev);
struct device *get_device(struct device *dev);
void put_device(struct device *dev);
void device_initialize(struct device *dev);
int device_add(struct device *dev);
void device_del(struct device *dev);
int device_register(struct device *dev);
void device_unregister(struct device *dev);
#define dev_of_node(dev) ((dev)->of_node)
#define dev_fwnode(dev) ((dev)->fwnode)

void lk_dev_printk(const char *level, const struct device *dev, const char *format, ...);
int dev_err_probe(const struct device *dev, int error, const char *format, ...);
#ifndef dev_fmt
#define dev_fmt(format) format
#endif
#define dev_printk(level, dev, format, ...) lk_dev_printk(level, dev, format, ##__VA_ARGS__)
#define dev_emerg(dev, format, ...) lk_dev_printk(KERN_EMERG, dev, dev_fmt(format), ##__VA_ARGS__)
#define dev_crit(dev, format, ...) lk_dev_printk(KERN_CRIT, dev, dev_fmt(format), ##__VA_ARGS__)
#define dev_alert(dev, format, ...) lk_dev_printk(KERN_ALERT, dev, dev_fmt(format), ##__VA_ARGS__)
#define dev_err(dev, format, ...) lk_dev_printk(KERN_ERR, dev, dev_fmt(format), ##__VA_ARGS__)
#define dev_warn(dev, format, ...) lk_dev_printk(KERN_WARNING, dev, dev_fmt(format), ##__VA_ARGS__)
#define dev_notice(dev, format, ...) lk_dev_printk(KERN_NOTICE, dev, dev_fmt(format), ##__VA_ARGS__)
#define dev_info(dev, format, ...) lk_dev_printk(KERN_INFO, dev, dev_fmt(format), ##__VA_ARGS__)
#define dev_dbg(dev, format, ...) \
    do { if (0) lk_dev_printk(KERN_DEBUG, dev, dev_fmt(format), ##__VA_ARGS__); } while (0)
#define dev_vdbg dev_dbg
#define dev_err_ratelimited dev_err
#define dev_warn_ratelimited dev_warn
#define dev_info_ratelimited dev_info
#define dev_dbg_ratelimited dev_dbg
#define dev_err_once dev_err
#define dev_warn_once dev_warn
#define dev_info_once dev_info

struct class *class_create(const char *name);
void class_destroy(const struct class *class);
int class_register(const struct class *class);
void class_unregister(const struct class *class);
struct device *device_create(const struct class *class, struct device *parent, dev_t devt, void *data,
                             const char *format, ...);
struct device *device_create_with_groups(const struct class *class, struct device *parent, dev_t devt, void *data,
                                         const struct attribute_group **groups, const char *format, ...);
void device_destroy(const struct class *class, dev_t devt);

#define __ATTR(name_, mode_, show_, store_) {.attr = {.name = __stringify(name_), .mode = mode_}, .show = show_, .store = store_}
#define __ATTR_RO(name) __ATTR(name, 0444, name##_show, NULL)
#define __ATTR_RW(name) __ATTR(name, 0644, name##_show, name##_store)
#define __ATTR_WO(name) __ATTR(name, 0200, NULL, name##_store)
#define DEVICE_ATTR(name, mode, show, store) struct device_attribute dev_attr_##name = __ATTR(name, mode, show, store)
#define DEVICE_ATTR_RO(name) struct device_attribute dev_attr_##name = __ATTR_RO(name)
#define DEVICE_ATTR_RW(name) struct device_attribute dev_attr_##name = __ATTR_RW(name)
#define DEVICE_ATTR_WO(name) struct device_attribute dev_attr_##name = __ATTR_WO(name)
#define ATTRIBUTE_GROUPS(name) \
    static const struct attribute_group name##_group = {.attrs = name##_attrs}; \
    static const struct attribute_group *name##_groups[] = {&name##_group, NULL}
#define __ATTRIBUTE_GROUPS(name) static const struct attribute_group *name##_groups[] = {&name##_group, NULL}
int device_create_file(struct device *dev, const struct device_attribute *attr);
void device_remove_file(struct device *dev, const struct device_attribute *attr);
int sysfs_create_group(struct kobject *kobj, const struct attribute_group *group);
void sysfs_remove_group(struct kobject *kobj, const struct attribute_group *group);
int sysfs_create_groups(struct kobject *kobj, const struct attribute_group **groups);
void sysfs_remove_groups(struct kobject *kobj, const struct attribute_group **groups);
int sysfs_create_file(struct kobject *kobj, const struct attribute *attr);
void sysfs_remove_file(struct kobject *kobj, const struct attribute *attr);
int device_add_groups(struct device *dev, const struct attribute_group **groups);
int devm_device_add_group(struct device *dev, const struct attribute_group *group);
int devm_device_add_groups(struct device *dev, const struct attribute_group **groups);
void sysfs_notify(struct kobject *kobj, const char *folder, const char *attr);
int sysfs_emit(char *to, const char *format, ...);
int sysfs_emit_at(char *to, int at, const char *format, ...);

void *devm_kmalloc(struct device *dev, size_t n, gfp_t gfp);
void devm_kfree(struct device *dev, const void *p);
static inline void *devm_kzalloc(struct device *dev, size_t n, gfp_t gfp) { return devm_kmalloc(dev, n, gfp | __GFP_ZERO); }
static inline void *devm_kmalloc_array(struct device *dev, size_t n, size_t size, gfp_t gfp)
{
    size_t bytes;
    return __builtin_mul_overflow(n, size, &bytes) ? NULL : devm_kmalloc(dev, bytes, gfp);
}
static inline void *devm_kcalloc(struct device *dev, size_t n, size_t size, gfp_t gfp)
{
    return devm_kmalloc_array(dev, n, size, gfp | __GFP_ZERO);
}
void *devm_kmemdup(struct device *dev, const void *from, size_t n, gfp_t gfp);
char *devm_kstrdup(struct device *dev, const char *from, gfp_t gfp);
char *devm_kasprintf(struct device *dev, gfp_t gfp, const char *format, ...);
int devm_add_action(struct device *dev, void (*action)(void *), void *data);
int devm_add_action_or_reset(struct device *dev, void (*action)(void *), void *data);
void devm_remove_action(struct device *dev, void (*action)(void *), void *data);
void devm_release_action(struct device *dev, void (*action)(void *), void *data);

int device_property_read_u32(const struct device *dev, const char *name, u32 *to);
bool device_property_read_bool(const struct device *dev, const char *name);
bool device_property_present(const struct device *dev, const char *name);
int device_property_read_string(const struct device *dev, const char *name, const char **to);
const void *device_get_match_data(const struct device *dev);
const void *of_device_get_match_data(const struct device *dev);
int of_property_read_u32(const struct device_node *node, const char *name, u32 *to);
bool of_property_read_bool(const struct device_node *node, const char *name);
int of_property_read_string(const struct device_node *node, const char *name, const char **to);
#define of_match_ptr(table) (table)
#define ACPI_PTR(table) NULL

#endif
