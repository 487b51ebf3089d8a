"""Zephyr's kernel as the model has it: what a call returns, who runs next, and what is misuse."""

from tests.platforms.playing import Play

HEAD = """\
#include <zephyr/kernel.h>
#include <zephyr/logging/log.h>
#include <zephyr/sys/ring_buffer.h>
LOG_MODULE_REGISTER(app);
"""
SCENARIO = """\
#include "fb_zephyr.h"
void scenario(void) { fb_end_at(FB_S(5)); }
void conclude(void) { FB_CHECK("ends", true, "", "%d", 0); }
"""


def lines(on_zephyr: Play, candidate: str, scenario: str = SCENARIO) -> list[str]:
    played = on_zephyr(HEAD + candidate, scenario)
    assert played.passed, (played.reason, played.checks)
    return played.lines("console")


def test_threads_preempt_by_priority(on_zephyr: Play) -> None:
    candidate = """
    static void body(void *name, void *b, void *c) {
        printk("%s\\n", (char *)name);
        k_msleep(5);
        printk("%s\\n", (char *)name);
    }
    K_THREAD_DEFINE(low, 1024, body, "low", NULL, NULL, 7, 0, 0);
    K_THREAD_DEFINE(late, 1024, body, "late", NULL, NULL, 1, 0, 50);
    K_THREAD_DEFINE(coop, 1024, body, "coop", NULL, NULL, K_PRIO_COOP(3), 0, 0);
    int main(void) { printk("main %d\\n", k_thread_priority_get(k_current_get())); k_msleep(100); return 0; }
    """
    assert lines(on_zephyr, candidate) == ["coop", "main 0", "low", "coop", "low", "late", "late"]


def test_mutex_lends_its_owner_the_priority_of_who_waits(on_zephyr: Play) -> None:
    candidate = """
    K_MUTEX_DEFINE(m);
    static void low(void *a, void *b, void *c) {
        k_mutex_lock(&m, K_FOREVER);
        k_busy_wait(10000);
        printk("low at %d\\n", k_thread_priority_get(k_current_get()));
        k_mutex_unlock(&m);
        printk("low done\\n");
    }
    static void mid(void *a, void *b, void *c) { k_msleep(2); k_busy_wait(50000); printk("mid done\\n"); }
    static void high(void *a, void *b, void *c) {
        k_msleep(1);
        k_mutex_lock(&m, K_FOREVER);
        printk("high\\n");
        k_mutex_unlock(&m);
    }
    K_THREAD_DEFINE(t1, 1024, low, NULL, NULL, NULL, 9, 0, 0);
    K_THREAD_DEFINE(t2, 1024, mid, NULL, NULL, NULL, 5, 0, 0);
    K_THREAD_DEFINE(t3, 1024, high, NULL, NULL, NULL, 2, 0, 0);
    int main(void) { return 0; }
    """
    assert lines(on_zephyr, candidate) == ["low at 2", "high", "mid done", "low done"]


def test_time_is_counted_in_ticks_of_100_us(on_zephyr: Play) -> None:
    candidate = """
    int main(void) {
        int64_t start = k_uptime_get();
        k_msleep(10); k_usleep(250);
        uint32_t cycles = k_cycle_get_32();
        k_busy_wait(1000);
        printk("%d %u\\n", (int)(k_uptime_get() - start), k_cyc_to_us_near32(k_cycle_get_32() - cycles));
        printk("%u %u\\n", k_ms_to_ticks_ceil32(3), (unsigned)K_USEC(101).ticks);
        k_timepoint_t end = sys_timepoint_calc(K_MSEC(5));
        k_msleep(2);
        printk("%d %d\\n", (int)sys_timepoint_timeout(end).ticks, sys_timepoint_expired(end));
        return 0;
    }
    """
    assert lines(on_zephyr, candidate) == ["11 1000", "30 2", "30 0"]


def test_busy_wait_watches_the_clock(on_zephyr: Play) -> None:
    """What interrupts it does not make it longer."""
    candidate = """
    static void expired(struct k_timer *t) { k_busy_wait(500); }
    K_TIMER_DEFINE(t, expired, NULL);
    int main(void) {
        k_timer_start(&t, K_MSEC(1), K_MSEC(1));
        uint32_t start = k_cycle_get_32();
        k_busy_wait(10850);
        printk("%u\\n", k_cyc_to_us_floor32(k_cycle_get_32() - start) / 100);
        return 0;
    }
    """
    assert lines(on_zephyr, candidate) == ["108"]


