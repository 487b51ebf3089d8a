"""Boards that the firmware runs on, and the one way to build it for a board and play a task.

Everything that is not the controller is compiled once a process, sandbox kind, board and task, and kept as objects. A
run compiles and links the controller, lets the harness play all scenarios in one go, and runs the host steps. The
host's build is made for every board: the host tests run on the host.
"""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from corpora.closedloop.model import HERE, HostTest, Scenario, Task
from corpora.closedloop.runs import STUB, Run, Timing, headers, require, swept_timings
from corpora.closedloop.script import script
from corpora.closedloop.trace import Trace, read
from tasks.grading.platform_backends import SMALL_BUILD, Need
from tasks.sandbox import Limits, Outcome, Sandbox
from tasks.sandbox.verdict import HEADER, header, new_secret
from warehouse.errors import SandboxError

COMPILE = "gcc -std=gnu11 -O0 -fPIC -Wall -Wextra -c"
SHARED = ("app.c", "protocol.c")
HOST_SOURCES = (*SHARED, "host.c", "port_virtual.c")
HOST_LIMITS = Limits(wall_s=60.0, cpu_s=2.0)
ASLEEP = "firmware went to sleep"
"""How a run ends whose firmware waits for something else than the UART; its host steps would wait, too."""

LOOP = Limits(wall_s=60.0, cpu_s=30.0, output_bytes=8 << 20)
INSIDE = "/sdk"
"""Where the folders that environment variables name are in the sandbox, by the variable."""

LINK = "ld -shared -o controller.so controller.o app.o protocol.o host.o port_virtual.o"
RESOLVE = (
    "{ missing=$(LD_TRACE_LOADED_OBJECTS=1 LD_WARN=1 LD_BIND_NOW=1 ./firmware 2>&1 >/dev/null); "
    '[ -z "$missing" ] || { echo "$missing" >&2; false; }; }'
)
"""All but the start-up code is one shared object, because a link against the C library would take three times as
long; the dynamic linker, which is fast, then says what is undefined. It runs nothing of the controller in this mode;
even so, nothing of ours that is to be trusted later is in the session yet."""


@dataclass(frozen=True, kw_only=True)
class Board:
    """What tells back ends apart.

    `start` is the command that the firmware is for the harness (`harness`, a file of `harness/`), bounded by `cpu_s`
    of CPU time each time it is started; `loop` bounds a play of all scenarios. `make` are the shell words that build
    what `start` runs, after the host's build; empty, the host's build is it. `sources` of `firmware/` are compiled
    beforehand by `compile`, and `files` (place in the session → file of `firmware/`) put beside the controller.
    Before every command the shell obeys `enter`. `sdks` are environment variables that name folders which the sandbox
    must see.
    """

    name: str
    start: tuple[str, ...]
    harness: str = "lockstep.c"
    cpu_s: int = 1
    loop: Limits = LOOP
    make: str = ""
    make_limits: Limits = SMALL_BUILD
    sources: tuple[str, ...] = ()
    compile: str = ""
    files: Mapping[str, str] = field(default_factory=dict)
    enter: str = ""
    sdks: tuple[str, ...] = ()

    @property
    def objects(self) -> tuple[str, ...]:
        """The names of the board's own objects, apart from those of the host."""
        return tuple(f"{self.name}-{source.replace('.c', '.o')}" for source in self.sources)

    @property
    def build(self) -> list[str]:
        """The command that compiles and links a controller; one shell, because a start costs more than a link."""
        steps = " && ".join([f"{COMPILE} controller.c", LINK, RESOLVE, *([self.make] if self.make else [])])
        return ["bash" if self.enter else "sh", "-c", f"{self.enter}\n{steps}"]


_built: dict[tuple[str, str, str], tuple[Mapping[str, bytes | str], bytes]] = {}


