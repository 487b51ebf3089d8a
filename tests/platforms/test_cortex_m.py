"""The harness on the Cortex-M3 in QEMU: dirty memory, a hook at each block, counted instructions, told ends."""

import shutil

import pytest

from corpora.firmware.execution import platform_object
from corpora.platforms.loops import may_stop_time, with_time
from corpora.platforms.model import platform
from tasks.sandbox import Limits, Sandbox
from tasks.sandbox.verdict import HEADER, Verdict, header, judge, new_secret

LIMITS = Limits(wall_s=120.0, cpu_s=30.0)
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("arm-none-eabi-gcc") is None, reason="arm-none-eabi-gcc is not installed"),
    pytest.mark.skipif(shutil.which("qemu-system-arm") is None, reason="qemu-system-arm is not installed"),
]
BEGIN = '#include "fb_cortex_m.h"\n'


def run(sandbox: Sandbox, candidate: str, scenario: str) -> Verdict:
    """Build and run, with the call that lets time pass put into empty loops."""
    model = platform("cortex_m")
    secret = new_secret()
    with sandbox.session() as session:
        files: dict[str, bytes | str] = {
            **model.headers,
            HEADER: header(),
            "main.c": candidate,
            "scenario.c": BEGIN + scenario,
            "platform.o": platform_object(model, sandbox),
        }
        compiler = [*model.compiler]
        steps = [
            [*compiler, *model.candidate, "-S", "main.c", "-o", "main.s"],
            [*compiler, *model.own, f'-DVERDICT_SECRET="{secret}"', "-c", "scenario.c", "-o", "scenario.o"],
        ]
        for step in steps:
            built = session.run(step, files, LIMITS)
            files = {}
            assert built.ok, built.stderr.decode()
        timed = with_time(session.read(["main.s"])["main.s"].decode())
        link = [*compiler, "-o", "program", "platform.o", "scenario.o", "main.s", *model.link]
        linked = session.run(link, {"main.s": timed}, LIMITS)
        assert linked.ok, linked.stderr.decode()
        return judge(session.run(list(model.run), {}, LIMITS), secret)


def saw(verdict: Verdict, name: str) -> str:
    return next(check.saw or "" for check in verdict.checks if check.name == name)


def failed(verdict: Verdict) -> list[str]:
    return [check.name for check in verdict.checks if not check.passed]


NOTHING = 'void scenario(void) {}\nvoid conclude(void) { FB_CHECK("done", true, "", "%d", 0); }\n'


def test_main_returns(sandbox: Sandbox) -> None:
    verdict = run(sandbox, "int main(void) { return 0; }", NOTHING)
    assert saw(verdict, "ends") == "main returned"


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("for (;;) { }", "an endless loop"),
        ("__asm volatile(\"cpsid i\"); while (1);", "an endless loop"),
        ("volatile int n = 0; for (;;) n++;", "an endless loop"),
        ("*(volatile int *)0x60000001 = *(volatile int *)0xE0000001;", "a fault"),
        ("((void (*)(void))0x21000000)();", "a fault"),
        (
            "*(volatile unsigned *)0xE000E100 = 1; *(volatile unsigned *)0xE000E200 = 1; for (;;) { }",
            "without a handler",
        ),
    ],
)  # fmt: skip
def test_wrong_ends_are_told(sandbox: Sandbox, body: str, words: str) -> None:
    verdict = run(sandbox, f"int main(void) {{ {body} return 0; }}", NOTHING)
    assert failed(verdict) == ["ends"]
    assert words in saw(verdict, "ends")


def test_memory_is_dirty_before_start_up_code_and_right_after(sandbox: Sandbox) -> None:
    verdict = run(
        sandbox,
        "int main(void) { return 0; }",
        """
        extern uint32_t _sidata[], _sdata[];
        volatile uint32_t zero[100], set = 0x1234;
        void scenario(void) { fb_end(NULL); }
        void conclude(void) {
            unsigned zeros = 0;
            for (int i = 0; i < 100; i++) zeros += zero[i] == 0;
            FB_CHECK("memory", set == 0x1234 && zeros == 100, "", "%lx, %u", set, zeros);
        }
        """,
    )
    assert verdict.passed, verdict.reason


def test_interrupt_comes_at_each_block_and_time_counts_instructions(sandbox: Sandbox) -> None:
    """The hook sees each block once; the stopwatch gives the same number each time, and more for more work."""
    verdict = run(
        sandbox,
        "int work(int n); int work(int n) { volatile int sum = 0; for (int i = 0; i < n; i++) sum += i; return sum; }",
        """
        int work(int n);
        static FB_KEPT unsigned blocks, interrupts;
        void TIMER0_Handler(void) { interrupts++; }
        static void each(void) { blocks++; NVIC_SetPendingIRQ(TIMER0_IRQn); }
        static uint32_t timed(int n) { fb_stopwatch(); work(n); return fb_elapsed(); }
        int main(void) {
            NVIC_EnableIRQ(TIMER0_IRQn);
            fb_on_block = each;
            work(10);
            fb_on_block = NULL;
            fb_end(NULL);
        }
        void scenario(void) {}
        void conclude(void) {
            uint32_t a = timed(10), b = timed(10), c = timed(11);
            FB_CHECK("blocks", blocks > 10 && interrupts == blocks, "", "%u of %u", interrupts, blocks);
            FB_CHECK("time", b - a + 1 <= 2 && c > b + 5, "", "%lu %lu %lu", a, b, c);
        }
        """,
    )
    assert verdict.passed, verdict.reason


def test_guarded_bytes_and_runs_that_agree(sandbox: Sandbox) -> None:
    scenario = """
    int peek(const char *at);
    int main(void)
    {
        fb_guard(0x21000100);
        peek((char *)0x210000ff);
        return peek((char *)0x21000100);
    }
    void scenario(void) {}
    void conclude(void) { FB_CHECK("blocks", true, "", "%lu", fb_blocks); }
    """
    candidate = "int peek(const char *at); int peek(const char *at) { return *(volatile const char *)at; }"
    first = run(sandbox, candidate, scenario)
    assert "a fault" in saw(first, "ends")
    second = run(sandbox, candidate, scenario)
    assert [(check.name, check.saw) for check in first.checks] == [(check.name, check.saw) for check in second.checks]


def test_empty_loops_of_both_machines_get_their_call() -> None:
    assert may_stop_time(b"\x00\xfe\xe7")
    assert may_stop_time(b"\xeb\xfe")
    assert not may_stop_time(b"\xfe\x00\xe7")
    assert with_time(".L2:\n\t.loc 1 2 3\n\tb\t.L2\n").splitlines()[2] == "\tbl\t__sanitizer_cov_trace_pc"
    assert with_time(".L2:\n\tjmp\t.L2\n").splitlines()[1] == "\tcall\t__sanitizer_cov_trace_pc@PLT"
    assert with_time(".L2:\n\tcmp\tr0, #1\n\tb\t.L2\n").count("bl") == 0
