/* Settings: values by name, handlers by subtree, and a back end in flash that costs nothing for what is unchanged. */
#include <errno.h>
#include <string.h>

#include <zephyr/settings/settings.h>

#include "fb_settings.h"
#include "injection.h"
#include "power.h"
#include "sim.h"

#define MOST_ITEMS 48
#define WRITE_NS FB_US(600)

typedef struct {
    char name[SETTINGS_MAX_NAME_LEN + 1];
    size_t length; /* 0: deleted */
    unsigned writes;
    unsigned char value[SETTINGS_MAX_VAL_LEN];
} item;

typedef struct {
    const char *name;
    int (*get)(const char *key, char *val, int val_len_max);
    int (*set)(const char *key, size_t len, settings_read_cb read_cb, void *cb_arg);
    int (*commit)(void);
    int (*export)(int (*export_func)(const char *name, const void *val, size_t val_len));
} handler;

static bool ready;
static sys_slist_t registered;
static injection write_fault, read_fault;

FB_LIST_DECLARE(settings_handler);

static item *items(void)
{
    static item *kept;
    if (!kept)
        kept = fb_kept("settings", MOST_ITEMS * sizeof *kept);
    return kept;
}

static item *find(const char *name, bool make)
{
    for (item *one = items(); one < items() + MOST_ITEMS; one++) {
        if (!one->name[0] && make)
            strncpy(one->name, name, SETTINGS_MAX_NAME_LEN);
        if (!strcmp(one->name, name))
            return one;
    }
    return NULL;
}

void fb_settings_set(const char *name, const void *value, size_t length)
{
    item *one = find(name, true);
    one->length = length;
    memcpy(one->value, value, length);
}

long fb_settings_get(const char *name, void *value, size_t room)
{
    item *one = find(name, false);
    if (!one || !one->length)
        return -1;
    memcpy(value, one->value, room < one->length ? room : one->length);
    return (long)one->length;
}

unsigned fb_settings_writes(const char *name)
{
    unsigned total = 0;
    for (item *one = items(); one < items() + MOST_ITEMS; one++)
        if (!name || !strcmp(one->name, name))
            total += one->writes;
    return total;
}

void fb_settings_fail_writes(unsigned skip, unsigned count, int error)
{
    write_fault = (injection){skip, count, error};
}

void fb_settings_fail_reads(unsigned skip, unsigned count, int error)
{
    read_fault = (injection){skip, count, error};
}

static bool blocking(const char *call)
{
    if (fb_in_isr())
        fb_fault("blocking_in_isr", "%s was called in an interrupt", call);
    return fb_in_isr();
}

int settings_name_steq(const char *name, const char *key, const char **next)
{
    size_t length = key ? strlen(key) : 0;
    if (next)
        *next = NULL;
    if (!name || !key || strncmp(name, key, length))
        return 0;
    char end = name[length];
    if (end == SETTINGS_NAME_SEPARATOR && next)
        *next = name + length + 1;
    return end == SETTINGS_NAME_SEPARATOR || end == SETTINGS_NAME_END || !end;
}

int settings_name_next(const char *name, const char **next)
{
    int length = 0;
    if (next)
        *next = NULL;
    if (!name)
        return 0;
    while (name[length] && name[length] != SETTINGS_NAME_SEPARATOR && name[length] != SETTINGS_NAME_END)
        length++;
    if (name[length] == SETTINGS_NAME_SEPARATOR && next)
        *next = name + length + 1;
    return length;
}

/* Each handler in turn; false once there is none. */
static bool handler_at(size_t index, handler *to)
{
    FB_LIST_FOREACH(settings_handler, at)
    {
        const struct settings_handler_static *one = *at;
        *to = (handler){one->name, one->h_get, one->h_set, one->h_commit, one->h_export};
        if (index-- == 0)
            return true;
    }
    struct settings_handler *one;
    SYS_SLIST_FOR_EACH_CONTAINER(&registered, one, node)
    {
        *to = (handler){one->name, one->h_get, one->h_set, one->h_commit, one->h_export};
        if (index-- == 0)
            return true;
    }
    return false;
}

/* The handler whose subtree is the longest part of the name. */
static bool handler_of(const char *name, handler *best, const char **key)
{
    size_t length = 0;
    handler one;
    const char *next;
    bool found = false;
    for (size_t i = 0; handler_at(i, &one); i++)
        if (settings_name_steq(name, one.name, &next) && strlen(one.name) >= length) {
            found = true;
            length = strlen(one.name);
            *best = one;
            *key = next;
        }
    return found;
}

