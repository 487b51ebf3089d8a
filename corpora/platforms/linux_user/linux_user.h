/* What a scenario of a Linux program uses: devices behind paths, signals, how the program ended. The program is one
 * thread; its calls advance virtual time, and it may be interrupted by a signal anywhere. */
#ifndef LINUX_USER_H
#define LINUX_USER_H

#include "power.h"
#include "sim.h"

#include <signal.h>
#include <sys/types.h>
#include <termios.h>

/* ---- the process ---- */
void lu_signal_at(int64_t when, int number);
void lu_signal_before_wait(unsigned nth, int number); /* right before the nth call that may wait, in user space */
bool lu_exited(void);
int lu_exit_status(void);      /* of exit() or main; -1 while it runs, 128 + n if a signal killed it */
int64_t lu_exit_at(void);      /* when; -1 while it runs */
size_t lu_open_files(void);    /* descriptors of devices, timers, … that are open; after exit: that were open then */
size_t lu_open_count(const char *path); /* descriptors of this device */
void lu_output(const char *text); /* for models: trace as console */

/* ---- devices: functions return a count or 0, or -errno; LU_BLOCK says that the caller would have to wait ---- */
#define LU_BLOCK (-100000)
typedef struct lu_device {
    const char *path;
    int (*open)(void *self, int flags);
    long (*read)(void *self, void *to, size_t n);
    long (*write)(void *self, const void *from, size_t n);
    int (*ioctl)(void *self, unsigned long request, void *argument);
    unsigned (*events)(void *self); /* POLLIN, POLLOUT, POLLHUP … that hold now */
    void (*close)(void *self);
    void *self;
} lu_device;
void lu_add(const lu_device *device);  /* the structure is copied */
void lu_remove(const char *path);      /* unplugged: open descriptors stay, opening gives ENOENT */
void lu_changed(void);                 /* a device's events changed: who waits looks again */
int lu_new_fd(const lu_device *device); /* for ioctls that return a descriptor */

/* ---- I2C: `transfer` gets the bytes written and fills those read; several messages of one I2C_RDWR are one transfer ---- */
typedef struct lu_i2c {
    uint8_t address;
    int (*transfer)(const uint8_t *write, size_t write_n, uint8_t *read, size_t read_n);
} lu_i2c;
void lu_i2c_bus(const char *path, const lu_i2c *chips, size_t n);

/* ---- serial lines ---- */
typedef struct lu_serial lu_serial;
lu_serial *lu_serial_line(const char *path);
void lu_serial_receive(lu_serial *line, int64_t when, const void *bytes, size_t n); /* one by one at the line's speed */
void lu_serial_most(lu_serial *line, size_t read_most, size_t write_most); /* a read or write moves at most so many; 0: any */
void lu_serial_block_writes(lu_serial *line, int64_t from, int64_t to);     /* no room meanwhile */
void lu_serial_unplug(lu_serial *line, int64_t when);
void lu_serial_plug(lu_serial *line, int64_t when);
size_t lu_serial_sent(const lu_serial *line, void *to, size_t room); /* what the program wrote */
int64_t lu_serial_sent_at(const lu_serial *line, size_t nth);        /* when byte nth was written; -1 */
const struct termios *lu_serial_settings(const lu_serial *line);
unsigned lu_serial_opened(const lu_serial *line);                    /* how often */

/* ---- GPIO character devices (uAPI v2) ---- */
typedef struct lu_gpio lu_gpio;
lu_gpio *lu_gpio_chip(const char *path, unsigned lines);
void lu_gpio_drive(lu_gpio *chip, unsigned line, int level);    /* from outside: an edge event if one is asked for */
int lu_gpio_level(const lu_gpio *chip, unsigned line);          /* what the program drives; -1 if it is no output */

#endif
