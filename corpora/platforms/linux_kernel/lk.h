/* What the model's own sources share. Kernel headers, and of the C library only what is declared here. */
#ifndef LK_H
#define LK_H

#include "sim.h"

#include "blocks.h"

#include "headers/linux/atomic.h"
#include "headers/linux/device.h"
#include "headers/linux/fs.h"
#include "headers/linux/i2c.h"
#include "headers/linux/interrupt.h"
#include "headers/linux/kfifo.h"
#include "headers/linux/miscdevice.h"
#include "headers/linux/mutex.h"
#include "headers/linux/platform_device.h"
#include "headers/linux/regmap.h"
#include "headers/linux/uaccess.h"
#include "headers/linux/wait.h"
#include "headers/linux/workqueue.h"

void *calloc(size_t n, size_t size);
void free(void *p);
char *strdup(const char *text);
unsigned long long strtoull(const char *text, char **end, int base);

/* ---- resources that the module holds, and failures on purpose (ledger.c) ---- */
typedef enum lk_kind {
    LK_MEMORY, LK_REGION, LK_CDEV, LK_CLASS, LK_DEVICE, LK_MISC, LK_IRQ, LK_DRIVER, LK_MAPPING, LK_QUEUE, LK_KTHREAD,
    LK_SYSFS, LK_CACHE, LK_REGMAP, LK_KINDS,
} lk_kind;
bool lk_refuses(lk_kind kind, const char *what); /* count one acquisition; true if it is the one that must fail */
void lk_hold(lk_kind kind, const void *thing, const char *what);
bool lk_let_go(lk_kind kind, const void *thing); /* false if it is not held */

/* ---- contexts (locks.c) ---- */
bool lk_atomic(void);
void lk_may_sleep(const char *call);
void lk_check_lock(u32 magic, const char *what);
struct task_struct *lk_task_new(const char *name, int priority, void (*entry)(void *), void *arg);
#define LK_SOFTIRQ 200
#define LK_HARDIRQ 10
#define LK_TASK 0

/* ---- devices (devices.c, bus.c, files.c) ---- */
typedef struct lk_devres {
    void (*release)(struct device *dev, void *data);
    void *data, *extra;
    struct lk_devres *next;
} lk_devres;
void lk_devres_add(struct device *dev, void (*release)(struct device *, void *), void *data, void *extra);
bool lk_devres_remove(struct device *dev, void (*release)(struct device *, void *), const void *data);
void lk_devres_release_all(struct device *dev);
void lk_device_begin(struct device *dev, const char *name);
void lk_sysfs_add(struct device *dev, const struct attribute *attr);
void lk_sysfs_remove(struct device *dev, const struct attribute *attr);
struct device *lk_sysfs_find(const char *path, const struct attribute **attr);
const struct file_operations *lk_operations(struct inode *inode, void **private_data); /* NULL: nobody has the number */
void lk_node_add(const char *name, dev_t dev);
void lk_node_remove(dev_t dev);
void lk_free_checks(const char *from, size_t bytes); /* nothing alive may lie in memory that is freed */

#endif
