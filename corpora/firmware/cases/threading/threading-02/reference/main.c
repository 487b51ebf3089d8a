#include <errno.h>
#include <zephyr/kernel.h>

static K_MUTEX_DEFINE(state_lock);
static K_CONDVAR_DEFINE(readers_go);
static K_CONDVAR_DEFINE(writers_go);
static unsigned int readers;
static unsigned int writers_waiting;
static k_tid_t writer;

int table_read_lock(k_timeout_t timeout)
{
	k_timepoint_t end = sys_timepoint_calc(timeout);
	bool free;

	k_mutex_lock(&state_lock, K_FOREVER);
	while (writer != NULL || writers_waiting > 0) {
		if (k_condvar_wait(&readers_go, &state_lock, sys_timepoint_timeout(end)) != 0) {
			break;
		}
	}
	free = writer == NULL && writers_waiting == 0;
	if (free) {
		readers++;
	}
	k_mutex_unlock(&state_lock);
	return free ? 0 : -EAGAIN;
}

int table_read_unlock(void)
{
	int ret = -EPERM;

	k_mutex_lock(&state_lock, K_FOREVER);
	if (readers > 0) {
		readers--;
		ret = 0;
		if (readers == 0) {
			k_condvar_signal(&writers_go);
		}
	}
	k_mutex_unlock(&state_lock);
	return ret;
}

int table_write_lock(k_timeout_t timeout)
{
	k_timepoint_t end = sys_timepoint_calc(timeout);
	bool free;

	k_mutex_lock(&state_lock, K_FOREVER);
	writers_waiting++;
	while (writer != NULL || readers > 0) {
		if (k_condvar_wait(&writers_go, &state_lock, sys_timepoint_timeout(end)) != 0) {
			break;
		}
	}
	writers_waiting--;
	free = writer == NULL && readers == 0;
	if (free) {
		writer = k_current_get();
	} else if (writer == NULL && writers_waiting == 0) {
		k_condvar_broadcast(&readers_go);
	}
	k_mutex_unlock(&state_lock);
	return free ? 0 : -EAGAIN;
}

int table_write_unlock(void)
{
	int ret = -EPERM;

	k_mutex_lock(&state_lock, K_FOREVER);
	if (writer != NULL && writer == k_current_get()) {
		writer = NULL;
		ret = 0;
		if (writers_waiting > 0) {
			k_condvar_signal(&writers_go);
		} else {
			k_condvar_broadcast(&readers_go);
		}
	}
	k_mutex_unlock(&state_lock);
	return ret;
}
