"""No sandbox: programs run as the caller, in a temporary directory, with resource limits only. For trusted code."""

import contextlib
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass

from tasks.sandbox.process import guarded
from tasks.sandbox.session import Own, RunsOnce, SupervisedSession
from tasks.sandbox.supervisor_build import supervisor


@dataclass(frozen=True)
class NoSandbox(RunsOnce):
    """Nothing is hidden and nothing forbidden; `open_sandbox` hands it out for trusted code only."""

    @property
    def kind(self) -> str:
        """`none`."""
        return "none"

    def describe(self) -> dict[str, str]:
        """Return how each limit is enforced here."""
        nothing = "not limited"
        return {
            "kind": self.kind,
            "version": "-",
            "user": "the caller",
            "memory": "address space of each process, 2 GiB above the limit (rlimit)",
            "processes": nothing,
            "cpu": "time of each process (rlimit)",
            "disk": nothing,
            "network": nothing,
            "system calls": nothing,
        }

    @contextlib.contextmanager
    def session(self) -> Iterator[SupervisedSession]:
        """Open a temporary directory and a supervisor for it; see `model.Sandbox`."""
        box = tempfile.mkdtemp(prefix="firmbench-box-")
        try:
            with guarded([str(supervisor()), "serve", "--box", box, "--remove"]) as channel:
                yield SupervisedSession(channel, lambda limits: Own(memory_bytes=limits.memory_bytes))
        finally:
            shutil.rmtree(box, ignore_errors=True)
