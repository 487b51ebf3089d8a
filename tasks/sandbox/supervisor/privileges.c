/* Give up root for good. */
#define _GNU_SOURCE
#include "supervisor.h"

#include <grp.h>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

void drop_to(uid_t user)
{
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct none[2] = {{0, 0, 0}, {0, 0, 0}};
    for (int cap = 0; prctl(PR_CAPBSET_READ, cap) >= 0; cap++)
        if (prctl(PR_CAPBSET_DROP, cap) < 0)
            fatal("bounding set");
    if (setgroups(0, NULL) || setresgid(user, user, user) || setresuid(user, user, user))
        fatal("user");
    if (syscall(SYS_capset, &header, none))
        fatal("capabilities");
    if (setuid(0) == 0 || getuid() != user || geteuid() != user)
        fatal("still root");
}
