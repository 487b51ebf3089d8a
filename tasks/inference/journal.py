"""Replies on disk the moment they arrive: one file of JSON lines a shard, turned into one warehouse batch at its end.

The batch takes the journal's name, and a batch that exists is never written again. So whoever finds a journal whose
process died may land it at any time and as often as it likes: killed before the batch, it is landed again; killed
after it, the batch is found and only the journal goes.
"""

import fcntl
import json
import os
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any, BinaryIO

from tasks.inference.kept import forget
from warehouse.errors import ModelError
from warehouse.layout import Layout

AREA = "inference"
SUFFIX = ".jsonl"
Row = dict[str, Any]

_ours: set[Path] = set()
_guard = threading.Lock()


class Journal:
    """An open journal, locked while this process lives. Made by `Journal.create`; `land` ends it."""

    def __init__(self, layout: Layout, path: Path, file: BinaryIO, durable: bool) -> None:
        self.layout = layout
        self.path = path
        self._file = file
        self._durable = durable

    @classmethod
    def create(cls, layout: Layout, name: str, *, durable: bool = True) -> "Journal":
        """Start a journal called `name`, with a number after it where that name is taken by a journal or a batch.

        `durable` syncs every reply to disk: it then survives the machine, not only the process.
        """
        layout.journals.mkdir(parents=True, exist_ok=True)
        number = 0
        while True:
            path = layout.journals / f"{name}.{number}{SUFFIX}"
            if not layout.batch(AREA, _batch_name(path)).exists() and (file := _claim(path, "xb+")) is not None:
                return cls(layout, path, file, durable)
            number += 1

    def append(self, generation: Row, turns: list[Row], submissions: Sequence[Row] = ()) -> None:
        """Write one reply and make sure it stays; `created_at` must be an aware datetime."""
        created = generation["created_at"].isoformat()
        entry = {"generation": {**generation, "created_at": created}, "turns": turns}
        if submissions:
            entry["submissions"] = list(submissions)
        self._file.write(json.dumps(entry).encode() + b"\n")  # ASCII: a reply may hold half a surrogate pair
        self._file.flush()
        if self._durable:
            os.fsync(self._file.fileno())

    def land(self) -> int:
        """Write the batch, remove the journal and return the replies landed; no reply leaves no batch."""
        try:
            return _land(self.layout, self.path, self._file)
        finally:
            _release(self.path, self._file)


def recover(layout: Layout) -> int:
    """Land the journals that dead processes left and return how many replies that saved.

    Journals of living processes are left alone. A line that its process did not finish writing is no reply.
    """
    saved = 0
    for path in sorted(layout.journals.glob(f"*{SUFFIX}")):
        if (file := _claim(path, "rb+")) is not None:
            try:
                saved += _land(layout, path, file)
            finally:
                _release(path, file)
    return saved


@contextmanager
def alone(layout: Layout, name: str) -> Iterator[None]:
    """Hold the right to ask `name` (a model) in this data folder; raises ModelError while another run has it.

    Two runs that ask the same units at the same time would both pay for them.
    """
    layout.journals.mkdir(parents=True, exist_ok=True)
    path = layout.journals / f"{name.replace('/', '-')}.lock"
    file = _claim(path, "ab")
    if file is None:
        raise ModelError(f"Another run is asking {name} in {layout.root}: wait for it to end, or give --data.")
    try:
        yield
    finally:
        _release(path, file)


def _land(layout: Layout, path: Path, file: BinaryIO) -> int:
    from warehouse.writer import write_batch

    name = _batch_name(path)
    landed = 0
    if not layout.batch(AREA, name).exists():
        entries = list(_entries(file))
        landed = len(entries)
        if entries:
            generations = [entry["generation"] for entry in entries]
            turns = [turn for entry in entries for turn in entry["turns"]]
            tables = {"generations": generations, "turns": turns}
            if submissions := [row for entry in entries for row in entry.get("submissions", [])]:
                tables["submissions"] = submissions
            write_batch(layout, AREA, name, tables)
            for generation in generations:
                if generation["error_kind"] is None:
                    forget(layout, generation["generation_id"])
    path.unlink(missing_ok=True)
    return landed


def _batch_name(path: Path) -> str:
    return path.name.removesuffix(SUFFIX)


def _entries(file: BinaryIO) -> Iterator[dict[str, Any]]:
    # Through the handle that holds the lock: closing any other one of the same file would let go of it.
    file.seek(0)
    for line in file:
        try:
            entry = json.loads(line)
            entry["generation"]["created_at"] = datetime.fromisoformat(entry["generation"]["created_at"])
            yield entry
        except (ValueError, KeyError, TypeError):  # a line cut short by the death of its writer
            continue


def _claim(path: Path, mode: str) -> BinaryIO | None:
    """Open and lock `path`; None if it is taken, by this process or another, or gone.

    Record locks, since a forked child does not inherit them: it may outlive a killed parent. They do not hold between
    threads, so a process also remembers its own.
    """
    with _guard:
        if path in _ours:
            return None
        try:
            file: Any = open(path, mode)  # noqa: SIM115
        except (FileExistsError, FileNotFoundError):
            return None
        try:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if os.path.samestat(os.stat(path), os.fstat(file.fileno())):  # else removed between opening and locking
                _ours.add(path)
                return file
        except OSError:
            pass
        file.close()
        return None


def _release(path: Path, file: BinaryIO) -> None:
    with _guard:
        file.close()
        _ours.discard(path)
