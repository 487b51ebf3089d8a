"""What a sandbox is: limits in, an outcome out. The back ends are `bubblewrap`, `containers` and `trusted`."""

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

MIB = 1 << 20
Files = Mapping[str, bytes | str]
NOTHING: Files = {}


@dataclass(frozen=True, kw_only=True)
class Limits:
    """What one run may use.

    `cpu_s` counts every process of the run and is the limit to set closely: unlike `wall_s`, it does not depend on
    what else the machine does. `memory_bytes` is for the whole run; where control groups are there, what lies in
    the writable directory counts, too. `processes` counts threads.
    `output_bytes` is for each of the two streams; a run that prints more is ended.
    """

    wall_s: float = 20.0
    cpu_s: float = 10.0
    memory_bytes: int = 512 * MIB
    processes: int = 64
    file_bytes: int = 64 * MIB
    output_bytes: int = MIB
    open_files: int = 256
    collect_bytes: int = 16 * MIB


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """How a run ended. `exit` is None if a signal ended it, `signal` None if not.

    `wall_s` and `cpu_s` are the run's own time, without the sandbox's start; `peak_bytes` is the largest resident set
    of any one process. `timed_out` means the wall or the CPU limit, `truncated` the output limit. `collected` holds
    the files asked for, `refused` the reason for each that could not be had.
    """

    exit: int | None
    signal: int | None
    stdout: bytes
    stderr: bytes
    wall_s: float
    cpu_s: float
    peak_bytes: int
    timed_out: bool = False
    out_of_memory: bool = False
    truncated: bool = False
    collected: Mapping[str, bytes] = field(default_factory=dict)
    refused: Mapping[str, str] = field(default_factory=dict)

    @property
    def ok(self) -> bool:
        """Whether the run ended by itself with exit status 0 and broke no limit. Not yet a verdict: see `verdict`."""
        return self.exit == 0 and not (self.timed_out or self.out_of_memory or self.truncated)

    @property
    def ending(self) -> str:
        """How it ended, in words."""
        if self.timed_out:
            return "time limit"
        if self.out_of_memory:
            return "memory limit"
        if self.truncated:
            return "output limit"
        return f"exit {self.exit}" if self.signal is None else f"signal {self.signal}"


class Session(Protocol):
    """One fresh writable directory, kept over several runs: write, compile, run, read. Not for use by two threads."""

    def write(self, files: Files) -> None:
        """Put files (relative path → content, mode 0755) into the directory, in place of what is there.

        Raises UsageError for a path that leaves the directory, SandboxError if they do not fit.
        """
        ...

    def read(self, names: Sequence[str], *, cap_bytes: int = 16 * MIB) -> Mapping[str, bytes]:
        """Return those of the named files that are regular files of at most `cap_bytes`; no link is followed."""
        ...

    def run(
        self,
        argv: Sequence[str],
        files: Files = NOTHING,
        limits: Limits = Limits(),
        *,
        stdin: bytes = b"",
        secret: bytes = b"",
        env: Mapping[str, str] | None = None,
        collect: Sequence[str] = (),
    ) -> Outcome:
        """Write `files`, run `argv` in the directory and wait until nothing of it is left.

        `secret` is what descriptor 3 reads (see `verdict`). The environment is PATH=/usr/bin:/bin and `env`, nothing
        of the caller's. Raises SandboxError if the program cannot be started or the sandbox fails; whatever the
        program does is an Outcome.
        """
        ...


@runtime_checkable
class Sandbox(Protocol):
    """Runs untrusted programs. Pickles: a copy in another process opens its own sandboxes."""

    @property
    def kind(self) -> str:
        """`bubblewrap`, `docker` or `none`."""
        ...

    def describe(self) -> dict[str, str]:
        """Return how each limit is enforced here, for the environment of a run."""
        ...

    def session(self) -> AbstractContextManager[Session]:
        """Open a session; leaving the context removes everything of it."""
        ...

    def run(
        self,
        argv: Sequence[str],
        files: Files = NOTHING,
        limits: Limits = Limits(),
        *,
        stdin: bytes = b"",
        secret: bytes = b"",
        env: Mapping[str, str] | None = None,
        collect: Sequence[str] = (),
    ) -> Outcome:
        """Run once in a session of its own; arguments as in `Session.run`."""
        ...
