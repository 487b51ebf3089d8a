"""The model of the Linux kernel: what a driver may do, and what it is told when it may not."""

from functools import partial

import pytest

from corpora.platforms.model import platform
from tasks.sandbox import Sandbox
from tests.platforms.playing import Play, Played, play

HEADERS = """
#include <linux/module.h>
#include <linux/cdev.h>
#include <linux/completion.h>
#include <linux/delay.h>
#include <linux/device.h>
#include <linux/fs.h>
#include <linux/hrtimer.h>
#include <linux/interrupt.h>
#include <linux/kfifo.h>
#include <linux/kref.h>
#include <linux/kthread.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/timer.h>
#include <linux/uaccess.h>
#include <linux/wait.h>
#include <linux/workqueue.h>
MODULE_LICENSE("GPL");
"""
SCENARIO = """
#include "linux_kernel.h"
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
"""
LOADS = SCENARIO + "void userspace(void) { lk_load(); lk_pause_ms(100); }\n"
NOTHING = """
void scenario(void) { lk_irq_line(7); fb_end_at(FB_S(5)); }
void conclude(void) { FB_CHECK("ends", true, "", "%zu held, first %s", lk_held(), lk_held_first()); }
"""


@pytest.fixture
def on_linux(sandbox: Sandbox) -> Play:
    return partial(play, platform("linux_kernel"), sandbox)


def loaded(on_linux: Play, body: str, before: str = "", scenario: str = LOADS) -> Played:
    """Play a module whose init function has this body."""
    module = f"{HEADERS}{before}\nstatic int __init begin(void)\n{{\n{body}\nreturn 0;\n}}\nmodule_init(begin);\n"
    return on_linux(module, scenario + NOTHING)


LOCK = "static DEFINE_SPINLOCK(lock);\n"
MUTEX = "static DEFINE_MUTEX(lock);\n"
TIMER = "static void f(struct timer_list *t) { BODY }\nstatic DEFINE_TIMER(timer, f);\n"
START = "mod_timer(&timer, jiffies + 2);"
HANDLER = "static irqreturn_t h(int irq, void *d) { return IRQ_NONE; }\n"
MISUSE = {
    "sleeping allocation under a spinlock": (
        LOCK, "spin_lock(&lock); kfree(kmalloc(8, GFP_KERNEL)); spin_unlock(&lock);", "sleeping_in_atomic",
    ),
    "double free": ("", "void *p = kmalloc(8, GFP_KERNEL); kfree(p); kfree(p);", "double_free"),
    "free of a pointer into a block": ("", "char *p = kmalloc(8, GFP_KERNEL); kfree(p + 1);", "bad_free"),
    "write before a block": ("", "char *p = kmalloc(24, GFP_KERNEL); p[-1] = 0; kfree(p);", "out_of_bounds"),
    "mutex left locked": (MUTEX, "mutex_lock(&lock);", "lock_left"),
    "mutex without initialisation": (
        "static struct mutex lock;\n", "mutex_lock(&lock); mutex_unlock(&lock);", "lock_not_initialised",
    ),
    "unlock of a free mutex": (MUTEX, "mutex_unlock(&lock);", "unlock_not_locked"),
    "freed with a timer in it": (
        "struct s { struct timer_list t; }; static void f(struct timer_list *t) { }\n",
        "struct s *s = kzalloc(sizeof *s, GFP_KERNEL); timer_setup(&s->t, f, 0); "
        "mod_timer(&s->t, jiffies + 1); kfree(s);",
        "free_active",
    ),
    "class with a device": (
        "",
        'struct class *c = class_create("c"); device_create(c, NULL, MKDEV(200, 0), NULL, "d"); class_destroy(c);',
        "release_order",
    ),
    "count below zero": (
        "static refcount_t r = REFCOUNT_INIT(1);\n", "refcount_dec(&r); refcount_dec(&r);", "refcount",
    ),
    "interrupt freed twice": (
        HANDLER,
        'if (request_irq(7, h, 0, "a", NULL)) return -1; free_irq(7, NULL); free_irq(7, NULL);',
        "double_release",
    ),
    "lock shared with an interrupt": (
        LOCK + TIMER.replace("BODY", "spin_lock(&lock); spin_unlock(&lock);"),
        "spin_lock(&lock); spin_unlock(&lock);" + START,
        "irq_unsafe_lock",
    ),
    "sleep in a timer": (TIMER.replace("BODY", "msleep(1);"), START, "sleeping_in_atomic"),
}  # fmt: skip
CRASHES = {
    "use after free": ("", "int *p = kmalloc(8, GFP_KERNEL); kfree(p); *p = 1;", "use after free"),
    "write behind a block": ("", "char *p = kmalloc(16, GFP_KERNEL); p[16] = 1;", "beyond the end"),
    "null pointer": ("", "int *volatile p = NULL; *p = 1;", "NULL pointer"),
    "error pointer": ("", "int *volatile p = ERR_PTR(-ENOMEM); *p = 1;", "error pointer"),
    "spinlock taken twice": (LOCK, "spin_lock(&lock); spin_lock(&lock);", "deadlock"),
    "mutex taken twice": (MUTEX, "mutex_lock(&lock); mutex_lock(&lock);", "deadlock"),
    "BUG_ON": ("", "BUG_ON(1);", "kernel BUG"),
}
QUICK = ("double free", "sleeping allocation under a spinlock", "use after free", "lock shared with an interrupt")