def test_what_the_objects_return(on_zephyr: Play) -> None:
    candidate = """
    K_SEM_DEFINE(s, 1, 2);
    K_MSGQ_DEFINE(q, sizeof(int), 2, 4);
    K_FIFO_DEFINE(f);
    K_EVENT_DEFINE(e);
    K_STACK_DEFINE(st, 1);
    K_MEM_SLAB_DEFINE(slab, 16, 1, 4);
    K_PIPE_DEFINE(p, 8, 4);
    struct item { void *reserved; int value; };
    int main(void) {
        int a = k_sem_take(&s, K_NO_WAIT), b = k_sem_take(&s, K_NO_WAIT), c = k_sem_take(&s, K_MSEC(1));
        for (int i = 0; i < 5; i++) k_sem_give(&s);
        printk("%d %d %d %u\\n", a, b == -EBUSY, c == -EAGAIN, k_sem_count_get(&s));
        int v = 1, got;
        a = k_msgq_put(&q, &v, K_NO_WAIT); v = 2; b = k_msgq_put(&q, &v, K_NO_WAIT);
        c = k_msgq_put(&q, &v, K_NO_WAIT); int d = k_msgq_put(&q, &v, K_MSEC(1));
        k_msgq_get(&q, &got, K_FOREVER);
        printk("%d %d %d %d %d %u\\n", a, b, c == -ENOMSG, d == -EAGAIN, got, k_msgq_num_used_get(&q));
        struct item one = {.value = 7}, two = {.value = 8};
        k_fifo_put(&f, &one); k_fifo_put(&f, &two);
        a = ((struct item *)k_fifo_get(&f, K_NO_WAIT))->value;
        b = ((struct item *)k_fifo_get(&f, K_NO_WAIT))->value;
        printk("%d %d %d\\n", a, b, k_fifo_get(&f, K_NO_WAIT) == NULL);
        k_event_post(&e, 5);
        a = k_event_wait(&e, 4, false, K_NO_WAIT);
        b = k_event_wait_all(&e, 6, false, K_MSEC(1));
        c = k_event_wait(&e, 1, true, K_MSEC(1));
        printk("%d %d %d\\n", a, b, c);
        a = k_stack_push(&st, 3);
        b = k_stack_push(&st, 4);
        printk("%d %d\\n", a, b == -ENOMEM);
        void *m, *n;
        a = k_mem_slab_alloc(&slab, &m, K_NO_WAIT);
        b = k_mem_slab_alloc(&slab, &n, K_NO_WAIT);
        printk("%d %d\\n", a, b == -ENOMEM);
        k_mem_slab_free(&slab, m);
        uint8_t bytes[10] = {1, 2, 3};
        a = k_pipe_write(&p, bytes, 10, K_NO_WAIT); b = k_pipe_read(&p, bytes, 3, K_NO_WAIT);
        printk("%d %d %u\\n", a, b, (unsigned)k_pipe_read_avail(&p));
        void *mem = k_malloc(100);
        printk("%d %d\\n", mem != NULL, k_malloc(100000) == NULL);
        k_free(mem);
        return 0;
    }
    """
    assert lines(on_zephyr, candidate) == [
        "0 1 1 2", "0 0 1 1 1 1", "7 8 1", "4 0 0", "0 1", "0 1", "8 3 5", "1 1",
    ]  # fmt: skip


def test_timer_expires_in_an_interrupt_without_drift(on_zephyr: Play) -> None:
    candidate = """
    static void expired(struct k_timer *t) {
        if (k_uptime_get() <= 30)
            printk("%d %d\\n", (int)k_uptime_get(), k_is_in_isr());
        k_busy_wait(100);
    }
    K_TIMER_DEFINE(t, expired, NULL);
    int main(void) {
        k_timer_start(&t, K_MSEC(5), K_MSEC(10));
        k_msleep(1000);
        printk("%u %u\\n", k_timer_status_get(&t), k_timer_remaining_get(&t));
        k_timer_stop(&t);
        printk("%u\\n", k_timer_status_sync(&t));
        return 0;
    }
    """
    assert lines(on_zephyr, candidate) == ["5 1", "15 1", "25 1", "100 5", "0"]


def test_work_runs_in_the_queue_and_delays_move(on_zephyr: Play) -> None:
    candidate = """
    static void handler(struct k_work *w) {
        printk("%s %d\\n", k_thread_name_get(k_current_get()), (int)k_uptime_get());
        k_msleep(3);
    }
    K_WORK_DEFINE(w, handler);
    K_WORK_DELAYABLE_DEFINE(d, handler);
    int main(void) {
        struct k_work_sync sync;
        printk("%d\\n", k_work_submit(&w));
        printk("%d\\n", k_work_submit(&w));
        printk("%d\\n", k_work_submit(&w));
        k_work_flush(&w, &sync);
        printk("%d\\n", k_work_schedule(&d, K_MSEC(20)));
        printk("%d\\n", k_work_schedule(&d, K_MSEC(1)));
        k_work_reschedule(&d, K_MSEC(50));
        k_msleep(40);
        printk("%d\\n", k_work_delayable_busy_get(&d) == K_WORK_DELAYED);
        k_msleep(30);
        k_work_schedule(&d, K_MSEC(5));
        printk("%d %d\\n", k_work_cancel_delayable(&d), k_work_cancel_delayable(&d));
        return 0;
    }
    """
    assert lines(on_zephyr, candidate) == [
        "sysworkq 0",
        "1",
        "2",
        "0",
        "sysworkq 3",
        "1",
        "0",
        "1",
        "sysworkq 56",
        "0 0",
    ]


