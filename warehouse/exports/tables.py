"""A query's answer for people and for programs: a table on the terminal, CSV, JSON lines or Parquet."""

import json
import sys
from pathlib import Path
from typing import IO

import pyarrow as pa

from warehouse.errors import UsageError
from warehouse.exports.text import printable

FORMATS = ("table", "csv", "json", "parquet")
WIDEST = 80
MOST_ROWS = 500


def emit(table: pa.Table, format: str = "table", out: Path | None = None) -> None:
    """Print the rows, or write them to `out`; a table on the terminal stops at 500 rows and says so.

    Raises UsageError for an unknown format, or for Parquet without a file.
    """
    if format not in FORMATS:
        raise UsageError(f"There is no format {format!r}; the formats are {', '.join(FORMATS)}.")
    if format == "parquet":
        if out is None:
            raise UsageError("Parquet goes to a file: give one with --out.")
        import pyarrow.parquet as pq

        pq.write_table(table, out)
    elif out is not None:
        with out.open("w", encoding="utf-8", newline="") as file:
            _write(table, format, file)
    else:
        _write(table, format, sys.stdout)


def _write(table: pa.Table, format: str, file: IO[str]) -> None:
    if format == "csv":
        import csv

        rows = csv.writer(file)
        rows.writerow(table.column_names)
        rows.writerows(zip(*(column.to_pylist() for column in table.columns), strict=True))
    elif format == "json":
        for row in table.to_pylist():
            file.write(json.dumps(row, default=str, ensure_ascii=False) + "\n")
    else:
        from rich.console import Console
        from rich.table import Table

        shown = Table(*table.column_names)
        for row in table.slice(0, MOST_ROWS).to_pylist():
            shown.add_row(*(_cell(value) for value in row.values()))
        console = Console(file=file, markup=False, width=None if file.isatty() else 240)
        console.print(shown)
        rest = table.num_rows - MOST_ROWS
        console.print(f"{table.num_rows:,} rows" + (f", {rest:,} not shown; use --format csv" if rest > 0 else ""))


def _cell(value: object) -> str:
    if value is None:
        return ""
    text = f"{value:.4g}" if isinstance(value, float) else printable(str(value))
    return text if len(text) <= WIDEST else text[: WIDEST - 1] + "…"