def _ours(
    sandbox: Sandbox, board: Board, needs: tuple[Need, ...], task: Task
) -> tuple[Mapping[str, bytes | str], bytes]:
    """Return everything of the firmware that is ours, compiled where it can be, and the harness."""
    key = (sandbox.kind, board.name, task.name)
    if key in _built:
        return _built[key]
    firmware, harness = HERE / "firmware", HERE / "harness"
    files: dict[str, bytes | str] = {**headers(task), HEADER: header(), "controller.c": STUB}
    files |= {name: (firmware / name).read_text() for name in sorted({"firmware.h", *HOST_SOURCES, *board.sources})}
    files |= {name: (harness / name).read_text() for name in ("plant.h", "plant.c", board.harness)}
    steps = [["sh", "-c", f"{COMPILE} {' '.join(HOST_SOURCES)} controller.c && {LINK}"],
             ["gcc", "-o", "firmware", "./controller.so"],
             ["gcc", "-std=gnu11", "-O1", "-o", "harness", "plant.c", board.harness]]  # fmt: skip
    steps += [["sh", "-c", f"{board.compile} -o {built} {source}"]
              for source, built in zip(board.sources, board.objects, strict=True)]  # fmt: skip
    with sandbox.session() as session:
        require(session, board.name, needs, board.enter)
        session.write(files)
        for step in steps:
            _must(session.run(step, limits=SMALL_BUILD))
        outputs = [source.replace(".c", ".o") for source in HOST_SOURCES]
        objects = session.read([*outputs, *board.objects, "firmware"])
        binary = session.read(["harness"])["harness"]
        beside = {place: (firmware / name).read_text() for place, name in board.files.items()}
        # The starter must build, or a fault of the tools would count as one of the controller.
        _must(session.run(board.build, beside, board.make_limits))
    return _built.setdefault(key, ({**objects, **beside}, binary))


def _must(outcome: Outcome) -> None:
    if not outcome.ok:
        said = outcome.stderr.decode(errors="replace")[:500]
        raise SandboxError(f"The closed-loop firmware could not be built ({outcome.ending}): {said}")


@dataclass(frozen=True)
class BoardBackend:
    """A back end that is a board; see `backends.Backend`."""

    board: Board
    needs: tuple[Need, ...]

    @property
    def name(self) -> str:
        """The board's."""
        return self.board.name

    @property
    def folders(self) -> Mapping[str, Path]:
        """The SDK folders that the environment names, by their place in the sandbox."""
        found = {name: Path(os.environ[name]) for name in self.board.sdks if os.environ.get(name)}
        return {f"{INSIDE}/{name}": path.resolve() for name, path in found.items() if path.is_dir()}

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
        board = self.board
        wanted = task.scenarios() if scenarios is None else tuple(scenarios)
        first = Timing(phase_ms, jitter_ms)
        timings = (first, *(one for one in swept_timings(sweep) if one != first))
        objects, harness = _ours(sandbox, board, self.needs, task)
        with sandbox.session() as session:
            built = session.run(
                board.build, {**headers(task), "controller.c": controller, **objects}, board.make_limits
            )
            if not built.ok:
                return Run(build=built.stderr.decode(errors="replace")[:2000] or built.ending)
            secret = new_secret()
            loop = session.run(["./harness", str(board.cpu_s), *board.start], {"harness": harness},
                               _times(board.loop, len(timings)), stdin=script(task, wanted, timings).encode(),
                               secret=secret.encode())  # fmt: skip
            found, whole = read(task, [*wanted] * len(timings), loop.stdout, secret)
            if found and all(trace.ending == ASLEEP for trace in found):
                return gathered(found, timings, loop, whole, tuple(() for _ in task.host), ASLEEP)
            # Last: what it may do to the files of the session then reaches no program of ours.
            host = session.run(["./firmware", "host"], {}, HOST_LIMITS, stdin=host_input(task.host).encode())
        return gathered(found, timings, loop, whole, host_output(task.host, host), host.ending)


def _times(limits: Limits, count: int) -> Limits:
    return replace(
        limits,
        wall_s=limits.wall_s * count,
        cpu_s=limits.cpu_s * count,
        output_bytes=limits.output_bytes * count,
    )


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
