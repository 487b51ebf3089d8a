/* refcount_t, an atomic counter, the interrupt requested and freed by hand, a loop around wait_event. */
#include <linux/atomic.h>
#include <linux/completion.h>
#include <linux/interrupt.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/of.h>
#include <linux/platform_device.h>
#include <linux/poll.h>
#include <linux/refcount.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

struct button {
	refcount_t users;
	atomic_t presses, dead;
	wait_queue_head_t wq;
	struct miscdevice misc;
	int irq;
};

struct reader {
	struct button *b;
	int last;
};

static void put(struct button *b)
{
	if (refcount_dec_and_test(&b->users))
		kfree(b);
}

static irqreturn_t pressed(int irq, void *cookie)
{
	struct button *b = cookie;

	atomic_inc(&b->presses);
	wake_up_all(&b->wq);
	return IRQ_HANDLED;
}

static int b_open(struct inode *inode, struct file *filp)
{
	struct miscdevice *misc = filp->private_data;
	struct button *b = container_of(misc, struct button, misc);
	struct reader *rd = kmalloc(sizeof(struct reader), GFP_KERNEL);

	if (!rd)
		return -ENOMEM;
	refcount_inc(&b->users);
	rd->b = b;
	rd->last = atomic_read(&b->presses);
	filp->private_data = rd;
	return 0;
}

static int b_release(struct inode *inode, struct file *filp)
{
	struct reader *rd = filp->private_data;

	put(rd->b);
	kfree(rd);
	return 0;
}

static ssize_t b_read(struct file *filp, char __user *buf, size_t len, loff_t *off)
{
	struct reader *rd = filp->private_data;
	struct button *b = rd->b;

	if (len < 4)
		return -EINVAL;
	for (;;) {
		int now = atomic_read(&b->presses);
		unsigned int n = now - rd->last;

		if (atomic_read(&b->dead))
			return -ENODEV;
		if (n) {
			if (put_user(n, (unsigned int __user *)buf))
				return -EFAULT;
			rd->last = now;
			return 4;
		}
		if (filp->f_flags & O_NONBLOCK)
			return -EAGAIN;
		if (wait_event_interruptible(b->wq, atomic_read(&b->presses) != rd->last || atomic_read(&b->dead)))
			return -ERESTARTSYS;
	}
}

static __poll_t b_poll(struct file *filp, poll_table *wait)
{
	struct reader *rd = filp->private_data;

	poll_wait(filp, &rd->b->wq, wait);
	if (atomic_read(&rd->b->dead))
		return EPOLLERR | EPOLLHUP;
	if (atomic_read(&rd->b->presses) != rd->last)
		return EPOLLIN | EPOLLRDNORM;
	return 0;
}

static const struct file_operations b_fops = {
	.owner = THIS_MODULE, .open = b_open, .release = b_release, .read = b_read, .poll = b_poll, .llseek = noop_llseek,
};

static int b_probe(struct platform_device *pdev)
{
	struct button *b = kzalloc(sizeof(*b), GFP_KERNEL);
	int err;

	if (!b)
		return -ENOMEM;
	refcount_set(&b->users, 1);
	init_waitqueue_head(&b->wq);
	b->irq = platform_get_irq(pdev, 0);
	if (b->irq < 0) {
		err = b->irq;
		goto out;
	}
	err = request_irq(b->irq, pressed, IRQF_TRIGGER_FALLING, "button", b);
	if (err)
		goto out;
	b->misc = (struct miscdevice){
		.minor = MISC_DYNAMIC_MINOR, .name = dev_name(&pdev->dev), .fops = &b_fops, .parent = &pdev->dev,
	};
	err = misc_register(&b->misc);
	if (err)
		goto irq;
	platform_set_drvdata(pdev, b);
	return 0;
irq:
	free_irq(b->irq, b);
out:
	kfree(b);
	return err;
}

static void b_remove(struct platform_device *pdev)
{
	struct button *b = platform_get_drvdata(pdev);

	misc_deregister(&b->misc);
	free_irq(b->irq, b);
	atomic_set(&b->dead, 1);
	wake_up_all(&b->wq);
	put(b);
}

static const struct of_device_id b_ids[] = { { .compatible = "acme,button" }, { /* end */ } };
MODULE_DEVICE_TABLE(of, b_ids);
static struct platform_driver b_driver = {
	.probe = b_probe, .remove = b_remove, .driver = { .name = "button", .of_match_table = b_ids },
};
module_platform_driver(b_driver);
MODULE_LICENSE("GPL");
