/* The nodes of /dev, open files, and the system calls on them. */
#include "lk.h"

#include "linux_kernel.h"

typedef struct node {
    char path[80];
    struct inode inode;
    bool gone;
    struct node *next;
} node;
static node *nodes;
void lk_node_add(const char *name, dev_t dev)
{
    node *one = calloc(1, sizeof *one);
    lk_snprintf(one->path, sizeof one->path, "/dev/%s", name);
    one->inode.i_rdev = dev;
    one->next = nodes;
    nodes = one;
}
void lk_node_remove(dev_t dev)
{
    for (node *one = nodes; one; one = one->next)
        if (one->inode.i_rdev == dev)
            one->gone = true;
}
static node *node_at(const char *path)
{
    for (node *one = nodes; one; one = one->next)
        if (!one->gone && !strcmp(one->path, path))
            return one;
    return NULL;
}
bool lk_exists(const char *path) { return node_at(path); }

/* ---- system calls ---- */
static struct file *files[32];

/* What must hold when a driver's function returns to user space; a restartable call ends as EINTR. */
static long leave(long result)
{
    if (current->lk_locks || lk_atomic()) {
        fb_fault("lock_left", "a file operation returns with a lock held");
        current->lk_locks = 0;
    }
    current->__state = TASK_RUNNING;
    if (current->lk_signalled) {
        current->lk_signalled = false;
        if (result == -ERESTARTSYS || result == -ERESTARTNOINTR)
            return -EINTR;
    } else if (result == -ERESTARTSYS) {
        fb_fault("restart_without_signal", "a file operation returns -ERESTARTSYS, but no signal is pending");
    }
    if (result < 0 && result > -4096 && (result < -133 || result == -ENOIOCTLCMD)) {
        if (result != -ENOIOCTLCMD)
            fb_fault("internal_error_number", "a file operation returns %ld, which user space does not know", result);
        else
            return -ENOTTY;
    }
    return result;
}
static struct file *file_of(int fd) { return fd >= 0 && (size_t)fd < ARRAY_SIZE(files) ? files[fd] : NULL; }

int lk_open(const char *path, int flags)
{
    node *at = node_at(path);
    if (!at)
        return -ENOENT;
    struct file *file = calloc(1, sizeof *file);
    const struct file_operations *ops = lk_operations(&at->inode, &file->private_data);
    int fd = 0;
    while ((size_t)fd < ARRAY_SIZE(files) && files[fd])
        fd++;
    if (!ops || (size_t)fd == ARRAY_SIZE(files)) {
        free(file);
        return ops ? -EMFILE : -ENXIO;
    }
    file->f_op = ops;
    file->f_flags = (unsigned)flags;
    file->f_mode = ((flags & O_ACCMODE) != O_WRONLY ? FMODE_READ : 0) | ((flags & O_ACCMODE) != O_RDONLY ? FMODE_WRITE : 0) | FMODE_LSEEK;
    file->f_inode = &at->inode;
    __module_get(ops->owner);
    int error = ops->open ? (int)leave(ops->open(&at->inode, file)) : 0;
    if (error) {
        module_put(ops->owner);
        free(file);
        return error;
    }
    files[fd] = file;
    return fd;
}
int lk_close(int fd)
{
    struct file *file = file_of(fd);
    if (!file)
        return -EBADF;
    files[fd] = NULL;
    if (file->f_op->flush)
        file->f_op->flush(file, NULL);
    if (file->f_op->release)
        leave(file->f_op->release(file->f_inode, file));
    module_put(file->f_op->owner);
    free(file);
    return 0;
}
static long count_of(struct file *file, long result, size_t n, const char *call)
{
    (void)file;
    if (result > 0 && (size_t)result > n)
        fb_fault("count_too_large", "%s of %zu bytes returns %ld", call, n, result);
    return leave(result);
}
long lk_read_raw(int fd, void *user, size_t n)
{
    struct file *file = file_of(fd);
    if (!file || !(file->f_mode & FMODE_READ))
        return -EBADF;
    return file->f_op->read ? count_of(file, file->f_op->read(file, user, n, &file->f_pos), n, "read") : -EINVAL;
}
long lk_write_raw(int fd, const void *user, size_t n)
{
    struct file *file = file_of(fd);
    if (!file || !(file->f_mode & FMODE_WRITE))
        return -EBADF;
    return file->f_op->write ? count_of(file, file->f_op->write(file, user, n, &file->f_pos), n, "write") : -EINVAL;
}
long lk_read(int fd, void *to, size_t n)
{
    void *user = lk_user_new(n ? n : 1);
    long result = lk_read_raw(fd, user, n);
    if (result > 0)
        lk_user_copy(to, user, min((size_t)result, n));
    return result;
}
long lk_write(int fd, const void *from, size_t n)
{
    void *user = lk_user_new(n ? n : 1);
    lk_user_copy(user, from, n);
    return lk_write_raw(fd, user, n);
}
long lk_ioctl(int fd, unsigned command, unsigned long argument)
{
    struct file *file = file_of(fd);
    if (!file)
        return -EBADF;
    return file->f_op->unlocked_ioctl ? leave(file->f_op->unlocked_ioctl(file, command, argument)) : -ENOTTY;
}
long lk_ioctl_with(int fd, unsigned command, void *value, size_t n)
{
    void *user = lk_user_new(n);
    lk_user_copy(user, value, n);
    long result = lk_ioctl(fd, command, (unsigned long)user);
    lk_user_copy(value, user, n);
    return result;
}
long long lk_seek(int fd, long long offset, int whence)
{
    struct file *file = file_of(fd);
    if (!file)
        return -EBADF;
    return file->f_op->llseek ? leave((long)file->f_op->llseek(file, offset, whence)) : -ESPIPE;
}

