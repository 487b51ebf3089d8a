"""The back ends that play a task, behind one interface."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Protocol

from corpora.closedloop import cortex_m, esp32_qemu, host_virtual
from corpora.closedloop.model import Scenario, Task
from corpora.closedloop.runs import Run
from tasks.compute.environment import program_version
from tasks.grading.platform_backends import Need, Tool
from tasks.ids import digest
from tasks.sandbox import Sandbox
from warehouse.errors import UsageError

DEFAULT = "host_virtual"


class Backend(Protocol):
    """A way to build firmware and run it against the plants."""

    @property
    def name(self) -> str:
        """How an option names it."""
        ...

    @property
    def needs(self) -> tuple[Need, ...]:
        """What must be in the sandbox."""
        ...

    @property
    def folders(self) -> Mapping[str, Path]:
        """Folders of this machine that its sandbox must see, read-only, by their place inside."""
        ...

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
        """Build the controller, run the host tests and the scenarios (None: the published ones).

        `phase_ms` (0 to 49) is when the firmware first polls; frames come up to `jitter_ms` (at most 40) late. With
        `sweep`, every scenario is played at so many phases, each without and with jitter. Raises Absent
        where something that it needs is not here, SandboxError where the sandbox or a tool fails; whatever the
        firmware does is in the Run.
        """
        ...


BACKENDS: dict[str, Backend] = {one.name: one for one in (host_virtual.BACKEND, cortex_m.BACKEND, esp32_qemu.BACKEND)}


def named(name: str) -> Backend:
    """Return a back end; raises UsageError, naming those there are."""
    if name not in BACKENDS:
        raise UsageError(f"There is no closed-loop back end {name!r}; there are {', '.join(BACKENDS)}.")
    return BACKENDS[name]


def toolchain(name: str) -> Mapping[str, str]:
    """Return the versions of the tools that a back end's verdicts rest on, `absent` where one is not installed."""
    backend = named(name)
    programs = [need.program for need in (*named(DEFAULT).needs, *backend.needs) if isinstance(need, Tool)]
    sdks = {place.rpartition("/")[2]: _sdk(folder) for place, folder in backend.folders.items()}
    return {"backend": name, **{program: program_version(program) for program in programs}, **sdks}


def _sdk(folder: Path) -> str:
    """Return the version that an SDK's own files state, as a hash of them."""
    stated = [folder / name for name in ("version.txt", "tools/cmake/version.cmake")]
    return digest([path.read_text(errors="replace") for path in stated if path.is_file()], length=12)
