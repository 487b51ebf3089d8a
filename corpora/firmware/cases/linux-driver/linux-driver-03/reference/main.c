#include <linux/bits.h>
#include <linux/device.h>
#include <linux/i2c.h>
#include <linux/jiffies.h>
#include <linux/mod_devicetable.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/sysfs.h>
#include <linux/workqueue.h>

#define REG_ID 0x00
#define ID_VALUE 0x5a
#define REG_CTRL 0x01
#define CTRL_MEASURE BIT(0)
#define REG_CO2 0x02
#define REG_STATUS 0x04
#define STATUS_NEW BIT(0)

#define INTERVAL_DEFAULT 1000
#define INTERVAL_MIN 100
#define INTERVAL_MAX 60000

struct airq {
	struct i2c_client *client;
	struct delayed_work poll;
	spinlock_t lock;
	unsigned int interval_ms;
	unsigned int errors;
	bool valid;
	u16 co2_ppm;
};

static int airq_read(struct airq *airq)
{
	int status, value;

	status = i2c_smbus_read_byte_data(airq->client, REG_STATUS);
	if (status < 0)
		return status;
	if (!(status & STATUS_NEW))
		return 0;
	value = i2c_smbus_read_word_swapped(airq->client, REG_CO2);
	if (value < 0)
		return value;

	spin_lock(&airq->lock);
	airq->co2_ppm = value;
	airq->valid = true;
	spin_unlock(&airq->lock);
	return 0;
}

static void airq_poll(struct work_struct *work)
{
	struct airq *airq = container_of(to_delayed_work(work), struct airq, poll);
	int ret = airq_read(airq);
	unsigned int interval_ms;

	spin_lock(&airq->lock);
	if (ret < 0)
		airq->errors++;
	interval_ms = airq->interval_ms;
	spin_unlock(&airq->lock);
	schedule_delayed_work(&airq->poll, msecs_to_jiffies(interval_ms));
}

static ssize_t co2_ppm_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct airq *airq = dev_get_drvdata(dev);
	bool valid;
	u16 value;

	spin_lock(&airq->lock);
	valid = airq->valid;
	value = airq->co2_ppm;
	spin_unlock(&airq->lock);
	return valid ? sysfs_emit(buf, "%u\n", value) : -ENODATA;
}
static DEVICE_ATTR_RO(co2_ppm);

static ssize_t errors_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct airq *airq = dev_get_drvdata(dev);

	return sysfs_emit(buf, "%u\n", READ_ONCE(airq->errors));
}
static DEVICE_ATTR_RO(errors);

static ssize_t interval_ms_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct airq *airq = dev_get_drvdata(dev);

	return sysfs_emit(buf, "%u\n", READ_ONCE(airq->interval_ms));
}

static ssize_t interval_ms_store(struct device *dev, struct device_attribute *attr, const char *buf, size_t count)
{
	struct airq *airq = dev_get_drvdata(dev);
	unsigned int interval_ms;
	int ret;

	ret = kstrtouint(buf, 10, &interval_ms);
	if (ret)
		return ret;
	if (interval_ms < INTERVAL_MIN || interval_ms > INTERVAL_MAX)
		return -EINVAL;
	spin_lock(&airq->lock);
	airq->interval_ms = interval_ms;
	spin_unlock(&airq->lock);
	mod_delayed_work(system_wq, &airq->poll, msecs_to_jiffies(interval_ms));
	return count;
}
static DEVICE_ATTR_RW(interval_ms);

static struct attribute *airq_attrs[] = {
	&dev_attr_co2_ppm.attr,
	&dev_attr_errors.attr,
	&dev_attr_interval_ms.attr,
	NULL,
};
ATTRIBUTE_GROUPS(airq);

static int airq_probe(struct i2c_client *client)
{
	struct device *dev = &client->dev;
	struct airq *airq;
	int ret;

	airq = devm_kzalloc(dev, sizeof(*airq), GFP_KERNEL);
	if (!airq)
		return -ENOMEM;
	airq->client = client;
	airq->interval_ms = INTERVAL_DEFAULT;
	spin_lock_init(&airq->lock);
	INIT_DELAYED_WORK(&airq->poll, airq_poll);
	i2c_set_clientdata(client, airq);

	ret = i2c_smbus_read_byte_data(client, REG_ID);
	if (ret < 0)
		return dev_err_probe(dev, ret, "cannot read the ID\n");
	if (ret != ID_VALUE)
		return dev_err_probe(dev, -ENODEV, "unknown ID 0x%02x\n", ret);
	ret = i2c_smbus_write_byte_data(client, REG_CTRL, CTRL_MEASURE);
	if (ret < 0)
		return dev_err_probe(dev, ret, "cannot start measuring\n");

	schedule_delayed_work(&airq->poll, msecs_to_jiffies(INTERVAL_DEFAULT));
	return 0;
}

static void airq_remove(struct i2c_client *client)
{
	struct airq *airq = i2c_get_clientdata(client);

	cancel_delayed_work_sync(&airq->poll);
	i2c_smbus_write_byte_data(client, REG_CTRL, 0);
}

static const struct of_device_id airq_of_match[] = {
	{ .compatible = "acme,airq" },
	{ }
};
MODULE_DEVICE_TABLE(of, airq_of_match);

static struct i2c_driver airq_driver = {
	.probe = airq_probe,
	.remove = airq_remove,
	.driver = {
		.name = "airq",
		.of_match_table = airq_of_match,
		.dev_groups = airq_groups,
	},
};
module_i2c_driver(airq_driver);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Air sensor");
