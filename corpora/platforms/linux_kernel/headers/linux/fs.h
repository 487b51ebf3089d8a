/* Files, character devices, ioctl numbers, poll. */
#ifndef _LINUX_FS_H
#define _LINUX_FS_H

#include "kernel.h"
#include "list.h"
#include "module_owner.h"
#include "wait.h"

#ifndef O_RDONLY
#define O_ACCMODE 00000003
#define O_RDONLY 00000000
#define O_WRONLY 00000001
#define O_RDWR 00000002
#define O_NONBLOCK 00004000
#define O_NDELAY O_NONBLOCK
#define O_APPEND 00002000
#define O_TRUNC 00001000
#define O_CREAT 00000100
#define O_EXCL 00000200
#endif
#define FMODE_READ 0x1u
#define FMODE_WRITE 0x2u
#define FMODE_LSEEK 0x4u
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#define S_IRUGO 00444
#define S_IWUGO 00222
#define S_IRUSR 00400
#define S_IWUSR 00200
#define S_IRGRP 00040
#define S_IROTH 00004

#define MINORBITS 20
#define MINORMASK ((1U << MINORBITS) - 1)
#define MAJOR(dev) ((unsigned)((dev) >> MINORBITS))
#define MINOR(dev) ((unsigned)((dev) & MINORMASK))
#define MKDEV(major, minor) (((dev_t)(major) << MINORBITS) | (minor))

struct cdev;
struct file;
struct vm_area_struct;
struct kiocb;
struct iov_iter;
struct seq_file;
struct inode {
    dev_t i_rdev;
    struct cdev *i_cdev;
    umode_t i_mode;
    loff_t i_size;
    void *i_private;
};
struct fasync_struct {
    struct fasync_struct *next;
    struct file *file;
};
typedef struct poll_table_struct {
    void (*queue)(struct file *file, wait_queue_head_t *wq, struct poll_table_struct *table);
} poll_table;
struct file_operations {
    struct module *owner;
    loff_t (*llseek)(struct file *, loff_t, int);
    ssize_t (*read)(struct file *, char __user *, size_t, loff_t *);
    ssize_t (*write)(struct file *, const char __user *, size_t, loff_t *);
    ssize_t (*read_iter)(struct kiocb *, struct iov_iter *);
    ssize_t (*write_iter)(struct kiocb *, struct iov_iter *);
    __poll_t (*poll)(struct file *, struct poll_table_struct *);
    long (*unlocked_ioctl)(struct file *, unsigned int, unsigned long);
    long (*compat_ioctl)(struct file *, unsigned int, unsigned long);
    int (*mmap)(struct file *, struct vm_area_struct *);
    int (*open)(struct inode *, struct file *);
    int (*flush)(struct file *, void *);
    int (*release)(struct inode *, struct file *);
    int (*fsync)(struct file *, loff_t, loff_t, int);
    int (*fasync)(int, struct file *, int);
};
struct file {
    const struct file_operations *f_op;
    unsigned int f_flags;
    fmode_t f_mode;
    loff_t f_pos;
    struct inode *f_inode;
    void *private_data;
};
static inline struct inode *file_inode(const struct file *file) { return file->f_inode; }
static inline unsigned iminor(const struct inode *inode) { return MINOR(inode->i_rdev); }
static inline unsigned imajor(const struct inode *inode) { return MAJOR(inode->i_rdev); }

struct cdev {
    struct module *owner;
    const struct file_operations *ops;
    struct list_head list;
    dev_t dev;
    unsigned int count;
    bool lk_allocated;
};
void cdev_init(struct cdev *cdev, const struct file_operations *ops);
struct cdev *cdev_alloc(void);
int cdev_add(struct cdev *cdev, dev_t dev, unsigned count);
void cdev_del(struct cdev *cdev);
struct device;
int cdev_device_add(struct cdev *cdev, struct device *dev);
void cdev_device_del(struct cdev *cdev, struct device *dev);

int alloc_chrdev_region(dev_t *dev, unsigned first, unsigned count, const char *name);
int register_chrdev_region(dev_t first, unsigned count, const char *name);
void unregister_chrdev_region(dev_t first, unsigned count);
int register_chrdev(unsigned major, const char *name, const struct file_operations *ops);
void unregister_chrdev(unsigned major, const char *name);

int nonseekable_open(struct inode *inode, struct file *file);
int stream_open(struct inode *inode, struct file *file);
int simple_open(struct inode *inode, struct file *file);
loff_t noop_llseek(struct file *file, loff_t offset, int whence);
loff_t no_llseek(struct file *file, loff_t offset, int whence);
loff_t default_llseek(struct file *file, loff_t offset, int whence);
loff_t fixed_size_llseek(struct file *file, loff_t offset, int whence, loff_t size);
ssize_t simple_read_from_buffer(void __user *to, size_t n, loff_t *at, const void *from, size_t available);
ssize_t simple_write_to_buffer(void *to, size_t room, loff_t *at, const void __user *from, size_t n);
long compat_ptr_ioctl(struct file *file, unsigned cmd, unsigned long arg);
int fasync_helper(int fd, struct file *file, int on, struct fasync_struct **queue);
void kill_fasync(struct fasync_struct **queue, int sig, int band);
#define SIGIO 29
#define POLL_IN 1

#define EPOLLIN 0x001u
#define EPOLLPRI 0x002u
#define EPOLLOUT 0x004u
#define EPOLLERR 0x008u
#define EPOLLHUP 0x010u
#define EPOLLRDNORM 0x040u
#define EPOLLRDBAND 0x080u
#define EPOLLWRNORM 0x100u
#define EPOLLWRBAND 0x200u
#define EPOLLRDHUP 0x2000u
#ifndef POLLIN
#define POLLIN EPOLLIN
#define POLLPRI EPOLLPRI
#define POLLOUT EPOLLOUT
#define POLLERR EPOLLERR
#define POLLHUP EPOLLHUP
#define POLLRDNORM EPOLLRDNORM
#define POLLWRNORM EPOLLWRNORM
#endif
static inline void poll_wait(struct file *file, wait_queue_head_t *wq, poll_table *table)
{
    if (table && table->queue && wq)
        table->queue(file, wq, table);
}

#define _IOC_NONE 0U
#define _IOC_WRITE 1U
#define _IOC_READ 2U
#define _IOC(dir, type, nr, size) \
    (((unsigned)(dir) << 30) | ((unsigned)(size) << 16) | ((unsigned)(type) << 8) | (unsigned)(nr))
#define _IO(type, nr) _IOC(_IOC_NONE, type, nr, 0)
#define _IOR(type, nr, argument) _IOC(_IOC_READ, type, nr, sizeof(argument))
#define _IOW(type, nr, argument) _IOC(_IOC_WRITE, type, nr, sizeof(argument))
#define _IOWR(type, nr, argument) _IOC(_IOC_READ | _IOC_WRITE, type, nr, sizeof(argument))
#define _IOC_DIR(cmd) ((cmd) >> 30 & 3U)
#define _IOC_SIZE(cmd) ((cmd) >> 16 & 0x3FFFU)
#define _IOC_TYPE(cmd) ((cmd) >> 8 & 0xFFU)
#define _IOC_NR(cmd) ((cmd)&0xFFU)

#endif
