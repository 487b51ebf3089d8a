/* Read-copy-update on one processor: a reader does not sleep, so when a writer runs there is none. */
#ifndef _LINUX_RCUPDATE_H
#define _LINUX_RCUPDATE_H

#include "slab.h"
#include "spinlock.h"

#define rcu_read_lock() preempt_disable()
#define rcu_read_unlock() preempt_enable()
#define synchronize_rcu() might_sleep()
#define rcu_dereference(p) READ_ONCE(p)
#define rcu_dereference_protected(p, condition) (p)
#define rcu_assign_pointer(p, value) smp_store_release(&(p), value)
#define RCU_INIT_POINTER(p, value) ((void)((p) = (value)))
#define kfree_rcu(p, member) kfree(p)
struct rcu_head {
    void *next;
};

#endif
