/* Descriptors: open, read, write, ioctl, close and their kin. */
#include "lu.h"

#include <fcntl.h>
#include <stdarg.h>
#include <sys/ioctl.h>
#include <sys/uio.h>
#include <unistd.h>

lu_file *lu_files[LU_FDS];
static struct known {
    lu_device device;
    bool there;
    struct known *next;
} *known;

int lu_fail(int error)
{
    errno = error;
    return -1;
}
lu_file *lu_file_of(int fd)
{
    lu_file *file = fd >= 0 && fd < LU_FDS ? lu_files[fd] : NULL;
    if (!file)
        errno = EBADF;
    return file;
}
unsigned lu_events(const lu_file *file)
{
    return file->device.events ? file->device.events(file->device.self) : POLLIN | POLLOUT;
}
void lu_add(const lu_device *device)
{
    for (struct known *one = known; one; one = one->next)
        if (!strcmp(one->device.path, device->path)) {
            one->device = *device;
            one->there = true;
            return;
        }
    struct known *one = calloc(1, sizeof *one);
    *one = (struct known){*device, true, known};
    known = one;
}
void lu_remove(const char *path)
{
    for (struct known *one = known; one; one = one->next)
        if (!strcmp(one->device.path, path))
            one->there = false;
    lu_changed();
}
size_t lu_open_count(const char *path)
{
    size_t count = 0;
    for (int i = 0; i < LU_FDS; i++)
        count += lu_files[i] && lu_files[i]->device.path && !strcmp(lu_files[i]->device.path, path);
    return count;
}
static int place(lu_file *file)
{
    for (int i = LU_FIRST; i < LU_FDS; i++)
        if (!lu_files[i]) {
            lu_files[i] = file;
            file->references++;
            return i;
        }
    return lu_fail(EMFILE);
}
int lu_new_fd(const lu_device *device)
{
    lu_file *file = calloc(1, sizeof *file);
    *file = (lu_file){.device = *device, .flags = O_RDWR};
    return place(file);
}
int lu_open(const char *path, int flags, ...)
{
    lu_system_call();
    for (struct known *one = known; one; one = one->next) {
        if (!one->there || strcmp(one->device.path, path))
            continue;
        int error = one->device.open ? one->device.open(one->device.self, flags) : 0;
        if (error)
            return lu_fail(-error);
        int fd = lu_new_fd(&one->device);
        if (fd >= 0)
            lu_files[fd]->flags = flags;
        fb_trace("open", "%s %d", path, fd);
        return fd;
    }
    return lu_fail(ENOENT);
}
int lu_openat(int at, const char *path, int flags, ...)
{
    (void)at;
    return lu_open(path, flags);
}
int lu_creat(const char *path, mode_t mode)
{
    (void)path;
    (void)mode;
    return lu_fail(EROFS);
}
int lu_access(const char *path, int mode)
{
    (void)mode;
    for (struct known *one = known; one; one = one->next)
        if (one->there && !strcmp(one->device.path, path))
            return 0;
    return lu_fail(ENOENT);
}
int lu_close(int fd)
{
    lu_system_call();
    if (fd >= 0 && fd < LU_FIRST)
        return 0;
    lu_file *file = lu_file_of(fd);
    if (!file) {
        if (fd >= 0)
            fb_fault("bad_descriptor", "close(%d) of a descriptor that is not open", fd);
        return -1;
    }
    lu_files[fd] = NULL;
    fb_trace("close", "%s %d", file->device.path ? file->device.path : "", fd);
    if (--file->references)
        return 0;
    if (file->device.close)
        file->device.close(file->device.self);
    free(file);
    return 0;
}

/* Repeats an operation until it need not wait any more. */
#define UNTIL_DONE(file, n, operation) \
    for (;;) { \
        long n = (operation); \
        if (n >= 0) \
            return n; \
        if (n != LU_BLOCK) \
            return lu_fail((int)-n); \
        if ((file)->flags & O_NONBLOCK) \
            return lu_fail(EAGAIN); \
        if (lu_wait(FB_FOREVER) == -EINTR && !lu_restarts()) \
            return lu_fail(EINTR); \
    }

