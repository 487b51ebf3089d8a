/* Another right answer: integers only, the handler hands samples over in a message queue, main judges. */
#include <zephyr/kernel.h>
#include <zephyr/device.h>
#include <zephyr/drivers/sensor.h>
#include <zephyr/sys/printk.h>

struct sample { int64_t um[3]; };
K_MSGQ_DEFINE(samples, sizeof(struct sample), 8, 8);

static struct sensor_trigger trig;

static void handler(const struct device *dev, const struct sensor_trigger *t)
{
    struct sensor_value v[3];
    struct sample s;
    int rc = sensor_sample_fetch_chan(dev, SENSOR_CHAN_ACCEL_XYZ);

    if (rc == 0) {
        rc = sensor_channel_get(dev, SENSOR_CHAN_ACCEL_XYZ, v);
    }
    if (rc) {
        return;
    }
    for (int i = 0; i < 3; i++) {
        s.um[i] = sensor_value_to_micro(&v[i]);
    }
    k_msgq_put(&samples, &s, K_NO_WAIT);
}

static int setup(const struct device *dev)
{
    struct sensor_value odr;
    int rc;

    odr.val1 = 50;
    odr.val2 = 0;
    rc = sensor_attr_set(dev, SENSOR_CHAN_ACCEL_XYZ, SENSOR_ATTR_SAMPLING_FREQUENCY, &odr);
    if (rc != 0) {
        return rc;
    }
    trig.type = SENSOR_TRIG_DATA_READY;
    trig.chan = SENSOR_CHAN_ACCEL_XYZ;
    rc = sensor_trigger_set(dev, &trig, handler);
    return rc;
}

static int64_t isqrt(int64_t x)
{
    int64_t r = 0, bit = (int64_t)1 << 60;

    while (bit > x) {
        bit >>= 2;
    }
    while (bit) {
        if (x >= r + bit) {
            x -= r + bit;
            r = (r >> 1) + bit;
        } else {
            r >>= 1;
        }
        bit >>= 2;
    }
    return r;
}

int main(void)
{
    const struct device *dev = DEVICE_DT_GET(DT_ALIAS(accel0));
    bool moving = false, lost = false;
    int hits = 0, rc;

    if (!device_is_ready(dev)) {
        printk("accel not ready\n");
        return -ENODEV;
    }
    rc = setup(dev);
    if (rc) {
        printk("accel setup failed\n");
        return rc;
    }
    while (1) {
        struct sample s;
        int64_t sum = 0, dev_um;

        if (k_msgq_get(&samples, &s, K_MSEC(500)) != 0) {
            if (!lost) {
                printk("SENSOR LOST\n");
                lost = true;
            }
            setup(dev);
            continue;
        }
        if (lost) {
            printk("SENSOR BACK\n");
            lost = false;
            hits = 0;
        }
        for (int i = 0; i < 3; i++) {
            sum += s.um[i] * s.um[i];
        }
        dev_um = isqrt(sum) - 9806650;
        if (dev_um < 0) {
            dev_um = -dev_um;
        }
        if (moving ? dev_um < 1000000 : dev_um > 2000000) {
            hits++;
        } else {
            hits = 0;
        }
        if (!moving && hits == 3) {
            moving = true;
            hits = 0;
            printk("MOTION\n");
        } else if (moving && hits == 10) {
            moving = false;
            hits = 0;
            printk("STILL\n");
        }
    }
}