def quick_first(table: dict[str, tuple[str, str, str]]) -> list[object]:
    """The parameters of a table, all but a few of them marked slow."""
    slow = pytest.mark.slow
    return [pytest.param(*row, id=name, marks=() if name in QUICK else slow) for name, row in table.items()]


@pytest.mark.parametrize(("before", "body", "kind"), quick_first(MISUSE))
def test_misuse_is_told(on_linux: Play, before: str, body: str, kind: str) -> None:
    played = loaded(on_linux, body, before)
    assert not played.checks["no_api_misuse"].passed
    assert played.saw("no_api_misuse").startswith(f"{kind}: ")


@pytest.mark.parametrize(("before", "body", "words"), quick_first(CRASHES))
def test_crash_says_what_was_touched(on_linux: Play, before: str, body: str, words: str) -> None:
    played = loaded(on_linux, body, before)
    assert not played.checks["no_crash"].passed
    assert words in played.saw("no_crash")


def test_user_memory_is_reached_by_its_functions_only(on_linux: Play) -> None:
    """A pointer beyond the area, of the kernel, or of nobody leaves bytes uncopied; dereferencing one is an oops."""
    ops = """
    static ssize_t read(struct file *f, char __user *to, size_t n, loff_t *at)
    {
        return (ssize_t)copy_to_user(to, "0123456789", n);
    }
    static ssize_t write(struct file *f, const char __user *from, size_t n, loff_t *at) { return from[0]; }
    static const struct file_operations ops = {.owner = THIS_MODULE, .read = read, .write = write};
    static struct miscdevice misc = {.minor = MISC_DYNAMIC_MINOR, .name = "m", .fops = &ops};
    """
    scenario = (
        SCENARIO
        + """
    void userspace(void) {
        lk_load();
        int fd = lk_open("/dev/m", O_RDWR);
        char *area = lk_user(4), got[4];
        printf("%ld %ld", lk_read_raw(fd, area, 4), lk_read_raw(fd, area, 10));
        printf(" %ld %ld\\n", lk_read_raw(fd, lk_no_user(), 4), lk_read_raw(fd, lk_kernel_pointer(), 3));
        lk_user_get(got, area, 4);
        printf("%.4s\\n", got);
        lk_write_raw(fd, area, 4);
    }
    """
    )
    played = loaded(on_linux, "return misc_register(&misc);", ops, scenario)
    assert played.lines("console") == ["0 6 4 3", "0123"]
    assert "pointer to user memory" in played.saw("no_crash")


def test_each_acquisition_fails_on_purpose(on_linux: Play) -> None:
    """The nth acquisition fails, what is held is counted, and a module that unwinds holds nothing."""
    body = """
    char *a = kmalloc(4, GFP_KERNEL), *b;
    if (!a)
        return -ENOMEM;
    b = kstrdup("text", GFP_KERNEL);
    if (!b) {
        if (leak)
            return -ENOMEM;
        kfree(a);
        return -ENOMEM;
    }
    kfree(a);
    kfree(b);
    """
    scenario = """
    void userspace(void) {
        for (unsigned n = 1; n < 5; n++) {
            lk_fail(n);
            int error = lk_load();
            printf("%d %s, %zu held\\n", error, *lk_failed() ? lk_failed() : "none", lk_held());
        }
    }
    """
    whole = loaded(on_linux, body, "static bool leak;\n", SCENARIO + scenario)
    assert whole.lines("console") == [
        "-12 memory of 4 bytes, 0 held",
        "-12 memory of 5 bytes, 0 held",
        "0 none, 0 held",
        "0 none, 0 held",
    ]
    leaking = loaded(on_linux, body, "static bool leak = true;\n", SCENARIO + scenario)
    assert leaking.lines("console")[1] == "-12 memory of 5 bytes, 1 held"


