"""The model of Linux user space: virtual time, signals anywhere, descriptors, and devices that misbehave."""

from functools import partial

import pytest

from corpora.platforms.model import platform
from tasks.sandbox import Sandbox
from tests.platforms.playing import Play, play

HEADERS = """
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>
"""
SCENARIO = '#include "linux_user.h"\n#include <stdio.h>\n'
CONCLUDE = (
    'void conclude(void) { FB_CHECK("ends", true, "", "%d at %.6f", lu_exit_status(), (double)lu_exit_at() / 1e9); }\n'
)


@pytest.fixture
def on_linux(sandbox: Sandbox) -> Play:
    return partial(play, platform("linux_user"), sandbox)


def test_time_is_virtual_and_sleeping_is_exact(on_linux: Play) -> None:
    played = on_linux(
        HEADERS
        + """
        int main(void) {
            struct timespec a, b, until;
            clock_gettime(CLOCK_MONOTONIC, &a);
            until = (struct timespec){a.tv_sec + 20, a.tv_nsec};
            int slept = clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
            clock_gettime(CLOCK_MONOTONIC, &b);
            printf("%d after %ld s\\n", slept, b.tv_sec - a.tv_sec);
            usleep(1500000);
            return 7;
        }
        """,
        SCENARIO + "void scenario(void) { fb_end_at(FB_S(60)); }\n" + CONCLUDE,
    )
    assert played.lines("console") == ["0 after 20 s"]
    assert played.saw("ends").startswith("7 at 21.500")
    assert played.cpu_s < 1


def test_signals_interrupt_waiting_or_are_kept_back(on_linux: Play) -> None:
    """EINTR without SA_RESTART, a restart with it, nothing while blocked; ppoll lets it in; signalfd reads it."""
    played = on_linux(
        HEADERS
        + """
        static volatile sig_atomic_t count;
        static void handler(int n) { (void)n; count++; }
        int main(void) {
            struct sigaction action = {.sa_handler = handler};
            sigset_t set, old, all;
            struct signalfd_siginfo info;
            sigaction(SIGUSR1, &action, NULL);
            int slept = usleep(1000000);
            printf("usleep %d %d, %d\\n", slept, errno == EINTR, (int)count);
            sigemptyset(&set);
            sigaddset(&set, SIGUSR1);
            sigaddset(&set, SIGTERM);
            sigprocmask(SIG_BLOCK, &set, &old);
            int quiet = poll(NULL, 0, 1000);
            printf("blocked %d %d\\n", quiet, (int)count);
            sigemptyset(&all);
            int found = ppoll(NULL, 0, NULL, &all);
            printf("ppoll %d %d\\n", found, (int)count);
            int fd = signalfd(-1, &set, 0);
            printf("signalfd %zd", read(fd, &info, sizeof info) / (ssize_t)sizeof info);
            printf(" %d\\n", (int)info.ssi_signo == SIGTERM);
            signal(SIGALRM, handler);
            sigprocmask(SIG_SETMASK, &old, NULL);
            return 0;
        }
        """,
        SCENARIO
        + """
        void scenario(void) {
            lu_signal_at(FB_MS(500), SIGUSR1);
            lu_signal_at(FB_MS(900), SIGUSR1);
            lu_signal_at(FB_S(5), SIGTERM);
            fb_end_at(FB_S(60));
        }
        """
        + CONCLUDE,
    )
    assert played.lines("console") == ["usleep -1 1, 1", "blocked 0 1", "ppoll -1 2", "signalfd 1 1"]
    assert played.saw("ends").startswith("0 at 5.0")


@pytest.mark.parametrize(("handled", "status"), [("", 128 + 15), ("signal(SIGTERM, SIG_IGN);", 3)])
def test_default_action_of_a_signal_ends_the_program(on_linux: Play, handled: str, status: int) -> None:
    played = on_linux(
        HEADERS + f"int main(void) {{ {handled} sleep(2); return 3; }}\n",
        SCENARIO + "void scenario(void) { lu_signal_at(FB_S(1), SIGTERM); }\n" + CONCLUDE,
    )
    assert played.saw("ends").startswith(f"{status} at ")


def test_signal_comes_between_a_test_and_the_wait(on_linux: Play) -> None:
    """The race that ppoll is for: `lu_signal_before_wait` hits it each time."""
    candidate = """
    static volatile sig_atomic_t stop;
    static void handler(int n) { (void)n; stop = 1; }
    int main(void) {
        sigset_t block, open;
        struct sigaction action = {.sa_handler = handler};
        sigaction(SIGTERM, &action, NULL);
        sigemptyset(&block); sigaddset(&block, SIGTERM); sigemptyset(&open);
        BLOCK;
        while (!stop) WAIT;
        return 0;
    }
    """
    scenario = SCENARIO + "void scenario(void) { lu_signal_before_wait(3, SIGTERM); fb_end_at(FB_S(9)); }\n" + CONCLUDE
    racing = candidate.replace("BLOCK", "(void)block").replace("WAIT", "poll(NULL, 0, 5000)")
    right = candidate.replace("BLOCK", "sigprocmask(SIG_BLOCK, &block, NULL)").replace(
        "WAIT", "ppoll(NULL, 0, &(struct timespec){5, 0}, &open)"
    )
    before = scenario.replace("(3,", "(1,")
    assert on_linux(HEADERS + racing, before).saw("ends").startswith("0 at 5.0")
    assert on_linux(HEADERS + right, before).saw("ends").startswith("0 at 0.0")


