/* One state from kzalloc, an allocated cdev, guards, prepare_to_wait by hand, a bounce buffer for copies. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/cdev.h>
#include <linux/device.h>
#include <linux/poll.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/cleanup.h>
#include <linux/mutex.h>

#define SIZE 64

struct fifo {
	dev_t devt;
	struct cdev *cdev;
	struct class *class;
	struct device *dev;
	struct mutex lock;
	wait_queue_head_t wait;
	char *buf;
	unsigned int in, out;
};

static struct fifo *fifo;

static unsigned int used(struct fifo *f)
{
	return f->in - f->out;
}

static int fifo_open(struct inode *inode, struct file *file)
{
	file->private_data = fifo;
	return nonseekable_open(inode, file);
}

/* Returns with the lock held, and 0, when there is something to do. */
static int lock_when(struct fifo *f, struct file *file, bool reading)
{
	DEFINE_WAIT(wait);
	int ret = 0;

	for (;;) {
		if (mutex_lock_interruptible(&f->lock))
			return -ERESTARTSYS;
		prepare_to_wait(&f->wait, &wait, TASK_INTERRUPTIBLE);
		if (reading ? used(f) > 0 : used(f) < SIZE)
			break;
		mutex_unlock(&f->lock);
		if (file->f_flags & O_NONBLOCK)
			ret = -EAGAIN;
		else if (signal_pending(current))
			ret = -ERESTARTSYS;
		if (ret)
			break;
		schedule();
	}
	finish_wait(&f->wait, &wait);
	return ret;
}

static ssize_t fifo_read(struct file *file, char __user *to, size_t len, loff_t *ppos)
{
	struct fifo *f = file->private_data;
	char bounce[SIZE];
	size_t i;
	ssize_t ret;

	if (len == 0)
		return 0;
	ret = lock_when(f, file, true);
	if (ret)
		return ret;
	len = min_t(size_t, len, used(f));
	for (i = 0; i < len; i++)
		bounce[i] = f->buf[(f->out + i) % SIZE];
	if (copy_to_user(to, bounce, len)) {
		ret = -EFAULT;
	} else {
		f->out += len;
		ret = len;
	}
	mutex_unlock(&f->lock);
	wake_up_all(&f->wait);
	return ret;
}

static ssize_t fifo_write(struct file *file, const char __user *from, size_t len, loff_t *ppos)
{
	struct fifo *f = file->private_data;
	char bounce[SIZE];
	size_t i;
	ssize_t ret;

	if (len == 0)
		return 0;
	if (copy_from_user(bounce, from, min_t(size_t, len, SIZE)))
		return -EFAULT;
	ret = lock_when(f, file, false);
	if (ret)
		return ret;
	len = min_t(size_t, len, SIZE - used(f));
	for (i = 0; i < len; i++)
		f->buf[(f->in + i) % SIZE] = bounce[i];
	f->in += len;
	mutex_unlock(&f->lock);
	wake_up_all(&f->wait);
	return len;
}

static __poll_t fifo_poll(struct file *file, struct poll_table_struct *pt)
{
	struct fifo *f = file->private_data;
	__poll_t mask = 0;

	poll_wait(file, &f->wait, pt);
	guard(mutex)(&f->lock);
	if (used(f))
		mask = EPOLLIN | EPOLLRDNORM;
	if (used(f) != SIZE)
		mask |= EPOLLOUT | EPOLLWRNORM;
	return mask;
}

static long fifo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct fifo *f = file->private_data;

	if (cmd == _IOR('f', 1, int)) {
		int n;

		scoped_guard(mutex, &f->lock)
			n = used(f);
		if (copy_to_user((void __user *)arg, &n, sizeof(n)))
			return -EFAULT;
		return 0;
	}
	if (cmd == _IO('f', 2)) {
		scoped_guard(mutex, &f->lock)
			f->out = f->in;
		wake_up_all(&f->wait);
		return 0;
	}
	return -ENOTTY;
}

static const struct file_operations fops = {
	.owner		= THIS_MODULE,
	.open		= fifo_open,
	.read		= fifo_read,
	.write		= fifo_write,
	.poll		= fifo_poll,
	.unlocked_ioctl	= fifo_ioctl,
};

static void fifo_free(struct fifo *f)
{
	if (!IS_ERR_OR_NULL(f->dev))
		device_destroy(f->class, f->devt);
	if (!IS_ERR_OR_NULL(f->class))
		class_destroy(f->class);
	if (f->cdev)
		cdev_del(f->cdev);
	kfree(f->buf);
	if (f->devt)
		unregister_chrdev_region(f->devt, 1);
	kfree(f);
}

static int __init fifo_init(void)
{
	int ret;

	fifo = kzalloc(sizeof(*fifo), GFP_KERNEL);
	if (!fifo)
		return -ENOMEM;
	mutex_init(&fifo->lock);
	init_waitqueue_head(&fifo->wait);

	ret = alloc_chrdev_region(&fifo->devt, 0, 1, "fifo");
	if (ret < 0) {
		fifo->devt = 0;
		goto fail;
	}
	ret = -ENOMEM;
	fifo->buf = kzalloc(SIZE, GFP_KERNEL);
	if (!fifo->buf)
		goto fail;
	fifo->cdev = cdev_alloc();
	if (!fifo->cdev)
		goto fail;
	fifo->cdev->ops = &fops;
	fifo->cdev->owner = THIS_MODULE;
	ret = cdev_add(fifo->cdev, fifo->devt, 1);
	if (ret)
		goto fail;
	fifo->class = class_create("fifo");
	ret = PTR_ERR_OR_ZERO(fifo->class);
	if (ret)
		goto fail;
	fifo->dev = device_create(fifo->class, NULL, fifo->devt, fifo, "fifo%d", 0);
	ret = PTR_ERR_OR_ZERO(fifo->dev);
	if (ret)
		goto fail;
	pr_info("fifo: major %u\n", MAJOR(fifo->devt));
	return 0;
fail:
	fifo_free(fifo);
	return ret;
}

static void __exit fifo_exit(void)
{
	fifo_free(fifo);
}

module_init(fifo_init);
module_exit(fifo_exit);
MODULE_LICENSE("GPL v2");
MODULE_AUTHOR("another");
