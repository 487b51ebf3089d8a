"""Control groups for one sandbox: memory, number of processes, share of the CPUs; version 1 or 2, whichever is there.

A group is named after the process that made it: one left behind by a killed process can be told from one in use.
"""

import contextlib
import itertools
import os
import signal
import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tasks.sandbox.owner import is_dead, me

MOUNT = Path("/sys/fs/cgroup")
PREFIX = "firmbench."
PERIOD_US = 100_000
_serial = itertools.count()


@dataclass(frozen=True)
class Hierarchy:
    """Where groups can be made: a parent directory per controller (all the same in version 2)."""

    version: int
    parents: Mapping[str, Path]

    @property
    def folders(self) -> list[Path]:
        """The parents, each once."""
        return list(dict.fromkeys(self.parents.values()))


@dataclass(frozen=True)
class Group:
    """One group in every hierarchy it needs; the guard puts a sandbox in and removes the directories at its end."""

    version: int
    paths: Mapping[str, Path]

    @property
    def folders(self) -> list[Path]:
        """The group's directories, each once."""
        return list(dict.fromkeys(self.paths.values()))

    def limit(self, *, memory_bytes: int, processes: int) -> None:
        """Set the limits of the next run; what the sandbox holds already is too little to be in the way."""
        if self.version == 1:
            memory = self.paths["memory"]
            swap = memory / "memory.memsw.limit_in_bytes"
            if swap.exists():  # it can never be below the other
                _put(swap, -1)
            _put(memory / "memory.limit_in_bytes", memory_bytes)
            if swap.exists():
                _put(swap, memory_bytes)
        else:
            _put(self.paths["memory"] / "memory.max", memory_bytes)
            with contextlib.suppress(FileNotFoundError):
                _put(self.paths["memory"] / "memory.swap.max", 0)
        _put(self.paths["pids"] / "pids.max", processes)

    def memory_kills(self) -> int:
        """Return how many processes of the group the kernel has killed for want of memory."""
        name = "memory.oom_control" if self.version == 1 else "memory.events"
        words = (self.paths["memory"] / name).read_text().split()
        return int(words[words.index("oom_kill") + 1])

    def remove(self) -> None:
        """Kill what is left in the group and remove it; the guard has done so unless it was killed itself."""
        for folder in self.folders:
            _remove(folder)


def _put(path: Path, value: int | str) -> None:
    path.write_text(str(value))


def _remove(folder: Path) -> None:
    for attempt in range(100):
        try:
            folder.rmdir()
        except FileNotFoundError:
            return
        except OSError:
            with contextlib.suppress(OSError):
                for pid in (folder / "cgroup.procs").read_text().split():
                    os.kill(int(pid), signal.SIGKILL)
            time.sleep(min(0.05, 0.001 * 2**attempt))
        else:
            return


def parse_own(text: str) -> dict[str, str]:
    """Return the path of a process's group by controller, "" for version 2, from the text of /proc/<pid>/cgroup."""
    own = {}
    for line in text.splitlines():
        _, controllers, path = line.split(":", 2)
        own.update(dict.fromkeys(controllers.split(","), path))
    return own


def find(mount: Path = MOUNT, own: str | None = None) -> Hierarchy | None:
    """Return the hierarchy in which this process may make groups that limit memory and processes, or None.

    `own` is the text of /proc/self/cgroup.
    """
    paths = parse_own(Path("/proc/self/cgroup").read_text() if own is None else own)
    first = {name: mount / name for name in ("memory", "pids")}
    if all(_writable(folder) and name in paths for name, folder in first.items()):
        cpu = mount / "cpu"
        return Hierarchy(1, {**first, "cpu": cpu} if _writable(cpu) and "cpu" in paths else first)
    here = mount / paths.get("", "/").strip("/")
    for folder in [here, *here.parents]:
        control = folder / "cgroup.subtree_control"
        if control.exists() and _writable(folder):
            with contextlib.suppress(OSError):
                if not {"memory", "pids"} <= set(control.read_text().split()):
                    control.write_text("+memory +pids")
                given = set(control.read_text().split())
                if {"memory", "pids"} <= given:
                    return Hierarchy(2, dict.fromkeys(("memory", "pids", *({"cpu"} & given)), folder))
        if folder == mount:
            break
    return None


def _writable(folder: Path) -> bool:
    return folder.is_dir() and os.access(folder, os.W_OK | os.X_OK)


@cache
def usable() -> Hierarchy | None:
    """Return the hierarchy of `find` if a group can really be made, entered and limited in it, found out once."""
    hierarchy = find()
    if hierarchy is None:
        return None
    try:
        sweep(hierarchy)
        group = make(hierarchy, cpus=None)
    except OSError:
        return None
    pid = os.posix_spawn("/bin/sleep", ["sleep", "10"], {})
    try:
        group.limit(memory_bytes=64 << 20, processes=8)
        group.memory_kills()
        for folder in group.folders:
            _put(folder / "cgroup.procs", pid)
    except (OSError, ValueError):
        return None
    finally:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        group.remove()
    return hierarchy


def make(hierarchy: Hierarchy, *, cpus: float | None) -> Group:
    """Make a group; `cpus` is the share of CPUs, such as 1.0, or None for no limit. Raises OSError."""
    name = f"{PREFIX}{me()}.{next(_serial)}"
    paths = {controller: parent / name for controller, parent in hierarchy.parents.items()}
    group = Group(hierarchy.version, paths)
    for folder in group.folders:
        folder.mkdir()
    if cpus is not None and "cpu" in paths:
        quota = round(cpus * PERIOD_US)
        if hierarchy.version == 1:
            _put(paths["cpu"] / "cpu.cfs_period_us", PERIOD_US)
            _put(paths["cpu"] / "cpu.cfs_quota_us", quota)
        else:
            _put(paths["cpu"] / "cpu.max", f"{quota} {PERIOD_US}")
    return group


def sweep(hierarchy: Hierarchy) -> None:
    """Remove groups whose maker has died without doing so."""
    for parent in hierarchy.folders:
        for folder in parent.glob(f"{PREFIX}*"):
            if is_dead(folder.name.removeprefix(PREFIX).rpartition(".")[0]):
                _remove(folder)
