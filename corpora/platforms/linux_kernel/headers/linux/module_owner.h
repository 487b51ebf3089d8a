/* The module itself, as an owner of what it registers. */
#ifndef LK_MODULE_OWNER_H
#define LK_MODULE_OWNER_H

#include "types.h"

struct module {
    const char *name;
    int users;
};
extern struct module __this_module;
#define THIS_MODULE (&__this_module)
bool try_module_get(struct module *module);
void module_put(struct module *module);
void __module_get(struct module *module);

#endif