@pytest.mark.slow
def test_serial_line_is_short_canonical_and_unplugged(on_linux: Play) -> None:
    played = on_linux(
        HEADERS
        + """
        int main(void) {
            char b[16];
            int fd = open("/dev/ttyS0", O_RDWR);
            ssize_t n = read(fd, b, sizeof b);
            printf("line %zd %d\\n", n, b[n - 1]);
            struct termios t;
            tcgetattr(fd, &t);
            cfmakeraw(&t);
            cfsetspeed(&t, B115200);
            tcsetattr(fd, TCSANOW, &t);
            n = read(fd, b, sizeof b);
            printf("raw %zd of %d\\n", n, b[0]);
            printf("write %zd\\n", write(fd, "abcdef", 6));
            while ((n = read(fd, b, sizeof b)) > 0) { }
            printf("gone %zd", n);
            printf(" %zd", write(fd, "x", 1));
            printf(" %d\\n", errno == EIO);
            printf("again %d\\n", open("/dev/ttyS0", O_RDWR) >= 0);
            sleep(2);
            int other = open("/dev/ttyS0", O_RDWR);
            printf("back %d, old %zd\\n", other >= 0, read(fd, b, 1));
            return 0;
        }
        """,
        SCENARIO
        + """
        static lu_serial *line;
        void scenario(void) {
            line = lu_serial_line("/dev/ttyS0");
            lu_serial_most(line, 4, 2);
            lu_serial_receive(line, FB_MS(1), "\\xbe\\xf5", 2); /* at the wrong speed: inverted */
            lu_serial_receive(line, FB_MS(40), "\\r\\x11", 2);
            lu_serial_unplug(line, FB_MS(90));
            lu_serial_plug(line, FB_S(1));
        }
        """
        + CONCLUDE,
    )
    assert played.lines("console") == [
        "line 2 10",
        "raw 1 of 13",
        "write 2",
        "gone 0 -1 1",
        "again 0",
        "back 1, old 0",
    ]


@pytest.mark.slow
def test_i2c_bus_answers_by_each_way_in(on_linux: Play) -> None:
    played = on_linux(
        HEADERS
        + """
        #include <linux/i2c.h>
        #include <linux/i2c-dev.h>
        int main(void) {
            uint8_t reg = 7, in[2] = {0}, out[2] = {7, 0x55};
            int fd = open("/dev/i2c-1", O_RDWR);
            struct i2c_msg m[] = {{0x48, 0, 1, &reg}, {0x48, I2C_M_RD, 2, in}};
            struct i2c_rdwr_ioctl_data both = {m, 2};
            int result = ioctl(fd, I2C_RDWR, &both);
            printf("rdwr %d %02x %02x\\n", result, in[0], in[1]);
            m[0].addr = m[1].addr = 0x49;
            result = ioctl(fd, I2C_RDWR, &both);
            printf("absent %d %d\\n", result, errno == ENXIO);
            printf("no address %zd", write(fd, out, 2));
            result = ioctl(fd, I2C_SLAVE, 0x48);
            printf(" set %d %zd\\n", result, write(fd, out, 2));
            union i2c_smbus_data d;
            struct i2c_smbus_ioctl_data s = {I2C_SMBUS_READ, 7, I2C_SMBUS_BYTE_DATA, &d};
            result = ioctl(fd, I2C_SMBUS, &s);
            printf("smbus %d %02x\\n", result, d.byte);
            return close(fd);
        }
        """,
        SCENARIO
        + """
        static uint8_t value = 0xa0;
        static int transfer(const uint8_t *w, size_t wn, uint8_t *r, size_t rn) {
            if (wn == 2) value = w[1];
            for (size_t i = 0; i < rn; i++) r[i] = (uint8_t)(value + i);
            return wn && w[0] == 7 ? 0 : -5;
        }
        static const lu_i2c CHIP = {0x48, transfer};
        void scenario(void) { lu_i2c_bus("/dev/i2c-1", &CHIP, 1); }
        """
        + CONCLUDE,
    )
    assert played.lines("console") == ["rdwr 2 a0 a1", "absent -1 1", "no address -1 set 0 2", "smbus 0 55"]


