/* Without managed resources but for the registers: probe with goto, an explicit remove, attributes made by hand. */
#include <linux/interrupt.h>
#include <linux/io.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/of.h>
#include <linux/platform_device.h>
#include <linux/slab.h>

struct sampler {
	void __iomem *base;
	int irq;
	spinlock_t lock;
	u64 n, sum;
	u32 period;
	int on;
};

static irqreturn_t handler(int irq, void *id)
{
	struct sampler *s = id;
	unsigned long flags;
	irqreturn_t ret = IRQ_NONE;

	spin_lock_irqsave(&s->lock, flags);
	if (ioread32(s->base + 4) & 1) {
		s->sum += ioread32(s->base + 8) & 0xffff;
		iowrite32(1, s->base + 4);
		s->n++;
		ret = IRQ_HANDLED;
	}
	spin_unlock_irqrestore(&s->lock, flags);
	return ret;
}

static ssize_t show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct sampler *s = dev_get_drvdata(dev);
	u64 n, sum;

	spin_lock_irq(&s->lock);
	n = s->n;
	sum = s->sum;
	spin_unlock_irq(&s->lock);
	if (!strcmp(attr->attr.name, "enabled"))
		return sprintf(buf, "%d\n", s->on);
	if (!strcmp(attr->attr.name, "period_us"))
		return scnprintf(buf, PAGE_SIZE, "%u\n", s->period);
	if (!strcmp(attr->attr.name, "samples"))
		return sysfs_emit(buf, "%llu\n", n);
	return n ? sysfs_emit(buf, "%llu\n", div64_u64(sum, n)) : -ENODATA;
}

static ssize_t enabled_store(struct device *dev, struct device_attribute *attr, const char *buf, size_t len)
{
	struct sampler *s = dev_get_drvdata(dev);
	bool on;

	if (kstrtobool(buf, &on))
		return -EINVAL;
	spin_lock_irq(&s->lock);
	s->on = on;
	iowrite32(on ? 3 : 0, s->base);
	spin_unlock_irq(&s->lock);
	return len;
}

static ssize_t period_store(struct device *dev, struct device_attribute *attr, const char *buf, size_t len)
{
	struct sampler *s = dev_get_drvdata(dev);
	unsigned int v;
	int ret = kstrtouint(buf, 0, &v);

	if (ret)
		return ret;
	if (v < 10 || v > 1000000)
		return -EINVAL;
	spin_lock_irq(&s->lock);
	s->period = v;
	iowrite32(v, s->base + 12);
	spin_unlock_irq(&s->lock);
	return len;
}

static DEVICE_ATTR(enabled, 0644, show, enabled_store);
static DEVICE_ATTR(period_us, 0644, show, period_store);
static DEVICE_ATTR(samples, 0444, show, NULL);
static DEVICE_ATTR(mean, 0444, show, NULL);

static struct attribute *attrs[] = {
	&dev_attr_enabled.attr, &dev_attr_period_us.attr, &dev_attr_samples.attr, &dev_attr_mean.attr, NULL
};
static const struct attribute_group group = { .attrs = attrs };

static int sampler_probe(struct platform_device *pdev)
{
	struct resource *res;
	struct sampler *s;
	u32 period = 1000;
	int ret;

	of_property_read_u32(pdev->dev.of_node, "sample-period-us", &period);
	if (period < 10 || period > 1000000) {
		dev_err(&pdev->dev, "period %u\n", period);
		return -EINVAL;
	}
	s = kzalloc(sizeof(*s), GFP_KERNEL);
	if (!s)
		return -ENOMEM;
	spin_lock_init(&s->lock);
	s->period = period;

	res = platform_get_resource(pdev, IORESOURCE_MEM, 0);
	if (!res) {
		ret = -ENODEV;
		goto free;
	}
	s->base = ioremap(res->start, resource_size(res));
	if (!s->base) {
		ret = -ENOMEM;
		goto free;
	}
	s->irq = platform_get_irq(pdev, 0);
	if (s->irq < 0) {
		ret = s->irq;
		goto unmap;
	}
	iowrite32(0, s->base);
	iowrite32(1, s->base + 4);
	iowrite32(period, s->base + 12);
	platform_set_drvdata(pdev, s);
	ret = request_irq(s->irq, handler, IRQF_SHARED, "sampler", s);
	if (ret)
		goto unmap;
	ret = sysfs_create_group(&pdev->dev.kobj, &group);
	if (ret)
		goto irq;
	return 0;
irq:
	free_irq(s->irq, s);
unmap:
	iounmap(s->base);
free:
	kfree(s);
	return ret;
}

static void sampler_remove(struct platform_device *pdev)
{
	struct sampler *s = platform_get_drvdata(pdev);

	sysfs_remove_group(&pdev->dev.kobj, &group);
	iowrite32(0, s->base);
	free_irq(s->irq, s);
	iounmap(s->base);
	kfree(s);
}

static const struct of_device_id ids[] = { { .compatible = "acme,sampler" }, {} };
MODULE_DEVICE_TABLE(of, ids);

static struct platform_driver drv = {
	.probe = sampler_probe,
	.remove_new = sampler_remove,
	.driver = { .name = "sampler", .owner = THIS_MODULE, .of_match_table = of_match_ptr(ids) },
};

static int __init start(void) { return platform_driver_register(&drv); }
static void __exit stop(void) { platform_driver_unregister(&drv); }
module_init(start);
module_exit(stop);
MODULE_LICENSE("Dual BSD/GPL");
