"""The process pool: order, crashes, and workers that end with their parent."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tasks.compute.pool import Pool


def square(number: int) -> int:
    return number * number


def crash_once(path: str) -> str:
    """Die without a word the first time, answer the second."""
    if not Path(path).exists():
        Path(path).touch()
        os._exit(7)
    return "answered"


def refuse(_: object) -> None:
    raise ValueError("no")


def test_results_and_errors_come_back(tmp_path: Path) -> None:
    with Pool(2) as pool:
        assert [pool.run(square, number) for number in range(5)] == [0, 1, 4, 9, 16]
        with pytest.raises(ValueError, match="no"):
            pool.run(refuse, None)
        assert pool.run(crash_once, str(tmp_path / "crashed")) == "answered"


PARENT = """
import os, sys, time
from tasks.compute.pool import Pool
if __name__ == "__main__":
    with Pool(1) as pool:
        print(pool.run(os.getenv, "HOME") and pool.run(type(os.getpid()), 3), pool.run(len, "ab"), flush=True)
        print(*pool._executor._processes, flush=True)
        time.sleep(600)
"""


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc to see other processes")
def test_a_worker_ends_when_its_parent_is_killed(tmp_path: Path) -> None:
    script = tmp_path / "parent.py"
    script.write_text(PARENT)
    root = Path(__file__).resolve().parent.parent.parent
    parent = subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, text=True,
                              env=os.environ | {"PYTHONPATH": str(root)})  # fmt: skip
    assert parent.stdout is not None
    assert parent.stdout.readline()
    worker = Path("/proc", parent.stdout.readline().split()[0])
    assert worker.exists()
    parent.kill()
    parent.wait()
    deadline = time.monotonic() + 20
    while worker.exists() and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not worker.exists()
