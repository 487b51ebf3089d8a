"""Each rule on small texts: what must pass however it is written, and what must not."""

from typing import Any

import pytest
from pydantic import TypeAdapter

from tasks.grading.tree_rules.judge import judge
from tasks.grading.tree_rules.program import read
from tasks.grading.tree_rules.table import Asked

RULE: TypeAdapter[Any] = TypeAdapter(Asked)


def holds(code: str, rule: str, **keys: Any) -> bool:
    keys = {name.rstrip("_"): value for name, value in keys.items()}
    return judge(RULE.validate_python({"check": "it", "rule": rule, **keys}), read(code))[0]


LED = """
#include <zephyr/kernel.h>
#include "led.h"
#define PERIOD_MS 500
#define LED_ON() gpio_set(&led, 1)
static volatile int ticks;
enum { PIN = 5 };
static const int depth = 2 * 4;

static void on_tick(struct k_timer *timer)
{
	ticks++;
}

static int setup(void)
{
	int ret = led_init(PIN, depth);

	if (ret < 0)
		return ret;
	k_timer_init(&timer, on_tick, NULL);
	return 0;
}

int main(void)
{
	if (setup() != 0)
		return 0;
	LED_ON();
	k_timer_start(&timer, K_MSEC(PERIOD_MS), K_MSEC(PERIOD_MS * 2));
	while (1) {
		k_sleep(K_FOREVER);
	}
}
"""


def test_includes() -> None:
    assert holds(LED, "includes", header="zephyr/kernel.h")
    assert holds(LED, "includes", header=["other.h", "led.h"])
    assert not holds(LED, "includes", header="zephyr/device.h")
    assert not holds(
        '// #include "a.h"\n/* #include "a.h" */\n#if 0\n#include "a.h"\n#endif\n', "includes", header="a.h"
    )


@pytest.mark.parametrize(
    "code",
    [
        "int main(void)\n{\n}\n",
        "int main(void) {}\n",
        "int\nmain (void)\n  {\n  }\n",
        "int main()\n{ return 0; }",
        "static inline int __attribute__((unused)) main(void) { return 0; }",
    ],
)
def test_defines_whatever_the_layout(code: str) -> None:
    assert holds(code, "defines", function="main")
    assert not holds(code, "defines", function="on_tick")


def test_defines_is_no_prototype() -> None:
    assert not holds("int main(void);", "defines", function="main")
    assert holds("void app_main(void) {}", "defines", function="main")


def test_calls_with_arguments_however_they_are_written() -> None:
    start = {"rule": "calls", "call": "k_timer_start"}
    assert holds(LED, **start, argument={"index": 1, "is": "K_MSEC(500)"})
    assert holds(LED, **start, argument=[{"index": 1, "is": "K_MSEC(500U)"}, {"index": 2, "is": "K_MSEC(1000)"}])
    assert not holds(LED, **start, argument={"index": 1, "is": ["K_MSEC(50)", "K_MSEC(5000)"]})
    assert holds(LED, "calls", call="led_init", argument=[{"index": 0, "is": 5}, {"index": 1, "is": 8}])
    assert not holds(LED, "calls", call="led_init", argument={"index": 7, "is": 5})
    assert holds(LED, "calls", call="gpio_set", in_="main"), "through a macro"
    assert holds(LED, "calls", call="led_init", in_="main"), "through a helper"
    assert not holds(LED, "calls", call="k_timer_start", in_="setup")
    assert not holds(LED, "calls", call="k_sleep", min=2)


def test_arguments_are_followed_through_variables_and_parameters() -> None:
    code = "static void arm(int ms) { start(ms); } int main(void) { const int period = 250; arm(period); }"
    assert holds(code, "calls", call="start", argument={"index": 0, "is": 250})
    assert not holds(code, "calls", call="start", argument={"index": 0, "is": 251})
    assert holds(
        "int main(void) { f(A | B | (1 << 4)); }", "calls", call="f", argument={"index": 0, "is": "16 | B | A"}
    )
    assert holds("int main(void) { f(&x->led, 1); }", "calls", call="f", argument={"index": 0, "mentions": "led"})