@pytest.mark.slow
def test_gpio_lines_are_requested_driven_and_watched(on_linux: Play) -> None:
    played = on_linux(
        HEADERS
        + """
        #include <linux/gpio.h>
        int main(void) {
            int chip = open("/dev/gpiochip0", O_RDONLY);
            struct gpio_v2_line_request out = {.offsets = {4}, .num_lines = 1};
            struct gpio_v2_line_request in = {.offsets = {5}, .num_lines = 1};
            struct gpio_v2_line_event e;
            out.config.flags = GPIO_V2_LINE_FLAG_OUTPUT;
            in.config.flags = GPIO_V2_LINE_FLAG_INPUT | GPIO_V2_LINE_FLAG_EDGE_FALLING;
            struct gpio_v2_line_request taken = {.offsets = {4}, .num_lines = 1};
            printf("%d", ioctl(chip, GPIO_V2_GET_LINE_IOCTL, &out));
            printf(" %d", ioctl(chip, GPIO_V2_GET_LINE_IOCTL, &in));
            printf(" busy %d\\n", ioctl(chip, GPIO_V2_GET_LINE_IOCTL, &taken));
            struct gpio_v2_line_values v = {1, 1};
            printf("set %d\\n", ioctl(out.fd, GPIO_V2_LINE_SET_VALUES_IOCTL, &v));
            printf("event %d", read(in.fd, &e, sizeof e) == sizeof e);
            printf(" %d of line %u\\n", e.id == GPIO_V2_LINE_EVENT_FALLING_EDGE, e.offset);
            return 0;
        }
        """,
        SCENARIO
        + """
        static lu_gpio *chip;
        static void drive(void *level) { lu_gpio_drive(chip, 5, (int)(intptr_t)level); }
        void scenario(void) {
            chip = lu_gpio_chip("/dev/gpiochip0", 8);
            fb_at(FB_MS(3), drive, (void *)1);
            fb_at(FB_MS(6), drive, (void *)0);
        }
        """
        + CONCLUDE.replace('"%d at', '"level %d, %d at').replace(
            "lu_exit_status()", "lu_gpio_level(chip, 4), lu_exit_status()"
        ),
    )
    assert played.lines("console") == ["0 0 busy -1", "set 0", "event 1 1 of line 5"]
    assert played.saw("ends").startswith("level 1, 0 at 0.006")


def test_printing_in_a_handler_is_told(on_linux: Play) -> None:
    played = on_linux(
        HEADERS
        + """
        static void handler(int n) { fprintf(stderr, "signal %d\\n", n); }
        int main(void) { signal(SIGTERM, handler); sleep(1); return 0; }
        """,
        SCENARIO + "void scenario(void) { lu_signal_at(FB_MS(5), SIGTERM); }\n" + CONCLUDE,
    )
    assert played.saw("no_api_misuse").startswith("not_signal_safe: ")


@pytest.mark.slow
def test_epoll_timerfd_and_pipes(on_linux: Play) -> None:
    played = on_linux(
        HEADERS
        + """
        int main(void) {
            int ep = epoll_create1(0), timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK), ends[2];
            struct itimerspec each = {{0, 10000000}, {0, 25000000}};
            struct epoll_event e = {.events = EPOLLIN, .data.fd = timer}, got[2];
            uint64_t times;
            pipe(ends);
            epoll_ctl(ep, EPOLL_CTL_ADD, timer, &e);
            e.data.fd = ends[0];
            epoll_ctl(ep, EPOLL_CTL_ADD, ends[0], &e);
            ssize_t size = read(timer, &times, sizeof times);
            printf("early %zd %d\\n", size, errno == EAGAIN);
            timerfd_settime(timer, 0, &each, NULL);
            int n = epoll_wait(ep, got, 2, -1);
            printf("ready %d %d\\n", n, got[0].data.fd == timer);
            usleep(21000);
            size = read(timer, &times, sizeof times);
            printf("times %d of %zd\\n", (int)times, size);
            write(ends[1], "x", 1);
            n = epoll_wait(ep, got, 2, 0);
            printf("pipe %d %d\\n", n, got[0].data.fd == ends[0]);
            printf("closed %d %d\\n", close(timer), epoll_ctl(ep, EPOLL_CTL_MOD, 60, &e));
            return 0;
        }
        """,
        SCENARIO + "void scenario(void) {}\n" + CONCLUDE,
    )
    assert played.lines("console") == ["early -1 1", "ready 1 1", "times 3 of 8", "pipe 1 1", "closed 0 -1"]


def test_large_file_names_of_the_calls_reach_the_model(on_linux: Play) -> None:
    played = on_linux(
        "#define _FILE_OFFSET_BITS 64\n"
        + HEADERS
        + """
        int main(void) {
            int fd = open("/dev/ttyS0", O_RDWR | O_NONBLOCK), none = open("/etc/passwd", O_RDONLY);
            printf("%d %d %d\\n", fd >= 0, none, fcntl(fd, F_GETFL) & O_NONBLOCK);
            return 0;
        }
        """,
        SCENARIO + 'void scenario(void) { lu_serial_line("/dev/ttyS0"); }\n' + CONCLUDE,
    )
    assert played.lines("console") == ["1 -1 2048"]
