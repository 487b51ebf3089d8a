"""One process pool for the CPU-bound work of a run. Its workers end when their parent does, however it dies."""

import os
import threading
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from typing import Any

PARENT_POLL_S = 1.0


def _end_with_parent(parent: int) -> None:
    """Watch the parent from a thread: after a `kill -9` nothing else tells a worker that nobody waits for it."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(PARENT_POLL_S)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


class Pool:
    """Processes that run picklable functions; `workers` defaults to the cores this process may use.

    Use as a context manager. A worker that crashes takes the whole executor down, so `run` starts a new one and tries
    the item once more; a second crash is the item's own and is raised.
    """

    def __init__(self, workers: int | None = None) -> None:
        self.workers = workers or len(os.sched_getaffinity(0))
        self._lock = threading.Lock()
        self._executor: ProcessPoolExecutor | None = None

    def __enter__(self) -> "Pool":
        return self

    def __exit__(self, *_: object) -> None:
        if self._executor is not None:
            self._executor.shutdown(wait=False, cancel_futures=True)
            self._executor = None

    def _current(self, broken: ProcessPoolExecutor | None = None) -> ProcessPoolExecutor:
        with self._lock:
            if self._executor is None or self._executor is broken:
                self._executor = ProcessPoolExecutor(
                    self.workers, get_context("spawn"), initializer=_end_with_parent, initargs=(os.getpid(),)
                )
            return self._executor

    def run(self, function: Callable[[Any], Any], item: Any) -> Any:
        """Return `function(item)`, computed in a worker; blocks the calling thread."""
        executor = self._current()
        try:
            return executor.submit(function, item).result()
        except BrokenProcessPool:
            return self._current(executor).submit(function, item).result()
