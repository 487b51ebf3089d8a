"""What was printed beside what we have: one row a figure, with the difference, our denominator, and why there is none.

Printed figures come from the table `published` alone. A figure agrees with print when it rounds to what is printed.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from warehouse.database import connect
from warehouse.layout import Layout

if TYPE_CHECKING:
    import polars as pl


class Cell(NamedTuple):
    """A figure of ours, the address it is printed under, and its denominator; `why` says why there is none."""

    row: str
    column: str
    value: float | str | None
    n: int | None = None
    why: str | None = None


def fetch(layout: Layout, sql: str, **parameters: Any) -> "pl.DataFrame":
    """Return the answer to a query as a polars frame; `parameters` fill its `$names`."""
    import polars as pl

    with connect(layout) as connection:
        frame = pl.from_arrow(connection.sql(sql, params=parameters or None).to_arrow_table())
    assert isinstance(frame, pl.DataFrame)
    return frame


def printed(layout: Layout, source: str, table: str) -> dict[tuple[str, str], tuple[float | None, str]]:
    """Return (value, text) of every figure of a printed table by (row, column)."""
    asked = (
        'SELECT "row", "column", value, text FROM published WHERE source = $source AND "table" = $table ORDER BY ALL'
    )
    rows = fetch(layout, asked, source=source, table=table).rows()
    return {(row, column): (value, text) for row, column, value, text in rows}


def beside(layout: Layout, source: str, table: str, cells: Iterable[Cell],
           columns: Sequence[str] | None = None, missing: str = "not asked here") -> "pl.DataFrame":  # fmt: skip
    """Return figures as row, column, printed, ours, difference, n, agrees and why; what only one side has stands too.

    `columns` leaves out printed columns that are no figures to compare, such as sizes; `missing` says why what is
    printed has none of ours.
    """
    import polars as pl

    known = printed(layout, source, table)
    ours = {(cell.row, cell.column): cell for cell in cells}
    asked = [
        key for key in (*ours, *(key for key in known if key not in ours)) if columns is None or key[1] in columns
    ]
    rows = []
    for key in asked:
        value, text = known.get(key, (None, None))
        cell = ours.get(key) or Cell(*key, None, why=missing)
        mine = float(cell.value) if isinstance(cell.value, int | float) else None
        both = mine is not None and value is not None
        rows.append({
            "row": key[0], "column": key[1], "printed": value, "ours": mine,
            "difference": mine - value if mine is not None and value is not None else None, "n": cell.n,
            "agrees": rounds_to(mine, text) if both and mine is not None and text is not None else None,
            "why": cell.why if mine is None else None if value is not None else "not printed",
        })  # fmt: skip
    return pl.DataFrame(rows, schema={
        "row": pl.String, "column": pl.String, "printed": pl.Float64, "ours": pl.Float64, "difference": pl.Float64,
        "n": pl.Int64, "agrees": pl.Boolean, "why": pl.String,
    })  # fmt: skip


def beside_text(layout: Layout, source: str, table: str, cells: Iterable[Cell]) -> "pl.DataFrame":
    """Return labels as row, column, printed, ours, n, agrees and why, for those of ours that are text."""
    import polars as pl

    known = printed(layout, source, table)
    rows = []
    for cell in cells:
        text = known.get((cell.row, cell.column), (None, None))[1]
        mine = None if cell.value is None else str(cell.value)
        rows.append({"row": cell.row, "column": cell.column, "printed": text, "ours": mine, "n": cell.n,
                     "agrees": None if text is None or mine is None else text == mine, "why": cell.why})  # fmt: skip
    return pl.DataFrame(rows, schema={
        "row": pl.String, "column": pl.String, "printed": pl.String, "ours": pl.String, "n": pl.Int64,
        "agrees": pl.Boolean, "why": pl.String,
    })  # fmt: skip


def rounds_to(value: float, text: str) -> bool:
    """Whether `value` rounds to `text` at its own digits, a half either way: 77.05 is printed 77.0 or 77.1."""
    digits = len(text.partition(".")[2])
    return abs(value - float(text)) <= 0.5 * 10.0**-digits + 1e-9


def cells_of(
    rows: Iterable[Mapping[str, Any]], row: str | Sequence[str], columns: Mapping[str, str | None]
) -> list[Cell]:
    """Return the cells of table rows: `row` names the labels, `columns` the figures and where the n of each stands."""
    labels = (row,) if isinstance(row, str) else tuple(row)
    return [
        Cell(" / ".join(str(line[label]) for label in labels), column, line[column], line[n] if n else None)
        for line in rows
        for column, n in columns.items()
    ]
