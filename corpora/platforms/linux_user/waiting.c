/* poll, select, epoll, and the descriptors that the kernel makes: timerfd, eventfd, signalfd, pipes. */
#include "lu.h"

#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <time.h>

static int64_t ns_of(const struct timespec *t) { return t->tv_sec * 1000000000LL + t->tv_nsec; }

/* ---- poll and select ---- */
static int look(struct pollfd *fds, nfds_t n)
{
    int ready = 0;
    for (nfds_t i = 0; i < n; i++) {
        fds[i].revents = 0;
        if (fds[i].fd < 0)
            continue;
        lu_file *file = fds[i].fd < LU_FDS ? lu_files[fds[i].fd] : NULL;
        fds[i].revents = file ? (short)(lu_events(file) & ((unsigned)fds[i].events | POLLERR | POLLHUP)) : fds[i].fd < LU_FIRST ? 0 : POLLNVAL;
        ready += fds[i].revents != 0;
    }
    return ready;
}
static int poll_until(struct pollfd *fds, nfds_t n, int64_t until, const sigset_t *mask)
{
    lu_enter_wait();
    uint64_t old = mask ? lu_mask_swap(lu_set_of(mask)) : 0;
    int result;
    for (;;) {
        result = look(fds, n);
        if (result || fb_now() >= until)
            break;
        if (lu_wait(until) == -EINTR) {
            result = lu_fail(EINTR);
            break;
        }
    }
    if (mask)
        lu_mask_swap(old);
    return result;
}
int lu_poll(struct pollfd *fds, nfds_t n, int timeout_ms)
{
    return poll_until(fds, n, timeout_ms < 0 ? FB_FOREVER : fb_now() + FB_MS(timeout_ms), NULL);
}
int lu_ppoll(struct pollfd *fds, nfds_t n, const struct timespec *timeout, const sigset_t *mask)
{
    return poll_until(fds, n, timeout ? fb_now() + ns_of(timeout) : FB_FOREVER, mask);
}
static int select_until(int n, fd_set *in, fd_set *out, fd_set *other, int64_t until, const sigset_t *mask)
{
    struct pollfd fds[LU_FDS];
    nfds_t count = 0;
    for (int fd = 0; fd < n && fd < LU_FDS; fd++) {
        short events = (short)((in && FD_ISSET(fd, in) ? POLLIN : 0) | (out && FD_ISSET(fd, out) ? POLLOUT : 0) |
                               (other && FD_ISSET(fd, other) ? POLLPRI : 0));
        if (events)
            fds[count++] = (struct pollfd){fd, events, 0};
    }
    int ready = poll_until(fds, count, until, mask);
    if (ready < 0)
        return ready;
    fd_set *sets[] = {in, out, other};
    for (int i = 0; i < 3; i++)
        if (sets[i])
            FD_ZERO(sets[i]);
    ready = 0;
    for (nfds_t i = 0; i < count; i++) {
        if (fds[i].revents & POLLNVAL)
            return lu_fail(EBADF);
        if (in && fds[i].events & POLLIN && fds[i].revents & (POLLIN | POLLHUP | POLLERR))
            FD_SET(fds[i].fd, in), ready++;
        if (out && fds[i].events & POLLOUT && fds[i].revents & (POLLOUT | POLLERR))
            FD_SET(fds[i].fd, out), ready++;
        if (other && fds[i].events & POLLPRI && fds[i].revents & POLLPRI)
            FD_SET(fds[i].fd, other), ready++;
    }
    return ready;
}
int lu_select(int n, fd_set *in, fd_set *out, fd_set *other, struct timeval *timeout)
{
    return select_until(n, in, out, other, timeout ? fb_now() + timeout->tv_sec * 1000000000LL + timeout->tv_usec * 1000LL : FB_FOREVER, NULL);
}
int lu_pselect(int n, fd_set *in, fd_set *out, fd_set *other, const struct timespec *timeout, const sigset_t *mask)
{
    return select_until(n, in, out, other, timeout ? fb_now() + ns_of(timeout) : FB_FOREVER, mask);
}

