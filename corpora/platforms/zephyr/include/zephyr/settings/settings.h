#ifndef ZEPHYR_SETTINGS_SETTINGS_H
#define ZEPHYR_SETTINGS_SETTINGS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <zephyr/sys/slist.h>
#include <zephyr/sys/util.h>
#include <zephyr/toolchain.h>

#define SETTINGS_MAX_DIR_DEPTH 8
#define SETTINGS_MAX_NAME_LEN (8 * SETTINGS_MAX_DIR_DEPTH)
#define SETTINGS_MAX_VAL_LEN 256
#define SETTINGS_NAME_SEPARATOR '/'
#define SETTINGS_NAME_END '='

typedef ssize_t (*settings_read_cb)(void *cb_arg, void *data, size_t len);

struct settings_handler {
    const char *name;
    int (*h_get)(const char *key, char *val, int val_len_max);
    int (*h_set)(const char *key, size_t len, settings_read_cb read_cb, void *cb_arg);
    int (*h_commit)(void);
    int (*h_export)(int (*export_func)(const char *name, const void *val, size_t val_len));
    sys_snode_t node;
};

struct settings_handler_static {
    const char *name;
    int (*h_get)(const char *key, char *val, int val_len_max);
    int (*h_set)(const char *key, size_t len, settings_read_cb read_cb, void *cb_arg);
    int (*h_commit)(void);
    int (*h_export)(int (*export_func)(const char *name, const void *val, size_t val_len));
};

#define SETTINGS_STATIC_HANDLER_DEFINE(_hname, _tree, _get, _set, _commit, _export) \
    static const struct settings_handler_static _CONCAT(settings_handler_, _hname) = { \
        .name = (_tree), .h_get = (_get), .h_set = (_set), .h_commit = (_commit), .h_export = (_export)}; \
    FB_LIST_ENTRY(settings_handler, _CONCAT(fb_settings_handler_, _hname), &_CONCAT(settings_handler_, _hname))

typedef int (*settings_load_direct_cb)(const char *key, size_t len, settings_read_cb read_cb, void *cb_arg,
                                       void *param);

int settings_subsys_init(void);
int settings_register(struct settings_handler *cf);
int settings_load(void);
int settings_load_subtree(const char *subtree);
int settings_load_subtree_direct(const char *subtree, settings_load_direct_cb cb, void *param);
int settings_save(void);
int settings_save_one(const char *name, const void *value, size_t val_len);
int settings_delete(const char *name);
int settings_commit(void);
int settings_commit_subtree(const char *subtree);
int settings_runtime_set(const char *name, const void *data, size_t len);
int settings_runtime_get(const char *name, void *data, size_t len);
int settings_name_steq(const char *name, const char *key, const char **next);
int settings_name_next(const char *name, const char **next);

#endif
