/* User memory, which the kernel reaches through these functions and nothing else. */
#ifndef _LINUX_UACCESS_H
#define _LINUX_UACCESS_H

#include "kernel.h"
#include "slab.h"

unsigned long copy_to_user(void __user *to, const void *from, unsigned long n) __must_check;
unsigned long copy_from_user(void *to, const void __user *from, unsigned long n) __must_check;
unsigned long clear_user(void __user *to, unsigned long n) __must_check;
unsigned long lk_copy_to_user_now(void __user *to, const void *from, unsigned long n);
long strncpy_from_user(char *to, const char __user *from, long n);
long strnlen_user(const char __user *s, long n);
int lk_access_ok(const void __user *at, unsigned long n);
#define access_ok(at, n) lk_access_ok(at, n)
void *memdup_user(const void __user *from, size_t n);
void *memdup_user_nul(const void __user *from, size_t n);
#define vmemdup_user memdup_user
#define __copy_to_user copy_to_user
#define __copy_from_user copy_from_user
static inline int copy_struct_from_user(void *to, size_t room, const void __user *from, size_t n)
{
    memset(to, 0, room);
    return copy_from_user(to, from, n < room ? n : room) ? -EFAULT : 0;
}
#define get_user(value, at) \
    ({ __typeof__(*(at)) got_ = 0; int err_ = copy_from_user(&got_, at, sizeof got_) ? -EFAULT : 0; \
       (value) = (__typeof__(value))got_; err_; })
#define put_user(value, at) \
    ({ __typeof__(*(at)) put_ = (__typeof__(*(at)))(value); copy_to_user(at, &put_, sizeof put_) ? -EFAULT : 0; })
#define __get_user get_user
#define __put_user put_user

#endif