typedef struct waiter {
    poll_table table;
    wait_queue_head_t *queues[8];
    wait_queue_entry_t entries[8];
    unsigned count;
} waiter;
static void poll_queue(struct file *file, wait_queue_head_t *wq, poll_table *table)
{
    (void)file;
    waiter *w = container_of(table, waiter, table);
    if (w->count == ARRAY_SIZE(w->queues))
        return;
    w->queues[w->count] = wq;
    w->entries[w->count] = (wait_queue_entry_t){.task = current};
    lk_prepare(wq, &w->entries[w->count++], TASK_INTERRUPTIBLE);
}
unsigned lk_poll(int fd, unsigned events, int timeout_ms)
{
    struct file *file = file_of(fd);
    if (!file)
        return 0x020; /* POLLNVAL */
    events |= EPOLLERR | EPOLLHUP;
    if (!file->f_op->poll)
        return events & (EPOLLIN | EPOLLOUT | EPOLLRDNORM | EPOLLWRNORM);
    waiter w = {.table = {poll_queue}};
    long left = timeout_ms < 0 ? MAX_SCHEDULE_TIMEOUT : (long)msecs_to_jiffies((unsigned)timeout_ms);
    unsigned found;
    for (;;) {
        current->__state = TASK_INTERRUPTIBLE;
        found = file->f_op->poll(file, &w.table) & events;
        w.table.queue = NULL;
        if (found || !left || signal_pending(current))
            break;
        left = schedule_timeout(left);
    }
    for (unsigned i = 0; i < w.count; i++)
        remove_wait_queue(w.queues[i], &w.entries[i]);
    leave(0);
    return found;
}

/* ---- helpers of drivers ---- */
int nonseekable_open(struct inode *inode, struct file *file)
{
    (void)inode;
    file->f_mode &= ~FMODE_LSEEK;
    return 0;
}
int stream_open(struct inode *inode, struct file *file) { return nonseekable_open(inode, file); }
int simple_open(struct inode *inode, struct file *file)
{
    if (inode->i_private)
        file->private_data = inode->i_private;
    return 0;
}
loff_t noop_llseek(struct file *file, loff_t offset, int whence)
{
    (void)offset;
    (void)whence;
    return file->f_pos;
}
loff_t no_llseek(struct file *file, loff_t offset, int whence)
{
    (void)file;
    (void)offset;
    (void)whence;
    return -ESPIPE;
}
loff_t fixed_size_llseek(struct file *file, loff_t offset, int whence, loff_t size)
{
    loff_t at = whence == SEEK_SET ? offset : whence == SEEK_CUR ? file->f_pos + offset : whence == SEEK_END ? size + offset : -1;
    if (at < 0 || at > size)
        return -EINVAL;
    return file->f_pos = at;
}
loff_t default_llseek(struct file *file, loff_t offset, int whence)
{
    return fixed_size_llseek(file, offset, whence, file->f_inode->i_size ? file->f_inode->i_size : S64_MAX);
}
long compat_ptr_ioctl(struct file *file, unsigned cmd, unsigned long arg)
{
    return file->f_op->unlocked_ioctl ? file->f_op->unlocked_ioctl(file, cmd, arg) : -ENOIOCTLCMD;
}
int fasync_helper(int fd, struct file *file, int on, struct fasync_struct **queue)
{
    (void)fd;
    (void)file;
    (void)queue;
    return on;
}
void kill_fasync(struct fasync_struct **queue, int sig, int band)
{
    (void)queue;
    fb_trace("fasync", "signal %d, band %d", sig, band);
}
