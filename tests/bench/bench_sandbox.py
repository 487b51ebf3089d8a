"""Start latency of each back end against starting the same program bare, and the cost of one more run in a session."""

import contextlib
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from typing import Any

from tasks.sandbox import open_sandbox
from tasks.sandbox.engine import private_engine, why_not
from tests.bench.ratio import Ratio

REPEATS = 40


def median_of(function: Callable[[], object]) -> float:
    """Return the median wall time in seconds of REPEATS calls, after one for the caches."""
    function()
    times = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        function()
        times.append(time.perf_counter() - start)
    return sorted(times)[REPEATS // 2]


def bare() -> None:
    """Start and end a program without any sandbox."""
    subprocess.run(["/bin/true"], check=True)


def rows(name: str, sandbox: Any, native_s: float, goal: str) -> Iterator[Ratio]:
    """Yield the latency of a run in a session of its own and of one more run in an open session."""
    limits = f"memory by {sandbox.describe()['memory']}"
    alone = median_of(lambda: sandbox.run(["true"]))
    yield Ratio(f"{name}: a run of its own / bare", alone * 1e3, native_s * 1e3, "ms", goal, limits)
    with sandbox.session() as session:
        more = median_of(lambda: session.run(["true"]))
    yield Ratio(f"{name}: one more run / bare", more * 1e3, native_s * 1e3, "ms", "<= 5")


def run() -> Iterator[Ratio]:
    """Measure every back end that is here."""
    native_s = median_of(bare)
    if shutil.which("bwrap"):
        with open_sandbox("bubblewrap") as sandbox:
            yield from rows("bubblewrap", sandbox, native_s, "<= 25")
    with open_sandbox("none", trusted=True) as sandbox:
        yield from rows("none", sandbox, native_s, "<= 10")
    if why_not() is None:
        with contextlib.ExitStack() as stack:
            address = stack.enter_context(private_engine())
            sandbox = stack.enter_context(open_sandbox("docker", docker_host=address))
            yield from rows("docker, container used again", sandbox, native_s, "<= 5")
            fresh = median_of_fresh(sandbox)
            yield Ratio("docker: a new container / bare", fresh * 1e3, native_s * 1e3, "ms", "<= 1000")


def median_of_fresh(sandbox: Any, repeats: int = 5) -> float:
    """Return the median seconds of starting a container, one run in it, and removing it."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        with sandbox.session() as session:
            session.run(["true"])
            session.broken = True  # so that it is not kept
        times.append(time.perf_counter() - start)
    return sorted(times)[repeats // 2]
