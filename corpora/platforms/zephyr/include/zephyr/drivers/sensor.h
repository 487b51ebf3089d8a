#ifndef ZEPHYR_DRIVERS_SENSOR_H
#define ZEPHYR_DRIVERS_SENSOR_H

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

#include <zephyr/device.h>
#include <zephyr/sys/util.h>
#include <zephyr/types.h>

struct sensor_value {
    int32_t val1;
    int32_t val2;
};

enum sensor_channel {
    SENSOR_CHAN_ACCEL_X,
    SENSOR_CHAN_ACCEL_Y,
    SENSOR_CHAN_ACCEL_Z,
    SENSOR_CHAN_ACCEL_XYZ,
    SENSOR_CHAN_GYRO_X,
    SENSOR_CHAN_GYRO_Y,
    SENSOR_CHAN_GYRO_Z,
    SENSOR_CHAN_GYRO_XYZ,
    SENSOR_CHAN_MAGN_X,
    SENSOR_CHAN_MAGN_Y,
    SENSOR_CHAN_MAGN_Z,
    SENSOR_CHAN_MAGN_XYZ,
    SENSOR_CHAN_DIE_TEMP,
    SENSOR_CHAN_AMBIENT_TEMP,
    SENSOR_CHAN_PRESS,
    SENSOR_CHAN_PROX,
    SENSOR_CHAN_HUMIDITY,
    SENSOR_CHAN_AMBIENT_LIGHT,
    SENSOR_CHAN_LIGHT,
    SENSOR_CHAN_IR,
    SENSOR_CHAN_RED,
    SENSOR_CHAN_GREEN,
    SENSOR_CHAN_BLUE,
    SENSOR_CHAN_ALTITUDE,
    SENSOR_CHAN_PM_1_0,
    SENSOR_CHAN_PM_2_5,
    SENSOR_CHAN_PM_10,
    SENSOR_CHAN_DISTANCE,
    SENSOR_CHAN_CO2,
    SENSOR_CHAN_O2,
    SENSOR_CHAN_VOC,
    SENSOR_CHAN_GAS_RES,
    SENSOR_CHAN_VOLTAGE,
    SENSOR_CHAN_CURRENT,
    SENSOR_CHAN_POWER,
    SENSOR_CHAN_RESISTANCE,
    SENSOR_CHAN_ROTATION,
    SENSOR_CHAN_POS_DX,
    SENSOR_CHAN_POS_DY,
    SENSOR_CHAN_POS_DZ,
    SENSOR_CHAN_RPM,
    SENSOR_CHAN_ALL,
    SENSOR_CHAN_COMMON_COUNT,
    SENSOR_CHAN_PRIV_START = SENSOR_CHAN_COMMON_COUNT,
    SENSOR_CHAN_MAX = INT16_MAX,
};

enum sensor_trigger_type {
    SENSOR_TRIG_TIMER,
    SENSOR_TRIG_DATA_READY,
    SENSOR_TRIG_DELTA,
    SENSOR_TRIG_NEAR_FAR,
    SENSOR_TRIG_THRESHOLD,
    SENSOR_TRIG_TAP,
    SENSOR_TRIG_DOUBLE_TAP,
    SENSOR_TRIG_FREEFALL,
    SENSOR_TRIG_MOTION,
    SENSOR_TRIG_STATIONARY,
    SENSOR_TRIG_FIFO_WATERMARK,
    SENSOR_TRIG_FIFO_FULL,
    SENSOR_TRIG_COMMON_COUNT,
    SENSOR_TRIG_PRIV_START = SENSOR_TRIG_COMMON_COUNT,
    SENSOR_TRIG_MAX = INT16_MAX,
};

enum sensor_attribute {
    SENSOR_ATTR_SAMPLING_FREQUENCY,
    SENSOR_ATTR_LOWER_THRESH,
    SENSOR_ATTR_UPPER_THRESH,
    SENSOR_ATTR_SLOPE_TH,
    SENSOR_ATTR_SLOPE_DUR,
    SENSOR_ATTR_HYSTERESIS,
    SENSOR_ATTR_OVERSAMPLING,
    SENSOR_ATTR_FULL_SCALE,
    SENSOR_ATTR_OFFSET,
    SENSOR_ATTR_CALIB_TARGET,
    SENSOR_ATTR_CONFIGURATION,
    SENSOR_ATTR_CALIBRATION,
    SENSOR_ATTR_FEATURE_MASK,
    SENSOR_ATTR_ALERT,
    SENSOR_ATTR_FF_DUR,
    SENSOR_ATTR_BATCH_DURATION,
    SENSOR_ATTR_GAIN,
    SENSOR_ATTR_RESOLUTION,
    SENSOR_ATTR_COMMON_COUNT,
    SENSOR_ATTR_PRIV_START = SENSOR_ATTR_COMMON_COUNT,
    SENSOR_ATTR_MAX = INT16_MAX,
};

struct sensor_trigger {
    enum sensor_trigger_type type;
    enum sensor_channel chan;
};

typedef void (*sensor_trigger_handler_t)(const struct device *dev, const struct sensor_trigger *trigger);
typedef int (*sensor_attr_set_t)(const struct device *dev, enum sensor_channel chan, enum sensor_attribute attr,
                                 const struct sensor_value *val);
typedef int (*sensor_attr_get_t)(const struct device *dev, enum sensor_channel chan, enum sensor_attribute attr,
                                 struct sensor_value *val);
