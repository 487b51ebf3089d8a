#include <linux/device.h>
#include <linux/interrupt.h>
#include <linux/io.h>
#include <linux/math64.h>
#include <linux/mod_devicetable.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/platform_device.h>
#include <linux/property.h>
#include <linux/spinlock.h>
#include <linux/sysfs.h>

#define REG_CTRL 0x00
#define CTRL_ENABLE BIT(0)
#define CTRL_IRQ BIT(1)
#define REG_STATUS 0x04
#define STATUS_READY BIT(0)
#define REG_DATA 0x08
#define DATA_MASK GENMASK(15, 0)
#define REG_PERIOD 0x0c

#define PERIOD_MIN 10
#define PERIOD_MAX 1000000
#define PERIOD_DEFAULT 1000

struct sampler {
	void __iomem *regs;
	struct mutex config_lock;
	bool enabled;
	u32 period_us;
	spinlock_t lock;
	u64 samples;
	u64 sum;
};

static irqreturn_t sampler_irq(int irq, void *data)
{
	struct sampler *s = data;
	u32 value;

	if (!(readl(s->regs + REG_STATUS) & STATUS_READY))
		return IRQ_NONE;

	value = readl(s->regs + REG_DATA) & DATA_MASK;
	writel(STATUS_READY, s->regs + REG_STATUS);

	spin_lock(&s->lock);
	s->samples++;
	s->sum += value;
	spin_unlock(&s->lock);
	return IRQ_HANDLED;
}

static void sampler_set_enabled(struct sampler *s, bool enabled)
{
	writel(enabled ? CTRL_ENABLE | CTRL_IRQ : 0, s->regs + REG_CTRL);
	s->enabled = enabled;
}

static void sampler_stop(void *data)
{
	sampler_set_enabled(data, false);
}

static ssize_t enabled_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct sampler *s = dev_get_drvdata(dev);

	return sysfs_emit(buf, "%d\n", s->enabled);
}

static ssize_t enabled_store(struct device *dev, struct device_attribute *attr, const char *buf, size_t count)
{
	struct sampler *s = dev_get_drvdata(dev);
	bool enabled;
	int ret;

	ret = kstrtobool(buf, &enabled);
	if (ret)
		return ret;
	mutex_lock(&s->config_lock);
	sampler_set_enabled(s, enabled);
	mutex_unlock(&s->config_lock);
	return count;
}
static DEVICE_ATTR_RW(enabled);

static ssize_t period_us_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct sampler *s = dev_get_drvdata(dev);

	return sysfs_emit(buf, "%u\n", s->period_us);
}

static ssize_t period_us_store(struct device *dev, struct device_attribute *attr, const char *buf, size_t count)
{
	struct sampler *s = dev_get_drvdata(dev);
	u32 period;
	int ret;

	ret = kstrtou32(buf, 10, &period);
	if (ret)
		return ret;
	if (period < PERIOD_MIN || period > PERIOD_MAX)
		return -EINVAL;
	mutex_lock(&s->config_lock);
	s->period_us = period;
	writel(period, s->regs + REG_PERIOD);
	mutex_unlock(&s->config_lock);
	return count;
}
static DEVICE_ATTR_RW(period_us);

static ssize_t samples_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct sampler *s = dev_get_drvdata(dev);
	unsigned long flags;
	u64 samples;

	spin_lock_irqsave(&s->lock, flags);
	samples = s->samples;
	spin_unlock_irqrestore(&s->lock, flags);
	return sysfs_emit(buf, "%llu\n", samples);
}
static DEVICE_ATTR_RO(samples);

static ssize_t mean_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct sampler *s = dev_get_drvdata(dev);
	unsigned long flags;
	u64 samples, sum;

	spin_lock_irqsave(&s->lock, flags);
	samples = s->samples;
	sum = s->sum;
	spin_unlock_irqrestore(&s->lock, flags);
	if (!samples)
		return -ENODATA;
	return sysfs_emit(buf, "%llu\n", div64_u64(sum, samples));
}
static DEVICE_ATTR_RO(mean);

static struct attribute *sampler_attrs[] = {
	&dev_attr_enabled.attr,
	&dev_attr_period_us.attr,
	&dev_attr_samples.attr,
	&dev_attr_mean.attr,
	NULL,
};
ATTRIBUTE_GROUPS(sampler);

static int sampler_probe(struct platform_device *pdev)
{
	struct device *dev = &pdev->dev;
	struct sampler *s;
	int irq, ret;

	s = devm_kzalloc(dev, sizeof(*s), GFP_KERNEL);
	if (!s)
		return -ENOMEM;
	spin_lock_init(&s->lock);
	mutex_init(&s->config_lock);
	platform_set_drvdata(pdev, s);

	s->period_us = PERIOD_DEFAULT;
	device_property_read_u32(dev, "sample-period-us", &s->period_us);
	if (s->period_us < PERIOD_MIN || s->period_us > PERIOD_MAX)
		return dev_err_probe(dev, -EINVAL, "bad sample period %u\n", s->period_us);

	s->regs = devm_platform_ioremap_resource(pdev, 0);
	if (IS_ERR(s->regs))
		return PTR_ERR(s->regs);

	irq = platform_get_irq(pdev, 0);
	if (irq < 0)
		return irq;

	sampler_set_enabled(s, false);
	writel(STATUS_READY, s->regs + REG_STATUS);
	writel(s->period_us, s->regs + REG_PERIOD);

	ret = devm_request_irq(dev, irq, sampler_irq, IRQF_SHARED, dev_name(dev), s);
	if (ret)
		return dev_err_probe(dev, ret, "cannot request interrupt\n");

	return devm_add_action_or_reset(dev, sampler_stop, s);
}

static const struct of_device_id sampler_of_match[] = {
	{ .compatible = "acme,sampler" },
	{ }
};
MODULE_DEVICE_TABLE(of, sampler_of_match);

static struct platform_driver sampler_driver = {
	.probe = sampler_probe,
	.driver = {
		.name = "sampler",
		.of_match_table = sampler_of_match,
		.dev_groups = sampler_groups,
	},
};
module_platform_driver(sampler_driver);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Sampling device");
