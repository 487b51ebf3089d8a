"""The Cortex-M3 in QEMU: the verdicts and, while it computes little, the very traces of `host_virtual`."""

import shutil
from dataclasses import replace

import pytest

from corpora.closedloop import cortex_m, host_virtual
from corpora.closedloop.model import ALL_TASKS, TASKS, load
from corpora.closedloop.runs import STUB
from corpora.closedloop.verdicts import checks
from tasks.contract import Status
from warehouse.errors import SandboxError

pytestmark = pytest.mark.skipif(
    not (shutil.which("arm-none-eabi-gcc") and shutil.which("qemu-system-arm")),
    reason="gcc-arm-none-eabi, libnewlib-arm-none-eabi or qemu-system-arm is not installed",
)


def statuses(task, ran):
    return [(one.check, one.status, one.saw) for one in checks(task, ran)]


def both(task, controller, sandbox, **more):
    return tuple(one.BACKEND.run(task, controller, sandbox, **more) for one in (host_virtual, cortex_m))


REST = [pytest.param(name, marks=pytest.mark.slow) for name in ALL_TASKS[1:]]


@pytest.mark.parametrize("name", [TASKS[0], *REST])
def test_traces_of_a_reference_are_those_of_the_host(name, sandbox):
    task = load(name)
    virtual, arm = both(task, task.reference, sandbox, scenarios=task.scenarios(True), phase_ms=13, jitter_ms=40)
    assert arm == virtual
    assert {one.status for one in checks(task, arm)} == {Status.PASS}


@pytest.mark.parametrize("name", [TASKS[0], *REST])
def test_every_seeded_bug_gets_the_verdict_of_the_host(name, sandbox):
    task = load(name)
    mutants = task.mutants if name != TASKS[0] else task.mutants[:3]
    for mutant in mutants:
        virtual, arm = both(task, mutant.text, sandbox, scenarios=task.scenarios(True))
        assert statuses(task, arm) == statuses(task, virtual), mutant.name


def slow_step(work):
    return STUB.replace("    (void)input;\n", f"    static volatile int work;\n    {work}\n")


def test_computing_takes_time_here_and_the_plant_goes_on_meanwhile(sandbox):
    """On the host it takes none: a step of 60 ms makes the firmware late for every second poll."""
    task = load("tank_fill_drain")
    source = slow_step("for (int i = 0; i < 1250000 && input->kind == EVENT_READING; i++) work++;")
    virtual, arm = both(task, source, sandbox, scenarios=task.scenarios()[:1])
    on_the_host, on_the_board = (
        [entry.at_ms for entry in ran.traces[0].entries if entry.text == "ACT PUMP OFF"] for ran in (virtual, arm)
    )
    assert all(at % 50 == 0 for at in on_the_host)
    assert any(at % 50 for at in on_the_board)
    assert cortex_m.BACKEND.run(task, source, sandbox, scenarios=task.scenarios()[:1]) == arm


@pytest.mark.parametrize(
    "work",
    [pytest.param("for (;;) work++;", marks=pytest.mark.slow), "*(volatile int *)0xF0000000 = 1;",
     "((void (*)(void))0x10000001)();",
     "volatile char large[40000]; for (int i = 39999; i >= 0; i--) large[i] = 1;"],
    ids=["hangs", "bus fault", "jump to nowhere", "stack overflow"],
)  # fmt: skip
def test_firmware_that_hangs_or_faults_stops_and_says_so(work, sandbox):
    task = load("tank_fill_drain")
    ran = cortex_m.BACKEND.run(task, slow_step(work), sandbox, scenarios=task.scenarios()[:1])
    found = {one.check: one for one in checks(task, ran)}
    assert (found["smoke/runs"].status, found["smoke/runs"].saw) == (Status.FAIL, "firmware stopped")


@pytest.mark.slow
def test_firmware_that_masks_the_watchdog_is_stopped_by_its_cpu_time(sandbox):
    task = load("tank_fill_drain")
    asleep = slow_step('\n#ifdef __arm__\n    __asm__ volatile("cpsid i\\n1: wfi\\nb 1b");\n#endif\n')
    ran = cortex_m.BACKEND.run(task, asleep, sandbox, scenarios=task.scenarios()[:1])
    assert (ran.traces[0].ending, ran.timed_out) == ("firmware stopped", False)


def test_a_toolchain_that_cannot_build_our_own_starter_is_no_fault_of_the_controller(sandbox):
    """As the compiler without its C library, which is a package of its own."""
    board = replace(cortex_m.BOARD, name="broken", make=cortex_m.BOARD.make.replace("nano.specs", "missing.specs"))
    task = load("tank_fill_drain")
    with pytest.raises(SandboxError, match="missing"):
        replace(cortex_m.BACKEND, board=board).run(task, task.reference, sandbox)


def test_what_builds_on_the_host_only_says_what_the_arm_compiler_said(sandbox):
    task = load("tank_fill_drain")
    ran = cortex_m.BACKEND.run(task, task.reference + '_Static_assert(sizeof(long) == 8, "64 bits");\n', sandbox)
    assert "64 bits" in (ran.build or "")
