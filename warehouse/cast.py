"""Rows into Arrow tables of a declared schema: a wrong type, or a null where none may be, is refused, not guessed at.

Python's own types are checked rather than left to Arrow, which would cut 1.5 down to 1, take a list of letters for a
string and let bytes pass as text.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from warehouse.errors import WarehouseError
from warehouse.schema import SCHEMAS

Rows = Sequence[Mapping[str, Any]]


def schema_of(table: str) -> pa.Schema:
    """Return the schema of `table`; raises WarehouseError, naming the tables there are."""
    if table not in SCHEMAS:
        raise WarehouseError(f"There is no table {table!r}; the tables are {', '.join(SCHEMAS)}.")
    return SCHEMAS[table]


def cast(table: str, rows: Rows | pa.Table) -> pa.Table:
    """Return `rows` in the schema of `table`, columns that may be null and are missing filled with null.

    A lone surrogate, which UTF-8 cannot carry, becomes U+FFFD. Raises WarehouseError naming table, column and row
    (counted from 0) for an unknown column, a wrong type, a figure that is not finite, or a null in a required column.
    """
    schema = schema_of(table)
    if isinstance(rows, pa.Table):
        _refuse_unknown(table, schema, rows.column_names, None)
        columns = [_from_arrow(table, field, rows) for field in schema]
        return pa.table(columns, schema=schema)
    rows = rows if isinstance(rows, list) else list(rows)
    if not rows:
        return schema.empty_table()
    known = frozenset(schema.names)
    for position, row in enumerate(rows):
        if not known.issuperset(row):
            _refuse_unknown(table, schema, row, position)
    return pa.table(
        [_from_python(table, field, [row.get(field.name) for row in rows]) for field in schema], schema=schema
    )


def _refuse_unknown(table: str, schema: pa.Schema, names: Iterable[str], row: int | None) -> None:
    unknown = [name for name in names if name not in schema.names]
    if unknown:
        where = "" if row is None else f", row {row}"
        raise WarehouseError(
            f"Table {table!r} has no column {unknown[0]!r}{where}; its columns are {', '.join(schema.names)}."
        )


def _from_arrow(table: str, field: pa.Field, rows: pa.Table) -> pa.ChunkedArray | pa.Array:
    if field.name not in rows.column_names:
        if not field.nullable and rows.num_rows:
            raise _null(table, field, 0)
        return pa.nulls(rows.num_rows, field.type)
    column = rows[field.name]
    if column.type != field.type and not _widens(column.type, field.type):
        raise WarehouseError(
            f"Table {table!r}, column {field.name!r} holds {field.type}, but the Arrow table given has {column.type}; "
            "cast it before it is written."
        )
    column = column.cast(field.type)
    if not field.nullable and column.null_count:
        raise _null(table, field, pc.index(pc.is_null(column), True).as_py())
    if pa.types.is_floating(field.type):
        odd = pc.index(pc.invert(pc.fill_null(pc.is_finite(column), True)), True).as_py()
        if odd >= 0:
            raise _wrong(table, field, odd, column[odd].as_py())
    return column


def _widens(given: pa.DataType, wanted: pa.DataType) -> bool:
    """Whether every value of `given` is one of `wanted`: other widths and encodings of the same kind of value."""
    if pa.types.is_null(given):
        return True
    if pa.types.is_dictionary(given):
        return _widens(given.value_type, wanted)
    kinds: list[tuple[Callable[[pa.DataType], bool], Callable[[pa.DataType], bool]]] = [
        (
            lambda t: pa.types.is_string(t) or pa.types.is_large_string(t) or pa.types.is_string_view(t),
            pa.types.is_string,
        ),
        (lambda t: pa.types.is_integer(t) and t != pa.uint64(), pa.types.is_int64),
        (pa.types.is_floating, pa.types.is_float64),
        (lambda t: pa.types.is_timestamp(t) and t.tz is not None, pa.types.is_timestamp),
    ]
    if pa.types.is_list(wanted) and (pa.types.is_list(given) or pa.types.is_large_list(given)):
        return _widens(given.value_type, wanted.value_type)
    if pa.types.is_struct(wanted) and pa.types.is_struct(given):
        given_fields, wanted_fields = list(given), list(wanted)
        return [f.name for f in given_fields] == [f.name for f in wanted_fields] and all(
            _widens(g.type, w.type) for g, w in zip(given_fields, wanted_fields, strict=True)
        )
    return given == wanted or any(is_given(given) and is_wanted(wanted) for is_given, is_wanted in kinds)


def _from_python(table: str, field: pa.Field, values: list[Any]) -> pa.Array:
    if not field.nullable and None in values:
        raise _null(table, field, values.index(None))
    accepts = _acceptor(field.type)
    plain = _PLAIN.get(field.type, ())
    if not set(map(type, values)) <= set(plain):
        for row, value in enumerate(values):
            if value is not None and not accepts(value):
                raise _wrong(table, field, row, value)
    if pa.types.is_floating(field.type) and not all(value is None or math.isfinite(value) for value in values):
        row = next(row for row, value in enumerate(values) if value is not None and not math.isfinite(value))
        raise _wrong(table, field, row, values[row])
    try:
        return pa.array(values, field.type)
    except UnicodeEncodeError:
        return pa.array([_mend(value) for value in values], field.type)
    except (pa.ArrowException, OverflowError) as error:
        row = next((row for row, value in enumerate(values) if not _fits(value, field.type)), 0)
        raise _wrong(table, field, row, values[row]) from error


def _acceptor(kind: pa.DataType) -> Callable[[Any], bool]:
    """Return a test of whether a Python value, not None, is one of `kind`."""
    if pa.types.is_string(kind):
        return lambda value: isinstance(value, str)
    if pa.types.is_integer(kind):
        return lambda value: isinstance(value, int) and not isinstance(value, bool)
    if pa.types.is_floating(kind):
        return lambda value: isinstance(value, int | float) and not isinstance(value, bool)
    if pa.types.is_boolean(kind):
        return lambda value: isinstance(value, bool)
    if pa.types.is_timestamp(kind):
        return lambda value: isinstance(value, datetime) and value.tzinfo is not None
    if pa.types.is_list(kind):
        inner = _acceptor(kind.value_type)
        return lambda value: (
            isinstance(value, list | tuple) and all(item is not None and inner(item) for item in value)
        )
    if pa.types.is_struct(kind):
        parts = {part.name: _acceptor(part.type) for part in kind}
        return lambda value: (
            isinstance(value, Mapping)
            and all(name in parts and (item is None or parts[name](item)) for name, item in value.items())
        )
    raise TypeError(f"no rule for columns of type {kind}")


_PLAIN: dict[pa.DataType, tuple[type, ...]] = {
    pa.string(): (str, type(None)),
    pa.int64(): (int, type(None)),
    pa.float64(): (float, int, type(None)),
    pa.bool_(): (bool, type(None)),
}
"""Types that need no look at each value: the common case, checked at the speed of `set(map(type, values))`."""


def _fits(value: Any, kind: pa.DataType) -> bool:
    try:
        pa.array([value], kind)
    except (pa.ArrowException, OverflowError):
        return False
    return True


def _mend(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    if isinstance(value, list | tuple):
        return [_mend(item) for item in value]
    if isinstance(value, Mapping):
        return {name: _mend(item) for name, item in value.items()}
    return value


def _wrong(table: str, field: pa.Field, row: int, value: Any) -> WarehouseError:
    shown = repr(value)
    shown = shown if len(shown) <= 60 else shown[:57] + "..."
    hint = ""
    if pa.types.is_string(field.type) and isinstance(value, Mapping | list | tuple):
        hint = "; write it as JSON text"
    elif isinstance(value, float) and not math.isfinite(value):
        hint = "; a figure that could not be computed is written as null"
    elif isinstance(value, datetime):
        hint = "; give the time its zone"
    return WarehouseError(
        f"Table {table!r}, column {field.name!r}, row {row}: {shown} ({type(value).__name__}) is not "
        f"a {field.type}{hint}."
    )


def _null(table: str, field: pa.Field, row: int) -> WarehouseError:
    return WarehouseError(f"Table {table!r}, column {field.name!r} is null in row {row}, but every row must have it.")
