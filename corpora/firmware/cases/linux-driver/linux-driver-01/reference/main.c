#include <linux/cdev.h>
#include <linux/device.h>
#include <linux/fs.h>
#include <linux/init.h>
#include <linux/ioctl.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/poll.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/wait.h>

#define FIFO_SIZE 64
#define FIFO_COUNT _IOR('f', 1, int)
#define FIFO_CLEAR _IO('f', 2)

static dev_t fifo_dev;
static struct cdev fifo_cdev;
static struct class *fifo_class;

static DEFINE_MUTEX(fifo_lock);
static DECLARE_WAIT_QUEUE_HEAD(fifo_readers);
static DECLARE_WAIT_QUEUE_HEAD(fifo_writers);
static u8 *fifo_data;
static size_t fifo_start;
static size_t fifo_used;

static ssize_t fifo_read(struct file *file, char __user *to, size_t n, loff_t *pos)
{
	size_t first;

	if (!n)
		return 0;
	if (mutex_lock_interruptible(&fifo_lock))
		return -ERESTARTSYS;
	while (!fifo_used) {
		mutex_unlock(&fifo_lock);
		if (file->f_flags & O_NONBLOCK)
			return -EAGAIN;
		if (wait_event_interruptible(fifo_readers, READ_ONCE(fifo_used)))
			return -ERESTARTSYS;
		if (mutex_lock_interruptible(&fifo_lock))
			return -ERESTARTSYS;
	}
	n = min(n, fifo_used);
	first = min(n, FIFO_SIZE - fifo_start);
	if (copy_to_user(to, fifo_data + fifo_start, first) ||
	    copy_to_user(to + first, fifo_data, n - first)) {
		mutex_unlock(&fifo_lock);
		return -EFAULT;
	}
	fifo_start = (fifo_start + n) % FIFO_SIZE;
	fifo_used -= n;
	mutex_unlock(&fifo_lock);
	wake_up_interruptible(&fifo_writers);
	return n;
}

static ssize_t fifo_write(struct file *file, const char __user *from, size_t n, loff_t *pos)
{
	size_t end, first;

	if (!n)
		return 0;
	if (mutex_lock_interruptible(&fifo_lock))
		return -ERESTARTSYS;
	while (fifo_used == FIFO_SIZE) {
		mutex_unlock(&fifo_lock);
		if (file->f_flags & O_NONBLOCK)
			return -EAGAIN;
		if (wait_event_interruptible(fifo_writers, READ_ONCE(fifo_used) < FIFO_SIZE))
			return -ERESTARTSYS;
		if (mutex_lock_interruptible(&fifo_lock))
			return -ERESTARTSYS;
	}
	n = min(n, FIFO_SIZE - fifo_used);
	end = (fifo_start + fifo_used) % FIFO_SIZE;
	first = min(n, FIFO_SIZE - end);
	if (copy_from_user(fifo_data + end, from, first) ||
	    copy_from_user(fifo_data, from + first, n - first)) {
		mutex_unlock(&fifo_lock);
		return -EFAULT;
	}
	fifo_used += n;
	mutex_unlock(&fifo_lock);
	wake_up_interruptible(&fifo_readers);
	return n;
}

static __poll_t fifo_poll(struct file *file, poll_table *table)
{
	__poll_t events = 0;

	poll_wait(file, &fifo_readers, table);
	poll_wait(file, &fifo_writers, table);
	mutex_lock(&fifo_lock);
	if (fifo_used)
		events |= EPOLLIN | EPOLLRDNORM;
	if (fifo_used < FIFO_SIZE)
		events |= EPOLLOUT | EPOLLWRNORM;
	mutex_unlock(&fifo_lock);
	return events;
}

static long fifo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	int count;

	switch (cmd) {
	case FIFO_COUNT:
		mutex_lock(&fifo_lock);
		count = fifo_used;
		mutex_unlock(&fifo_lock);
		return put_user(count, (int __user *)arg);
	case FIFO_CLEAR:
		mutex_lock(&fifo_lock);
		fifo_start = 0;
		fifo_used = 0;
		mutex_unlock(&fifo_lock);
		wake_up_interruptible(&fifo_writers);
		return 0;
	default:
		return -ENOTTY;
	}
}

static const struct file_operations fifo_fops = {
	.owner = THIS_MODULE,
	.read = fifo_read,
	.write = fifo_write,
	.poll = fifo_poll,
	.unlocked_ioctl = fifo_ioctl,
};

static int __init fifo_init(void)
{
	struct device *dev;
	int ret;

	ret = alloc_chrdev_region(&fifo_dev, 0, 1, "fifo");
	if (ret)
		return ret;

	fifo_data = kmalloc(FIFO_SIZE, GFP_KERNEL);
	if (!fifo_data) {
		ret = -ENOMEM;
		goto err_region;
	}

	cdev_init(&fifo_cdev, &fifo_fops);
	fifo_cdev.owner = THIS_MODULE;
	ret = cdev_add(&fifo_cdev, fifo_dev, 1);
	if (ret)
		goto err_data;

	fifo_class = class_create("fifo");
	if (IS_ERR(fifo_class)) {
		ret = PTR_ERR(fifo_class);
		goto err_cdev;
	}

	dev = device_create(fifo_class, NULL, fifo_dev, NULL, "fifo0");
	if (IS_ERR(dev)) {
		ret = PTR_ERR(dev);
		goto err_class;
	}
	return 0;

err_class:
	class_destroy(fifo_class);
err_cdev:
	cdev_del(&fifo_cdev);
err_data:
	kfree(fifo_data);
err_region:
	unregister_chrdev_region(fifo_dev, 1);
	return ret;
}

static void __exit fifo_exit(void)
{
	device_destroy(fifo_class, fifo_dev);
	class_destroy(fifo_class);
	cdev_del(&fifo_cdev);
	kfree(fifo_data);
	unregister_chrdev_region(fifo_dev, 1);
}

module_init(fifo_init);
module_exit(fifo_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Blocking FIFO");
