/* Managed resources: released in reverse when a probe fails and after remove. */
#include "lk.h"

void lk_devres_add(struct device *dev, void (*release)(struct device *, void *), void *data, void *extra)
{
    lk_devres *one = calloc(1, sizeof *one);
    *one = (lk_devres){release, data, extra, dev->lk_resources};
    dev->lk_resources = one;
}
bool lk_devres_remove(struct device *dev, void (*release)(struct device *, void *), const void *data)
{
    for (lk_devres **at = &dev->lk_resources; *at; at = &(*at)->next)
        if ((*at)->release == release && (*at)->data == data) {
            lk_devres *one = *at;
            *at = one->next;
            free(one);
            return true;
        }
    return false;
}
void lk_devres_release_all(struct device *dev)
{
    while (dev->lk_resources) {
        lk_devres *one = dev->lk_resources;
        dev->lk_resources = one->next;
        one->release(dev, one->data);
        free(one);
    }
}

static void free_managed(struct device *dev, void *p)
{
    (void)dev;
    kfree(p);
}
void *devm_kmalloc(struct device *dev, size_t n, gfp_t gfp)
{
    void *p = kmalloc(n ? n : 1, gfp);
    if (p)
        lk_devres_add(dev, free_managed, p, NULL);
    return p;
}
void devm_kfree(struct device *dev, const void *p)
{
    if (lk_devres_remove(dev, free_managed, p))
        kfree(p);
    else
        fb_fault("bad_free", "devm_kfree of memory that the device does not manage");
}
void *devm_kmemdup(struct device *dev, const void *from, size_t n, gfp_t gfp)
{
    void *p = devm_kmalloc(dev, n, gfp);
    return p ? memcpy(p, from, n) : NULL;
}
char *devm_kstrdup(struct device *dev, const char *from, gfp_t gfp)
{
    return from ? devm_kmemdup(dev, from, strlen(from) + 1, gfp) : NULL;
}
char *devm_kasprintf(struct device *dev, gfp_t gfp, const char *format, ...)
{
    char text[512];
    __builtin_va_list args;
    __builtin_va_start(args, format);
    lk_vsnprintf(text, sizeof text, format, args);
    __builtin_va_end(args);
    return devm_kstrdup(dev, text, gfp);
}

typedef struct called {
    void (*action)(void *);
    void *data;
    struct called *next;
    struct device *dev;
} called;
static called *actions;
static void run_action(struct device *dev, void *data)
{
    (void)dev;
    called *one = data, **at = &actions;
    while (*at != one)
        at = &(*at)->next;
    *at = one->next;
    one->action(one->data);
    free(one);
}
int devm_add_action(struct device *dev, void (*action)(void *), void *data)
{
    if (lk_refuses(LK_MEMORY, "of an action"))
        return -ENOMEM;
    called *one = calloc(1, sizeof *one);
    *one = (called){action, data, actions, dev};
    actions = one;
    lk_devres_add(dev, run_action, one, NULL);
    return 0;
}
int devm_add_action_or_reset(struct device *dev, void (*action)(void *), void *data)
{
    int error = devm_add_action(dev, action, data);
    if (error)
        action(data);
    return error;
}
static void nothing(void *data) { (void)data; }
static void take_action(struct device *dev, void (*action)(void *), void *data, bool run)
{
    for (called *one = actions; one; one = one->next)
        if (one->dev == dev && one->action == action && one->data == data && lk_devres_remove(dev, run_action, one)) {
            if (!run)
                one->action = nothing;
            run_action(dev, one);
            return;
        }
    fb_fault("double_release", "an action is removed that the device does not have");
}
void devm_remove_action(struct device *dev, void (*action)(void *), void *data) { take_action(dev, action, data, false); }
void devm_release_action(struct device *dev, void (*action)(void *), void *data) { take_action(dev, action, data, true); }
