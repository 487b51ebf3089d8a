"""The core: one clock, deterministic threads and interrupts, and no run that depends on the machine."""

import multiprocessing

import pytest

from tests.platforms.playing import Play

START = """\
#include "sim.h"
#include <stdlib.h>
int candidate_main(void);
static void entry(void *arg) { (void)arg; candidate_main(); }
void platform_boot(void) { fb_thread_new("main", 5, entry, NULL); }
"""
NOTHING = 'void conclude(void) { FB_CHECK("ends", true, "", "%d", 0); }\n'
TICKS = """
void tick(void *arg);
static void hardware(void *arg) { fb_irq("tick", 3, tick, arg); fb_at(fb_now() + FB_US(7) + 13, hardware, arg); }
void scenario(void) { fb_at(FB_US(7), hardware, NULL); fb_end_at(FB_MS(5)); }
"""


def test_time_passes_by_work_alone(on_core: Play) -> None:
    played = on_core(
        "int main(void) { return 0; }",
        START
        + """
        static int64_t at[3];
        static void event(void *arg) { *(int64_t *)arg = fb_now(); }
        void scenario(void) {
            fb_at(FB_MS(3), event, &at[0]);
            fb_at(FB_S(9), event, &at[1]);
            fb_cancel(fb_at(5, event, &at[2]));
        }
        void conclude(void) {
            FB_CHECK("times", at[0] == FB_MS(3) && at[1] == FB_S(9) && at[2] == 0, "", "%d", 0);
        }
        """,
    )
    assert played.passed, played.reason
    assert played.cpu_s < 1


def test_events_come_in_order_of_time_then_of_making(on_core: Play) -> None:
    """A thousand at 97 different times, every third cancelled; a void handle cancels nothing."""
    played = on_core(
        "int main(void) { return 0; }",
        START
        + """
        static fb_event *events[1000];
        static int64_t last_when;
        static intptr_t last;
        static size_t count, wrong;
        static void event(void *arg) {
            intptr_t i = (intptr_t)arg;
            wrong += fb_now() < last_when || (fb_now() == last_when && i < last) || i % 3 == 0;
            wrong += fb_pending(events[i]) || fb_now() != i * 7919 % 97 * 1000;
            last_when = fb_now();
            last = i;
            count++;
            fb_cancel(events[0]);
        }
        void scenario(void) {
            for (intptr_t i = 0; i < 1000; i++)
                events[i] = fb_at(i * 7919 % 97 * 1000, event, (void *)i);
            for (intptr_t i = 0; i < 1000; i += 3)
                fb_cancel(events[i]);
        }
        void conclude(void) { FB_CHECK("in order", count == 666 && wrong == 0, "", "%zu, %zu wrong", count, wrong); }
        """,
    )
    assert played.passed, played.saw("in order")


def test_interrupt_between_read_and_write_loses_a_count(on_core: Play) -> None:
    """The race of `count++` shows, and a lock takes it away."""
    candidate = """
    #include "sim.h"
    #include <stdio.h>
    volatile int count; static volatile int ticks;
    void tick(void *arg);
    void tick(void *arg) { (void)arg; count++; ticks++; }
    int main(void) {
        int own = 0;
        while (ticks < 500) { LOCK; count++; UNLOCK; own++; }
        printf("lost %d\\n", own + 500 - count);
        return 0;
    }
    """
    racing = on_core(candidate.replace("UNLOCK;", "").replace("LOCK;", ""), START + TICKS + NOTHING)
    locked = candidate.replace("UNLOCK", "fb_irq_unlock(key)").replace("LOCK", "unsigned key = fb_irq_lock()")
    lost = int(racing.lines("console")[0].split()[1])
    assert lost > 5
    assert on_core(locked, START + TICKS + NOTHING).lines("console") == ["lost 0"]


@pytest.mark.parametrize(("qualifier", "seen"), [("volatile", ["seen"]), ("", [])])
def test_flag_needs_volatile(on_core: Play, qualifier: str, seen: list[str]) -> None:
    candidate = f"""
    #include <stdio.h>
    #include <stdbool.h>
    static {qualifier} bool flag;
    void tick(void *arg);
    void tick(void *arg) {{ (void)arg; flag = true; }}
    int main(void) {{ while (!flag) {{ }} printf("seen\\n"); return 0; }}
    """
    played = on_core(candidate, START + TICKS + NOTHING)
    assert played.lines("console") == seen
    assert "0.005000 s" in played.saw("within_limits") or seen


def test_most_urgent_thread_runs(on_core: Play) -> None:
    """Ready threads by priority, then in turn; a woken one preempts at the end of the call that woke it."""
    played = on_core(
        "void body(void); int main(void) { body(); return 0; }",
        START
        + """
        void body(void);
        static fb_queue queue;
        static void waiter(void *arg) { fb_wait(&queue, FB_FOREVER); fb_trace("run", "%s", (const char *)arg); }
        static void plain(void *arg) { fb_trace("run", "%s", (const char *)arg); }
        void body(void) {
            fb_thread_new("low", 1, waiter, "low"); fb_thread_new("high", 9, waiter, "high");
            fb_thread_new("equal", 5, waiter, "equal"); fb_thread_new("idle", 0, plain, "idle");
            fb_wait(NULL, fb_now() + 1000);
            fb_wake_all(&queue);
            fb_trace("run", "woke");
            fb_reschedule();
            fb_trace("run", "main");
        }
        void scenario(void) {}
        """
        + NOTHING,
    )
    assert played.lines("run") == ["idle", "woke", "high", "main", "equal", "low"]


