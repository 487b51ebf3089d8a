"""libclang's view of functions, from a worker process that may crash or hang without taking anything along."""

import atexit
import json
import os
import select
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

TIMEOUT_S = 120.0
PROJECT_ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True, slots=True)
class Reference:
    """Something in the tree that a function refers to, as libclang resolved it.

    `kind` is calls, globals, types or macro; (path, start, end, line) its declaration (of a type, its definition);
    `definition` is (path, start, line) of a function's or variable's definition where that is another place.
    `first` is the byte offset in the function's file of the first mention, `count` the number of mentions.
    """

    kind: str
    name: str
    scope: str
    path: str
    start: int
    end: int
    line: int
    definition: tuple[str, int, int] | None
    first: int
    count: int


@dataclass(frozen=True, slots=True)
class Seen:
    """What libclang made of one file.

    `functions` goes with the spans asked for; None where libclang has no function, because a condition hides it or the
    file could not be read. `failed` says why there is nothing at all: `crashed`, `timeout`, or an error's text.
    """

    functions: tuple[tuple[Reference, ...] | None, ...]
    missing_headers: int = 0
    errors: int = 0
    failed: str | None = None


class Clang:
    """A worker process, started when first asked and again after a crash or a time-out; threads take turns.

    Arguments: `command` what to start, `timeout_s` the wall time one file may take.
    """

    def __init__(self, command: list[str] | None = None, timeout_s: float = TIMEOUT_S) -> None:
        self.command = command or [sys.executable, "-m", "tasks.mining.clang_worker"]
        self.timeout_s = timeout_s
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()

    def read(self, root: Path, path: str, args: list[str], spans: list[tuple[int, int]]) -> Seen:
        """Return what the functions at `spans` (byte ranges of the file `path` below `root`) refer to."""
        nothing: tuple[None, ...] = (None,) * len(spans)
        request = {"root": str(root), "path": path, "args": args, "spans": spans}
        with self._lock:
            try:
                answer = self._ask(json.dumps(request).encode() + b"\n")
            except TimeoutError:
                self.close()
                return Seen(nothing, failed="timeout")
            except (BrokenPipeError, EOFError):
                self.close()
                return Seen(nothing, failed="crashed")
        if "failed" in answer:
            return Seen(nothing, failed=answer["failed"])
        functions = tuple(None if f is None else tuple(_reference(r) for r in f) for f in answer["functions"])
        return Seen(functions, answer["missing"], answer["errors"])

    def close(self) -> None:
        """End the worker process."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None

    def _ask(self, request: bytes) -> dict[str, Any]:
        if self._process is None:
            paths = [str(PROJECT_ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
            self._process = subprocess.Popen(
                self.command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
            )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(request)
        self._process.stdin.flush()
        descriptor, deadline, got = self._process.stdout.fileno(), time.monotonic() + self.timeout_s, bytearray()
        while not got.endswith(b"\n"):
            if not select.select([descriptor], [], [], max(0.0, deadline - time.monotonic()))[0]:
                raise TimeoutError
            chunk = os.read(descriptor, 1 << 20)
            if not chunk:
                raise EOFError
            got += chunk
        return json.loads(got)


def _reference(fields: dict[str, Any]) -> Reference:
    definition = fields.pop("definition")
    count = len(fields.pop("offsets"))
    return Reference(**fields, count=count, definition=None if definition is None else tuple(definition))


def shared() -> Clang:
    """Return this process's own worker, ended with it; a forked process gets another."""
    return _of_process(os.getpid())


@cache
def _of_process(pid: int) -> Clang:
    clang = Clang()
    atexit.register(clang.close)
    return clang
