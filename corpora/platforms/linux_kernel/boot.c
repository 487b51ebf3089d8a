/* The kernel's start, loading and unloading the module, processes of user space. */
#include "lk.h"

#include "linux_kernel.h"

int init_module(void) __attribute__((weak));
void cleanup_module(void) __attribute__((weak));
extern const char lk_module_license[] __attribute__((weak));

struct module __this_module = {.name = "candidate"};
static bool loaded;

bool try_module_get(struct module *module)
{
    __module_get(module);
    return true;
}
void __module_get(struct module *module)
{
    if (module)
        module->users++;
}
void module_put(struct module *module)
{
    if (module)
        module->users--;
}

bool lk_loaded(void) { return loaded; }

int lk_load(void)
{
    if (!&init_module)
        fb_panic("the module has no init function: module_init is missing");
    if (!lk_module_license || !strstr(lk_module_license, "GPL"))
        fb_trace("license", "none that is compatible with the GPL");
    int error = init_module();
    if (current->lk_locks || lk_atomic())
        fb_fault("lock_left", "the init function returns with a lock held");
    if (error > 0)
        fb_fault("init_result", "the init function returns the positive number %d", error);
    loaded = error == 0;
    fb_trace("module", "load: %d", error);
    return error;
}

int lk_unload(void)
{
    if (!loaded)
        return -ENOENT;
    if (__this_module.users > 0 || !&cleanup_module)
        return -EBUSY;
    cleanup_module();
    loaded = false;
    fb_trace("module", "unload, %zu things held", lk_held());
    return 0;
}

lk_task *lk_process(const char *name, void (*entry)(void *), void *arg)
{
    struct task_struct *task = lk_task_new(name, LK_TASK, entry, arg);
    task->lk_user = true;
    return task;
}
void lk_signal(lk_task *task)
{
    task->lk_signalled = true;
    if (task->__state & TASK_INTERRUPTIBLE)
        wake_up_process(task);
}
bool lk_ended(const lk_task *task) { return task->lk_ended; }
bool lk_sleeps(const lk_task *task) { return fb_thread_waiting(task->lk_thread); }
void lk_pause_ms(unsigned ms)
{
    int64_t until = fb_now() + (int64_t)ms * 1000000;
    while (fb_now() < until)
        fb_wait(NULL, until);
}

void *lk_user(size_t bytes) { return lk_user_new(bytes); }
void *lk_no_user(void) { return (void *)0x10000; }
void *lk_kernel_pointer(void)
{
    static char secret[PAGE_SIZE];
    return secret;
}
void lk_user_put(void *user, const void *from, size_t n) { lk_user_copy(user, from, n); }
void lk_user_get(void *to, const void *user, size_t n) { lk_user_copy(to, user, n); }

long lk_show(const char *path, char *to, size_t room)
{
    const struct attribute *attr;
    struct device *dev = lk_sysfs_find(path, &attr);
    if (!dev)
        return -ENOENT;
    struct device_attribute *one = container_of(attr, struct device_attribute, attr);
    if (!one->show || !(attr->mode & 0444))
        return -EACCES;
    char *page = lk_block_new(PAGE_SIZE, "the page of show()");
    memset(page, 0, PAGE_SIZE);
    long n = one->show(dev, one, page);
    if (current->lk_locks || lk_atomic())
        fb_fault("lock_left", "show() returns with a lock held");
    if (n >= (long)PAGE_SIZE)
        fb_fault("count_too_large", "show() of %s returns %ld", path, n);
    else if (n >= 0)
        lk_snprintf(to, room, "%.*s", (int)n, page);
    lk_block_retire(lk_block_at(page));
    return n;
}
long lk_store(const char *path, const char *text)
{
    const struct attribute *attr;
    struct device *dev = lk_sysfs_find(path, &attr);
    if (!dev)
        return -ENOENT;
    struct device_attribute *one = container_of(attr, struct device_attribute, attr);
    if (!one->store || !(attr->mode & 0222))
        return -EACCES;
    char *page = lk_block_new(PAGE_SIZE, "the page of store()");
    memset(page, 0, PAGE_SIZE);
    lk_strscpy(page, text, PAGE_SIZE);
    long n = one->store(dev, one, page, strlen(page));
    if (current->lk_locks || lk_atomic())
        fb_fault("lock_left", "store() returns with a lock held");
    if (!n && *text)
        fb_fault("store_result", "store() of %s returns 0, so that the writer would write forever", path);
    lk_block_retire(lk_block_at(page));
    return n;
}

static void run(void *unused)
{
    (void)unused;
    lk_blocks_begin();
    userspace();
}

void platform_boot(void)
{
    lk_process("init", run, NULL);
}