/* ---- epoll: level and edge triggered, one shot ---- */
typedef struct watched {
    int fd;
    struct epoll_event event;
    unsigned last;
    bool off;
} watched;
typedef struct epolled {
    watched items[LU_FDS];
    size_t count;
} epolled;
static void free_self(void *self) { free(self); }
static unsigned epoll_ready(void *self)
{
    epolled *e = self;
    for (size_t i = 0; i < e->count; i++)
        if (!e->items[i].off && lu_files[e->items[i].fd] && lu_events(lu_files[e->items[i].fd]) & e->items[i].event.events)
            return POLLIN;
    return 0;
}
int lu_epoll_create1(int flags)
{
    (void)flags;
    return lu_new_fd(&(lu_device){.path = "epoll", .self = calloc(1, sizeof(epolled)), .events = epoll_ready, .close = free_self});
}
int lu_epoll_create(int size) { return size > 0 ? lu_epoll_create1(0) : lu_fail(EINVAL); }
static epolled *epoll_of(int fd)
{
    lu_file *file = lu_file_of(fd);
    if (file && file->device.events != epoll_ready)
        errno = EINVAL;
    return file && file->device.events == epoll_ready ? file->device.self : NULL;
}
int lu_epoll_ctl(int epfd, int operation, int fd, struct epoll_event *event)
{
    epolled *e = epoll_of(epfd);
    if (!e || !lu_file_of(fd))
        return -1;
    size_t at = 0;
    while (at < e->count && e->items[at].fd != fd)
        at++;
    if (operation == EPOLL_CTL_ADD ? at < e->count : at == e->count)
        return lu_fail(operation == EPOLL_CTL_ADD ? EEXIST : ENOENT);
    if (operation == EPOLL_CTL_DEL) {
        e->items[at] = e->items[--e->count];
        return 0;
    }
    e->count += operation == EPOLL_CTL_ADD;
    e->items[at] = (watched){.fd = fd, .event = *event};
    return 0;
}
int lu_epoll_pwait(int epfd, struct epoll_event *events, int most, int timeout_ms, const sigset_t *mask)
{
    epolled *e = epoll_of(epfd);
    int64_t until = timeout_ms < 0 ? FB_FOREVER : fb_now() + FB_MS(timeout_ms);
    if (!e || most <= 0)
        return e ? lu_fail(EINVAL) : -1;
    lu_enter_wait();
    uint64_t old = mask ? lu_mask_swap(lu_set_of(mask)) : 0;
    int found = 0;
    for (;;) {
        for (size_t i = 0; i < e->count && found < most; i++) {
            watched *one = &e->items[i];
            unsigned now = lu_files[one->fd] ? lu_events(lu_files[one->fd]) & (one->event.events | EPOLLERR | EPOLLHUP) : 0;
            unsigned fresh = one->event.events & EPOLLET ? now & ~one->last : now;
            one->last = now;
            if (!fresh || one->off)
                continue;
            events[found] = one->event;
            events[found++].events = now;
            one->off = one->event.events & EPOLLONESHOT;
        }
        if (found || fb_now() >= until)
            break;
        if (lu_wait(until) == -EINTR) {
            found = lu_fail(EINTR);
            break;
        }
    }
    if (mask)
        lu_mask_swap(old);
    return found;
}
int lu_epoll_wait(int epfd, struct epoll_event *events, int most, int timeout_ms)
{
    return lu_epoll_pwait(epfd, events, most, timeout_ms, NULL);
}

/* ---- timerfd ---- */
typedef struct timer {
    clockid_t clock;
    int64_t next, every;
    uint64_t expired;
    fb_event *event;
} timer;
static void expire(void *self)
{
    timer *t = self;
    t->expired++;
    t->next += t->every;
    t->event = t->every ? fb_at(t->next, expire, t) : NULL;
    lu_changed();
}
static long timer_read(void *self, void *to, size_t n)
{
    timer *t = self;
    if (n < sizeof t->expired)
        return -EINVAL;
    if (!t->expired)
        return LU_BLOCK;
    memcpy(to, &t->expired, sizeof t->expired);
    t->expired = 0;
    return sizeof t->expired;
}
static unsigned timer_events(void *self) { return ((timer *)self)->expired ? POLLIN : 0; }
static void timer_close(void *self)
{
    fb_cancel(((timer *)self)->event);
    free(self);
}
int lu_timerfd_create(clockid_t clock, int flags)
{
    timer *t = calloc(1, sizeof *t);
    t->clock = clock;
    int fd = lu_new_fd(&(lu_device){.path = "timerfd", .self = t, .read = timer_read, .events = timer_events, .close = timer_close});
    if (fd >= 0)
        lu_files[fd]->flags = O_RDONLY | (flags & TFD_NONBLOCK ? O_NONBLOCK : 0);
    return fd;
}
int lu_timerfd_settime(int fd, int flags, const struct itimerspec *value, struct itimerspec *old)
{
    lu_file *file = lu_file_of(fd);
    if (!file || file->device.close != timer_close)
        return file ? lu_fail(EINVAL) : -1;
    timer *t = file->device.self;
    if (old)
        *old = (struct itimerspec){0};
    if (value->it_value.tv_nsec < 0 || value->it_value.tv_nsec > 999999999 || value->it_interval.tv_nsec < 0 || value->it_interval.tv_nsec > 999999999)
        return lu_fail(EINVAL);
    fb_cancel(t->event);
    t->event = NULL;
    t->expired = 0;
    t->every = ns_of(&value->it_interval);
    int64_t first = ns_of(&value->it_value);
    if (first) {
        t->next = flags & TFD_TIMER_ABSTIME ? first - (lu_clock(t->clock) - fb_now()) : fb_now() + first;
        t->event = fb_at(t->next > fb_now() ? t->next : fb_now(), expire, t);
    }
    return 0;
}
int lu_timerfd_gettime(int fd, struct itimerspec *value)
{
    lu_file *file = lu_file_of(fd);
    if (!file)
        return -1;
    timer *t = file->device.self;
    int64_t left = t->event && t->next > fb_now() ? t->next - fb_now() : 0;
    *value = (struct itimerspec){{t->every / 1000000000, t->every % 1000000000}, {left / 1000000000, left % 1000000000}};
    return 0;
}