def test_time_work_and_threads(on_linux: Play) -> None:
    """Sleeping, timers, work, kernel threads and completions, each at its time and in its context."""
    before = """
    static struct delayed_work work;
    static struct timer_list timer;
    static struct hrtimer hr;
    static DECLARE_COMPLETION(done);
    static u64 start;
    static void say(const char *what)
    {
        u64 us = div_u64(ktime_get_ns() - start, 1000);

        pr_info("%s at %llu us%s\\n", what, us, in_interrupt() ? ", interrupt" : "");
    }
    static void on_work(struct work_struct *w) { say("work"); msleep(8); complete(&done); }
    static void on_timer(struct timer_list *t) { say("timer"); }
    static enum hrtimer_restart on_hr(struct hrtimer *t)
    {
        say("hrtimer");
        hrtimer_forward_now(t, ms_to_ktime(1));
        return HRTIMER_RESTART;
    }
    static int thread(void *arg)
    {
        int n = 0;

        for (; !kthread_should_stop(); n++)
            schedule_timeout_interruptible(1);
        return n;
    }
    """
    body = """
    struct task_struct *task;
    start = ktime_get_ns();
    INIT_DELAYED_WORK(&work, on_work);
    timer_setup(&timer, on_timer, 0);
    hrtimer_init(&hr, CLOCK_MONOTONIC, HRTIMER_MODE_REL);
    hr.function = on_hr;
    hrtimer_start(&hr, us_to_ktime(1500), HRTIMER_MODE_REL);
    mod_timer(&timer, jiffies + msecs_to_jiffies(8));
    schedule_delayed_work(&work, msecs_to_jiffies(12));
    usleep_range(3000, 3000);
    hrtimer_cancel(&hr);
    say("slept");
    wait_for_completion(&done);
    say("completed");
    pr_info("left %d\\n", (int)wait_for_completion_timeout(&done, 3));
    task = kthread_run(thread, NULL, "worker%d", 1);
    msleep(20);
    pr_info("thread %s\\n", kthread_stop(task) >= 5 ? "ran" : "did not run");
    pr_info("%pe %s %04x\\n", ERR_PTR(-EINVAL), "text", 0xab);
    """
    lines = loaded(on_linux, body, before).lines("console")
    assert [line.split(" at ")[0] for line in lines] == [
        "hrtimer", "hrtimer", "slept", "timer", "work", "completed", "left 0", "thread ran", "-EINVAL text 00ab",
    ]  # fmt: skip
    assert lines[0].endswith(", interrupt")
    assert lines[3].endswith(", interrupt")
    assert not lines[4].endswith(", interrupt")
    at = {line.split(" at ")[0]: float(line.split(" at ")[1].split()[0]) for line in lines[:6]}
    assert 2999 < at["slept"] < 3010
    assert 7990 < at["timer"] < 8010
    assert at["completed"] >= at["work"] + 8000


@pytest.mark.slow
def test_shared_interrupts_reach_all_and_threads_sleep(on_linux: Play) -> None:
    before = """
    static int a, b;
    static irqreturn_t mine(int irq, void *d) { pr_info("hard\\n"); return IRQ_WAKE_THREAD; }
    static irqreturn_t later(int irq, void *d) { msleep(1); pr_info("thread\\n"); return IRQ_HANDLED; }
    static irqreturn_t other(int irq, void *d) { pr_info("other\\n"); return IRQ_NONE; }
    """
    body = """
    if (request_threaded_irq(7, mine, later, IRQF_SHARED | IRQF_ONESHOT, "a", &a) ||
        request_irq(7, other, IRQF_SHARED, "b", &b))
        return -EBUSY;
    pr_info("%d %d\\n", request_irq(7, other, 0, "c", NULL), request_irq(9, other, 0, "c", NULL));
    """
    scenario = """
    void userspace(void)
    {
        lk_load();
        lk_raise(7);
        lk_raise(7);
        lk_pause_ms(5);
        printf("%u\\n", lk_unhandled(7));
    }
    """
    played = loaded(on_linux, body, before, SCENARIO + scenario)
    assert played.lines("console") == [
        "-16 -22",
        "hard",
        "other",
        "hard",
        "other",
        "thread",
        "thread",
        "0",
    ] or played.lines("console") == ["-16 -22", "hard", "other", "thread", "hard", "other", "thread", "0"]
    assert played.passed, played.reason


@pytest.mark.slow
def test_guards_give_back_what_they_took(on_linux: Play) -> None:
    before = """
    static DEFINE_MUTEX(m);
    static DEFINE_SPINLOCK(s);
    static int early(int n)
    {
        guard(mutex)(&m);
        scoped_guard(spinlock_irqsave, &s) {
            if (n)
                return n;
        }
        return 0;
    }
    static int conditional(void)
    {
        scoped_cond_guard(mutex_intr, return -ERESTARTSYS, &m)
            return 3;
        return 4;
    }
    """
    body = """
    char *kept __free(kfree) = kmalloc(4, GFP_KERNEL);
    pr_info("%d %d %d, locked %d %d\\n", early(2), early(0), conditional(), mutex_is_locked(&m), spin_is_locked(&s));
    if (kept)
        return 0;
    """
    played = loaded(on_linux, body, before)
    assert played.lines("console") == ["2 0 3, locked 0 0"]
    assert played.passed, played.reason
    assert played.saw("ends").startswith("0 held")