@pytest.mark.parametrize(
    "hidden",
    [
        "int main(void) { }\n// f();\n",
        "int main(void) { /* f(); */ }",
        "int main(void) {\n#if 0\n f();\n#endif\n}",
        "int main(void) {\n#ifdef NEVER\n f();\n#else\n g();\n#endif\n}",
        'int main(void) { printf("f();"); }',
        "int main(void) { if (0) { f(); } }",
        "int main(void) { if (1) g(); else f(); }",
        "#define CALL f()\nint main(void) { }",
        "int f(void); int main(void) { }",
    ],
)
def test_a_call_that_is_not_live_is_none(hidden: str) -> None:
    assert not holds(hidden, "calls", call="f")
    assert holds(hidden, "not_calls", call="f")


@pytest.mark.parametrize(
    "live",
    [
        "int main(void) {\n#if 1\n f();\n#endif\n}",
        "int main(void) {\n#ifdef CONFIG_X\n f();\n#else\n g();\n#endif\n}",
        '#if !DT_NODE_EXISTS(x)\n#error "no x"\n#else\nint main(void) { f(); }\n#endif\n',
        "#ifndef N\n#define N 3\n#endif\n#if N > 2 && !defined(M)\nint main(void) { f(); }\n#endif\n",
        "#define CALL(g) g()\nint main(void) { CALL(f); }",
        "#define TWO f(); f()\nint main(void) { TWO; }",
        "int main(void) { g(h(f())); }",
        "int main(void) { api->f(dev); }",
        "int main(void) { if (x) ; else if (y) { } else f(); }",
        "int main(void) { return f \\\n(); }",
        "int g(a, b) int a; char *b; { return f(a); }",
        "irqreturn_t isr(int irq, void *d) { unsigned long k; spin_lock_irqsave(&lock, k); f(); return IRQ_HANDLED; }",
        "static int __init start(void) { return f(); } module_init(start);",
        "LOG_MODULE_REGISTER(app, LOG_LEVEL_INF);\nvoid IRAM_ATTR isr(void *arg) { f(); }",
        "int h(void) { list_for_each_entry(p, &head, node) { f(p); } K_SPINLOCK(&l) { g(); } }",
    ],
)
def test_a_call_that_is_live_is_seen(live: str) -> None:
    assert holds(live, "calls", call="f")
    assert not holds(live, "not_calls", call="f")


def test_macros_that_define_something_are_calls() -> None:
    code = (
        "static K_THREAD_STACK_DEFINE(stack, 512);\nBT_CONN_CB_DEFINE(cbs) = { .connected = on };\nint main(void) { }"
    )
    assert holds(code, "calls", call="K_THREAD_STACK_DEFINE", argument={"index": 1, "is": 512})
    assert holds(code, "calls", call="BT_CONN_CB_DEFINE")


def test_nothing_at_all_fails_what_forbids() -> None:
    for rule in ({"rule": "not_calls", "call": "f"}, {"rule": "not_uses", "name": "f"}):
        assert not holds("", **rule)


def test_not_calls_in_a_handler_by_its_registration() -> None:
    handler = {"handler_of": "k_timer_init", "index": 1}
    assert holds(LED, "not_calls", call="k_sleep", in_=handler)
    bad = LED.replace("\tticks++;", "\tticks++; wait();").replace(
        "static void on", "void wait(void) { k_sleep(1); }\nvoid on"
    )
    assert not holds(bad, "not_calls", call="k_sleep", in_=handler)
    assert not holds("int main(void) { }", "not_calls", call="k_sleep", in_=handler)


