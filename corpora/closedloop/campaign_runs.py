"""Firmware of the published campaign in lock step with our plants: its own controller, protocol and transport.

They stand on a port of the few ESP-IDF calls that they make (`campaign_port/`)."""

from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath

from corpora.closedloop.boards import LOOP
from corpora.closedloop.model import HERE, Scenario, Task
from corpora.closedloop.runs import Run, require
from corpora.closedloop.script import script
from corpora.closedloop.trace import read
from tasks.grading.platform_backends import SMALL_BUILD, Tool
from tasks.sandbox import Sandbox
from tasks.sandbox.verdict import HEADER, header, new_secret
from warehouse.errors import SandboxError
from warehouse.importers.closed_loop_sources import GRADED

PORT = HERE / "campaign_port"
SOURCES = ("controller.c", "protocol.c", "uart_transport.c")
COMPILE = "gcc -std=gnu11 -O0 -I."
CPU_S = "1"
"""CPU seconds of the firmware in one scenario."""

GCC = Tool("gcc", "install the package gcc")
_built: dict[str, Mapping[str, bytes]] = {}


def missing(files: Mapping[str, str]) -> list[str]:
    """Return the graded files that a submission lacks, which nothing of ours stands in for."""
    return [path for path in GRADED if path not in files]


def run(task: Task, files: Mapping[str, str], sandbox: Sandbox, scenarios: Sequence[Scenario] | None = None) -> Run:
    """Build the graded `files` (text by path) and play the scenarios (None: the published ones); no host tests.

    Raises Absent without a compiler, SandboxError where the harness or the sandbox fails.
    """
    wanted = task.scenarios() if scenarios is None else tuple(scenarios)
    ours = _ours(sandbox)
    with sandbox.session() as session:
        own = {PurePosixPath(path).name: text for path, text in files.items() if path in GRADED}
        shared = {name: data for name, data in ours.items() if name != "harness"}
        command = f"{COMPILE} -o firmware {' '.join(SOURCES)} port.o port_virtual.o"
        built = session.run(["sh", "-c", command], {**_headers(), **own, **shared}, SMALL_BUILD)
        if not built.ok:
            return Run(build=built.stderr.decode(errors="replace")[:2000] or built.ending)
        secret = new_secret()
        loop = session.run(["./harness", CPU_S, "./firmware"], {"harness": ours["harness"]}, LOOP,
                           stdin=script(task, wanted).encode(), secret=secret.encode())  # fmt: skip
    found, whole = read(task, wanted, loop.stdout, secret)
    return Run(traces=tuple(found), whole=whole and loop.ok, loop_ending=loop.ending, timed_out=loop.timed_out)


def _headers() -> dict[str, bytes | str]:
    return {path.relative_to(PORT).as_posix(): path.read_text() for path in sorted(PORT.rglob("*.h"))}


def _ours(sandbox: Sandbox) -> Mapping[str, bytes]:
    """Return the port and the harness, built once a process and sandbox kind."""
    if sandbox.kind in _built:
        return _built[sandbox.kind]
    files: dict[str, bytes | str] = {**_headers(), HEADER: header(), "port.c": (PORT / "port.c").read_text()}
    files |= {name: (HERE / "firmware" / name).read_text() for name in ("firmware.h", "port.h", "port_virtual.c")}
    files |= {name: (HERE / "harness" / name).read_text() for name in ("plant.h", "plant.c", "lockstep.c")}
    commands = f"{COMPILE} -c port.c port_virtual.c && gcc -std=gnu11 -O1 -o harness plant.c lockstep.c"
    with sandbox.session() as session:
        require(session, "host_virtual", (GCC,))
        built = session.run(["sh", "-c", commands], files, SMALL_BUILD)
        if not built.ok:
            said = built.stderr.decode(errors="replace")[:500]
            raise SandboxError(f"The port for imported firmware could not be built ({built.ending}): {said}")
        return _built.setdefault(sandbox.kind, session.read(["port.o", "port_virtual.o", "harness"]))
