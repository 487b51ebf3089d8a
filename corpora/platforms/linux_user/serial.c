/* Serial lines: bytes arrive and leave at 115200 baud, changed as the settings say; reads and writes may be short. */
#include "lu.h"

#include <fcntl.h>
#include <sys/ioctl.h>

enum { MOST = 16384, BYTE_NS = 86806 }; /* ten bits at 115200 baud */

typedef struct arrival {
    lu_serial *line;
    size_t n;
    unsigned char bytes[];
} arrival;

struct lu_serial {
    const char *path;
    unsigned char in[MOST], out[MOST];
    int64_t out_at[MOST];
    size_t in_used, out_used, read_most, write_most;
    int64_t blocked_from, blocked_to, last_out;
    struct port *port; /* NULL while it is unplugged */
    unsigned opened;
    struct termios settings;
};
/* One plugging in: a descriptor belongs to it, and stays dead when the line is plugged in again. */
typedef struct port {
    lu_serial *line;
} port;
static bool gone(const port *p) { return p->line->port != p; }

static int line_open(void *self, int flags)
{
    (void)flags;
    if (gone(self))
        return -ENXIO;
    ((port *)self)->line->opened++;
    return 0;
}
static bool raw(const lu_serial *l) { return !(l->settings.c_lflag & (tcflag_t)ICANON); }
static long line_read(void *self, void *to, size_t n)
{
    lu_serial *l = ((port *)self)->line;
    if (gone(self))
        return 0;
    if (!l->in_used)
        return raw(l) && !l->settings.c_cc[VMIN] && !l->settings.c_cc[VTIME] ? 0 : LU_BLOCK;
    size_t got = n < l->in_used ? n : l->in_used;
    if (!raw(l)) { /* a canonical line ends at a newline */
        unsigned char *end = memchr(l->in, '\n', l->in_used);
        if (!end)
            return LU_BLOCK;
        got = n < (size_t)(end - l->in) + 1 ? n : (size_t)(end - l->in) + 1;
    }
    if (l->read_most && got > l->read_most)
        got = l->read_most;
    memcpy(to, l->in, got);
    memmove(l->in, l->in + got, l->in_used -= got);
    return (long)got;
}
static bool has_room(const lu_serial *l) { return fb_now() < l->blocked_from || fb_now() >= l->blocked_to; }
/* The other side listens at 115200 baud, 8 bits without parity: anything else is a wrong byte for it. */
static bool fits(const lu_serial *l)
{
    return cfgetospeed(&l->settings) == B115200 && (l->settings.c_cflag & (CSIZE | PARENB | CSTOPB)) == CS8;
}
static void leave(lu_serial *l, unsigned char byte)
{
    if (l->out_used == MOST)
        return;
    l->last_out = (l->last_out > fb_now() ? l->last_out : fb_now()) + BYTE_NS;
    l->out_at[l->out_used] = l->last_out;
    l->out[l->out_used++] = fits(l) ? byte : (unsigned char)(byte ^ 0xff);
}
static long line_write(void *self, const void *from, size_t n)
{
    lu_serial *l = ((port *)self)->line;
    if (gone(self))
        return -EIO;
    if (!has_room(l))
        return LU_BLOCK;
    if (l->write_most && n > l->write_most)
        n = l->write_most;
    for (size_t i = 0; i < n; i++) {
        unsigned char byte = ((const unsigned char *)from)[i];
        if (byte == '\n' && l->settings.c_oflag & OPOST && l->settings.c_oflag & ONLCR)
            leave(l, '\r');
        leave(l, byte);
    }
    return (long)n;
}
static unsigned line_events(void *self)
{
    lu_serial *l = ((port *)self)->line;
    if (gone(self))
        return POLLIN | POLLHUP | POLLERR;
    bool whole = raw(l) ? l->in_used : memchr(l->in, '\n', l->in_used) != NULL;
    return (whole ? POLLIN : 0) | (has_room(l) ? POLLOUT : 0);
}
static int line_ioctl(void *self, unsigned long request, void *argument)
{
    lu_serial *l = ((port *)self)->line;
    if (gone(self))
        return -EIO;
    if (request == TIOCINQ)
        *(int *)argument = (int)l->in_used;
    else if (request == TIOCOUTQ)
        *(int *)argument = 0;
    else if (request == TIOCMGET)
        *(int *)argument = 0;
    else if (request != TIOCEXCL && request != TIOCMSET && request != TIOCMBIS && request != TIOCMBIC && request != TCFLSH)
        return -ENOTTY;
    return 0;
}