@pytest.mark.parametrize(
    "code",
    [
        "void h(void) { f(); } K_TIMER_DEFINE(t, h, NULL);",
        "void h(void) { f(); } int main(void) { K_TIMER_DEFINE(t, &h, 0); }",
        "void h(void) { f(); } void (*p)(void) = h; K_TIMER_DEFINE(t, p, NULL);",
        "void h(void) { f(); } void reg(cb_t c) { K_TIMER_DEFINE(t, c, NULL); } int main(void) { reg(h); }",
        "#define DEFINE(x) K_TIMER_DEFINE(t, x##_cb, NULL)\nvoid h_cb(void) { f(); }\nDEFINE(h);",
    ],
)
def test_handlers_are_found_however_they_are_handed_over(code: str) -> None:
    assert holds(code, "reaches", from_={"handler_of": "K_TIMER_DEFINE", "index": 1}, call="f")
    assert not holds(code, "not_reaches", from_={"handler_of": "K_TIMER_DEFINE", "index": 1}, calls="f")


def test_handlers_in_fields() -> None:
    designated = "int p(void) { f(); return 0; } static struct platform_driver d = { .probe = p, };"
    assigned = "int p(void) { f(); return 0; } int main(void) { struct driver d; d.probe = p; g(&d); }"
    for code in (designated, assigned):
        assert holds(code, "reaches", from_={"handler_in": "probe"}, call="f")
        assert not holds(code, "reaches", from_={"handler_in": "remove"}, call="f")


def test_ordered() -> None:
    assert holds(LED, "ordered", first="led_init", then="k_timer_start")
    assert not holds(LED, "ordered", first="k_timer_start", then="led_init")
    assert not holds(LED, "ordered", first="led_init", then="k_timer_stop")
    assert holds("int main(void) { b(a()); }", "ordered", first="a", then="b"), "arguments come first"
    helpers = "void one(void) { a(); } void two(void) { b(); } int main(void) { one(); two(); }"
    assert holds(helpers, "ordered", first="a", then="b")
    assert not holds(helpers.replace("one(); two();", "two(); one();"), "ordered", first="a", then="b")


@pytest.mark.parametrize(
    "body",
    [
        "if (f() < 0) return 1;",
        "if (f()) return 1;",
        "int r = f(); if (r) return r;",
        "int r; r = f(); if (r != 0) { return r; }",
        "int r; if ((r = f()) != 0) return r;",
        "return f();",
        "r2 = x ? f() : 0; return r2;",
        "CHECK(f());",
        "while (f() == -EAGAIN) ;",
        "switch (f()) { case 0: break; }",
        "int r; do { r = f(); } while (r);",
        "int r; if (a) { r = f(); } else { r = g(); } if (r) return r;",
        "int r = 0; r |= f(); return r;",
        "ctx->status = f();",
        "f() || die();",
        "int r; for (;;) { if (r) break; r = f(); }",
        "int r = f(); goto out; out: return r;",
    ],
)
def test_result_used(body: str) -> None:
    assert holds(f"int main(void) {{ {body} }}", "result_used", call="f")


@pytest.mark.parametrize(
    "body",
    [
        "f();",
        "(void)f();",
        "int r = f();",
        "int r; r = f(); r = g(); if (r) return r;",
        "int r = f(); (void)r; return 0;",
        "int r = f(); ARG_UNUSED(r);",
        "if (x) f();",
        "if (x) return 0; else f();",
        "for (f();;) ;",
        "!f();",
        "if (f()) return 1; f();",
        "",
    ],
)
def test_result_unused(body: str) -> None:
    assert not holds(f"int main(void) {{ {body} }}", "result_used", call="f")


def test_declares() -> None:
    code = "typedef volatile unsigned int vu32; static vu32 count; static struct k_sem sem; int f(const u8 *data) { }"
    assert holds(code, "declares", name="count", qualifiers=["static", "volatile"])
    assert holds(code, "declares", type="k_sem")
    assert holds(code, "declares", type="struct k_sem", name="sem")
    assert holds(code, "declares", name="data", qualifiers="const")
    assert not holds(code, "declares", name="sem", qualifiers="volatile")
    assert not holds(code, "declares", type="k_mutex")
    assert holds("static volatile bool\nflag\n;", "declares", name="flag", type="bool", qualifiers="volatile")