ssize_t lu_read(int fd, void *to, size_t n)
{
    if (fd == 0)
        return 0;
    lu_enter_wait();
    lu_file *file = lu_file_of(fd);
    if (!file)
        return -1;
    if (!file->device.read || (file->flags & O_ACCMODE) == O_WRONLY)
        return lu_fail(file->device.read ? EBADF : EINVAL);
    UNTIL_DONE(file, got, file->device.read(file->device.self, to, n))
}
ssize_t lu_write(int fd, const void *from, size_t n)
{
    if (fd == 1 || fd == 2) {
        lu_system_call();
        fb_console(from, n);
        return (ssize_t)n;
    }
    lu_enter_wait();
    lu_file *file = lu_file_of(fd);
    if (!file)
        return -1;
    if (!file->device.write || (file->flags & O_ACCMODE) == O_RDONLY)
        return lu_fail(file->device.write ? EBADF : EINVAL);
    UNTIL_DONE(file, put, file->device.write(file->device.self, from, n))
}
ssize_t lu_pread(int fd, void *to, size_t n, off_t at)
{
    (void)at;
    return lu_read(fd, to, n);
}
ssize_t lu_pwrite(int fd, const void *from, size_t n, off_t at)
{
    (void)at;
    return lu_write(fd, from, n);
}
ssize_t lu_readv(int fd, const struct iovec *parts, int count) { return count ? lu_read(fd, parts->iov_base, parts->iov_len) : 0; }
ssize_t lu_writev(int fd, const struct iovec *parts, int count)
{
    ssize_t total = 0;
    for (int i = 0; i < count; i++) {
        ssize_t n = lu_write(fd, parts[i].iov_base, parts[i].iov_len);
        if (n < 0)
            return total ? total : n;
        total += n;
        if ((size_t)n < parts[i].iov_len)
            break;
    }
    return total;
}
int lu_ioctl(int fd, unsigned long request, ...)
{
    va_list args;
    va_start(args, request);
    void *argument = va_arg(args, void *);
    va_end(args);
    lu_system_call();
    lu_file *file = lu_file_of(fd);
    if (!file)
        return -1;
    if (!file->device.ioctl)
        return lu_fail(ENOTTY);
    int result = file->device.ioctl(file->device.self, request, argument);
    return result < 0 ? lu_fail(-result) : result;
}
int lu_fcntl(int fd, int command, ...)
{
    va_list args;
    va_start(args, command);
    long argument = va_arg(args, long);
    va_end(args);
    if (fd >= 0 && fd < LU_FIRST)
        return 0;
    lu_file *file = lu_file_of(fd);
    if (!file)
        return -1;
    if (command == F_GETFL)
        return file->flags;
    if (command == F_SETFL)
        file->flags = (file->flags & O_ACCMODE) | ((int)argument & ~O_ACCMODE);
    if (command == F_DUPFD || command == F_DUPFD_CLOEXEC)
        return place(file);
    return 0;
}
int lu_dup(int fd)
{
    lu_file *file = lu_file_of(fd);
    return file ? place(file) : -1;
}
int lu_dup2(int from, int to)
{
    lu_file *file = lu_file_of(from);
    if (!file || to < 0 || to >= LU_FDS)
        return lu_fail(EBADF);
    if (lu_files[to])
        lu_close(to);
    lu_files[to] = file;
    file->references++;
    return to;
}
off_t lu_lseek(int fd, off_t offset, int whence)
{
    (void)offset;
    (void)whence;
    return lu_file_of(fd) ? lu_fail(ESPIPE) : -1;
}
int lu_fsync(int fd) { return lu_file_of(fd) ? 0 : -1; }
int lu_fdatasync(int fd) { return lu_fsync(fd); }
int lu_isatty(int fd)
{
    lu_file *file = lu_file_of(fd);
    return file && strstr(file->device.path ? file->device.path : "", "tty");
}

/* What <fcntl.h> and <unistd.h> turn the calls into under _FILE_OFFSET_BITS=64. */
int open64(const char *path, int flags, ...) __attribute__((alias("lu_open")));
int openat64(int at, const char *path, int flags, ...) __attribute__((alias("lu_openat")));
int fcntl64(int fd, int command, ...) __attribute__((alias("lu_fcntl")));
off64_t lseek64(int fd, off64_t offset, int whence) __attribute__((alias("lu_lseek")));
ssize_t pread64(int fd, void *to, size_t n, off64_t at) __attribute__((alias("lu_pread")));
ssize_t pwrite64(int fd, const void *from, size_t n, off64_t at) __attribute__((alias("lu_pwrite")));
