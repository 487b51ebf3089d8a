/* Device numbers, character devices, misc devices. */
#include "lk.h"

#include "linux_kernel.h"

/* ---- device numbers ---- */
typedef struct region {
    dev_t first;
    unsigned count;
    char name[32];
    struct region *next;
} region;
static region *regions;
static LIST_HEAD(cdevs);
static LIST_HEAD(miscs);

static region *region_with(dev_t dev)
{
    for (region *one = regions; one; one = one->next)
        if (dev >= one->first && dev < one->first + one->count)
            return one;
    return NULL;
}
static int add_region(dev_t first, unsigned count, const char *name)
{
    lk_may_sleep("register_chrdev_region");
    if (!count || strlen(name) > 63)
        return -EINVAL;
    if (lk_refuses(LK_REGION, name))
        return -EBUSY;
    for (unsigned i = 0; i < count; i++)
        if (region_with(first + i))
            return -EBUSY;
    region *one = calloc(1, sizeof *one);
    *one = (region){.first = first, .count = count, .next = regions};
    lk_strscpy(one->name, name, sizeof one->name);
    regions = one;
    lk_hold(LK_REGION, one, name);
    return 0;
}
int register_chrdev_region(dev_t first, unsigned count, const char *name) { return add_region(first, count, name); }
int alloc_chrdev_region(dev_t *dev, unsigned first, unsigned count, const char *name)
{
    static unsigned major = 240;
    while (region_with(MKDEV(major, first)))
        major++;
    int error = add_region(MKDEV(major, first), count, name);
    if (!error)
        *dev = MKDEV(major, first);
    return error;
}
void unregister_chrdev_region(dev_t first, unsigned count)
{
    for (region **at = &regions; *at; at = &(*at)->next)
        if ((*at)->first == first && (*at)->count == count) {
            region *one = *at;
            struct cdev *cdev;
            list_for_each_entry(cdev, &cdevs, list)
                if (cdev->dev >= first && cdev->dev < first + count)
                    fb_fault("release_order", "the device numbers of %s are given back while a cdev uses them", one->name);
            *at = one->next;
            lk_let_go(LK_REGION, one);
            free(one);
            return;
        }
    fb_fault("double_release", "unregister_chrdev_region(%u:%u, %u) of numbers that are not registered", MAJOR(first),
             MINOR(first), count);
}
void cdev_init(struct cdev *cdev, const struct file_operations *ops)
{
    *cdev = (struct cdev){.ops = ops};
    INIT_LIST_HEAD(&cdev->list);
}
struct cdev *cdev_alloc(void)
{
    struct cdev *cdev = kzalloc(sizeof *cdev, GFP_KERNEL);
    if (cdev) {
        INIT_LIST_HEAD(&cdev->list);
        cdev->lk_allocated = true;
    }
    return cdev;
}
int cdev_add(struct cdev *cdev, dev_t dev, unsigned count)
{
    lk_may_sleep("cdev_add");
    if (lk_refuses(LK_CDEV, "added"))
        return -ENOMEM;
    if (!region_with(dev))
        fb_fault("cdev_without_numbers", "cdev_add of %u:%u, which nobody registered", MAJOR(dev), MINOR(dev));
    cdev->dev = dev;
    cdev->count = count;
    list_add(&cdev->list, &cdevs);
    lk_hold(LK_CDEV, cdev, "added");
    return 0;
}
void cdev_del(struct cdev *cdev)
{
    if (lk_let_go(LK_CDEV, cdev))
        list_del_init(&cdev->list);
    else if (!cdev->lk_allocated)
        fb_fault("double_release", "cdev_del of a cdev that is not added");
    if (cdev->lk_allocated)
        kfree(cdev);
}
int cdev_device_add(struct cdev *cdev, struct device *dev)
{
    int error = dev->devt ? cdev_add(cdev, dev->devt, 1) : 0;
    if (error)
        return error;
    error = device_add(dev);
    if (error && dev->devt)
        cdev_del(cdev);
    return error;
}
void cdev_device_del(struct cdev *cdev, struct device *dev)
{
    device_del(dev);
    if (dev->devt)
        cdev_del(cdev);
}
int register_chrdev(unsigned major, const char *name, const struct file_operations *ops)
{
    dev_t dev = MKDEV(major, 0);
    int error = major ? register_chrdev_region(dev, 256, name) : alloc_chrdev_region(&dev, 0, 256, name);
    if (error)
        return error;
    struct cdev *cdev = calloc(1, sizeof *cdev);
    cdev_init(cdev, ops);
    error = cdev_add(cdev, dev, 256);
    if (error)
        unregister_chrdev_region(dev, 256);
    return error ? error : major ? 0 : (int)MAJOR(dev);
}
void unregister_chrdev(unsigned major, const char *name)
{
    (void)name;
    struct cdev *cdev, *next;
    list_for_each_entry_safe(cdev, next, &cdevs, list)
        if (MAJOR(cdev->dev) == major)
            cdev_del(cdev);
    unregister_chrdev_region(MKDEV(major, 0), 256);
}

int misc_register(struct miscdevice *misc)
{
    static int minor = 100;
    lk_may_sleep("misc_register");
    if (lk_refuses(LK_MISC, misc->name))
        return -EBUSY;
    struct miscdevice *other;
    list_for_each_entry(other, &miscs, list)
        if ((misc->minor != MISC_DYNAMIC_MINOR && other->minor == misc->minor) || !strcmp(other->name, misc->name))
            return -EBUSY;
    if (misc->minor == MISC_DYNAMIC_MINOR)
        misc->minor = minor++;
    struct device *dev = lk_block_new(sizeof *dev, "the device of a misc device");
    memset(dev, 0, sizeof *dev);
    dev->parent = misc->parent;
    dev->devt = MKDEV(MISC_MAJOR, misc->minor);
    dev->driver_data = misc;
    lk_device_begin(dev, misc->name);
    misc->this_device = dev;
    for (int i = 0; misc->groups && misc->groups[i]; i++)
        for (int j = 0; misc->groups[i]->attrs[j]; j++)
            lk_sysfs_add(dev, misc->groups[i]->attrs[j]);
    list_add(&misc->list, &miscs);
    lk_node_add(misc->nodename ? misc->nodename : misc->name, dev->devt);
    lk_hold(LK_MISC, misc, misc->name);
    return 0;
}
void misc_deregister(struct miscdevice *misc)
{
    if (!lk_let_go(LK_MISC, misc)) {
        fb_fault("double_release", "misc_deregister of %s, which is not registered", misc->name);
        return;
    }
    list_del(&misc->list);
    lk_node_remove(misc->this_device->devt);
    lk_sysfs_remove(misc->this_device, NULL);
    lk_block_retire(lk_block_at(misc->this_device));
    misc->minor = MISC_DYNAMIC_MINOR;
}

const struct file_operations *lk_operations(struct inode *inode, void **private_data)
{
    struct cdev *cdev;
    struct miscdevice *misc;
    list_for_each_entry(cdev, &cdevs, list)
        if (inode->i_rdev >= cdev->dev && inode->i_rdev < cdev->dev + cdev->count) {
            inode->i_cdev = cdev;
            return cdev->ops;
        }
    list_for_each_entry(misc, &miscs, list)
        if (inode->i_rdev == MKDEV(MISC_MAJOR, misc->minor)) {
            *private_data = misc;
            return misc->fops;
        }
    return NULL;
}
