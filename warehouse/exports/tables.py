"""An answer of the warehouse on the terminal or in a file: table, csv, json or parquet."""

import json
import re
import sys
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import pyarrow as pa

from warehouse.errors import UsageError

SHOWN_ROWS = 200
SHOWN_CHARACTERS = 400
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def emit(table: pa.Table, format: str = "table", out: Path | None = None) -> None:
    """Print `table`, or write it to `out`; raises UsageError for an unknown format or parquet without a file.

    On the terminal, `table` shows the first 200 rows and 400 characters of a cell and says what it left out.
    """
    if format not in FORMATS:
        raise UsageError(f"There is no format {format!r}; the formats are {', '.join(FORMATS)}.")
    if format == "parquet" and out is None:
        raise UsageError("Parquet is written to a file: name it with --out.")
    if format == "table" and out is None:
        _print(table)
        return
    content = FORMATS[format](table)
    if out is None:
        sys.stdout.write(content.decode())
    else:
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_bytes(content)


def printable(text: str) -> str:
    """Return `text` without control characters, so that a reply cannot steer the terminal it is shown on."""
    return CONTROL.sub("\N{REPLACEMENT CHARACTER}", text)


def cell(value: Any) -> str:
    """Return a value as it is shown to a reader: null as nothing, a fraction with four digits, the rest as text."""
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.4f}" if abs(value) < 1000 else f"{value:.1f}"
    if isinstance(value, datetime):
        return value.strftime("%Y-%m-%d %H:%M:%S")
    if isinstance(value, list | dict):
        return json.dumps(value, ensure_ascii=False, default=str)
    return str(value)


def _print(table: pa.Table) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    shown = Table()
    for field in table.schema:
        number = pa.types.is_integer(field.type) or pa.types.is_floating(field.type)
        shown.add_column(Text(field.name), justify="right" if number else "left", overflow="fold")
    rows = table.slice(0, SHOWN_ROWS).to_pydict().values() if table.num_columns else []
    for row in zip(*rows, strict=True):
        texts = [printable(cell(value)) for value in row]
        shown.add_row(*(Text(t if len(t) <= SHOWN_CHARACTERS else t[:SHOWN_CHARACTERS] + "…") for t in texts))
    console = Console()
    if not sys.stdout.isatty():
        console = Console(width=10_000)
    console.print(shown)
    if table.num_rows > SHOWN_ROWS:
        console.print(f"{SHOWN_ROWS} of {table.num_rows} rows; --format csv or LIMIT shows others.")


def _csv(table: pa.Table) -> bytes:
    import csv
    import io

    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(table.column_names)
    for row in table.to_pylist():
        writer.writerow([cell(v) if isinstance(v, list | dict) else v for v in row.values()])
    return text.getvalue().encode()


def _json(table: pa.Table) -> bytes:
    return (json.dumps(table.to_pylist(), ensure_ascii=False, default=str, indent=1) + "\n").encode()


def _plain(table: pa.Table) -> bytes:
    lines = ["\t".join(table.column_names)]
    lines += ["\t".join(cell(value) for value in row.values()) for row in table.to_pylist()]
    return ("\n".join(lines) + "\n").encode()


def _parquet(table: pa.Table) -> bytes:
    import pyarrow.parquet as pq

    sink = pa.BufferOutputStream()
    pq.write_table(table, sink, compression="zstd")
    return sink.getvalue().to_pybytes()


FORMATS: dict[str, Callable[[pa.Table], bytes]] = {"table": _plain, "csv": _csv, "json": _json, "parquet": _parquet}
