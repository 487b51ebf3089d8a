"""Tables and views of the warehouse as files: CSV, Parquet or JSON lines, written by DuckDB row by row."""

import os
from pathlib import Path

from warehouse.database import VIEWS, connect
from warehouse.errors import UsageError
from warehouse.layout import Layout
from warehouse.schema import SCHEMAS

FORMATS: dict[str, str] = {
    ".csv": "FORMAT csv, HEADER",
    ".parquet": "FORMAT parquet, COMPRESSION zstd",
    ".jsonl": "FORMAT json",
}
"""How DuckDB writes a file, by its suffix."""


def names() -> list[str]:
    """Return what can be exported: every table and every view."""
    return [*SCHEMAS, *(view.name for view in VIEWS)]


def export_view(layout: Layout, name: str, out: Path) -> Path:
    """Write all rows of a table or view to `out`, in the format of its suffix; it appears complete or not at all.

    Raises UsageError for a name or a suffix that is not known.
    """
    if name not in names():
        raise UsageError(f"There is no table or view {name!r}; there are {', '.join(names())}.")
    if out.suffix not in FORMATS:
        raise UsageError(f"{out.name!r} is in no known format; end the name with {', '.join(FORMATS)}.")
    out.parent.mkdir(parents=True, exist_ok=True)
    beside = out.with_name(f".{out.name}.{os.getpid()}")
    target = str(beside).replace("'", "''")
    try:
        with connect(layout) as connection:
            connection.execute(f"COPY (FROM \"{name}\") TO '{target}' ({FORMATS[out.suffix]})")
        beside.replace(out)
    finally:
        beside.unlink(missing_ok=True)
    return out


def export_all(layout: Layout, folder: Path, format: str = "parquet") -> list[Path]:
    """Write every table and view that has rows into `folder`, one file each, and return the files by name."""
    if f".{format}" not in FORMATS:
        raise UsageError(f"There is no format {format!r}; there are {', '.join(suffix[1:] for suffix in FORMATS)}.")
    with connect(layout) as connection:
        held = [name for name in names() if connection.execute(f'SELECT 1 FROM "{name}" LIMIT 1').fetchall()]
    return [export_view(layout, name, folder / f"{name}.{format}") for name in held]
