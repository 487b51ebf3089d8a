#include <linux/device.h>
#include <linux/fs.h>
#include <linux/interrupt.h>
#include <linux/kref.h>
#include <linux/miscdevice.h>
#include <linux/mod_devicetable.h>
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/poll.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/uaccess.h>
#include <linux/wait.h>

struct button {
	struct kref ref;
	struct miscdevice misc;
	wait_queue_head_t wait;
	spinlock_t lock;
	unsigned int presses;
	bool gone;
};

struct button_file {
	struct button *button;
	unsigned int seen;
};

static void button_free(struct kref *ref)
{
	kfree(container_of(ref, struct button, ref));
}

static void button_put(void *data)
{
	struct button *b = data;

	kref_put(&b->ref, button_free);
}

static irqreturn_t button_irq(int irq, void *data)
{
	struct button *b = data;

	spin_lock(&b->lock);
	b->presses++;
	spin_unlock(&b->lock);
	wake_up_interruptible(&b->wait);
	return IRQ_HANDLED;
}

/* Presses since the last read, or -ENODEV. */
static int button_pending(struct button_file *f, unsigned int *pending)
{
	struct button *b = f->button;
	unsigned long flags;
	int ret = 0;

	spin_lock_irqsave(&b->lock, flags);
	if (b->gone)
		ret = -ENODEV;
	*pending = b->presses - f->seen;
	spin_unlock_irqrestore(&b->lock, flags);
	return ret;
}

static int button_open(struct inode *inode, struct file *file)
{
	struct button *b = container_of(file->private_data, struct button, misc);
	struct button_file *f;
	unsigned long flags;

	f = kzalloc(sizeof(*f), GFP_KERNEL);
	if (!f)
		return -ENOMEM;
	kref_get(&b->ref);
	f->button = b;
	spin_lock_irqsave(&b->lock, flags);
	f->seen = b->presses;
	spin_unlock_irqrestore(&b->lock, flags);
	file->private_data = f;
	return nonseekable_open(inode, file);
}

static int button_release(struct inode *inode, struct file *file)
{
	struct button_file *f = file->private_data;

	kref_put(&f->button->ref, button_free);
	kfree(f);
	return 0;
}

static ssize_t button_read(struct file *file, char __user *to, size_t n, loff_t *pos)
{
	struct button_file *f = file->private_data;
	unsigned int pending;
	int ret;

	if (n < sizeof(pending))
		return -EINVAL;
	ret = button_pending(f, &pending);
	if (!ret && !pending) {
		if (file->f_flags & O_NONBLOCK)
			return -EAGAIN;
		if (wait_event_interruptible(f->button->wait, (ret = button_pending(f, &pending)) || pending))
			return -ERESTARTSYS;
	}
	if (ret)
		return ret;
	if (copy_to_user(to, &pending, sizeof(pending)))
		return -EFAULT;
	f->seen += pending;
	return sizeof(pending);
}

static __poll_t button_poll(struct file *file, poll_table *table)
{
	struct button_file *f = file->private_data;
	unsigned int pending;

	poll_wait(file, &f->button->wait, table);
	if (button_pending(f, &pending))
		return EPOLLERR | EPOLLHUP;
	return pending ? EPOLLIN | EPOLLRDNORM : 0;
}

static const struct file_operations button_fops = {
	.owner = THIS_MODULE,
	.open = button_open,
	.release = button_release,
	.read = button_read,
	.poll = button_poll,
};

static int button_probe(struct platform_device *pdev)
{
	struct device *dev = &pdev->dev;
	struct button *b;
	int irq, ret;

	irq = platform_get_irq(pdev, 0);
	if (irq < 0)
		return irq;

	b = kzalloc(sizeof(*b), GFP_KERNEL);
	if (!b)
		return -ENOMEM;
	kref_init(&b->ref);
	spin_lock_init(&b->lock);
	init_waitqueue_head(&b->wait);
	/* Before the interrupt is requested, so that it goes before the reference does. */
	ret = devm_add_action_or_reset(dev, button_put, b);
	if (ret)
		return ret;

	ret = devm_request_irq(dev, irq, button_irq, 0, dev_name(dev), b);
	if (ret)
		return dev_err_probe(dev, ret, "cannot request interrupt\n");

	b->misc.minor = MISC_DYNAMIC_MINOR;
	b->misc.name = dev_name(dev);
	b->misc.fops = &button_fops;
	b->misc.parent = dev;
	ret = misc_register(&b->misc);
	if (ret)
		return dev_err_probe(dev, ret, "cannot register\n");
	platform_set_drvdata(pdev, b);
	return 0;
}

static void button_remove(struct platform_device *pdev)
{
	struct button *b = platform_get_drvdata(pdev);

	misc_deregister(&b->misc);
	spin_lock_irq(&b->lock);
	b->gone = true;
	spin_unlock_irq(&b->lock);
	wake_up_interruptible_all(&b->wait);
}

static const struct of_device_id button_of_match[] = {
	{ .compatible = "acme,button" },
	{ }
};
MODULE_DEVICE_TABLE(of, button_of_match);

static struct platform_driver button_driver = {
	.probe = button_probe,
	.remove = button_remove,
	.driver = {
		.name = "button",
		.of_match_table = button_of_match,
	},
};
module_platform_driver(button_driver);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Button counter");
