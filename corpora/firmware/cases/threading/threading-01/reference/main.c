#include <errno.h>
#include <zephyr/kernel.h>

#define WORKERS 3
#define WORKER_PRIORITY 6
#define STACK_SIZE 1024
#define PLACES 8

struct job {
	void (*function)(void *);
	void *argument;
};

static K_THREAD_STACK_ARRAY_DEFINE(stacks, WORKERS, STACK_SIZE);
static struct k_thread workers[WORKERS];

static K_MUTEX_DEFINE(lock);
static K_CONDVAR_DEFINE(not_empty);
static K_CONDVAR_DEFINE(not_full);
static struct job jobs[PLACES];
static size_t first;
static size_t waiting;
static bool running;

static void work(void *p1, void *p2, void *p3)
{
	ARG_UNUSED(p1);
	ARG_UNUSED(p2);
	ARG_UNUSED(p3);

	for (;;) {
		struct job job;

		k_mutex_lock(&lock, K_FOREVER);
		while (waiting == 0 && running) {
			k_condvar_wait(&not_empty, &lock, K_FOREVER);
		}
		if (waiting == 0) {
			k_mutex_unlock(&lock);
			return;
		}
		job = jobs[first];
		first = (first + 1) % PLACES;
		waiting--;
		k_condvar_signal(&not_full);
		k_mutex_unlock(&lock);

		job.function(job.argument);
	}
}

int pool_start(void)
{
	k_mutex_lock(&lock, K_FOREVER);
	if (running) {
		k_mutex_unlock(&lock);
		return -EALREADY;
	}
	running = true;
	k_mutex_unlock(&lock);

	for (int i = 0; i < WORKERS; i++) {
		k_thread_create(&workers[i], stacks[i], STACK_SIZE, work, NULL, NULL, NULL, WORKER_PRIORITY, 0,
				K_NO_WAIT);
	}
	return 0;
}

int pool_submit(void (*job)(void *), void *argument, k_timeout_t timeout)
{
	k_timepoint_t end = sys_timepoint_calc(timeout);
	int ret = 0;

	if (job == NULL) {
		return -EINVAL;
	}

	k_mutex_lock(&lock, K_FOREVER);
	while (running && waiting == PLACES && ret == 0) {
		ret = k_condvar_wait(&not_full, &lock, sys_timepoint_timeout(end));
	}
	if (!running) {
		ret = -ESHUTDOWN;
	} else if (waiting == PLACES) {
		ret = -EAGAIN;
	} else {
		jobs[(first + waiting) % PLACES] = (struct job){job, argument};
		waiting++;
		k_condvar_signal(&not_empty);
		ret = 0;
	}
	k_mutex_unlock(&lock);
	return ret;
}

int pool_stop(void)
{
	k_mutex_lock(&lock, K_FOREVER);
	if (!running) {
		k_mutex_unlock(&lock);
		return -EALREADY;
	}
	running = false;
	k_condvar_broadcast(&not_empty);
	k_condvar_broadcast(&not_full);
	k_mutex_unlock(&lock);

	for (int i = 0; i < WORKERS; i++) {
		k_thread_join(&workers[i], K_FOREVER);
	}
	return 0;
}
