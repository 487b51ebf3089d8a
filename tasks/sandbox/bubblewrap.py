"""The default back end: bubblewrap, with the machine's own tools mounted read-only."""

import contextlib
import errno
import itertools
import os
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from tasks.sandbox import cgroups
from tasks.sandbox.model import MIB, Limits
from tasks.sandbox.process import guarded
from tasks.sandbox.session import Occupied, Own, RunsOnce, SupervisedSession
from tasks.sandbox.supervisor_build import supervisor
from warehouse.errors import SandboxError, UsageError

SYSTEM = (
    "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32",
    "/etc/alternatives", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d",
)  # fmt: skip
"""What compilers and interpreters of the system need; a symbolic link stays one."""

OURS = ("/tmp", "/supervisor")
KERNEL = ("/proc", "/dev", "/sys")
BOX = "/tmp/box"
SUPERVISOR = "/supervisor"
INSIDE_USER = 65534
_serial = itertools.count()


def fresh_user() -> int:
    """Return a user id that no account and no other sandbox of this machine has: limits per user are then per sandbox,
    and nothing of one sandbox belongs to another."""
    return 0x4000_0000 | (os.getpid() & 0x3F_FFFF) << 7 | next(_serial) & 0x7F


@dataclass(frozen=True)
class Bubblewrap(RunsOnce):
    """`readonly` maps paths inside to folders outside; `disk_bytes` is the size of the writable directory, which lives
    in memory; `cpus` the share of CPUs (with control groups; None: no limit, which saves a few ms a start);
    `use_cgroups` False leaves memory and process limits to rlimits. Each session is a sandbox of its own, so one
    object serves any number of threads."""

    readonly: Mapping[str, Path] = field(default_factory=dict)
    disk_bytes: int = 256 * MIB
    cpus: float | None = None
    use_cgroups: bool = True

    @property
    def kind(self) -> str:
        """`bubblewrap`."""
        return "bubblewrap"

    def describe(self) -> dict[str, str]:
        """Return how each limit is enforced here."""
        hierarchy = cgroups.usable() if self.use_cgroups else None
        grouped = f"control group v{hierarchy.version}" if hierarchy else None
        quota = hierarchy and "cpu" in hierarchy.parents and self.cpus is not None
        return {
            "kind": self.kind,
            "version": _version(),
            "user": "a fresh unprivileged user id" if os.geteuid() == 0 else "a user namespace",
            "memory": grouped or "resident memory of all processes, looked at 50 times a second",
            "processes": grouped or "rlimit",
            "cpu": f"time of all processes{f', {self.cpus:g} CPUs' if quota else ''}",
            "disk": f"tmpfs of {self.disk_bytes // MIB} MiB",
            "network": "none",
            "system calls": "seccomp",
        }

    @contextlib.contextmanager
    def session(self) -> Iterator[SupervisedSession]:
        """Open a sandbox; see `model.Sandbox`."""
        command = self.command()
        hierarchy = cgroups.usable() if self.use_cgroups else None
        try:
            group = cgroups.make(hierarchy, cpus=self.cpus) if hierarchy else None
        except OSError as error:
            raise SandboxError(f"A control group for the sandbox cannot be made: {error}.") from error

        def impose(limits: Limits) -> Own:
            if group is None:
                return Own(memory_bytes=limits.memory_bytes, processes=limits.processes + 1)
            try:
                group.limit(memory_bytes=limits.memory_bytes, processes=limits.processes + 2)
            except OSError as error:
                if error.errno == errno.EBUSY:
                    raise Occupied from error
                raise SandboxError(f"The limits of a run cannot be set: {error}.") from error
            return Own()

        with guarded(command, group) as channel:
            yield SupervisedSession(channel, impose, *([group.memory_kills] if group else []))

    def command(self) -> list[str]:
        """Return the command that starts a sandbox and its supervisor."""
        root = os.geteuid() == 0
        words = [
            _bwrap(), "--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try",
            "--hostname", "sandbox", "--new-session", "--die-with-parent", "--as-pid-1", "--clearenv",
        ]  # fmt: skip
        if root:  # the supervisor gives these up before it does anything else
            for capability in ("CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP"):
                words += ["--cap-add", capability]
        else:
            words += ["--unshare-user", "--uid", str(INSIDE_USER), "--gid", str(INSIDE_USER), "--cap-drop", "ALL"]
        above = {str(parent) for path in (*SYSTEM, *self.readonly) for parent in Path(path).parents}
        for folder in sorted(above - {"/"}):
            words += ["--perms", "0755", "--dir", folder]
        for path in SYSTEM:
            if os.path.islink(path):
                words += ["--symlink", os.readlink(path), path]
            elif os.path.exists(path):
                words += ["--ro-bind", path, path]
        words += ["--ro-bind", str(supervisor()), SUPERVISOR]
        for inside, outside in self.readonly.items():
            words += ["--ro-bind", str(outside), inside]
        words += [
            "--perms",
            "1777",
            "--size",
            str(self.disk_bytes),
            "--tmpfs",
            "/tmp",
            "--proc",
            "/proc",
            "--dev",
            "/dev",
        ]
        words += ["--remount-ro", "/dev", "--remount-ro", "/", "--chdir", "/"]
        words += ["--", SUPERVISOR, "serve", "--box", BOX, "--filter"]
        return [*words, "--user", str(fresh_user())] if root else words


def _bwrap() -> str:
    found = shutil.which("bwrap")
    if found is None:
        raise SandboxError("bubblewrap is not installed; install it with apt-get install bubblewrap.")
    return found


@cache
def _version() -> str:
    return subprocess.run([_bwrap(), "--version"], capture_output=True, text=True, check=False).stdout.strip()


def checked_readonly(readonly: Mapping[str, Path]) -> dict[str, Path]:
    """Return the folders with absolute paths outside.

    Raises UsageError if one does not exist, hides a part of the sandbox, or cannot be read by any user.
    """
    checked = {}
    for inside, outside in readonly.items():
        outside = Path(outside).resolve()
        place = f"/{inside.strip('/')}/"
        taken = place == "//" or any(place.startswith(f"{own}/") for own in (*OURS, *SYSTEM, *KERNEL))
        if not inside.startswith("/") or ".." in place.split("/") or taken:
            raise UsageError(f"{inside!r} cannot be the place of a read-only folder in a sandbox.")
        if not outside.exists():
            raise UsageError(f"The read-only folder {outside} does not exist.")
        needed = 0o5 if outside.is_dir() else 0o4
        if outside.stat().st_mode & needed != needed:
            raise UsageError(f"{outside} cannot be read by the sandbox's user; run chmod -R a+rX {outside}.")
        checked[inside] = outside
    return checked
