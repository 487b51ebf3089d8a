"""What every back end takes and gives: when the firmware polls and frames come, and what a run showed."""

from collections.abc import Sequence
from dataclasses import dataclass

from corpora.closedloop.model import HERE, POLL_MS, Task
from corpora.closedloop.trace import Trace
from tasks.grading.platform_backends import Need, Tool
from tasks.sandbox import Session
from warehouse.errors import SandboxError

JITTER_MS = 40
"""The tolerance that the brief states: a reading comes at most this late."""

STUB = """#include "controller.h"

void controller_init(void)
{
}

controller_output_t controller_step(const controller_input_t *input)
{
    (void)input;
    return (controller_output_t){ .state = "IDLE" };
}
"""
"""The starter: it builds and does nothing."""

HEADERS = ("controller.h", "protocol.h", "port.h")


@dataclass(frozen=True)
class Timing:
    """When the firmware first polls (0 to 49 ms), and by how much frames may come late (at most 40 ms)."""

    phase_ms: int = 0
    jitter_ms: int = 0

    def __str__(self) -> str:
        return f"phase {self.phase_ms} ms, jitter {self.jitter_ms} ms"


def swept_timings(phases: int) -> tuple[Timing, ...]:
    """Return `phases` phases spread over a poll period, each without jitter and with the most that is tolerated."""
    at = [index * POLL_MS // phases for index in range(phases)]
    return tuple(Timing(phase, jitter) for phase in at for jitter in (0, JITTER_MS))


@dataclass(frozen=True)
class Run:
    """What one run gave. `build` is None or what the compiler said; `host` the outputs of each host test's steps;
    `traces` one a scenario at the first timing, `swept` the same for each further one."""

    build: str | None = None
    host: tuple[tuple[str, ...], ...] = ()
    host_ending: str = ""
    traces: tuple[Trace, ...] = ()
    swept: tuple[tuple[Timing, tuple[Trace, ...]], ...] = ()
    whole: bool = False
    loop_ending: str = ""
    timed_out: bool = False


def headers(task: Task) -> dict[str, str]:
    """Return the headers that a controller may include."""
    files = {name: (HERE / "firmware" / name).read_text() for name in HEADERS}
    return files | {"channels.h": task.channels}


class Absent(SandboxError):
    """Something that a back end needs is not in the sandbox; the message says what to install."""


def require(session: Session, name: str, needs: Sequence[Need], enter: str = ":") -> None:
    """Raise Absent where a program that the back end `name` needs is not there after the shell words `enter`."""
    tools = [need for need in needs if isinstance(need, Tool)]
    probes = [f"command -v {tool.program} >/dev/null || echo {number}" for number, tool in enumerate(tools)]
    told = session.run(["sh", "-c", "\n".join([enter, *probes])]).stdout.split()
    if told:
        raise Absent(f"{name}: {'; '.join(tools[int(number)].install for number in told)}")
