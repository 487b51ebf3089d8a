"""The `host-virtual` back end: firmware and plant, compiled with gcc, in lock step on one virtual clock.

The parts that are not the controller are compiled once a process and task and kept as objects; a run compiles and
links the controller, lets the harness play every scenario in one go, and runs the host steps.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from corpora.closedloop.model import HERE, HostTest, Scenario, Task
from corpora.closedloop.script import script
from corpora.closedloop.trace import Trace, read
from tasks.sandbox import Limits, Outcome, Sandbox, Session
from tasks.sandbox.verdict import HEADER, header, new_secret
from warehouse.errors import SandboxError

COMPILE = ("gcc", "-std=gnu11", "-O0", "-Wall", "-Wextra", "-c")
FIXED = ("app.c", "port_virtual.c", "protocol.c", "host.c")
LIMITS = Limits(wall_s=60.0, cpu_s=30.0, output_bytes=8 << 20)
HOST_LIMITS = Limits(wall_s=60.0, cpu_s=2.0)
HEADERS = ("controller.h", "protocol.h", "port.h")


@dataclass(frozen=True)
class Run:
    """What one run gave. `build` is None or what the compiler said; `host` the outputs of each host test's steps."""

    build: str | None = None
    host: tuple[tuple[str, ...], ...] = ()
    host_ending: str = ""
    traces: tuple[Trace, ...] = ()
    whole: bool = False
    loop_ending: str = ""
    timed_out: bool = False


def headers(task: Task) -> dict[str, str]:
    """Return the headers that a controller may include."""
    files = {name: (HERE / "firmware" / name).read_text() for name in HEADERS}
    return files | {"channels.h": task.channels}


_built: dict[tuple[str, str], Mapping[str, bytes]] = {}


def _objects(sandbox: Sandbox, task: Task) -> Mapping[str, bytes]:
    """Return the objects of everything that is ours, and the harness; built once a kind of sandbox."""
    if (sandbox.kind, task.name) in _built:
        return _built[sandbox.kind, task.name]
    files: dict[str, bytes | str] = {**headers(task), HEADER: header()}
    files |= {source: (HERE / "firmware" / source).read_text() for source in FIXED}
    files["harness.c"] = (HERE / "harness" / "harness.c").read_text()
    outputs = [source.replace(".c", ".o") for source in FIXED]
    with sandbox.session() as session:
        _ours(session.run([*COMPILE, *FIXED], files, LIMITS))
        _ours(session.run(["gcc", "-std=gnu11", "-O1", "-o", "harness", "harness.c"], {}, LIMITS))
        built = session.read([*outputs, "harness"])
    return _built.setdefault((sandbox.kind, task.name), built)


def _ours(outcome: Outcome) -> None:
    if not outcome.ok:
        said = outcome.stderr.decode(errors="replace")[:500]
        raise SandboxError(f"gcc could not build the closed-loop firmware ({outcome.ending}): {said}")


def run(
    task: Task,
    controller: str,
    sandbox: Sandbox,
    *,
    scenarios: Sequence[Scenario] | None = None,
    phase_ms: int = 0,
    jitter_ms: int = 0,
) -> Run:
    """Build the controller, run the host tests and the scenarios (None: the published ones).

    `phase_ms` (0 to 49) is when the firmware first polls; frames come up to `jitter_ms` (at most 40) late.
    """
    wanted = task.scenarios() if scenarios is None else tuple(scenarios)
    with sandbox.session() as session:
        files: dict[str, bytes | str] = {**headers(task), "controller.c": controller, **_objects(sandbox, task)}
        fault = _build(session, files)
        if fault is not None:
            return Run(build=fault)
        secret = new_secret()
        text = script(task, wanted, phase_ms, jitter_ms)
        loop = session.run(["./harness"], {}, LIMITS, stdin=text.encode(), secret=secret.encode())
        # Last: what it may do to the files of the session then reaches no program of ours.
        host = session.run(["./host"], {}, HOST_LIMITS, stdin=_host_input(task.host).encode())
    traces, whole = read(task, wanted, loop.stdout, secret)
    return Run(
        host=_host_output(task.host, host.stdout.decode(errors="replace").splitlines()),
        host_ending=host.ending,
        traces=tuple(traces),
        whole=whole and loop.ok,
        loop_ending=loop.ending,
        timed_out=loop.timed_out,
    )


def _build(session: Session, files: Mapping[str, bytes | str]) -> str | None:
    """Compile and link; return what the compiler said if it failed. One shell, because a start costs more than gcc."""
    link = "gcc -o firmware controller.o app.o port_virtual.o protocol.o && gcc -o host controller.o host.o protocol.o"
    outcome = session.run(["sh", "-c", f"{' '.join(COMPILE)} controller.c && {link}"], files, LIMITS)
    if outcome.ok:
        return None
    return outcome.stderr.decode(errors="replace")[:2000] or outcome.ending


def _host_input(tests: Sequence[HostTest]) -> str:
    steps = ("\n".join(["RESET", *(step.split(" -> ")[0] for step in test.steps)]) for test in tests)
    return "\n".join(steps) + "\n"


def _host_output(tests: Sequence[HostTest], lines: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    found, at = [], 0
    for test in tests:
        found.append(tuple(lines[at : at + len(test.steps)]))
        at += len(test.steps)
    return tuple(found)