SHARED = "{declared}\nstatic void isr(void *p) {{ {write} }}\nint main(void) {{ reg(isr); {use} }}"
ISR = {"handler_of": "reg", "index": 0}


@pytest.mark.parametrize(
    ("declared", "write", "use"),
    [
        ("static volatile int n;", "n++;", "while (n < 3) ;"),
        ("static atomic_t n;", "n = 1;", "g(n);"),
        ("static int n;", "n++;", "unsigned k = irq_lock(); g(n); irq_unlock(k);"),
        ("static int n;", "n++;", "K_SPINLOCK(&l) { g(n); }"),
        ("static int n;", "n++;", "int k = irq_lock(); if (!n) { irq_unlock(k); return 0; } g(n); irq_unlock(k);"),
        ("static int n;", "n++;", "g(READ_ONCE(n));"),
        ("static int n;", "n++;", ""),
        ("static struct { volatile int n; } s;", "s.n++;", "g(s.n);"),
        ("static int n;", "int n = 0; n++;", "g(n);"),
        ("static int n; static int lock(void) { return irq_lock(); } static void unlock(int k) { irq_unlock(k); }",
         "n++;", "int k = lock(); g(n); unlock(k);"),
    ],
)  # fmt: skip
def test_shared_is_guarded(declared: str, write: str, use: str) -> None:
    assert holds(SHARED.format(declared=declared, write=write, use=use), "shared_is_volatile", isr=ISR)


@pytest.mark.parametrize(
    ("declared", "write", "use"),
    [
        ("static int n;", "n++;", "while (n < 3) ;"),
        ("static bool n;", "n = true;", "if (n) g();"),
        ("static int a[4];", "a[0] = 1;", "g(a[0]);"),
        ("static int n;", "n++;", "unsigned k = irq_lock(); irq_unlock(k); g(n);"),
        ("static struct { int n; } s;", "s.n++;", "g(s.n);"),
        ("static int n; static void bump(void) { n++; }", "bump();", "g(n);"),
        ("static int n; static void stop(void) { __disable_irq(); while (1) { } } static void init(void) { stop(); }",
         "n++;", "init(); while (!n) ;"),
    ],
)  # fmt: skip
def test_shared_is_unguarded(declared: str, write: str, use: str) -> None:
    assert not holds(SHARED.format(declared=declared, write=write, use=use), "shared_is_volatile", isr=ISR)


def test_initialises() -> None:
    code = """
    #define BAUD 115200
    static const uart_config_t c = { .baud_rate = BAUD, .data_bits = UART_DATA_8_BITS };
    int main(void) { struct spi_config s; s.frequency = 1000 * 1000; go(&(struct dma_config){ .channel = 3 }); }
    """
    assert holds(code, "initialises", field="baud_rate", is_=115200)
    assert holds(code, "initialises", type="uart_config_t", field="baud_rate")
    assert not holds(code, "initialises", type="spi_config", field="baud_rate")
    assert holds(code, "initialises", type="struct spi_config", field="frequency", is_=1000000)
    assert holds(code, "initialises", type="dma_config", field="channel", is_=3)
    assert not holds(code, "initialises", field="channel", is_=4)
    assert not holds(code, "initialises", field="parity")


def test_uses() -> None:
    assert holds(LED, "uses", name="K_FOREVER")
    assert holds(LED, "uses", name="LED_ON"), "a macro of the answer's own"
    assert holds(LED, "uses", name="K_MSEC", in_="main")
    assert not holds(LED, "uses", name="K_MSEC", in_="setup")
    assert holds(LED, "not_uses", name=["malloc", "free"])
    assert not holds(LED, "not_uses", name=["malloc", "k_sleep"])
    assert holds("int main(void) { } // malloc", "not_uses", name="malloc")


