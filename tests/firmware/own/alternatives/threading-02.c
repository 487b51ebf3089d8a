#include <zephyr/kernel.h>
#include <errno.h>

static struct k_mutex mtx = Z_MUTEX_INITIALIZER(mtx);
K_CONDVAR_DEFINE(changed);
static int active; /* -1: a writer, else the number of readers */
static int pending_writers;
static k_tid_t owner;

static int lock_until(bool write, k_timeout_t timeout)
{
	const int64_t end = k_uptime_ticks() + timeout.ticks;
	int rc = 0;

	k_mutex_lock(&mtx, K_FOREVER);
	if (write) {
		pending_writers++;
	}
	while (write ? active != 0 : (active < 0 || pending_writers > 0)) {
		k_timeout_t left = timeout;

		if (!K_TIMEOUT_EQ(timeout, K_FOREVER)) {
			int64_t ticks = end - k_uptime_ticks();

			left = ticks > 0 ? K_TICKS(ticks) : K_NO_WAIT;
		}
		if (K_TIMEOUT_EQ(left, K_NO_WAIT) || k_condvar_wait(&changed, &mtx, left)) {
			if (write ? active == 0 : (active >= 0 && pending_writers == 0)) {
				break;
			}
			rc = -EAGAIN;
			break;
		}
	}
	if (write) {
		pending_writers--;
	}
	if (rc == 0) {
		active = write ? -1 : active + 1;
		owner = write ? k_current_get() : NULL;
	} else if (write) {
		k_condvar_broadcast(&changed);
	}
	k_mutex_unlock(&mtx);
	return rc;
}

int table_read_lock(k_timeout_t timeout)
{
	return lock_until(false, timeout);
}

int table_write_lock(k_timeout_t timeout)
{
	return lock_until(true, timeout);
}

int table_read_unlock(void)
{
	int rc = 0;

	k_mutex_lock(&mtx, K_FOREVER);
	if (active <= 0) {
		rc = -EPERM;
	} else if (--active == 0) {
		k_condvar_broadcast(&changed);
	}
	k_mutex_unlock(&mtx);
	return rc;
}

int table_write_unlock(void)
{
	int rc = -EPERM;

	k_mutex_lock(&mtx, K_FOREVER);
	if (active == -1 && owner == k_current_get()) {
		active = 0;
		owner = NULL;
		k_condvar_broadcast(&changed);
		rc = 0;
	}
	k_mutex_unlock(&mtx);
	return rc;
}