def test_waits_end_in_time_and_in_order(on_core: Play) -> None:
    played = on_core(
        "void body(void); int main(void) { body(); return 0; }",
        START
        + """
        void body(void);
        static fb_queue queue;
        static void waiter(void *arg) {
            int until = (int)(intptr_t)arg, got = fb_wait(&queue, FB_MS(until));
            fb_trace("run", "%d %d at %d", until, got, (int)(fb_now() / 1000000));
        }
        void body(void) {
            fb_thread_new("a", 6, waiter, (void *)30);
            fb_thread_new("b", 7, waiter, (void *)10);
            fb_thread_new("c", 6, waiter, (void *)20);
            fb_wait(NULL, FB_MS(15));
            fb_wake(&queue);
            fb_wait(NULL, FB_MS(40));
            fb_wake(&queue);
        }
        void scenario(void) {}
        """
        + NOTHING,
    )
    assert played.lines("run") == ["10 -1 at 10", "30 0 at 15", "20 -1 at 20"]


def test_interrupts_nest_by_priority_and_wait_while_masked(on_core: Play) -> None:
    played = on_core(
        "void body(void); int main(void) { body(); return 0; }",
        START
        + """
        void body(void);
        static void urgent(void *arg) { (void)arg; fb_trace("run", "urgent %d", fb_isr_priority()); }
        static void late(void *arg) { (void)arg; fb_trace("run", "late"); }
        static void slow(void *arg) {
            fb_irq("late", 3, late, NULL);
            fb_irq("urgent", 1, urgent, arg);
            fb_trace("run", "slow");
        }
        void body(void) {
            unsigned key = fb_irq_lock();
            fb_irq("slow", 2, slow, NULL); fb_irq("slow", 2, slow, NULL);
            fb_trace("run", "masked");
            fb_irq_unlock(key);
            fb_trace("run", "main");
        }
        void scenario(void) {}
        """
        + NOTHING,
    )
    assert played.lines("run") == ["masked", "urgent 1", "slow", "late", "main"]


@pytest.mark.parametrize(
    ("candidate", "check", "saw"),
    [
        ("int main(void) { *(volatile int *)8 = 1; return 0; }", "no_crash", "SIGSEGV"),
        ("volatile int zero; int main(void) { return 100 / zero; }", "no_crash", "SIGFPE"),
        ("#include <stdlib.h>\nint main(void) { abort(); }", "no_crash", "SIGABRT"),
        ("int deep(volatile int *n); int deep(volatile int *n) { volatile int a[9]; a[0] = 1; return deep(a) + *n; }\n"
         "int main(void) { volatile int n = 0; return deep(&n); }", "no_crash", "SIGSEGV"),
        ("#include <stdio.h>\nint main(void) { for (;;) puts(\"x\"); }", "within_limits", "too many lines"),
        pytest.param("volatile int n; int main(void) { for (;;) n++; }", "within_limits", "too much code",
                     marks=pytest.mark.slow),
    ],
)  # fmt: skip
def test_what_goes_wrong_is_a_failed_check(on_core: Play, candidate: str, check: str, saw: str) -> None:
    played = on_core(candidate, START + "void scenario(void) { fb_end_at(FB_S(1000)); }\n" + NOTHING)
    assert not played.passed
    assert not played.checks[check].passed
    assert saw in played.saw(check)
    assert "ends" in played.checks


def test_exit_of_the_candidate_is_no_pass(on_core: Play) -> None:
    played = on_core("#include <stdlib.h>\nint main(void) { exit(0); }", START + "void scenario(void) {}\n" + NOTHING)
    assert not played.passed


def test_wait_in_an_interrupt_is_misuse(on_core: Play) -> None:
    played = on_core(
        '#include "sim.h"\nvoid tick(void *arg);\n'
        "void tick(void *arg) { fb_wait(arg, FB_FOREVER); }\nint main(void) { return 0; }",
        START + TICKS + NOTHING,
    )
    assert "blocking_in_isr" in played.saw("no_api_misuse")


MANY = """
#include "sim.h"
#include <stdio.h>
volatile unsigned shared; static volatile int ticks;
void tick(void *arg);
void tick(void *arg) {
    (void)arg;
    shared = shared * 31 + 7;
    if (++ticks % 16 == 0)
        printf("tick %d %u\\n", ticks, shared);
}
static void worker(void *arg) {
    for (unsigned i = 0; i < 4000; i++) {
        shared ^= i;
        if (i % 500 == 0)
            printf("%s %u %u\\n", (char *)arg, i, shared);
        if (i % 97 == 0)
            fb_yield();
    }
}
int main(void) {
    fb_time_slice(FB_US(50));
    fb_thread_new("a", 5, worker, "a");
    fb_thread_new("b", 5, worker, "b");
    fb_thread_new("c", 4, worker, "c");
    worker("main");
    return 0;
}
"""


def _burn(stop: "multiprocessing.synchronize.Event") -> None:
    while not stop.is_set():
        sum(range(10000))


def test_the_same_run_twice(on_core: Play) -> None:
    scenario = START + TICKS + NOTHING
    first = on_core(MANY, scenario)
    assert len(first.record) > 40
    assert on_core(MANY, scenario).record == first.record


@pytest.mark.slow
def test_the_same_run_byte_for_byte_ten_times_and_under_load(on_core: Play) -> None:
    scenario = START + TICKS + NOTHING
    first = on_core(MANY, scenario)
    stop = multiprocessing.Event()
    busy = [multiprocessing.Process(target=_burn, args=(stop,), daemon=True) for _ in range(2)]
    for process in busy:
        process.start()
    try:
        again = {on_core(MANY, scenario).record for _ in range(9)}
    finally:
        stop.set()
        for process in busy:
            process.join()
    assert again == {first.record}
