/* The accelerometer accel0: samples from the scenario, announced by a data-ready trigger. */
#include <errno.h>

#include <zephyr/drivers/sensor.h>
#include <zephyr/kernel.h>

#include "fb_accel.h"
#include "injection.h"
#include "sim.h"

#define THREAD_PRIORITY 5
#define FETCH_NS FB_US(300)

static bool (*source)(double xyz[3]);
static injection fetch_fault, get_fault, attribute_fault, trigger_fault;
static double frequency = 10.0, pending[3], fetched[3];
static bool has_pending, announced, has_fetched;
static const struct sensor_trigger *trigger;
static struct sensor_trigger trigger_then;
static sensor_trigger_handler_t handler;
static unsigned triggers_set;
static fb_event *due;

static K_THREAD_STACK_DEFINE(accel_stack, 1024);
static struct k_thread accel_thread;
static struct k_sem announcement;

static const struct device *const self = DEVICE_DT_GET(DT_NODELABEL(accel));

void fb_accel_source(bool (*from)(double xyz[3]))
{
    source = from;
}

void fb_accel_fail_fetch(unsigned skip, unsigned count, int error)
{
    fetch_fault = (injection){skip, count, error};
}

void fb_accel_fail_get(unsigned skip, unsigned count, int error)
{
    get_fault = (injection){skip, count, error};
}

void fb_accel_fail_attribute(unsigned skip, unsigned count, int error)
{
    attribute_fault = (injection){skip, count, error};
}

void fb_accel_fail_trigger(unsigned skip, unsigned count, int error)
{
    trigger_fault = (injection){skip, count, error};
}

unsigned fb_accel_triggers_set(void)
{
    return triggers_set;
}

double fb_accel_frequency(void)
{
    return frequency;
}

static void sample(void *unused)
{
    (void)unused;
    due = fb_at(fb_now() + (int64_t)(1e9 / frequency), sample, NULL);
    if (!source || !source(pending))
        return;
    has_pending = true;
    if (handler && !announced) {
        announced = true;
        k_sem_give(&announcement);
    }
}

static void announce(void *a, void *b, void *c)
{
    (void)a;
    (void)b;
    (void)c;
    for (;;) {
        k_sem_take(&announcement, K_FOREVER);
        if (!handler)
            continue;
        if (trigger->type != trigger_then.type || trigger->chan != trigger_then.chan) {
            fb_fault("dangling_pointer", "the struct sensor_trigger was changed or gone when the trigger fired");
            handler = NULL;
            continue;
        }
        handler(self, trigger);
    }
}

static bool known(enum sensor_channel chan)
{
    return chan == SENSOR_CHAN_ALL || chan <= SENSOR_CHAN_ACCEL_XYZ;
}

static bool blocking(const char *call)
{
    if (fb_in_isr())
        fb_fault("blocking_in_isr", "%s was called in an interrupt", call);
    return fb_in_isr();
}

static int fetch(const struct device *dev, enum sensor_channel chan)
{
    (void)dev;
    if (blocking("sensor_sample_fetch"))
        return -EWOULDBLOCK;
    if (!known(chan))
        return -ENOTSUP;
    announced = false;
    int ret = injected(&fetch_fault);
    fb_wait(NULL, fb_now() + FETCH_NS);
    fb_trace("accel", "fetch: %d", ret);
    if (ret)
        return ret;
    if (!has_pending)
        return -EAGAIN;
    for (int axis = 0; axis < 3; axis++)
        fetched[axis] = pending[axis];
    has_fetched = true;
    return 0;
}

static int get(const struct device *dev, enum sensor_channel chan, struct sensor_value *val)
{
    (void)dev;
    if (chan > SENSOR_CHAN_ACCEL_XYZ)
        return -ENOTSUP;
    int ret = injected(&get_fault);
    if (ret)
        return ret;
    if (!has_fetched)
        return -EAGAIN;
    if (chan != SENSOR_CHAN_ACCEL_XYZ)
        return sensor_value_from_double(val, fetched[chan]);
    for (int axis = 0; axis < 3; axis++)
        sensor_value_from_double(&val[axis], fetched[axis]);
    return 0;
}

static int attribute(const struct device *dev, enum sensor_channel chan, enum sensor_attribute attr,
                     const struct sensor_value *val)
{
    (void)dev;
    if (blocking("sensor_attr_set"))
        return -EWOULDBLOCK;
    if (!known(chan) || attr != SENSOR_ATTR_SAMPLING_FREQUENCY)
        return -ENOTSUP;
    double wanted = sensor_value_to_double(val);
    int ret = wanted < 1.0 || wanted > 400.0 ? -EINVAL : injected(&attribute_fault);
    fb_trace("accel", "frequency %.1f: %d", wanted, ret);
    if (ret)
        return ret;
    frequency = wanted;
    fb_cancel(due);
    due = fb_at(fb_now() + (int64_t)(1e9 / frequency), sample, NULL);
    return 0;
}

static int set_trigger(const struct device *dev, const struct sensor_trigger *trig, sensor_trigger_handler_t wanted)
{
    (void)dev;
    if (blocking("sensor_trigger_set"))
        return -EWOULDBLOCK;
    if (!trig || trig->type != SENSOR_TRIG_DATA_READY ||
        (trig->chan != SENSOR_CHAN_ACCEL_XYZ && trig->chan != SENSOR_CHAN_ALL))
        return -ENOTSUP;
    int ret = injected(&trigger_fault);
    fb_trace("accel", "trigger %s: %d", wanted ? "on" : "off", ret);
    if (ret)
        return ret;
    trigger = trig;
    trigger_then = *trig;
    handler = wanted;
    announced = false;
    triggers_set += wanted != NULL;
    return 0;
}

static int init(const struct device *dev)
{
    (void)dev;
    if (!source)
        return 0; /* no scenario uses it: no thread and no events for the others */
    k_sem_init(&announcement, 0, 1);
    k_thread_create(&accel_thread, accel_stack, K_THREAD_STACK_SIZEOF(accel_stack), announce, NULL, NULL, NULL,
                    THREAD_PRIORITY, 0, K_NO_WAIT);
    k_thread_name_set(&accel_thread, "accel0");
    due = fb_at(fb_now() + (int64_t)(1e9 / frequency), sample, NULL);
    return 0;
}

static const struct sensor_driver_api api = {
    .attr_set = attribute, .trigger_set = set_trigger, .sample_fetch = fetch, .channel_get = get};
DEVICE_DT_DEFINE(DT_NODELABEL(accel), init, NULL, NULL, NULL, POST_KERNEL, CONFIG_SENSOR_INIT_PRIORITY, &api);
