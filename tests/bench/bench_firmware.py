"""How many answers each layer of the firmware track grades in a core-hour, and how much of that the sandbox takes.

Time is CPU time of this process and of all it started, so that what else the machine does changes little. The layers
of our own cases are told apart by what their programs used; the sandbox's own share is what is left when the programs
and the work in this process are taken away.
"""

import os
import resource
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from corpora.firmware.case import Case
from corpora.firmware.checking import MODULES, Job, run_checks
from corpora.firmware.loader import OWN, load
from corpora.firmware.own_layers import own_layers
from tasks.grading.layers import LAYERS
from tasks.sandbox import Outcome, Sandbox, Session, open_sandbox
from tests.bench.ratio import Ratio
from tests.firmware.small import BEHAVIOR, METADATA, REFERENCE, STATIC

HOUR_S = 3600.0
GOALS = {"static": 100_000, "compile": 10_000, "runtime": 10_000, "heuristic": 100_000, "modules": 20_000}
"""Answers a core-hour that each layer is to grade; `modules` are both layers of a public case's check modules."""
MODULE_ANSWERS = 256
SHARE = 0.25
"""The largest part of all CPU time that the sandbox is to take for itself."""


class Counting:
    """A sandbox that adds up the CPU seconds of the programs that it runs, by what they are run for."""

    def __init__(self, sandbox: Sandbox) -> None:
        self.sandbox = sandbox
        self.what = "preparing"
        self.programs_s: dict[str, float] = defaultdict(float)

    @property
    def kind(self) -> str:
        """The kind of the sandbox behind it."""
        return self.sandbox.kind

    def run(self, *given: Any, **more: Any) -> Outcome:
        """Run and count."""
        return self.counted(self.sandbox.run(*given, **more))

    @contextmanager
    def session(self) -> Iterator["CountingSession"]:
        """Open a session whose runs are counted."""
        with self.sandbox.session() as session:
            yield CountingSession(session, self)

    def counted(self, outcome: Outcome) -> Outcome:
        """Add the CPU seconds of a run."""
        self.programs_s[self.what] += outcome.cpu_s
        return outcome


class CountingSession:
    """A session of `Counting`; all but running is the session's own."""

    def __init__(self, session: Session, counting: Counting) -> None:
        self._session, self._counting = session, counting

    def run(self, *given: Any, **more: Any) -> Outcome:
        """Run and count."""
        return self._counting.counted(self._session.run(*given, **more))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._session, name)


def cpu_s() -> float:
    """Return the CPU seconds of this process and of the children that have ended."""
    usage = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in usage)


def run() -> Iterator[Ratio]:
    """Measure the check modules of public cases, then each layer of our own cases, where there are some."""
    with open_sandbox() as opened:
        yield from modules(Counting(opened))
        cases = load(OWN).cases if OWN.is_dir() else ()
        if cases:
            yield from own(cases, Counting(opened))


def modules(sandbox: Counting) -> Iterator[Ratio]:
    """Grade one answer many times by check modules: of a checkout, if one is named, else of a small case."""
    checkout = os.environ.get("FIRMBENCH_EMBEDEVAL")
    with tempfile.TemporaryDirectory() as folder:
        cases = load(Path(checkout)).cases if checkout else (small(Path(folder)),)
        answers = [cases[number % len(cases)] for number in range(max(MODULE_ANSWERS, len(cases)))]
        jobs = [Job(case, layer, case.answer) for case in answers for layer in MODULES]
        start, own_start = cpu_s(), time.process_time()
        run_checks(jobs, sandbox)  # type: ignore[arg-type]
        spent_s, here_s = cpu_s() - start, time.process_time() - own_start
    told = f"{len(cases)} cases, {len(jobs)} runs of a module, {spent_s:.1f} s of CPU"
    yield throughput("check modules, both layers", len(answers), spent_s, GOALS["modules"], told)
    yield share("check modules", sandbox, spent_s, here_s)


def own(cases: Sequence[Case], sandbox: Counting) -> Iterator[Ratio]:
    """Grade the references of our own cases layer by layer, after a first time that builds the platforms."""
    grade_all(cases, sandbox)
    sandbox.programs_s.clear()
    start, own_start = cpu_s(), time.process_time()
    counts, here = grade_all(cases, sandbox)
    spent_s, here_s = cpu_s() - start, time.process_time() - own_start
    around_s = spent_s - sum(sandbox.programs_s.values()) - sum(here.values())
    for layer in LAYERS:
        if counts[layer]:
            layer_s = sandbox.programs_s[layer] + here[layer]
            told = f"{counts[layer]} references, {1e3 * layer_s / counts[layer]:.1f} ms each, without the sandbox"
            yield throughput(f"own cases, {layer}", counts[layer], layer_s, GOALS[layer], told)
    told = f"{len(cases)} references, {1e3 * around_s / len(cases):.1f} ms of sandbox and harness each"
    yield throughput("own cases, all layers", len(cases), spent_s, min(GOALS.values()), told)
    yield share("own cases", sandbox, spent_s, here_s)


def grade_all(cases: Sequence[Case], sandbox: Counting) -> tuple[dict[str, int], dict[str, float]]:
    """Return how often each layer ran, and the CPU seconds it used in this process."""
    counts: dict[str, int] = defaultdict(int)
    here: dict[str, float] = defaultdict(float)
    for case in cases:
        with sandbox.session() as session:
            layers = own_layers(case, case.answer, session, sandbox)  # type: ignore[arg-type]
            for name in (layer for layer in LAYERS if layer in layers):
                sandbox.what, start = name, time.process_time()
                layers[name]()
                here[name] += time.process_time() - start
                counts[name] += 1
        sandbox.what = "preparing"
    return counts, here


def throughput(name: str, count: int, seconds_s: float, goal: int, told: str) -> Ratio:
    """Return answers a core-hour against the goal."""
    return Ratio(f"firmware: {name}", count * HOUR_S / seconds_s, goal, "answers a core-hour", ">= 1", told)


def share(name: str, sandbox: Counting, spent_s: float, here_s: float) -> Ratio:
    """Return the sandbox's own CPU time against all: neither the programs' nor that of this process."""
    programs_s = sum(sandbox.programs_s.values())
    told = f"programs {programs_s:.1f} s, this process {here_s:.1f} s, kind {sandbox.kind}"
    return Ratio(f"firmware: {name}, the sandbox's own share", max(0.0, spent_s - programs_s - here_s), spent_s, "s",
                 f"<= {SHARE}", told)  # fmt: skip


def small(folder: Path) -> Case:
    """Return the small case of the tests."""
    files = {
        "metadata.yaml": METADATA.format(id="timer-001"), "prompt.md": "Let the lamp blink.\n",
        "reference/main.c": REFERENCE, "checks/static.py": STATIC, "checks/behavior.py": BEHAVIOR,
    }  # fmt: skip
    for name, text in files.items():
        path = folder / "cases/timer-001" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return load(folder).cases[0]
