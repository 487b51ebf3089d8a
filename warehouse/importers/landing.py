"""Where results of others land, how they are marked, and how an import is done once only.

Everything imported stands in the area `imported` under a track and a release of its own, `imported:<source>` and
`imported:<source>:…`, so that no view ever adds it to what was measured here. What is imported together is one
release, named by the hash of what the source says: the same files again change nothing, more are another release.
"""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa

from warehouse.cast import Rows, cast
from warehouse.errors import WarehouseError
from warehouse.layout import Layout
from warehouse.writer import write_batch

AREA = "imported"
MARK = "imported:"
RECEIPT = "import.json"
Row = dict[str, Any]


class Landed(NamedTuple):
    """What an import did: its batch and release, whether it is new, rows by table, and what a reader should know."""

    batch: Path
    release: str
    new: bool
    rows: dict[str, int]
    notes: tuple[str, ...] = ()


class Source(NamedTuple):
    """A source as its rows name it; `grader` is the version of our mapping, part of every verdict's identity."""

    name: str
    address: str
    grader: str

    @property
    def track(self) -> str:
        """The track of everything from here."""
        return MARK + self.name

    def release(self, *parts: str) -> str:
        """Return the release that `parts`, the last of them a content hash, name."""
        return ":".join((self.track, *parts))

    def sample_id(self, release: str, name: str) -> str:
        """Return the identity of a question of a release; nobody says that it is the same in another."""
        return f"{self.track}:{digest(release, name, length=12)}"


def digest(*parts: Any, length: int = 24) -> str:
    """Return the first `length` hex digits of the SHA-256 of the canonical JSON of `parts`; times count as text."""
    text = json.dumps(parts, sort_keys=True, separators=(",", ":"), ensure_ascii=False, default=str)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:length]


def imported(name: str | None) -> bool:
    """Whether a track or release is one of an import."""
    return bool(name) and str(name).startswith(MARK)


def verdict(source: Source, generation_id: str, status: str, checks: list[Row], *, failed_layer: str | None = None,
            score: float | None = None, **more: Any) -> tuple[Row, list[Row]]:  # fmt: skip
    """Return the row of `evaluations` and its rows of `checks`; without a score, 1 for pass and 0 for what is not.

    What could not be measured has none. `more` are further columns of the evaluation.
    """
    measured = {"pass": 1.0, "fail": 0.0, "timeout": 0.0, "no_submission": 0.0}
    evaluation = digest("evaluation", source.name, generation_id)
    row = {
        "evaluation_id": evaluation, "generation_id": generation_id, "grader_version": source.grader,
        "status": status, "failed_layer": failed_layer,
        "score": measured.get(status) if score is None else score, **more,
    }  # fmt: skip
    if status not in measured:
        row["score"] = None
    return row, [{"evaluation_id": evaluation, **check} for check in checks]


def land(layout: Layout, source: Source, release: str, tables: Mapping[str, Rows | pa.Table], *, part: str = "",
         notes: tuple[str, ...] = ()) -> Landed:  # fmt: skip
    """Write one batch of foreign rows, unless these very rows are there already.

    `part` tells batches of one release apart that hold more or less of it. Rows that differ for the same source, as
    they do when a mapping was mended, take the place of the older ones.
    Raises WarehouseError for an import without an answer in it.
    """
    arrow = {table: cast(table, rows) for table, rows in tables.items()}
    if not arrow["generations"].num_rows:
        raise WarehouseError(f"The import {release} holds no result; give a file or folder that has some.")
    name = "-".join(filter(None, (source.name, part, digest(release, length=12))))
    receipt = json.dumps({"release": release, "rows": {table: _fingerprint(rows) for table, rows in arrow.items()}})
    target = layout.batch(AREA, name)
    stored = target / RECEIPT
    new = not stored.is_file() or stored.read_text(encoding="utf-8") != receipt
    if new:
        write_batch(layout, AREA, name, arrow, extras={RECEIPT: receipt.encode()}, replace=True)
    return Landed(target, release, new, {table: rows.num_rows for table, rows in arrow.items()}, notes)


def read_json(path: Path) -> Any:
    """Return the JSON in `path`; raises WarehouseError, naming the file, where it holds none."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, json.JSONDecodeError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise WarehouseError(f"{path} cannot be read as JSON ({reason}); give it as its tool wrote it.") from error


def _fingerprint(table: pa.Table) -> str:
    sink = _Hash()
    with pa.ipc.new_stream(sink, table.schema) as stream:
        stream.write_table(table.combine_chunks())
    return sink.hash.hexdigest()[:16]


class _Hash:
    """A file that keeps the hash of what is written and nothing else."""

    closed = False

    def __init__(self) -> None:
        self.hash = hashlib.sha256()

    def write(self, data: bytes) -> int:
        self.hash.update(data)
        return len(data)

    def flush(self) -> None:
        """Do nothing: what was written is hashed already."""

    def close(self) -> None:
        """Do nothing: there is no file."""
