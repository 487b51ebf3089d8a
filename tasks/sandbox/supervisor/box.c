/* The writable directory: files come in and go out by value, never through a symbolic link. */
#define _GNU_SOURCE
#include "supervisor.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { CHUNK = 65536, DEEPEST = 64 };

static int box = -1;

int box_fd(void)
{
    return box;
}

const char *box_enter(const char *path)
{
    if (mkdir(path, 0700) && errno != EEXIST)
        return strerror(errno);
    int fd = open(path, O_PATH | O_DIRECTORY | O_NOFOLLOW);
    if (fd < 0)
        return strerror(errno);
    if (box >= 0)
        close(box);
    box = high(fd);
    return fchdir(box) ? strerror(errno) : NULL;
}

static int close_keeping_errno(int fd)
{
    int why = errno;
    close(fd);
    errno = why;
    return -1;
}

/* Return the directory that holds the last part of `path`, which is cut into its parts, and that part in `leaf`. */
static int parent_of(char *path, bool make, const char **leaf)
{
    int at = openat(box, ".", O_PATH | O_DIRECTORY | O_CLOEXEC);
    for (char *slash; at >= 0 && (slash = strchr(path, '/')); path = slash + 1) {
        *slash = '\0';
        if (make && mkdirat(at, path, 0777) && errno != EEXIST)
            return close_keeping_errno(at);
        int next = openat(at, path, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        close_keeping_errno(at);
        at = next;
    }
    *leaf = path;
    return at;
}

static int create(char *path)
{
    const char *leaf;
    int parent = parent_of(path, true, &leaf);
    if (parent < 0)
        return -1;
    int fd = -1;
    if (!unlinkat(parent, leaf, 0) || errno == ENOENT)
        fd = openat(parent, leaf, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0755);
    close_keeping_errno(parent);
    return fd;
}

/* Take the payload of a REQ_FILE whole, even when it cannot be stored; return the reason if so. */
const char *box_receive(uint32_t length)
{
    static char path[4097], buffer[CHUNK];
    uint16_t named;
    if (length < sizeof named)
        fatal("a file frame without a name");
    wire_read(&named, sizeof named);
    if (named >= sizeof path || named > length - sizeof named)
        fatal("a file frame with a wrong name");
    wire_read(path, named);
    path[named] = '\0';
    length -= (uint32_t)(sizeof named + named);
    int fd = create(path);
    int why = fd < 0 ? errno : 0;
    while (length) {
        size_t part = length < CHUNK ? length : CHUNK;
        wire_read(buffer, part);
        length -= (uint32_t)part;
        for (size_t done = 0; !why && done < part;) {
            ssize_t put = write(fd, buffer + done, part - done);
            if (put < 0)
                why = errno;
            else
                done += (size_t)put;
        }
    }
    if (fd >= 0)
        close(fd);
    return why ? strerror(why) : NULL;
}

static void refuse(const char *name, const char *reason)
{
    uint16_t named = (uint16_t)strlen(name);
    wire_begin(ANS_REFUSED, sizeof named + named + strlen(reason));
    wire_write(&named, sizeof named);
    wire_write(name, named);
    wire_write(reason, strlen(reason));
}

/* Send a regular file of at most `cap` bytes, or the reason why not. Nothing else runs in here meanwhile. */
void box_collect(const char *name, uint64_t cap)
{
    static char path[4097], buffer[CHUNK];
    char reason[96];
    const char *leaf;
    snprintf(path, sizeof path, "%s", name);
    int parent = parent_of(path, false, &leaf);
    int fd = parent < 0 ? -1 : openat(parent, leaf, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    int why = errno;
    if (parent >= 0)
        close(parent);
    struct stat info;
    if (fd < 0) {
        refuse(name, why == ELOOP ? "is a symbolic link" : why == ENOENT ? "does not exist" : strerror(why));
        return;
    }
    if (fstat(fd, &info) || !S_ISREG(info.st_mode)) {
        refuse(name, "is no regular file");
    } else if ((uint64_t)info.st_size > cap) {
        snprintf(reason, sizeof reason, "has %lld bytes, more than the %llu allowed", (long long)info.st_size,
                 (unsigned long long)cap);
        refuse(name, reason);
    } else {
        uint16_t named = (uint16_t)strlen(name);
        size_t left = (size_t)info.st_size;
        wire_begin(ANS_FILE, sizeof named + named + left);
        wire_write(&named, sizeof named);
        wire_write(name, named);
        while (left) {
            ssize_t got = read(fd, buffer, left < CHUNK ? left : CHUNK);
            if (got <= 0)
                fatal("a file shrank while it was sent");
            wire_write(buffer, (size_t)got);
            left -= (size_t)got;
        }
    }
    close(fd);
}

static const char *empty(int parent, const char *name, int depth)
{
    if (depth > DEEPEST)
        return "directories are nested too deeply";
    int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *listing = fd < 0 ? NULL : fdopendir(fd);
    if (!listing)
        return strerror(errno);
    fchmod(fd, 0700);
    const char *trouble = NULL;
    for (struct dirent *entry; !trouble && (entry = readdir(listing));) {
        if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
            continue;
        if (!unlinkat(fd, entry->d_name, 0))
            continue;
        if (errno != EISDIR && errno != EPERM) {
            trouble = strerror(errno);
            break;
        }
        fchmodat(fd, entry->d_name, 0700, 0);
        trouble = empty(fd, entry->d_name, depth + 1);
        if (!trouble && unlinkat(fd, entry->d_name, AT_REMOVEDIR))
            trouble = strerror(errno);
    }
    closedir(listing);
    return trouble;
}

/* Empty `root` and make the box anew in it; return what stands in the way, if anything. */
const char *box_wipe(const char *root, const char *path)
{
    const char *trouble = empty(AT_FDCWD, root, 0);
    return trouble ? trouble : box_enter(path);
}
