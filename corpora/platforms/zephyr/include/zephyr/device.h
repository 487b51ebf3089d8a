/* Devices. One of the board's (zephyr/board/<part>.h) is made in a model's source exactly as a driver makes it:
 *
 *   DEVICE_DT_DEFINE(DT_NODELABEL(i2c0), i2c_init, NULL, &data, &config, POST_KERNEL, 50, &api);
 *
 * or, in a driver with DT_DRV_COMPAT, DEVICE_DT_INST_DEFINE(0, ...). Boot calls the init functions before main and the
 * static threads; one that returns an error, or a fb_device_broken() of the scenario, leaves the device not ready. */
#ifndef ZEPHYR_DEVICE_H
#define ZEPHYR_DEVICE_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <zephyr/devicetree.h>
#include <zephyr/init.h>
#include <zephyr/sys/util.h>
#include <zephyr/toolchain.h>

struct device_state {
    uint8_t init_res;
    bool initialized;
};

struct pm_device;

struct device {
    const char *name;
    const void *config;
    const void *api;
    struct device_state *state;
    void *data;
    int (*init)(const struct device *dev);
    struct pm_device *pm;
};

typedef int16_t device_handle_t;

#define DEVICE_NAME_GET(name) _CONCAT(__device_, name)
#define DEVICE_GET(name) (&DEVICE_NAME_GET(name))
#define DEVICE_DECLARE(name) static const struct device DEVICE_NAME_GET(name)
#define DEVICE_DT_NAME_GET(node) DEVICE_NAME_GET(node)
#define DEVICE_DT_NAME(node) DT_PROP_OR(node, label, DT_NODE_FULL_NAME(node))
#define DEVICE_DT_GET(node) (&DEVICE_DT_NAME_GET(node))
#define DEVICE_DT_GET_OR_NULL(node) COND_CODE_1(DT_NODE_HAS_STATUS(node, okay), (DEVICE_DT_GET(node)), (NULL))
#define DEVICE_DT_GET_ONE(compat) DEVICE_DT_GET(DT_COMPAT_GET_ANY_STATUS_OKAY(compat))
#define DEVICE_DT_GET_ANY(compat) \
    COND_CODE_1(DT_HAS_COMPAT_STATUS_OKAY(compat), (DEVICE_DT_GET(DT_COMPAT_GET_ANY_STATUS_OKAY(compat))), (NULL))
#define DEVICE_DT_INST_GET(inst) DEVICE_DT_GET(DT_DRV_INST(inst))
#define DEVICE_API(class_, name) const struct class_##_driver_api name

#define FB_DEVICE(storage, ident, text, init_, pm_, data_, config_, level_, priority_, api_) \
    static struct device_state _CONCAT(ident, _state); \
    storage const struct device ident = {.name = (text), \
                                         .config = (config_), \
                                         .api = (api_), \
                                         .state = &_CONCAT(ident, _state), \
                                         .data = (data_), \
                                         .init = (init_), \
                                         .pm = (pm_)}; \
    FB_LIST_ENTRY(devices, _CONCAT(ident, _entry), &ident); \
    FB_DEVICE_INIT(_CONCAT(ident, _init), level_, priority_, &ident)
#define FB_DEVICE_INIT(name, level_, priority_, device_) FB_INIT(name, level_, priority_, NULL, device_)
#define FB_NO_STORAGE

#define DEVICE_DT_DEFINE(node, init_, pm_, data_, config_, level_, priority_, api_, ...) \
    FB_DEVICE(FB_NO_STORAGE, DEVICE_DT_NAME_GET(node), DT_NODE_FULL_NAME(node), init_, pm_, data_, config_, level_, \
              priority_, api_)
#define DEVICE_DT_INST_DEFINE(inst, ...) DEVICE_DT_DEFINE(DT_DRV_INST(inst), __VA_ARGS__)
#define DEVICE_DEFINE(id, text, init_, pm_, data_, config_, level_, priority_, api_) \
    FB_DEVICE(FB_NO_STORAGE, DEVICE_NAME_GET(id), text, init_, pm_, data_, config_, level_, priority_, api_)
#define DEVICE_INIT_GET(name) DEVICE_GET(name)

#define FB_DECLARE_DEVICE(node) extern const struct device DEVICE_DT_NAME_GET(node);
FB_DEVICES(FB_DECLARE_DEVICE)

bool device_is_ready(const struct device *dev);
const struct device *device_get_binding(const char *name);
int device_init(const struct device *dev);

#endif
