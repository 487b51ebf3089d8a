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
        _shown(table, file)


def _shown(table: pa.Table, file: IO[str]) -> None:
    """Print a table; a value a line where the terminal is too narrow for a row."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    rows = [[_cell(value) for value in row.values()] for row in table.slice(0, MOST_ROWS).to_pylist()]
    names = table.column_names
    widths = [max(len(name), *(len(row[place]) for row in rows), 0) for place, name in enumerate(names)]
    needed = sum(widths) + 3 * len(widths) + 1
    console = Console(file=file, markup=False, highlight=False, width=None if file.isatty() else max(80, needed))
    if needed <= console.width or len(names) < 3:
        shown = Table()
        for field in table.schema:
            number = pa.types.is_integer(field.type) or pa.types.is_floating(field.type)
            shown.add_column(Text(field.name), justify="right" if number else "left", overflow="fold")
        for row in rows:
            shown.add_row(*map(Text, row))
        console.print(shown)
    else:
        label = max(map(len, names))
        for number, row in enumerate(rows, start=1):
            console.rule(f"row {number}", align="left")
            for name, value in zip(names, row, strict=True):
                console.print(Text.assemble((name.ljust(label), "bold"), "  ", value))
    rest = table.num_rows - MOST_ROWS
    console.print(f"{table.num_rows:,} rows" + (f", {rest:,} not shown; use --format csv" if rest > 0 else ""))


def _cell(value: object) -> str:
    if value is None:
        return ""
    text = f"{value:.4g}" if isinstance(value, float) else printable(str(value))
    return text if len(text) <= WIDEST else text[: WIDEST - 1] + "…"
