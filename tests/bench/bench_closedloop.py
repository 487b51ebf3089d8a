"""Seconds of a whole evaluation, build included, against the seconds it simulates and against the goals."""

import resource
import time
from collections.abc import Callable, Iterator
from functools import partial

from corpora.closedloop import backends
from corpora.closedloop.model import ALL_TASKS, POLL_MS, TICK_MS, Task, load
from corpora.closedloop.runs import Absent
from corpora.closedloop.verdicts import checks
from tasks.contract import Status
from tasks.sandbox import Sandbox, open_sandbox
from tests.bench.ratio import Ratio

REPEATS = 5
SWEEP = 8
GOALS = {"host_virtual": (0.2, ">= 100"), "cortex_m": (3.0, ">= 1")}
"""Seconds that an evaluation may take, and how much faster than real time it should be."""


def cpu_s() -> float:
    """Return the CPU seconds of this process and of those it has waited for."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def measured(function: Callable[[], object]) -> tuple[float, float]:
    """Return the median wall and CPU seconds of REPEATS calls, after one for what is built once."""
    function()
    walls, cpus = [], []
    for _ in range(REPEATS):
        start, used = time.perf_counter(), cpu_s()
        function()
        walls.append(time.perf_counter() - start)
        cpus.append(cpu_s() - used)
    return sorted(walls)[REPEATS // 2], sorted(cpus)[REPEATS // 2]


def evaluate(backend: backends.Backend, task: Task, sandbox: Sandbox, *, held_out: bool, sweep: int = 0) -> None:
    """Build, play and judge the reference, which must pass."""
    ran = backend.run(task, task.reference, sandbox, scenarios=task.scenarios(held_out), sweep=sweep)
    assert all(one.status is Status.PASS for one in checks(task, ran))


def simulated_s(task: Task, *, held_out: bool) -> float:
    """Return how long the scenarios of a task last."""
    return sum(one.steps for one in task.scenarios(held_out)) * TICK_MS / 1000


def rows(name: str, sandbox: Sandbox) -> Iterator[Ratio]:
    """Yield how much faster than real time a back end is, task by task, then its slowest evaluation and a sweep."""
    most_s, faster = GOALS[name]
    backend = backends.named(name)
    slowest = (0.0, 0.0, "")
    for task in map(load, ALL_TASKS):
        for held_out in (False, True):
            wall_s, used_s = measured(partial(evaluate, backend, task, sandbox, held_out=held_out))
            if held_out:
                slowest = max(slowest, (wall_s, used_s, task.name))
                continue
            yield Ratio(f"{name}: {task.name}, simulated / evaluation", simulated_s(task, held_out=False), wall_s, "s",
                        faster, f"CPU {used_s:.3f} s")  # fmt: skip
    yield Ratio(f"{name}: slowest evaluation with the second set / goal", slowest[0], most_s, "s", "<= 1",
                f"{slowest[2]}, CPU {slowest[1]:.3f} s")  # fmt: skip
    task = load(ALL_TASKS[0])
    wall_s, used_s = measured(partial(evaluate, backend, task, sandbox, held_out=False, sweep=SWEEP))
    swept_s = simulated_s(task, held_out=False) * 2 * SWEEP
    yield Ratio(f"{name}: {task.name} swept over {SWEEP} of {POLL_MS} phases, simulated / evaluation", swept_s, wall_s,
                "s", faster, f"CPU {used_s:.3f} s")  # fmt: skip


def run() -> Iterator[Ratio]:
    """Measure every back end in virtual time that is here; the one in real time has nothing to measure."""
    with open_sandbox() as sandbox:
        for name in GOALS:
            try:
                yield from rows(name, sandbox)
            except Absent as error:
                print(f"not measured: {error}")
