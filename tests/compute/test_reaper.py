"""A killed run leaves no process behind."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

PARENT = """
import subprocess, sys, time
from tasks.compute import reaper
reaper.watch()
child = subprocess.Popen(["sleep", "600"], start_new_session=True)
deaf = "import signal, time; signal.signal(15, signal.SIG_IGN); time.sleep(600)"
stubborn = subprocess.Popen([sys.executable, "-c", deaf])
print(child.pid, stubborn.pid, flush=True)
time.sleep(600)
"""


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().split(")")[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="needs /proc to see other processes")
@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGTERM])
def test_children_of_a_killed_run_end(end: signal.Signals) -> None:
    parent = subprocess.Popen([sys.executable, "-c", PARENT], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    children = [int(word) for word in parent.stdout.readline().split()]
    assert len(children) == 2
    assert all(alive(child) for child in children)
    time.sleep(0.5)
    os.kill(parent.pid, end)
    parent.wait()
    deadline = time.monotonic() + 30
    while any(alive(child) for child in children) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not any(alive(child) for child in children)
