"""What codebleu 0.7.0 itself returns, for comparison with published tables: one worker process, a fixed hash seed.

The package's value depends on the hash seed, its time doubles with each nested loop, and it swallows every exception,
so it runs apart and is stopped from outside.
"""

import atexit
import contextlib
import json
import os
import selectors
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from functools import cache
from typing import ClassVar

from warehouse.errors import GradingError

START_S = 120.0
"""How long the worker may take to import the package on a loaded machine, in seconds."""


@dataclass(frozen=True, slots=True)
class PackageScore:
    """The package's own figures, equal weights, its default tokenizer: `score` counts a data flow of 0 as 1."""

    score: float
    ngram: float
    weighted_ngram: float
    syntax: float
    dataflow: float
    reason: ClassVar[None] = None


@dataclass(frozen=True, slots=True)
class PackageFailure:
    """Why there is no figure."""

    reason: str
    score: ClassVar[None] = None


class PackageCodeBleu:
    """A context manager that owns one worker: one pair at a time, each for at most `timeout_s` seconds.

    A pair that takes longer, or that kills the worker, is a `PackageFailure`, and the next one gets a new worker.
    Raises GradingError if the worker does not start.
    """

    def __init__(self, timeout_s: float = 10.0) -> None:
        self.timeout_s = timeout_s
        self._worker: subprocess.Popen[bytes] | None = None
        self._received = b""
        self._turn = threading.Lock()

    def __enter__(self) -> "PackageCodeBleu":
        return self

    def __exit__(self, *error: object) -> None:
        self._stop()

    @property
    def pid(self) -> int | None:
        """The process id of the worker, None while there is none."""
        return self._worker.pid if self._worker else None

    def score(self, reference: str, candidate: str, language: str) -> PackageScore | PackageFailure:
        """Return the package's figures for one pair in `language` (`c` or `cpp`), or why there are none."""
        with self._turn:
            return self._score(reference, candidate, language)

    def _score(self, reference: str, candidate: str, language: str) -> PackageScore | PackageFailure:
        worker = self._started()
        request = json.dumps({"reference": reference, "candidate": candidate, "language": language}) + "\n"
        try:
            assert worker.stdin is not None
            worker.stdin.write(request.encode())
            worker.stdin.flush()
            answer = self._answer(worker, self.timeout_s)
        except BrokenPipeError:
            answer = None
        except TimeoutError:
            self._stop()
            return PackageFailure(f"took longer than {self.timeout_s:g} s")
        if answer is None:
            code = worker.wait()
            self._stop()
            return PackageFailure(f"the worker died with code {code}")
        if "error" in answer:
            return PackageFailure(str(answer["error"]))
        names = ("codebleu", "ngram_match_score", "weighted_ngram_match_score", "syntax_match_score")
        return PackageScore(*(float(answer[name]) for name in (*names, "dataflow_match_score")))

    def _started(self) -> "subprocess.Popen[bytes]":
        """Return a worker that is ready, starting one if there is none or the last one has died."""
        if self._worker is not None and self._worker.poll() is None:
            return self._worker
        self._stop()
        worker = subprocess.Popen(
            [sys.executable, "-m", "tasks.grading.codebleu_worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONHASHSEED": "0", "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        )
        self._worker = worker
        try:
            answer = self._answer(worker, START_S)
        except TimeoutError:
            answer = None
        if answer is None or "ready" not in answer:
            self._stop()
            raise GradingError("The codebleu worker did not start; see `python -m tasks.grading.codebleu_worker`.")
        return worker

    def _answer(self, worker: "subprocess.Popen[bytes]", limit_s: float) -> dict | None:
        """Return the next line of the worker, None when it has died; raises TimeoutError."""
        assert worker.stdout is not None
        deadline = time.monotonic() + limit_s
        with selectors.DefaultSelector() as ready:
            ready.register(worker.stdout, selectors.EVENT_READ)
            while b"\n" not in self._received:
                if not ready.select(max(0.0, deadline - time.monotonic())):
                    raise TimeoutError
                chunk = os.read(worker.stdout.fileno(), 65536)
                if not chunk:
                    return None
                self._received += chunk
        line, _, self._received = self._received.partition(b"\n")
        return json.loads(line)

    def _stop(self) -> None:
        worker, self._worker, self._received = self._worker, None, b""
        if worker is None:
            return
        worker.kill()
        for stream in (worker.stdin, worker.stdout):
            if stream is not None:
                with contextlib.suppress(BrokenPipeError):
                    stream.close()
        worker.wait()


def shared() -> PackageCodeBleu:
    """Return this process's own instance; its worker ends with the process."""
    return _shared(os.getpid())


@cache
def _shared(_: int) -> PackageCodeBleu:
    instance = PackageCodeBleu()
    atexit.register(instance.__exit__)
    return instance
