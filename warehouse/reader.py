"""Rows out of the warehouse without a database: the Parquet files of one table, as one Arrow table."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa

from warehouse.cast import schema_of
from warehouse.errors import WarehouseError
from warehouse.layout import Layout

if TYPE_CHECKING:
    import pyarrow.compute as pc


def files(layout: Layout, table: str, *, area: str | None = None, batch: str | None = None) -> list[Path]:
    """Return the Parquet files of `table`, sorted, of one area or batch where one is given."""
    return sorted(layout.warehouse.glob(f"{area or '[!.]*'}/{batch or '[!.]*'}/{table}.parquet"))


def read(layout: Layout, table: str, columns: Sequence[str] | None = None, *, area: str | None = None,
         batch: str | None = None, filter: "pc.Expression | None" = None) -> pa.Table:  # fmt: skip
    """Return rows of `table` in the order of its files, with its declared schema even where there is no file yet.

    `columns` picks columns; `area` and `batch` narrow the files; `filter` is a pyarrow expression over any column.
    Raises WarehouseError for an unknown table or column, and for a file that does not hold the declared types.
    """
    schema = schema_of(table)
    unknown = [column for column in columns or () if column not in schema.names]
    if unknown:
        raise WarehouseError(
            f"Table {table!r} has no column {unknown[0]!r}; its columns are {', '.join(schema.names)}."
        )
    wanted = pa.schema([schema.field(column) for column in columns]) if columns is not None else schema
    found = files(layout, table, area=area, batch=batch)
    if not found:
        return wanted.empty_table()

    import pyarrow.dataset as ds

    try:
        loose = pa.schema([field.with_nullable(True) for field in schema])
        dataset = ds.dataset([str(path) for path in found], schema=loose, format="parquet")
        return dataset.to_table(columns=wanted.names, filter=filter).cast(wanted)
    except (pa.ArrowException, ValueError) as error:
        raise WarehouseError(
            f"Table {table!r} cannot be read: {str(error).splitlines()[0].rstrip('.')}; delete or rewrite that batch."
        ) from error