/* ---- eventfd, signalfd, pipes ---- */
static long event_read(void *self, void *to, size_t n)
{
    uint64_t *count = self;
    if (n < sizeof *count)
        return -EINVAL;
    if (!*count)
        return LU_BLOCK;
    memcpy(to, count, sizeof *count);
    *count = 0;
    return sizeof *count;
}
static long event_write(void *self, const void *from, size_t n)
{
    uint64_t add;
    if (n < sizeof add)
        return -EINVAL;
    memcpy(&add, from, sizeof add);
    *(uint64_t *)self += add;
    lu_changed();
    return sizeof add;
}
static unsigned event_events(void *self) { return POLLOUT | (*(uint64_t *)self ? POLLIN : 0); }
int lu_eventfd(unsigned count, int flags)
{
    uint64_t *self = calloc(1, sizeof *self);
    *self = count;
    int fd = lu_new_fd(&(lu_device){.path = "eventfd", .self = self, .read = event_read, .write = event_write, .events = event_events, .close = free_self});
    if (fd >= 0)
        lu_files[fd]->flags |= flags & EFD_NONBLOCK ? O_NONBLOCK : 0;
    return fd;
}
static long signal_read(void *self, void *to, size_t n)
{
    if (n < sizeof(struct signalfd_siginfo))
        return -EINVAL;
    long number = lu_take_signal(*(uint64_t *)self);
    if (!number)
        return LU_BLOCK;
    struct signalfd_siginfo info = {.ssi_signo = (uint32_t)number};
    memcpy(to, &info, sizeof info);
    return sizeof info;
}
bool lu_pending_among(uint64_t among);
static unsigned signal_events(void *self) { return lu_pending_among(*(uint64_t *)self) ? POLLIN : 0; }
int lu_signalfd(int fd, const sigset_t *set, int flags)
{
    if (fd >= 0) {
        lu_file *file = lu_file_of(fd);
        if (!file)
            return -1;
        *(uint64_t *)file->device.self = lu_set_of(set);
        return fd;
    }
    uint64_t *self = calloc(1, sizeof *self);
    *self = lu_set_of(set);
    fd = lu_new_fd(&(lu_device){.path = "signalfd", .self = self, .read = signal_read, .events = signal_events, .close = free_self});
    if (fd >= 0)
        lu_files[fd]->flags |= flags & SFD_NONBLOCK ? O_NONBLOCK : 0;
    return fd;
}
typedef struct channel {
    char data[65536];
    size_t used;
    int ends;
    bool no_writer;
} channel;
static long pipe_read(void *self, void *to, size_t n)
{
    channel *p = self;
    if (!p->used)
        return p->no_writer ? 0 : LU_BLOCK;
    n = n < p->used ? n : p->used;
    memcpy(to, p->data, n);
    memmove(p->data, p->data + n, p->used -= n);
    return (long)n;
}
static long pipe_write(void *self, const void *from, size_t n)
{
    channel *p = self;
    size_t room = sizeof p->data - p->used;
    if (!room)
        return LU_BLOCK;
    n = n < room ? n : room;
    memcpy(p->data + p->used, from, n);
    p->used += n;
    lu_changed();
    return (long)n;
}
static unsigned pipe_in(void *self) { return ((channel *)self)->used ? POLLIN : ((channel *)self)->no_writer ? POLLHUP : 0; }
static unsigned pipe_out(void *self) { return ((channel *)self)->used < sizeof ((channel *)self)->data ? POLLOUT : 0; }
static void pipe_close(void *self)
{
    channel *p = self;
    if (!--p->ends)
        free(p);
}
static void pipe_close_out(void *self)
{
    ((channel *)self)->no_writer = true;
    lu_changed();
    pipe_close(self);
}
int lu_pipe2(int fds[2], int flags)
{
    channel *p = calloc(1, sizeof *p);
    p->ends = 2;
    fds[0] = lu_new_fd(&(lu_device){.path = "pipe", .self = p, .read = pipe_read, .events = pipe_in, .close = pipe_close});
    fds[1] = lu_new_fd(&(lu_device){.path = "pipe", .self = p, .write = pipe_write, .events = pipe_out, .close = pipe_close_out});
    for (int i = 0; i < 2 && fds[i] >= 0; i++)
        lu_files[fds[i]]->flags |= flags & O_NONBLOCK;
    return fds[1] < 0 ? -1 : 0;
}
int lu_pipe(int fds[2]) { return lu_pipe2(fds, 0); }
