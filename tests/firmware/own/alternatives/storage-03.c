/* Another right answer: a thread that wakes up four times a second and compares, a handler registered at run time. */
#include <zephyr/kernel.h>
#include <zephyr/settings/settings.h>
#include <zephyr/sys/atomic.h>
#include <zephyr/sys/printk.h>
#include <errno.h>
#include <string.h>

static atomic_t volume = ATOMIC_INIT(30);
static char name_buf[17] = "speaker";
static uint8_t saved_volume = 30;
static char saved_name[17] = "speaker";
static atomic_t last_change;
static atomic_t first_change;
static atomic_t dirty;

K_MUTEX_DEFINE(name_mutex);

static void touch(void)
{
    atomic_set(&last_change, k_uptime_get_32());
    if (atomic_cas(&dirty, 0, 1)) {
        atomic_set(&first_change, k_uptime_get_32());
    }
}

static int handle_set(const char *key, size_t len, settings_read_cb read_cb, void *cb_arg)
{
    ssize_t rc;

    if (!strcmp(key, "volume")) {
        uint8_t v;

        if (len != 1) {
            return -EINVAL;
        }
        rc = read_cb(cb_arg, &v, 1);
        if (rc < 0) {
            return rc;
        }
        if (v > 100) {
            return -EINVAL;
        }
        atomic_set(&volume, v);
        saved_volume = v;
        return 0;
    }
    if (!strcmp(key, "name")) {
        char tmp[17] = {0};

        if (len == 0 || len > 16) {
            return -EINVAL;
        }
        rc = read_cb(cb_arg, tmp, len);
        if (rc < 0) {
            return rc;
        }
        k_mutex_lock(&name_mutex, K_FOREVER);
        memcpy(name_buf, tmp, sizeof(tmp));
        memcpy(saved_name, tmp, sizeof(tmp));
        k_mutex_unlock(&name_mutex);
        return 0;
    }
    return -ENOENT;
}

static struct settings_handler handler = {.name = "prefs", .h_set = handle_set};

static int save_all(void)
{
    uint8_t v = atomic_get(&volume);
    char n[17];
    int rc;

    k_mutex_lock(&name_mutex, K_FOREVER);
    memcpy(n, name_buf, sizeof(n));
    k_mutex_unlock(&name_mutex);
    if (v != saved_volume) {
        rc = settings_save_one("prefs/volume", &v, 1);
        if (rc) {
            return rc;
        }
        saved_volume = v;
    }
    if (strcmp(n, saved_name) != 0) {
        rc = settings_save_one("prefs/name", n, strlen(n));
        if (rc) {
            return rc;
        }
        strcpy(saved_name, n);
    }
    return 0;
}

static void saver(void *p1, void *p2, void *p3)
{
    for (;;) {
        uint32_t now;

        k_msleep(50);
        now = k_uptime_get_32();
        if (!atomic_get(&dirty)) {
            continue;
        }
        if (now - (uint32_t)atomic_get(&last_change) < 2000 && now - (uint32_t)atomic_get(&first_change) < 10000) {
            continue;
        }
        atomic_set(&dirty, 0);
        while (save_all() != 0) {
            printk("prefs not saved\n");
            k_sleep(K_SECONDS(5));
            atomic_set(&dirty, 0);
        }
    }
}

K_THREAD_DEFINE(saver_thread, 1024, saver, NULL, NULL, NULL, 10, 0, 0);

int prefs_init(void)
{
    int rc = settings_subsys_init();

    if (rc == 0) {
        rc = settings_register(&handler);
    }
    if (rc == 0) {
        rc = settings_load_subtree("prefs");
    }
    return rc;
}

uint8_t prefs_volume(void)
{
    return (uint8_t)atomic_get(&volume);
}

void prefs_volume_set(uint8_t percent)
{
    atomic_set(&volume, percent > 100 ? 100 : percent);
    touch();
}

void prefs_name(char name[17])
{
    k_mutex_lock(&name_mutex, K_FOREVER);
    strcpy(name, name_buf);
    k_mutex_unlock(&name_mutex);
}

int prefs_name_set(const char *name)
{
    if (!name || !name[0] || strlen(name) > 16) {
        return -EINVAL;
    }
    k_mutex_lock(&name_mutex, K_FOREVER);
    strcpy(name_buf, name);
    k_mutex_unlock(&name_mutex);
    touch();
    return 0;
}
