/* System calls that a graded program has no business with. They fail, as on a kernel without them; nothing is killed.
 *
 * Four groups: kernel surface, other processes, objects that outlive a process, sockets beyond the network namespace
 * (a vsock reaches the host from any namespace). */
#define _GNU_SOURCE
#include "supervisor.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#if defined(__x86_64__)
#define ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCH AUDIT_ARCH_AARCH64
#else
#error "filter.c knows the system calls of x86-64 and aarch64 only"
#endif

#define X32 0x40000000u

enum {
    NEW_NAMESPACES = CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID |
                     CLONE_NEWNET
};

static const int forbidden[] = {
    SYS_acct, SYS_add_key, SYS_bpf, SYS_chroot, SYS_delete_module, SYS_fanotify_init, SYS_finit_module,
    SYS_fsconfig, SYS_fsmount, SYS_fsopen, SYS_fspick, SYS_init_module, SYS_kcmp, SYS_kexec_load, SYS_keyctl,
    SYS_mount, SYS_mount_setattr, SYS_move_mount, SYS_move_pages, SYS_migrate_pages, SYS_mq_open, SYS_msgget,
    SYS_name_to_handle_at, SYS_open_by_handle_at, SYS_open_tree, SYS_perf_event_open, SYS_pidfd_getfd,
    SYS_pivot_root, SYS_process_madvise, SYS_process_vm_readv, SYS_process_vm_writev, SYS_ptrace, SYS_quotactl,
    SYS_reboot, SYS_request_key, SYS_semget, SYS_setns, SYS_shmget, SYS_swapoff, SYS_swapon, SYS_syslog,
    SYS_umount2, SYS_unshare, SYS_userfaultfd,
};

static const int absent[] = {SYS_clone3, SYS_io_uring_setup, SYS_io_uring_enter, SYS_io_uring_register};

/* Calls whose first argument names a process: refused for pid 1, the supervisor. */
static const int of_pid[] = {SYS_prlimit64, SYS_sched_setaffinity, SYS_sched_setattr, SYS_sched_setparam,
                             SYS_sched_setscheduler};

static struct sock_filter program[512];
static unsigned short length;

static void put(unsigned short code, uint32_t k, uint8_t yes, uint8_t no)
{
    program[length++] = (struct sock_filter){code, yes, no, k};
}

static void load(size_t offset)
{
    put(BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, 0, 0);
}

static void fail_with(int error)
{
    put(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (uint32_t)error, 0, 0);
}

/* Run the next `count` instructions only for call `number`; the accumulator holds the call's number. */
static void only_for(int number, uint8_t count)
{
    put(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)number, 0, count);
}

static const size_t NUMBER = offsetof(struct seccomp_data, nr);

static size_t argument(int index)
{
    return offsetof(struct seccomp_data, args) + 8 * (size_t)index; /* the low half: little-endian */
}

/* Run the next instruction only if the argument is (or is not) `value`. */
static void next_if(int index, bool equal, uint32_t value)
{
    load(argument(index));
    put(BPF_JMP | BPF_JEQ | BPF_K, value, equal ? 0 : 1, equal ? 1 : 0);
}

int filter_install(void)
{
    length = 0;
    load(offsetof(struct seccomp_data, arch));
    put(BPF_JMP | BPF_JEQ | BPF_K, ARCH, 1, 0);
    fail_with(ENOSYS);
    load(NUMBER);
#if defined(__x86_64__)
    put(BPF_JMP | BPF_JGE | BPF_K, X32, 0, 1);
    fail_with(ENOSYS);
#endif
    for (size_t i = 0; i < sizeof forbidden / sizeof *forbidden; i++) {
        only_for(forbidden[i], 1);
        fail_with(EPERM);
    }
    for (size_t i = 0; i < sizeof absent / sizeof *absent; i++) {
        only_for(absent[i], 1);
        fail_with(ENOSYS);
    }
    for (size_t i = 0; i < sizeof of_pid / sizeof *of_pid; i++) {
        only_for(of_pid[i], 4);
        next_if(0, true, 1);
        fail_with(EPERM);
        load(NUMBER);
    }
    only_for(SYS_setpriority, 7); /* of oneself only: neither by user nor by group */
    next_if(0, false, PRIO_PROCESS);
    fail_with(EPERM);
    next_if(1, true, 1);
    fail_with(EPERM);
    load(NUMBER);
    only_for(SYS_ioprio_set, 7);
    next_if(0, false, 1); /* IOPRIO_WHO_PROCESS */
    fail_with(EPERM);
    next_if(1, true, 1);
    fail_with(EPERM);
    load(NUMBER);
    only_for(SYS_clone, 4);
    load(argument(0));
    put(BPF_JMP | BPF_JSET | BPF_K, NEW_NAMESPACES, 0, 1);
    fail_with(EPERM);
    load(NUMBER);
    only_for(SYS_socket, 6);
    load(argument(0));
    put(BPF_JMP | BPF_JEQ | BPF_K, AF_UNIX, 3, 0);
    put(BPF_JMP | BPF_JEQ | BPF_K, AF_INET, 2, 0);
    put(BPF_JMP | BPF_JEQ | BPF_K, AF_INET6, 1, 0);
    fail_with(EAFNOSUPPORT);
    load(NUMBER);
    put(BPF_RET | BPF_K, SECCOMP_RET_ALLOW, 0, 0);
    struct sock_fprog whole = {length, program};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &whole);
}
