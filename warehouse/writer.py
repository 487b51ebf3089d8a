"""Batches of Parquet that appear at once. The only code that writes below `<data>/warehouse/`.

A batch is written into `<warehouse>/.incoming/<id>/batch/`, one level deeper than any glob looks, synced to disk and
renamed into place. Whoever dies on the way leaves an unlocked folder there, which the next writer sweeps.
"""

import contextlib
import ctypes
import errno
import fcntl
import os
import re
import shutil
import uuid
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from warehouse.cast import Rows, cast
from warehouse.errors import WarehouseError
from warehouse.layout import Layout
from warehouse.schema import SCHEMAS

INCOMING = ".incoming"
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._@+=-]*")
ROW_GROUP = 131_072


def write_batch(layout: Layout, area: str, name: str, tables: Mapping[str, Rows | pa.Table], *,
                companions: Mapping[str, pa.Table] | None = None, extras: Mapping[str, bytes] | None = None,
                replace: bool = False) -> Path:  # fmt: skip
    """Write one batch and return its folder, `<warehouse>/<area>/<name>/`; it appears complete or not at all.

    `tables` are rows or Arrow tables by table name, cast to their declared schemas (`warehouse.cast`); `companions`
    are tables of a track's own, kept as they are beside them; `extras` are other files by name (`release.json`). A
    batch that exists is left as it is, unless `replace`.
    Raises WarehouseError for a name that is no plain file name, an unknown table, or rows that do not fit.
    """
    for label, value in (("area", area), ("batch", name)):
        if not NAME.fullmatch(value):
            raise WarehouseError(
                f"{value!r} cannot name a warehouse {label}: use letters, digits and . _ @ + = - only."
            )
    target = layout.batch(area, name)
    if target.exists() and not replace:
        return target
    arrow = {table: cast(table, rows) for table, rows in tables.items()}
    for companion in companions or {}:
        if companion in SCHEMAS or not NAME.fullmatch(companion):
            raise WarehouseError(f"A companion table of batch {area}/{name} cannot be called {companion!r}.")
    for extra in extras or {}:
        if extra.endswith(".parquet") or not NAME.fullmatch(extra):
            raise WarehouseError(f"An extra file of batch {area}/{name} cannot be called {extra!r}.")
    sweep(layout)
    with incoming(layout) as folder:
        for file, data in (extras or {}).items():
            _write_bytes(data, folder / file)
        for table, content in {**arrow, **(companions or {})}.items():
            _write(content, folder / f"{table}.parquet")
        _sync(folder)
        target.parent.mkdir(parents=True, exist_ok=True)
        _publish(folder, target, replace)
        _sync(target.parent)
    return target


def batches(layout: Layout, area: str) -> list[str]:
    """Return the names of the batches of `area`, sorted."""
    folder = layout.warehouse / area
    return sorted(entry.name for entry in folder.iterdir() if entry.is_dir()) if folder.is_dir() else []


def sweep(layout: Layout) -> list[Path]:
    """Remove what writers that died left in `.incoming` and return it; a living writer holds a lock on its folder."""
    swept = []
    root = layout.warehouse / INCOMING
    for folder in sorted(root.iterdir()) if root.is_dir() else []:
        try:
            handle = os.open(folder, os.O_RDONLY)
        except OSError:
            continue
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            continue
        else:
            shutil.rmtree(folder, ignore_errors=True)
            swept.append(folder)
        finally:
            os.close(handle)
    return swept


@contextlib.contextmanager
def incoming(layout: Layout) -> Iterator[Path]:
    """Yield an empty folder on the warehouse's file system, locked as long as this process lives and needs it."""
    root = layout.warehouse / INCOMING
    while True:
        holder = root / uuid.uuid4().hex
        holder.mkdir(parents=True)
        try:
            handle = os.open(holder, os.O_RDONLY)
        except FileNotFoundError:
            continue
        fcntl.flock(handle, fcntl.LOCK_EX)
        if holder.exists():  # else swept between its making and its lock
            break
        os.close(handle)
    try:
        folder = holder / "batch"
        folder.mkdir()
        yield folder
    finally:
        shutil.rmtree(holder, ignore_errors=True)
        os.close(handle)


def _write(table: pa.Table, path: Path) -> None:
    with path.open("wb") as file:
        pq.write_table(table, file, compression="zstd", row_group_size=ROW_GROUP)
        file.flush()
        os.fsync(file.fileno())


def _write_bytes(data: bytes, path: Path) -> None:
    with path.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _sync(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _publish(folder: Path, target: Path, replace: bool) -> None:
    """Rename `folder` to `target`; if another writer was there first, its batch stays, or trades places with ours."""
    try:
        os.rename(folder, target)
    except OSError as error:
        if error.errno not in (errno.ENOTEMPTY, errno.EEXIST):
            raise
        if replace:
            _exchange(folder, target)


def _exchange(one: Path, other: Path) -> None:
    """Let two folders trade names in one step, so that no reader finds neither; in two where the kernel cannot."""
    call: Any = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)
    here, swap = -100, 2  # AT_FDCWD, RENAME_EXCHANGE
    if call is not None and call(here, os.fsencode(one), here, os.fsencode(other), swap) == 0:
        return
    aside = one.with_name("old")
    os.rename(other, aside)
    os.rename(one, other)
