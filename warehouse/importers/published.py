"""Figures printed in papers and public results, as rows of `published`: for comparison, never an input to a score.

Tables V, VIII and X of the RealEmbedBench paper come with the package, because views stand beside them; others are
read from a folder of CSV files. Files with a row a run rather than a cell a figure are left out.
"""

import csv
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from warehouse.errors import WarehouseError
from warehouse.layout import Layout
from warehouse.writer import write_batch

AREA = "published"
SHIPPED = "paper"
GIVEN = "folder"


class Sheet(NamedTuple):
    """How a CSV becomes cells: `row` are the columns that label a row, every other column is a figure.

    With `long`, (label, value): one column holds the column label and another the figure; `of_row` are figures of the
    row that each of its lines says again. With `table_from`, one column holds the table's number, in Roman.
    """

    file: str
    source: str
    table: str
    row: tuple[str, ...]
    long: tuple[str, str] | None = None
    table_from: str | None = None
    of_row: tuple[str, ...] = ()


SHEETS: tuple[Sheet, ...] = (
    Sheet(
        "realembedbench_table5.csv",
        "realembedbench",
        "table5",
        ("task",),
        long=("statistic", "value"),
        of_row=("size",),
    ),
    Sheet("realembedbench_table6_pairs.csv", "realembedbench", "table6", ("source",)),
    Sheet("realembedbench_table8.csv", "realembedbench", "table8", ("model",)),
    Sheet("realembedbench_table9_partial.csv", "realembedbench", "table9", ("model", "source_os", "target_os")),
    Sheet("realembedbench_table10.csv", "realembedbench", "table10", ("model",)),
    Sheet("realembedbench_table11_12.csv", "realembedbench", "", ("error_pattern",), table_from="table"),
    Sheet("closed_loop_figure2.csv", "closed_loop", "figure2", ("task", "model")),
    Sheet("closed_loop_table3.csv", "closed_loop", "table3", ("model",)),
    Sheet("closed_loop_table4.csv", "closed_loop", "table4", ("model",)),
    Sheet("closed_loop_table5.csv", "closed_loop", "table5", ("model",)),
    Sheet("context_quality_example.csv", "context_quality", "example", ("configuration",)),
    Sheet("embedeval_2026-04-12_categories.csv", "embedeval", "categories", ("category",)),
    Sheet("regbench_results.csv", "regbench", "results", ("run",)),
)
ROMAN = {"XI": "table11", "XII": "table12"}


def published(folder: Path) -> list[dict[str, Any]]:
    """Return rows of `published` from the known CSV files in `folder`, a cell each; empty cells are no figures.

    Raises WarehouseError, naming the files that are known, when there is none, and when two cells have one address.
    """
    found = [sheet for sheet in SHEETS if (folder / sheet.file).is_file()]
    if not found:
        known = ", ".join(sheet.file for sheet in SHEETS)
        raise WarehouseError(f"{folder} holds no published figures; known files are {known}.")
    rows = [row for sheet in found for row in _cells(sheet, (folder / sheet.file).read_text(encoding="utf-8-sig"))]
    return _unique(rows)


def shipped() -> list[dict[str, Any]]:
    """Return the figures that come with the package: tables V, VIII and X of the paper."""
    text = Path(__file__).with_name("paper.csv").read_text(encoding="utf-8")
    return _unique(
        _cell("realembedbench", row["table"], row["row"], row["column"], row["text"])
        for row in csv.DictReader(text.splitlines())
    )


def land(layout: Layout, folder: Path | None = None) -> Path:
    """Write the shipped figures, or those of `folder`, in place of the last of their kind; return the batch."""
    if folder is None:
        return write_batch(layout, AREA, SHIPPED, {"published": shipped()}, replace=True)
    return write_batch(layout, AREA, GIVEN, {"published": published(folder)}, replace=True)


def _cells(sheet: Sheet, text: str) -> Iterator[dict[str, Any]]:
    said: set[tuple[str, str, str]] = set()
    for line in csv.DictReader(text.splitlines()):
        label = " / ".join(line[name] for name in sheet.row)
        for name in sheet.of_row:
            if line[name] and (label, name, line[name]) not in said:
                said.add((label, name, line[name]))
                yield _cell(sheet.source, sheet.table, label, name, line[name])
        table = ROMAN.get(line[sheet.table_from], line[sheet.table_from]) if sheet.table_from else sheet.table
        if sheet.long:
            named = {line[sheet.long[0]]: line[sheet.long[1]]}
        else:
            named = {name: text for name, text in line.items() if name not in (*sheet.row, sheet.table_from)}
        for column, value in named.items():
            if value not in ("", None):
                yield _cell(sheet.source, table, label, column, value)


def _cell(source: str, table: str, row: str, column: str, text: str) -> dict[str, Any]:
    try:
        value = float(text)
    except ValueError:
        value = None
    return {"source": source, "table": table, "row": row, "column": column, "value": value, "text": text}


def _unique(rows: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    seen: dict[tuple[str, ...], dict[str, Any]] = {}
    for row in rows:
        key = (row["source"], row["table"], row["row"], row["column"])
        if key in seen:
            raise WarehouseError(f"The published figure {' / '.join(key)} is given twice; give each cell one address.")
        seen[key] = row
    return list(seen.values())
