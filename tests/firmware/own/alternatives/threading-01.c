#include <zephyr/kernel.h>
#include <errno.h>

typedef void (*job_fn)(void *);

static struct {
	job_fn fn;
	void *arg;
} ring[8];
static unsigned int put_at, get_at;
static bool open;

static struct k_sem places, ready;
static struct k_spinlock ring_lock;

K_THREAD_STACK_DEFINE(stack0, 1024);
K_THREAD_STACK_DEFINE(stack1, 1024);
K_THREAD_STACK_DEFINE(stack2, 1024);
static k_thread_stack_t *const stacks[3] = {stack0, stack1, stack2};
static struct k_thread pool[3];

static void worker(void *a, void *b, void *c)
{
	while (1) {
		job_fn fn = NULL;
		void *arg = NULL;

		k_sem_take(&ready, K_FOREVER);
		k_spinlock_key_t key = k_spin_lock(&ring_lock);

		if (put_at != get_at) {
			fn = ring[get_at % 8].fn;
			arg = ring[get_at % 8].arg;
			get_at++;
		}
		k_spin_unlock(&ring_lock, key);
		if (fn == NULL) {
			break;
		}
		k_sem_give(&places);
		fn(arg);
	}
}

int pool_start(void)
{
	if (open) {
		return -EALREADY;
	}
	k_sem_init(&places, 8, 8);
	k_sem_init(&ready, 0, K_SEM_MAX_LIMIT);
	put_at = get_at = 0;
	open = true;
	for (int i = 0; i < 3; i++) {
		k_tid_t tid = k_thread_create(&pool[i], stacks[i], 1024, worker, NULL, NULL, NULL, 6, 0, K_FOREVER);

		k_thread_start(tid);
	}
	return 0;
}

int pool_submit(void (*job)(void *), void *argument, k_timeout_t timeout)
{
	if (!job) {
		return -EINVAL;
	}
	if (!open) {
		return -ESHUTDOWN;
	}
	if (k_sem_take(&places, timeout) != 0) {
		return open ? -EAGAIN : -ESHUTDOWN;
	}
	k_spinlock_key_t key = k_spin_lock(&ring_lock);

	if (!open) {
		k_spin_unlock(&ring_lock, key);
		return -ESHUTDOWN;
	}
	ring[put_at % 8].fn = job;
	ring[put_at % 8].arg = argument;
	put_at++;
	k_spin_unlock(&ring_lock, key);
	k_sem_give(&ready);
	return 0;
}

int pool_stop(void)
{
	k_spinlock_key_t key = k_spin_lock(&ring_lock);

	if (!open) {
		k_spin_unlock(&ring_lock, key);
		return -EALREADY;
	}
	open = false;
	k_spin_unlock(&ring_lock, key);
	k_sem_reset(&places);
	for (int i = 0; i < 3; i++) {
		k_sem_give(&ready);
	}
	for (int i = 0; i < 3; i++) {
		k_thread_join(&pool[i], K_FOREVER);
	}
	return 0;
}