def test_in_loop() -> None:
    assert holds(LED, "in_loop", call="k_sleep")
    assert not holds(LED, "in_loop", call="k_timer_start")
    assert holds("void once(void) { f(); } int main(void) { for (;;) once(); }", "in_loop", call="f")
    assert holds("int main(void) { again: f(); goto again; }", "in_loop", call="f")
    assert holds("int g(void) { list_for_each_entry(p, &l, n) { f(p); } }", "in_loop", call="f")
    assert not holds("int main(void) { for (f();;) g(); }", "in_loop", call="f")
    assert holds("int main(void) { do f(); while (1); }", "in_loop", call="f")


@pytest.mark.parametrize(
    "body",
    [
        "lock(&m); x++; unlock(&m); return 0;",
        "int r = lock(&m); if (r) return r; x++; unlock(&m); return 0;",
        "if (lock(&m) != 0) { return -1; } x++; unlock(&m); return 0;",
        "if (lock(&m) == 0) { x++; unlock(&m); } return 0;",
        "lock(&m); if (bad) { unlock(&m); return -1; } unlock(&m); return 0;",
        "lock(&m); if (bad) goto out; x++; out: unlock(&m); return 0;",
        "while (1) { lock(&m); x++; unlock(&m); sleep(1); }",
        "char *p = lock(9); if (!p) return -1; use(p); unlock(p); return 0;",
        "char *p = lock(9); if (p == NULL) return -1; use(p); unlock(p); return 0;",
        "char *p = lock(9); if (p) { use(p); unlock(p); } return 0;",
        "char *p = lock(9); return p;",
        "char *p = lock(9); if (!p) return 0; q->p = p; return 1;",
        "lock(&m); done(); return 0;",
        "int r; r = lock(&m); if (r < 0) { log(r); return r; } r = work(); unlock(&m); return r;",
        "switch (x) { case 1: lock(&m); unlock(&m); break; default: return 1; } return 0;",
    ],
)
def test_released_on_return(body: str) -> None:
    code = f"static void done(void) {{ unlock(&m); }} int main(void) {{ {body} }}"
    assert holds(code, "released_on_return", acquire="lock", release="unlock")


@pytest.mark.parametrize(
    "body",
    [
        "lock(&m); x++; return 0;",
        "lock(&m); if (bad) return -1; unlock(&m); return 0;",
        "int r = lock(&m); if (r) return r; if (work()) return -5; unlock(&m); return 0;",
        "lock(&m); while (x) { if (y) return 1; } unlock(&m); return 0;",
        "lock(&m); if (bad) goto out; unlock(&m); out: return 0;",
        "char *p = lock(9); if (!p) return -1; if (use(p)) return -2; unlock(p); return 0;",
        "lock(&m); switch (x) { case 1: unlock(&m); break; case 2: break; } return 0;",
        "int r = lock(&m); if (r) return r; r = work(); if (r) return r; unlock(&m); return 0;",
        "return 0;",
    ],
)
def test_not_released_on_return(body: str) -> None:
    assert not holds(f"int main(void) {{ {body} }}", "released_on_return", acquire="lock", release="unlock")


def test_released_by_the_caller_of_a_helper() -> None:
    code = "static int take(void) {{ return lock(&m); }} int main(void) {{ take(); x++; {} return 0; }}"
    assert holds(code.format("unlock(&m);"), "released_on_return", acquire="lock", release="unlock")
    assert not holds(code.format(""), "released_on_return", acquire="lock", release="unlock")


def test_freertos_takes_say_true_for_success() -> None:
    taken = "int main(void) { if (xTake(s, 5) != pdTRUE) { return 0; } x++; xGive(s); return 0; }"
    plain = "int main(void) { if (xTake(s, 5)) { x++; xGive(s); } return 0; }"
    for code in (taken, plain):
        assert holds(code, "released_on_return", acquire="xTake", release="xGive")
    assert not holds(taken.replace("xGive(s);", ""), "released_on_return", acquire="xTake", release="xGive")


def test_any_of() -> None:
    parts = [{"rule": "calls", "call": "nothing"}, {"rule": "uses", "name": "K_FOREVER"}]
    assert holds(LED, "any_of", of=parts)
    assert not holds(LED, "any_of", of=parts[:1])
