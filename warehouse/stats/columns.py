"""Columns as the statistics take them: checked numbers and cluster codes, whatever kind of sequence they come as.

A null (None or NaN) is never dropped in silence: it is refused by name, or left out and counted where the caller says
so. Sums are taken in an order that depends on the rows' content alone: the same rows in another order, the same bits.
"""

import hashlib
import math
import numbers
from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from warehouse.errors import WarehouseError

Column = Sequence[Any] | NDArray[Any] | Any
"""A list, a tuple, a numpy array, or a polars, pandas or Arrow column."""
Nulls = Literal["refuse", "omit"]
Floats = NDArray[np.float64]
Codes = NDArray[np.int64]


class Clusters(NamedTuple):
    """Totals of each cluster: `sums` of the values and `sizes` in rows, in the order of the sorted labels."""

    sums: Floats
    sizes: Floats


def floats(name: str, values: Column) -> Floats:
    """Return `values` as floats with NaN for null; `name` is what an error calls the column.

    Raises WarehouseError for what is no column of finite numbers, booleans and nulls.
    """
    array = _array(name, values)
    if array.dtype.kind in "biuf":
        out = array.astype(np.float64)
    elif array.dtype.kind == "O" or not array.size:
        out = np.fromiter((_float(name, row, value) for row, value in enumerate(array)), np.float64, array.size)
    else:
        raise WarehouseError(f"{name} holds {array.dtype} and not numbers; give passes as 0 and 1 or as booleans.")
    if np.isinf(out).any():
        raise WarehouseError(f"{name} is infinite at row {int(np.isinf(out).argmax())}; give finite numbers.")
    return out + 0.0  # no negative zero


def whole(name: str, values: Column) -> Floats:
    """Return `values` as floats and refuse nulls."""
    out = floats(name, values)
    _refuse_nulls(name, np.isnan(out))
    return out


def same_length(**columns: NDArray[Any]) -> int:
    """Return the number of rows that all `columns` have; raises WarehouseError if they differ or there are none."""
    sizes = {name: column.size for name, column in columns.items()}
    if len(set(sizes.values())) > 1:
        told = ", ".join(f"{name} {size}" for name, size in sizes.items())
        raise WarehouseError(f"Columns of one frame have one length, but these have: {told} rows.")
    rows = next(iter(sizes.values()))
    if not rows:
        raise WarehouseError(f"{' and '.join(columns)} hold no rows, and no statistic is made of none.")
    return rows


def kept(nulls: Nulls, **columns: Floats) -> NDArray[np.bool_]:
    """Return which rows have no null in any of `columns`; raises WarehouseError for nulls under `refuse`."""
    if nulls not in ("refuse", "omit"):
        raise WarehouseError(f"nulls is {nulls!r}; give 'refuse', or 'omit' to leave such rows out and count them.")
    if nulls == "refuse":
        for name, column in columns.items():
            _refuse_nulls(name, np.isnan(column), "pass nulls='omit' to leave those rows out and have them counted")
    keep = ~np.any([np.isnan(column) for column in columns.values()], axis=0)
    if not keep.any():
        raise WarehouseError(f"{' and '.join(columns)} hold only nulls, and no statistic is made of none.")
    return keep


def codes(name: str, labels: Column) -> Codes:
    """Return the rank of each label among the sorted distinct ones; nulls are refused, whatever their number.

    A row without a cluster cannot be left out unseen and must not become a cluster of its own by accident.
    """
    array = _array(name, labels)
    if array.dtype.kind == "O":
        rows = array.tolist()
        _refuse_nulls(name, np.fromiter((_is_null(row) for row in rows), np.bool_, len(rows)))
        rank = {label: code for code, label in enumerate(in_order(name, rows))}
        return np.fromiter((rank[row] for row in rows), np.int64, len(rows))
    if array.dtype.kind == "f":
        _refuse_nulls(name, np.isnan(array))
    return np.unique(array, return_inverse=True)[1].astype(np.int64)


def as_list(name: str, labels: Column) -> list[Any]:
    """Return the labels as plain Python values, whatever kind of column they come as."""
    rows: list[Any] = _array(name, labels).tolist()
    return rows


def in_order(name: str, labels: Iterable[Any]) -> list[Any]:
    """Return the distinct labels sorted, by type first; raises WarehouseError for those that have no order."""
    try:
        return sorted(set(labels), key=lambda label: (type(label).__name__, label))
    except TypeError as error:
        raise WarehouseError(f"{name} holds labels that cannot be sorted; give strings or numbers.") from error


def crossed(one: Codes, other: Codes) -> Codes:
    """Return codes of the pairs of two codings: the clusters that both levels share."""
    return np.unique(one * (int(other.max()) + 1) + other, return_inverse=True)[1].astype(np.int64)


def mean(values: Floats) -> float:
    """Return the mean, exactly rounded and so independent of the order."""
    return math.fsum(values) / values.size


def totals(values: Floats, cluster: Codes) -> Clusters:
    """Return the sum and the number of rows of each cluster."""
    order = np.lexsort((values, cluster))
    return Clusters(
        np.bincount(cluster[order], weights=values[order]).astype(np.float64),
        np.bincount(cluster).astype(np.float64),
    )


def generator(*parts: Any) -> np.random.Generator:
    """Return a generator seeded by the SHA-256 of `parts`: numbers, strings and arrays. Same data, same draws.

    Only `random()` of it is used: its stream is the bit generator's own and the same in every version of numpy.
    """
    digest = hashlib.sha256()
    for part in parts:
        text = np.ascontiguousarray(part, "<f8").tobytes() if isinstance(part, np.ndarray) else repr(part).encode()
        digest.update(len(text).to_bytes(8, "little") + text)
    return np.random.Generator(np.random.PCG64(int.from_bytes(digest.digest(), "little")))


def check_level(level: float) -> None:
    """Refuse a confidence level that is no fraction between 0 and 1."""
    if not 0 < level < 1:
        raise WarehouseError(f"level is {level}; give a fraction between 0 and 1, such as 0.95.")


def check_count(name: str, value: int, least: int) -> None:
    """Refuse what is no integer of at least `least`."""
    if isinstance(value, bool) or not isinstance(value, numbers.Integral) or value < least:
        raise WarehouseError(f"{name} is {value!r}; give an integer of at least {least}.")


def _array(name: str, values: Column) -> NDArray[Any]:
    if isinstance(values, str | bytes) or values is None:
        raise WarehouseError(f"{name} is {values!r} and not a column; give one value a row.")
    if isinstance(values, np.ndarray):
        array = values
    elif isinstance(values, Sequence):
        array = np.fromiter(values, object, len(values))  # np.asarray would turn 1 and "1" into one label
    else:
        array = np.asarray(values)
    if array.ndim != 1:
        raise WarehouseError(f"{name} has {array.ndim} dimensions; give one column, one value a row.")
    return array


def _float(name: str, row: int, value: Any) -> float:
    if value is None:
        return math.nan
    if isinstance(value, numbers.Real | Decimal | np.bool_):
        return float(value)
    raise WarehouseError(f"{name} is {value!r} at row {row}; give numbers, booleans or nulls.")


def _is_null(value: Any) -> bool:
    return value is None or (isinstance(value, float) and math.isnan(value))


def _refuse_nulls(name: str, null: NDArray[np.bool_], fix: str = "fill them in or leave those rows out") -> None:
    if null.any():
        count, row = int(null.sum()), int(null.argmax())
        raise WarehouseError(f"{name} holds {count} null{'s' * (count > 1)}, the first at row {row}; {fix}.")
