"""Names a process so that what it left behind can be told from what it still uses, even after its pid is reused."""

import os
from functools import cache
from pathlib import Path


@cache
def _world() -> str:
    """Return what a pid is valid in: this boot and this pid namespace."""
    boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()[:8]
    return f"{boot}.{os.stat('/proc/self/ns/pid').st_ino}"


def _started(pid: int) -> str | None:
    """Return the start time of a process in clock ticks since boot, None if there is no such process."""
    try:
        status = Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return None
    fields = status.rpartition(")")[2].split()
    return None if fields[0] in "ZX" else fields[19]


def me() -> str:
    """Return this process's name: boot, pid namespace, pid and start time."""
    pid = os.getpid()
    return f"{_world()}-{pid}-{_started(pid)}"


def is_dead(owner: str) -> bool:
    """Whether the process named so has ended; False for one in another pid namespace, of which nothing is known."""
    world, _, rest = owner.partition("-")
    pid, _, started = rest.partition("-")
    return world == _world() and pid.isdecimal() and _started(int(pid)) != started
