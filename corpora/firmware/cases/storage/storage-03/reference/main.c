#include <errno.h>
#include <string.h>
#include <zephyr/kernel.h>
#include <zephyr/settings/settings.h>
#include <zephyr/sys/printk.h>

#define QUIET_MS 2000
#define LATEST_MS 10000
#define RETRY_MS 5000
#define VOLUME_MAX 100
#define NAME_MAX_LENGTH 16

struct prefs {
	uint8_t volume;
	uint8_t name_length;
	char name[NAME_MAX_LENGTH];
};

#define DEFAULTS {.volume = 30, .name_length = 7, .name = "speaker"}

static struct prefs current = DEFAULTS;
static struct prefs stored = DEFAULTS;
static bool waiting;
static bool failing;
static int64_t first_change;
static struct k_spinlock lock;

static void save_handler(struct k_work *work);
static K_WORK_DELAYABLE_DEFINE(save_work, save_handler);

/* Called with the lock held. */
static void note_change(void)
{
	int64_t now = k_uptime_get();

	if (!waiting) {
		waiting = true;
		first_change = now;
	}
	if (!failing) {
		int64_t at_latest = first_change + LATEST_MS - now;

		k_work_reschedule(&save_work, K_MSEC(CLAMP(at_latest, 0, QUIET_MS)));
	}
}

static bool same_name(const struct prefs *a, const struct prefs *b)
{
	return a->name_length == b->name_length && memcmp(a->name, b->name, a->name_length) == 0;
}

static struct prefs snapshot(void)
{
	k_spinlock_key_t key = k_spin_lock(&lock);
	struct prefs now = current;

	k_spin_unlock(&lock, key);
	return now;
}

static int save(const struct prefs *wanted)
{
	int err = 0;

	if (wanted->volume != stored.volume) {
		err = settings_save_one("prefs/volume", &wanted->volume, sizeof(wanted->volume));
		if (err == 0) {
			stored.volume = wanted->volume;
		}
	}
	if (err == 0 && !same_name(wanted, &stored)) {
		err = settings_save_one("prefs/name", wanted->name, wanted->name_length);
		if (err == 0) {
			stored.name_length = wanted->name_length;
			memcpy(stored.name, wanted->name, sizeof(stored.name));
		}
	}
	return err;
}

static void save_handler(struct k_work *work)
{
	struct prefs wanted;
	k_spinlock_key_t key;
	int err;

	key = k_spin_lock(&lock);
	waiting = false;
	failing = false;
	wanted = current;
	k_spin_unlock(&lock, key);

	err = save(&wanted);
	if (err == 0) {
		return;
	}

	printk("prefs not saved\n");
	key = k_spin_lock(&lock);
	failing = true;
	k_work_reschedule(&save_work, K_MSEC(RETRY_MS));
	k_spin_unlock(&lock, key);
}

static int set_volume(size_t length, settings_read_cb read_cb, void *cb_arg)
{
	uint8_t volume;
	ssize_t got;

	if (length != sizeof(volume)) {
		return -EINVAL;
	}
	got = read_cb(cb_arg, &volume, sizeof(volume));
	if (got < 0) {
		return got;
	}
	if (got != sizeof(volume) || volume > VOLUME_MAX) {
		return -EINVAL;
	}
	current.volume = volume;
	stored.volume = volume;
	return 0;
}

static int set_name(size_t length, settings_read_cb read_cb, void *cb_arg)
{
	char name[NAME_MAX_LENGTH];
	ssize_t got;

	if (length < 1 || length > sizeof(name)) {
		return -EINVAL;
	}
	got = read_cb(cb_arg, name, length);
	if (got < 0) {
		return got;
	}
	if ((size_t)got != length) {
		return -EINVAL;
	}
	memcpy(current.name, name, length);
	current.name_length = length;
	memcpy(stored.name, name, length);
	stored.name_length = length;
	return 0;
}

static int prefs_set(const char *key, size_t length, settings_read_cb read_cb, void *cb_arg)
{
	const char *next;

	if (settings_name_steq(key, "volume", &next) && next == NULL) {
		return set_volume(length, read_cb, cb_arg);
	}
	if (settings_name_steq(key, "name", &next) && next == NULL) {
		return set_name(length, read_cb, cb_arg);
	}
	return -ENOENT;
}

SETTINGS_STATIC_HANDLER_DEFINE(prefs, "prefs", NULL, prefs_set, NULL, NULL);

int prefs_init(void)
{
	int err = settings_subsys_init();

	return err ? err : settings_load_subtree("prefs");
}

uint8_t prefs_volume(void)
{
	return snapshot().volume;
}

void prefs_volume_set(uint8_t percent)
{
	k_spinlock_key_t key = k_spin_lock(&lock);

	current.volume = MIN(percent, VOLUME_MAX);
	note_change();
	k_spin_unlock(&lock, key);
}

void prefs_name(char name[17])
{
	struct prefs now = snapshot();

	memcpy(name, now.name, now.name_length);
	name[now.name_length] = '\0';
}

int prefs_name_set(const char *name)
{
	size_t length = name == NULL ? 0 : strlen(name);
	k_spinlock_key_t key;

	if (length < 1 || length > NAME_MAX_LENGTH) {
		return -EINVAL;
	}
	key = k_spin_lock(&lock);
	memcpy(current.name, name, length);
	current.name_length = length;
	note_change();
	k_spin_unlock(&lock, key);
	return 0;
}
