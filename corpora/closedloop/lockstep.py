"""Run firmware and plant in lock step on one virtual clock: what the back ends `host_virtual` and `cortex_m` share.

Everything that is not the controller is compiled once a process, sandbox kind, board and task, and kept as objects. A
run compiles and links the controller, lets the harness play all scenarios in one go, and runs the host steps.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from corpora.closedloop.model import HERE, HostTest, Scenario, Task
from corpora.closedloop.runs import STUB, Run, Timing, headers, require, swept_timings
from corpora.closedloop.script import script
from corpora.closedloop.trace import Trace, read
from tasks.grading.platform_backends import Need
from tasks.sandbox import Limits, Outcome, Sandbox, Session
from tasks.sandbox.verdict import HEADER, header, new_secret
from warehouse.errors import SandboxError

COMPILE = "gcc -std=gnu11 -O0 -fPIC -Wall -Wextra -c"
SHARED = ("app.c", "protocol.c")
HOST_SOURCES = (*SHARED, "host.c", "port_virtual.c")
HARNESS = ("plant.c", "lockstep.c")
BUILD_LIMITS = Limits(wall_s=60.0, cpu_s=30.0)
HOST_LIMITS = Limits(wall_s=60.0, cpu_s=2.0)
WALL_S, OUTPUT_BYTES = 60.0, 8 << 20
"""Of one play of all scenarios; a sweep gets as much for each timing."""

LINK = "ld -shared -o controller.so controller.o app.o protocol.o host.o port_virtual.o"
RESOLVE = (
    "{ missing=$(LD_TRACE_LOADED_OBJECTS=1 LD_WARN=1 LD_BIND_NOW=1 ./firmware 2>&1 >/dev/null); "
    '[ -z "$missing" ] || { echo "$missing" >&2; false; }; }'
)
"""All but the start-up code is one shared object, because a link against the C library would take three times as
long; the dynamic linker, which is fast, then says what is undefined. It runs nothing of the controller in this mode;
even so, nothing of ours that is to be trusted later is in the session yet."""


@dataclass(frozen=True)
class Board:
    """What tells two lock-step back ends apart.

    `sources` of `firmware/`, compiled by `compile` and put together with `controller.c` by `link` (shell words; empty:
    the host's build is what runs), `files` more for the link; `start` is the command that the firmware is for the
    harness, bounded by `cpu_s` of CPU time each time it is started. `loop_cpu_s` bounds a play of all scenarios.
    """

    name: str
    start: tuple[str, ...]
    cpu_s: int = 1
    loop_cpu_s: float = 30.0
    sources: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    compile: str = ""
    link: str = ""

    @property
    def objects(self) -> tuple[str, ...]:
        """The names of the board's own objects, apart from those of the host."""
        return tuple(f"{self.name}-{source.replace('.c', '.o')}" for source in self.sources)

    @property
    def build(self) -> str:
        """The command that compiles and links a controller; one shell, because a start costs more than a link."""
        steps = [f"{COMPILE} controller.c", LINK, RESOLVE]
        if self.sources:
            steps += [f"{self.compile} -o {self.name}-controller.o controller.c",
                      f"{self.link} {self.name}-controller.o {' '.join(self.objects)}"]  # fmt: skip
        return " && ".join(steps)


_built: dict[tuple[str, str, str], tuple[Mapping[str, bytes], bytes]] = {}


def _ours(sandbox: Sandbox, board: Board, needs: tuple[Need, ...], task: Task) -> tuple[Mapping[str, bytes], bytes]:
    """Return the objects of everything in the firmware that is ours, and the harness."""
    key = (sandbox.kind, board.name, task.name)
    if key in _built:
        return _built[key]
    firmware, harness = HERE / "firmware", HERE / "harness"
    files: dict[str, bytes | str] = {**headers(task), HEADER: header(), "controller.c": STUB}
    wanted = {"firmware.h", *HOST_SOURCES, *board.sources, *board.files}
    files |= {name: (firmware / name).read_text() for name in sorted(wanted)}
    files |= {name: (harness / name).read_text() for name in ("plant.h", *HARNESS)}
    outputs = [source.replace(".c", ".o") for source in HOST_SOURCES]
    steps = [["sh", "-c", f"{COMPILE} {' '.join(HOST_SOURCES)} controller.c && {LINK}"],
             ["gcc", "-o", "firmware", "./controller.so"],
             ["gcc", "-std=gnu11", "-O1", "-o", "harness", *HARNESS]]  # fmt: skip
    steps += [["sh", "-c", f"{board.compile} -o {built} {source}"]
              for source, built in zip(board.sources, board.objects, strict=True)]  # fmt: skip
    with sandbox.session() as session:
        require(session, board.name, needs)
        session.write(files)
        for step in steps:
            _must(session.run(step, limits=BUILD_LIMITS))
        objects = session.read([*outputs, *board.objects, "firmware"])
        binary = session.read(["harness"])["harness"]
    objects = {**objects, **{name: (firmware / name).read_bytes() for name in board.files}}
    return _built.setdefault(key, (objects, binary))


def _must(outcome: Outcome) -> None:
    if not outcome.ok:
        said = outcome.stderr.decode(errors="replace")[:500]
        raise SandboxError(f"The closed-loop firmware could not be built ({outcome.ending}): {said}")


@dataclass(frozen=True)
class LockStep:
    """A back end that runs a board in lock step; see `backends.Backend`."""

    board: Board
    needs: tuple[Need, ...]
    folders: Mapping[str, Path] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The board's."""
        return self.board.name

    def run(
        self,
        task: Task,
        controller: str,
        sandbox: Sandbox,
        *,
        scenarios: Sequence[Scenario] | None = None,
        phase_ms: int = 0,
        jitter_ms: int = 0,
        sweep: int = 0,
    ) -> Run:
        """Build the controller, run the host tests and the scenarios; see `backends.Backend.run`."""
        wanted = task.scenarios() if scenarios is None else tuple(scenarios)
        timings = (Timing(phase_ms, jitter_ms), *swept_timings(sweep))
        objects, harness = _ours(sandbox, self.board, self.needs, task)
        loop_limits = Limits(
            wall_s=WALL_S * len(timings),
            cpu_s=self.board.loop_cpu_s * len(timings),
            output_bytes=OUTPUT_BYTES * len(timings),
        )
        with sandbox.session() as session:
            fault = _build(session, self.board, {**headers(task), "controller.c": controller, **objects})
            if fault is not None:
                return Run(build=fault)
            secret = new_secret()
            loop = session.run(["./harness", str(self.board.cpu_s), *self.board.start], {"harness": harness},
                               loop_limits, stdin=script(task, wanted, timings).encode(),
                               secret=secret.encode())  # fmt: skip
            # Last: what it may do to the files of the session then reaches no program of ours.
            host = session.run(["./firmware", "host"], {}, HOST_LIMITS, stdin=host_input(task.host).encode())
        found, whole = read(task, [*wanted] * len(timings), loop.stdout, secret)
        return gathered(found, timings, loop, whole, host_output(task.host, host), host.ending)


def gathered(
    found: Sequence[Trace],
    timings: Sequence[Timing],
    loop: Outcome,
    whole: bool,
    host: tuple[tuple[str, ...], ...],
    host_ending: str,
) -> Run:
    """Return the run that the traces of all scenarios, timing after timing, make up."""
    each = len(found) // len(timings)
    parts = [tuple(found[at * each : (at + 1) * each]) for at in range(len(timings))]
    return Run(
        host=host,
        host_ending=host_ending,
        traces=parts[0],
        swept=tuple(zip(timings[1:], parts[1:], strict=True)),
        whole=whole and loop.ok,
        loop_ending=loop.ending,
        timed_out=loop.timed_out,
    )


def _build(session: Session, board: Board, files: Mapping[str, bytes | str]) -> str | None:
    """Compile and link; return what the compiler said if it failed."""
    outcome = session.run(["sh", "-c", board.build], files, BUILD_LIMITS)
    if outcome.ok:
        return None
    return outcome.stderr.decode(errors="replace")[:2000] or outcome.ending


def host_input(tests: Sequence[HostTest]) -> str:
    """Return what the host steps read."""
    steps = ("\n".join(["RESET", *(step.split(" -> ")[0] for step in test.steps)]) for test in tests)
    return "\n".join(steps) + "\n"


def host_output(tests: Sequence[HostTest], host: Outcome) -> tuple[tuple[str, ...], ...]:
    """Return the actuators that the host steps printed, by test."""
    lines = host.stdout.decode(errors="replace").splitlines()
    found, at = [], 0
    for test in tests:
        found.append(tuple(lines[at : at + len(test.steps)]))
        at += len(test.steps)
    return tuple(found)