static void attach(lu_serial *l)
{
    l->settings = (struct termios){.c_iflag = ICRNL | IXON, .c_oflag = OPOST | ONLCR, .c_cflag = B9600 | CS8 | CREAD,
                                   .c_lflag = ICANON | ECHO | ECHOE | ISIG | IEXTEN, .c_ispeed = B9600, .c_ospeed = B9600};
    l->settings.c_cc[VMIN] = 1;
    l->in_used = 0;
    l->port = calloc(1, sizeof *l->port);
    l->port->line = l;
    lu_add(&(lu_device){l->path, line_open, line_read, line_write, line_ioctl, line_events, NULL, l->port});
}
lu_serial *lu_serial_line(const char *path)
{
    lu_serial *l = calloc(1, sizeof *l);
    l->path = path;
    attach(l);
    return l;
}
static void arrive(void *arg)
{
    arrival *a = arg;
    lu_serial *l = a->line;
    unsigned char byte = fits(l) ? a->bytes[0] : (unsigned char)(a->bytes[0] ^ 0xff);
    free(a);
    bool flow = l->settings.c_iflag & IXON && (byte == 0x11 || byte == 0x13);
    if (!l->port || flow || l->in_used == MOST)
        return;
    if (byte == '\r' && l->settings.c_iflag & ICRNL)
        byte = '\n';
    if (l->settings.c_iflag & ISTRIP)
        byte &= 0x7f;
    l->in[l->in_used++] = byte;
    lu_changed();
}
void lu_serial_receive(lu_serial *line, int64_t when, const void *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        arrival *a = calloc(1, sizeof *a + 1);
        a->line = line;
        a->bytes[0] = ((const unsigned char *)bytes)[i];
        fb_at(when + (int64_t)i * BYTE_NS, arrive, a);
    }
}
void lu_serial_most(lu_serial *line, size_t read_most, size_t write_most)
{
    line->read_most = read_most;
    line->write_most = write_most;
}
static void changed(void *unused)
{
    (void)unused;
    lu_changed();
}
void lu_serial_block_writes(lu_serial *line, int64_t from, int64_t to)
{
    line->blocked_from = from;
    line->blocked_to = to;
    fb_at(to, changed, NULL);
}
static void unplug(void *arg)
{
    lu_serial *l = arg;
    l->port = NULL;
    l->in_used = 0;
    lu_remove(l->path);
}
static void plug(void *arg)
{
    attach(arg);
    lu_changed();
}
void lu_serial_unplug(lu_serial *line, int64_t when) { fb_at(when, unplug, line); }
void lu_serial_plug(lu_serial *line, int64_t when) { fb_at(when, plug, line); }
size_t lu_serial_sent(const lu_serial *line, void *to, size_t room)
{
    memcpy(to, line->out, line->out_used < room ? line->out_used : room);
    return line->out_used;
}
int64_t lu_serial_sent_at(const lu_serial *line, size_t nth) { return nth < line->out_used ? line->out_at[nth] : -1; }
const struct termios *lu_serial_settings(const lu_serial *line) { return &line->settings; }
unsigned lu_serial_opened(const lu_serial *line) { return line->opened; }

/* ---- termios ---- */
static lu_serial *line_of(int fd)
{
    lu_file *file = lu_file_of(fd);
    if (!file)
        return NULL;
    if (file->device.ioctl != line_ioctl) {
        errno = ENOTTY;
        return NULL;
    }
    if (gone(file->device.self)) {
        errno = EIO;
        return NULL;
    }
    return ((port *)file->device.self)->line;
}
int lu_tcgetattr(int fd, struct termios *to)
{
    lu_serial *l = line_of(fd);
    if (l)
        *to = l->settings;
    return l ? 0 : -1;
}
int lu_tcsetattr(int fd, int when, const struct termios *from)
{
    lu_serial *l = line_of(fd);
    if (!l)
        return -1;
    l->settings = *from;
    if (when == TCSAFLUSH)
        l->in_used = 0;
    return 0;
}
int lu_tcflush(int fd, int queue)
{
    lu_serial *l = line_of(fd);
    if (l && queue != TCOFLUSH)
        l->in_used = 0;
    return l ? 0 : -1;
}
int lu_tcdrain(int fd)
{
    lu_serial *l = line_of(fd);
    while (l && fb_now() < l->last_out)
        if (lu_wait(l->last_out) == -EINTR)
            return lu_fail(EINTR);
    return l ? 0 : -1;
}
int lu_tcsendbreak(int fd, int duration)
{
    (void)duration;
    return line_of(fd) ? 0 : -1;
}