int settings_subsys_init(void)
{
    if (blocking("settings_subsys_init"))
        return -EWOULDBLOCK;
    if (!ready)
        fb_spend(FB_MS(2));
    ready = true;
    return 0;
}

int settings_register(struct settings_handler *cf)
{
    handler one;
    for (size_t i = 0; handler_at(i, &one); i++)
        if (!strcmp(one.name, cf->name))
            return -EEXIST;
    sys_slist_append(&registered, &cf->node);
    return 0;
}

typedef struct {
    const unsigned char *value;
    size_t length;
} reading;

static ssize_t read_value(void *arg, void *data, size_t len)
{
    const reading *from = arg;
    int error = injected(&read_fault);
    if (error)
        return error;
    size_t got = len < from->length ? len : from->length;
    memcpy(data, from->value, got);
    return (ssize_t)got;
}

static int load(const char *subtree, settings_load_direct_cb direct, void *param)
{
    if (blocking("settings_load"))
        return -EWOULDBLOCK;
    if (!ready)
        return -EINVAL;
    fb_trace("settings", "load %s", subtree ? subtree : "");
    for (item *one = items(); one < items() + MOST_ITEMS; one++) {
        reading from = {one->value, one->length};
        const char *key = NULL;
        handler to;
        fb_spend(FB_US(50));
        if (!one->length || (subtree && !settings_name_steq(one->name, subtree, &key)))
            continue;
        if (direct) {
            if (direct(key, one->length, read_value, &from, param))
                break;
        } else if (handler_of(one->name, &to, &key) && to.set) {
            int ret = to.set(key, one->length, read_value, &from);
            if (ret)
                fb_trace("settings", "set %s: %d", one->name, ret); /* logged and gone on, as the real one does */
        }
    }
    return 0;
}

int settings_load_subtree_direct(const char *subtree, settings_load_direct_cb cb, void *param)
{
    return load(subtree, cb, param);
}

int settings_load_subtree(const char *subtree)
{
    int ret = load(subtree, NULL, NULL);
    return ret ? ret : settings_commit_subtree(subtree);
}

int settings_load(void)
{
    return settings_load_subtree(NULL);
}

int settings_save_one(const char *name, const void *value, size_t val_len)
{
    if (blocking("settings_save_one"))
        return -EWOULDBLOCK;
    if (!ready)
        return -ENOENT; /* no back end is there yet */
    if (!name || strlen(name) > SETTINGS_MAX_NAME_LEN || val_len > SETTINGS_MAX_VAL_LEN || (val_len && !value))
        return -EINVAL;
    item *one = find(name, true);
    if (!one)
        return -ENOSPC;
    if (one->length == val_len && !memcmp(one->value, value ? value : "", val_len))
        return 0;
    int error = injected(&write_fault);
    fb_trace("settings", "save %s, %zu bytes: %d", name, val_len, error);
    if (error)
        return error;
    one->length = val_len;
    if (val_len)
        memcpy(one->value, value, val_len);
    one->writes++;
    fb_spend(WRITE_NS);
    return 0;
}

int settings_delete(const char *name)
{
    return settings_save_one(name, NULL, 0);
}

int settings_save(void)
{
    handler one;
    int result = 0;
    for (size_t i = 0; handler_at(i, &one); i++)
        if (one.export) {
            int ret = one.export(settings_save_one);
            result = result ? result : ret;
        }
    return result;
}

int settings_commit_subtree(const char *subtree)
{
    handler one;
    int result = 0;
    for (size_t i = 0; handler_at(i, &one); i++)
        if (one.commit && (!subtree || settings_name_steq(one.name, subtree, NULL))) {
            int ret = one.commit();
            result = result ? result : ret;
        }
    return result;
}

int settings_commit(void)
{
    return settings_commit_subtree(NULL);
}

int settings_runtime_set(const char *name, const void *data, size_t len)
{
    reading from = {data, len};
    const char *key;
    handler to;
    return handler_of(name, &to, &key) && to.set ? to.set(key, len, read_value, &from) : -EINVAL;
}

int settings_runtime_get(const char *name, void *data, size_t len)
{
    const char *key;
    handler to;
    return handler_of(name, &to, &key) && to.get ? to.get(key, data, (int)len) : -EINVAL;
}
