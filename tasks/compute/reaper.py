"""Ends what a killed run leaves behind: Prefect's server does not notice that its parent is gone.

A run marks its environment, which children inherit, and holds the standard input of one reaper. When the run ends in
any way, the kernel closes that pipe, and the reaper ends every process that carries the mark.
"""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

MARK = "FIRMBENCH_RUN_MARK"
GRACE_S = 3.0


def marked(mark: str, proc: Path = Path("/proc")) -> Iterator[int]:
    """Yield the ids of running processes, this one apart, whose environment carries the mark."""
    wanted = f"{MARK}={mark}".encode()
    for folder in proc.iterdir():
        if not folder.name.isdigit() or int(folder.name) == os.getpid():
            continue
        try:
            variables = (folder / "environ").read_bytes().split(b"\0")
        except OSError:
            continue
        if wanted in variables:
            yield int(folder.name)


def reap(mark: str) -> None:
    """Ask the marked processes to end, wait up to GRACE_S seconds, then kill those that stay."""
    for signal_number, wait_s in ((signal.SIGTERM, GRACE_S), (signal.SIGKILL, 0.0)):
        for pid in marked(mark):
            try:
                os.kill(pid, signal_number)
            except ProcessLookupError:
                continue
        deadline = time.monotonic() + wait_s
        while time.monotonic() < deadline and any(marked(mark)):
            time.sleep(0.1)


def watch() -> None:
    """Mark this process's environment and start the reaper; a second call, or a system without /proc, does nothing."""
    if MARK in os.environ or not Path("/proc/self/environ").exists():
        return
    mark = f"{os.getpid()}-{time.time_ns()}"
    command = [sys.executable, "-m", "tasks.compute.reaper", mark]
    reaper = subprocess.Popen(command, stdin=subprocess.PIPE, start_new_session=True)
    os.environ[MARK] = mark
    _held.append(reaper)


_held: list[subprocess.Popen] = []
"""Keeps the pipe open for as long as this process lives."""


if __name__ == "__main__":
    sys.stdin.buffer.read()
    reap(sys.argv[1])
