/* Loading and unloading. */
#ifndef _LINUX_MODULE_H
#define _LINUX_MODULE_H

#include "kernel.h"
#include "list.h"
#include "module_owner.h"
#include "mod_devicetable.h"
#include "slab.h"
#include "string.h"

int init_module(void);
void cleanup_module(void);
#define module_init(function) int init_module(void) __attribute__((alias(#function)));
#define module_exit(function) void cleanup_module(void) __attribute__((alias(#function)));
#define device_initcall module_init
#define module_driver(driver, add, remove, ...) \
    static int __init driver##_init(void) { return add(&(driver), ##__VA_ARGS__); } \
    module_init(driver##_init); \
    static void __exit driver##_exit(void) { remove(&(driver), ##__VA_ARGS__); } \
    module_exit(driver##_exit);

#define MODULE_INFO_AT(tag, text) \
    static const char LK_JOIN(lk_info_##tag, __COUNTER__)[] __attribute__((used, section(".modinfo"))) = text
#define MODULE_LICENSE(text) const char lk_module_license[] = text
#define MODULE_AUTHOR(text) MODULE_INFO_AT(author, text)
#define MODULE_DESCRIPTION(text) MODULE_INFO_AT(description, text)
#define MODULE_VERSION(text) MODULE_INFO_AT(version, text)
#define MODULE_ALIAS(text) MODULE_INFO_AT(alias, text)
#define MODULE_SOFTDEP(text) MODULE_INFO_AT(softdep, text)
#define MODULE_FIRMWARE(text) MODULE_INFO_AT(firmware, text)
#define MODULE_IMPORT_NS(text) _Static_assert(1, "")
#define MODULE_DEVICE_TABLE(bus, table) \
    static const void *const LK_JOIN(lk_table_, __COUNTER__) __attribute__((used)) = (table)
#define module_param(name, type, mode) \
    static void *const LK_JOIN(lk_param_, name) __attribute__((used)) = &(name)
#define module_param_named(public, name, type, mode) \
    static void *const LK_JOIN(lk_param_, public) __attribute__((used)) = &(name)
#define module_param_array(name, type, count, mode) \
    static void *const LK_JOIN(lk_param_, name) __attribute__((used)) = &(name)
#define MODULE_PARM_DESC(name, text) MODULE_INFO_AT(parm, text)
#define EXPORT_SYMBOL(symbol) _Static_assert(1, "")
#define EXPORT_SYMBOL_GPL(symbol) _Static_assert(1, "")

#endif
