/* A regmap, a work queue of its own, a mutex around what the attributes show, everything managed by the device. */
#include <linux/i2c.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/regmap.h>
#include <linux/workqueue.h>

struct airq {
	struct regmap *map;
	struct workqueue_struct *wq;
	struct delayed_work work;
	struct mutex lock;
	unsigned int interval, errors;
	int ppm;
};

static const struct regmap_config config = { .reg_bits = 8, .val_bits = 8, .max_register = 4 };

static void airq_work(struct work_struct *w)
{
	struct airq *a = container_of(w, struct airq, work.work);
	unsigned int status;
	int err, ppm = -1;
	u8 raw[2];

	err = regmap_read(a->map, 4, &status);
	if (!err && (status & 1)) {
		err = regmap_bulk_read(a->map, 2, raw, 2);
		if (!err)
			ppm = get_unaligned_be16(raw);
	}
	mutex_lock(&a->lock);
	if (err)
		a->errors += 1;
	else if (ppm >= 0)
		a->ppm = ppm;
	queue_delayed_work(a->wq, &a->work, msecs_to_jiffies(a->interval));
	mutex_unlock(&a->lock);
}

static ssize_t co2_ppm_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct airq *a = dev_get_drvdata(dev);
	int ppm;

	mutex_lock(&a->lock);
	ppm = a->ppm;
	mutex_unlock(&a->lock);
	if (ppm < 0)
		return -ENODATA;
	return sprintf(buf, "%d\n", ppm);
}

static ssize_t errors_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct airq *a = dev_get_drvdata(dev);

	return sysfs_emit(buf, "%u\n", a->errors);
}

static ssize_t interval_ms_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct airq *a = dev_get_drvdata(dev);

	return sysfs_emit(buf, "%u\n", a->interval);
}

static ssize_t interval_ms_store(struct device *dev, struct device_attribute *attr, const char *buf, size_t n)
{
	struct airq *a = dev_get_drvdata(dev);
	u16 ms;
	int err = kstrtou16(buf, 0, &ms);

	if (err)
		return err;
	if (ms < 100 || ms > 60000)
		return -ERANGE;
	mutex_lock(&a->lock);
	a->interval = ms;
	mod_delayed_work(a->wq, &a->work, msecs_to_jiffies(ms));
	mutex_unlock(&a->lock);
	return n;
}

static DEVICE_ATTR_RO(co2_ppm);
static DEVICE_ATTR_RO(errors);
static DEVICE_ATTR_RW(interval_ms);
static struct attribute *airq_attrs[] = { &dev_attr_co2_ppm.attr, &dev_attr_errors.attr, &dev_attr_interval_ms.attr, NULL };
static const struct attribute_group airq_group = { .attrs = airq_attrs };

static void destroy_queue(void *wq)
{
	destroy_workqueue(wq);
}

static void quiet(void *data)
{
	struct airq *a = data;

	cancel_delayed_work_sync(&a->work);
	regmap_write(a->map, 1, 0);
}

static int airq_probe(struct i2c_client *client)
{
	struct airq *a;
	unsigned int id;
	int err;

	a = devm_kzalloc(&client->dev, sizeof(*a), GFP_KERNEL);
	if (!a)
		return -ENOMEM;
	a->ppm = -1;
	a->interval = 1000;
	mutex_init(&a->lock);
	INIT_DELAYED_WORK(&a->work, airq_work);
	dev_set_drvdata(&client->dev, a);
	a->map = devm_regmap_init_i2c(client, &config);
	if (IS_ERR(a->map))
		return PTR_ERR(a->map);
	a->wq = alloc_ordered_workqueue("airq", WQ_MEM_RECLAIM);
	if (!a->wq)
		return -ENOMEM;
	err = devm_add_action_or_reset(&client->dev, destroy_queue, a->wq);
	if (err)
		return err;
	err = regmap_read(a->map, 0, &id);
	if (err)
		return err;
	if (id != 0x5a) {
		dev_err(&client->dev, "id %#x\n", id);
		return -ENODEV;
	}
	err = regmap_write(a->map, 1, 1);
	if (err)
		return err;
	err = devm_add_action_or_reset(&client->dev, quiet, a);
	if (err)
		return err;
	err = devm_device_add_group(&client->dev, &airq_group);
	if (err)
		return err;
	queue_delayed_work(a->wq, &a->work, HZ);
	return 0;
}

static const struct of_device_id of_ids[] = { { .compatible = "acme,airq" }, { } };
MODULE_DEVICE_TABLE(of, of_ids);
static struct i2c_driver airq = {
	.driver = { .name = "airq", .of_match_table = of_ids },
	.probe = airq_probe,
};
module_i2c_driver(airq);
MODULE_LICENSE("GPL");