typedef int (*sensor_trigger_set_t)(const struct device *dev, const struct sensor_trigger *trig,
                                    sensor_trigger_handler_t handler);
typedef int (*sensor_sample_fetch_t)(const struct device *dev, enum sensor_channel chan);
typedef int (*sensor_channel_get_t)(const struct device *dev, enum sensor_channel chan, struct sensor_value *val);

struct sensor_driver_api {
    sensor_attr_set_t attr_set;
    sensor_attr_get_t attr_get;
    sensor_trigger_set_t trigger_set;
    sensor_sample_fetch_t sample_fetch;
    sensor_channel_get_t channel_get;
};

#define SENSOR_DEVICE_DT_DEFINE(node_id, ...) DEVICE_DT_DEFINE(node_id, __VA_ARGS__)
#define SENSOR_DEVICE_DT_INST_DEFINE(inst, ...) DEVICE_DT_INST_DEFINE(inst, __VA_ARGS__)

#define SENSOR_G 9806650LL
#define SENSOR_PI 3141592LL

static inline int sensor_attr_set(const struct device *dev, enum sensor_channel chan, enum sensor_attribute attr,
                                  const struct sensor_value *val)
{
    const struct sensor_driver_api *api = dev->api;
    return api->attr_set ? api->attr_set(dev, chan, attr, val) : -ENOSYS;
}

static inline int sensor_attr_get(const struct device *dev, enum sensor_channel chan, enum sensor_attribute attr,
                                  struct sensor_value *val)
{
    const struct sensor_driver_api *api = dev->api;
    return api->attr_get ? api->attr_get(dev, chan, attr, val) : -ENOSYS;
}

static inline int sensor_trigger_set(const struct device *dev, const struct sensor_trigger *trig,
                                     sensor_trigger_handler_t handler)
{
    const struct sensor_driver_api *api = dev->api;
    return api->trigger_set ? api->trigger_set(dev, trig, handler) : -ENOSYS;
}

static inline int sensor_sample_fetch(const struct device *dev)
{
    return ((const struct sensor_driver_api *)dev->api)->sample_fetch(dev, SENSOR_CHAN_ALL);
}

static inline int sensor_sample_fetch_chan(const struct device *dev, enum sensor_channel type)
{
    return ((const struct sensor_driver_api *)dev->api)->sample_fetch(dev, type);
}

static inline int sensor_channel_get(const struct device *dev, enum sensor_channel chan, struct sensor_value *val)
{
    return ((const struct sensor_driver_api *)dev->api)->channel_get(dev, chan, val);
}

static inline int32_t sensor_ms2_to_g(const struct sensor_value *ms2)
{
    int64_t micro = ms2->val1 * 1000000LL + ms2->val2;
    return (int32_t)((micro + (micro > 0 ? SENSOR_G / 2 : -SENSOR_G / 2)) / SENSOR_G);
}

static inline void sensor_g_to_ms2(int32_t g, struct sensor_value *ms2)
{
    ms2->val1 = (int32_t)(g * SENSOR_G / 1000000LL);
    ms2->val2 = (int32_t)(g * SENSOR_G % 1000000LL);
}

static inline int32_t sensor_ms2_to_mg(const struct sensor_value *ms2)
{
    return (int32_t)((ms2->val1 * 1000000LL + ms2->val2) * 1000LL / SENSOR_G);
}

static inline double sensor_value_to_double(const struct sensor_value *val)
{
    return (double)val->val1 + (double)val->val2 / 1000000;
}

static inline float sensor_value_to_float(const struct sensor_value *val)
{
    return (float)val->val1 + (float)val->val2 / 1000000;
}

static inline int sensor_value_from_double(struct sensor_value *val, double inp)
{
    if (inp < INT32_MIN || inp > INT32_MAX)
        return -ERANGE;
    val->val1 = (int32_t)inp;
    val->val2 = (int32_t)((inp - (double)val->val1) * 1000000.0);
    return 0;
}

static inline int sensor_value_from_float(struct sensor_value *val, float inp)
{
    return sensor_value_from_double(val, (double)inp);
}

static inline int64_t sensor_value_to_deci(const struct sensor_value *val)
{
    return (int64_t)val->val1 * 10 + val->val2 / 100000;
}

static inline int64_t sensor_value_to_centi(const struct sensor_value *val)
{
    return (int64_t)val->val1 * 100 + val->val2 / 10000;
}

static inline int64_t sensor_value_to_milli(const struct sensor_value *val)
{
    return (int64_t)val->val1 * 1000 + val->val2 / 1000;
}

static inline int64_t sensor_value_to_micro(const struct sensor_value *val)
{
    return (int64_t)val->val1 * 1000000 + val->val2;
}

static inline int sensor_value_from_milli(struct sensor_value *val, int64_t milli)
{
    if (milli < (int64_t)INT32_MIN * 1000 || milli > (int64_t)INT32_MAX * 1000)
        return -ERANGE;
    val->val1 = (int32_t)(milli / 1000);
    val->val2 = (int32_t)(milli % 1000) * 1000;
    return 0;
}

static inline int sensor_value_from_micro(struct sensor_value *val, int64_t micro)
{
    if (micro < (int64_t)INT32_MIN * 1000000 || micro > (int64_t)INT32_MAX * 1000000)
        return -ERANGE;
    val->val1 = (int32_t)(micro / 1000000);
    val->val2 = (int32_t)(micro % 1000000);
    return 0;
}

#endif
