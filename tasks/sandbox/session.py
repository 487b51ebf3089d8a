"""A session over a channel to a supervisor: the same for every back end, which only says how limits are set."""

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace

from tasks.sandbox.model import MIB, NOTHING, Files, Limits, Outcome
from tasks.sandbox.wire import Channel, NotStarted, converse, file_frames, request
from warehouse.errors import SandboxError


class Occupied(Exception):
    """What a session holds in memory, its files included, is more than the limit of the next run."""


@dataclass(frozen=True)
class Own:
    """The limits that the supervisor sets itself, 0 for none, because nothing outside does."""

    memory_bytes: int = 0
    processes: int = 0


def _no_kills() -> int:
    return 0


class RunsOnce(ABC):
    """A back end that runs once by opening a session for it."""

    @abstractmethod
    def session(self) -> AbstractContextManager["SupervisedSession"]:
        """Open a session."""

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
        """Run once in a session of its own."""
        with self.session() as session:
            return session.run(argv, files, limits, stdin=stdin, secret=secret, env=env, collect=collect)


class SupervisedSession:
    """`impose` sets the outside limits of a run and returns those left to the supervisor; `memory_kills` counts the
    processes that the kernel has killed for want of memory so far."""

    def __init__(
        self, channel: Channel, impose: Callable[[Limits], Own], memory_kills: Callable[[], int] = _no_kills
    ) -> None:
        self._channel = channel
        self._impose = impose
        self._memory_kills = memory_kills
        self.broken = False

    def write(self, files: Files) -> None:
        """Put files into the directory; see `model.Session`."""
        self._converse((), Limits(), files)

    def read(self, names: Sequence[str], *, cap_bytes: int = 16 * MIB) -> Mapping[str, bytes]:
        """Return the named files; see `model.Session`."""
        return self._converse((), Limits(collect_bytes=cap_bytes), NOTHING, collect=names).collected

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
        """Run a program; see `model.Session`."""
        if not argv:
            raise ValueError("a run needs a program")
        try:
            own = self._impose(limits)
        except Occupied:
            return _out_of_memory()
        return self._converse(argv, limits, files, own, stdin=stdin, secret=secret, env=env, collect=collect)

    def _converse(
        self,
        argv: Sequence[str],
        limits: Limits,
        files: Files,
        own: Own = Own(),
        *,
        stdin: bytes = b"",
        secret: bytes = b"",
        env: Mapping[str, str] | None = None,
        collect: Sequence[str] = (),
    ) -> Outcome:
        if self.broken:
            raise SandboxError("This sandbox broke in an earlier run; open a new session.")
        frames = file_frames(files)
        frames += request(
            argv, limits, stdin=stdin, secret=secret, env=env, collect=collect,
            memory_bytes=own.memory_bytes, processes=own.processes,
        )  # fmt: skip
        kills, started = self._memory_kills(), time.time()
        self.broken = True
        try:
            outcome = converse(self._channel, frames, limits)
        except NotStarted:
            self.broken = False
            raise
        except SandboxError:
            if self._memory_kills() > kills or self.was_out_of_memory(started):
                return _out_of_memory()
            raise
        self.broken = False
        return replace(outcome, out_of_memory=True) if self._memory_kills() > kills else outcome

    def was_out_of_memory(self, since: float) -> bool:
        """Whether the back end knows that the supervisor went for want of memory after the time `since`."""
        return False


def _out_of_memory() -> Outcome:
    """The outcome of a run for which there was no memory at all, or whose supervisor the kernel took, too."""
    return Outcome(
        exit=None, signal=9, stdout=b"", stderr=b"", wall_s=0.0, cpu_s=0.0, peak_bytes=0, out_of_memory=True
    )
