/* What the model's own sources share. */
#ifndef LU_H
#define LU_H
#define _GNU_SOURCE

#include "linux_user.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct lu_file {
    lu_device device;
    int flags;       /* O_… */
    int references;  /* descriptors that share it */
} lu_file;
enum { LU_FDS = 64, LU_FIRST = 3 };
extern lu_file *lu_files[LU_FDS];
lu_file *lu_file_of(int fd);             /* NULL and errno if it is none of ours */
int lu_fail(int error);                  /* sets errno, returns -1 */
unsigned lu_events(const lu_file *file);

/* Wait until something changed, or the time comes: 0, -EINTR after a signal was handled, -ETIMEDOUT. */
int lu_wait(int64_t until);
void lu_system_call(void);               /* each call takes time and lets signals in */
void lu_enter_wait(void);                /* the same for a call that may wait: a handler that runs from here on interrupts it */
bool lu_deliverable(void);               /* a signal is pending and not masked */
uint64_t lu_mask_swap(uint64_t mask);    /* returns the old one; what is pending comes in */
uint64_t lu_set_of(const sigset_t *set);
bool lu_restarts(void);                  /* the handler that ran last was installed with SA_RESTART */
int64_t lu_clock(clockid_t clock);
void lu_ended(int status) __attribute__((noreturn));
long lu_take_signal(uint64_t among);     /* a pending signal of the set is consumed; 0 if there is none */

#endif