def test_poll_wakes_on_either(on_zephyr: Play) -> None:
    candidate = """
    K_SEM_DEFINE(s, 0, 1);
    static struct k_poll_signal sig = K_POLL_SIGNAL_INITIALIZER(sig);
    static void raise_it(struct k_timer *t) { k_poll_signal_raise(&sig, 42); }
    K_TIMER_DEFINE(t, raise_it, NULL);
    int main(void) {
        struct k_poll_event events[2] = {
            K_POLL_EVENT_INITIALIZER(K_POLL_TYPE_SEM_AVAILABLE, K_POLL_MODE_NOTIFY_ONLY, &s),
            K_POLL_EVENT_INITIALIZER(K_POLL_TYPE_SIGNAL, K_POLL_MODE_NOTIFY_ONLY, &sig),
        };
        printk("%d\\n", k_poll(events, 2, K_MSEC(1)) == -EAGAIN);
        k_timer_start(&t, K_MSEC(7), K_NO_WAIT);
        int r = k_poll(events, 2, K_FOREVER);
        printk("%d %u %u %d\\n", r, events[0].state, events[1].state == K_POLL_STATE_SIGNALED, sig.result);
        return 0;
    }
    """
    assert lines(on_zephyr, candidate) == ["1", "0 0 1 42"]


def test_log_levels_and_interrupt_lines(on_zephyr: Play) -> None:
    candidate = """
    static void isr(const void *p) { LOG_WRN("line %d", (int)(intptr_t)p); }
    int main(void) {
        LOG_DBG("hidden");
        IRQ_CONNECT(9, 2, isr, (void *)9, 0);
        k_msleep(20);
        irq_enable(9);
        k_msleep(20);
        return 0;
    }
    """
    scenario = SCENARIO.replace(
        "void scenario(void) {",
        "static void raise(void *arg) { fb_irq_raise(9); (void)arg; }\n"
        "void scenario(void) { fb_at(FB_MS(10), raise, NULL); fb_at(FB_MS(30), raise, NULL);",
    )
    said = [line.split("> ")[1] for line in lines(on_zephyr, candidate, scenario)]
    assert said == ["app: line 9", "app: line 9"]


MISUSES = [
    ("uninitialised_object", "static struct k_sem s; k_sem_give(&s);"),
    ("uninitialised_object", "static struct k_mutex m; k_mutex_lock(&m, K_FOREVER);"),
    ("uninitialised_object", "static struct k_work w; k_work_submit(&w);"),
    ("unlock_without_lock", "static K_MUTEX_DEFINE(m); k_mutex_unlock(&m);"),
    ("blocking_in_isr", "irq_offload(sleeps, NULL);"),
    ("mutex_in_isr", "irq_offload(locks, NULL);"),
    ("blocking_with_spinlock", "k_spinlock_key_t k = k_spin_lock(&lock); k_msleep(1); k_spin_unlock(&lock, k);"),
    ("thread_create", "static K_THREAD_STACK_DEFINE(st, 1024); static struct k_thread t;"
     " k_thread_create(&t, st, 1024, body, NULL, NULL, NULL, 99, 0, K_NO_WAIT);"),
    ("thread_create", "static K_THREAD_STACK_DEFINE(st, 1024); static struct k_thread t, u;"
     " k_thread_create(&t, st, 1024, body, NULL, NULL, NULL, 1, 0, K_NO_WAIT);"
     " k_thread_create(&u, st, 1024, body, NULL, NULL, NULL, 1, 0, K_NO_WAIT);"),
    ("item_queued_twice", "static K_FIFO_DEFINE(f); static void *i[2]; k_fifo_put(&f, i); k_fifo_put(&f, i);"),
    ("double_free", "void *m = k_malloc(8); k_free(m); k_free(m);"),
    ("interrupts_left_masked", "irq_offload(masks, NULL);"),
    ("mutex_never_unlocked", "static K_MUTEX_DEFINE(m); k_mutex_lock(&m, K_FOREVER);"),  # told when its thread ends
]  # fmt: skip


def test_each_misuse_is_told(on_zephyr: Play) -> None:
    bodies = "\n".join(f"    {{ {body} }}" for _, body in MISUSES)
    candidate = f"""
    static struct k_spinlock lock __attribute__((unused));
    static K_MUTEX_DEFINE(of_isr);
    static void body(void *a, void *b, void *c) {{ k_msleep(100); }}
    static void sleeps(const void *p) {{ k_msleep(1); }}
    static void locks(const void *p) {{ k_mutex_lock(&of_isr, K_NO_WAIT); }}
    static void masks(const void *p) {{ irq_lock(); }}
    int main(void)
    {{
    {bodies}
        return 0;
    }}
    """
    played = on_zephyr(HEAD + candidate, SCENARIO)
    told = [text.split(": ")[0] for text in played.lines("fault")]
    assert told == [kind for kind, _ in MISUSES]
    assert "13 in all" in played.saw("no_api_misuse")


def test_spinlock_taken_twice_stops_the_system(on_zephyr: Play) -> None:
    candidate = "static struct k_spinlock l; int main(void) { k_spin_lock(&l); k_spin_lock(&l); return 0; }"
    assert "spins for ever" in on_zephyr(HEAD + candidate, SCENARIO).saw("no_crash")
