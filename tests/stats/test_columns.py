from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from warehouse.errors import WarehouseError
from warehouse.stats.clustered import clustered_mean
from warehouse.stats.columns import codes, floats, generator, kept, totals, whole

VALUES = [1.0, 0.5, None, 2.0]
LABELS = ["b", "a", "b", "c"]


@pytest.mark.parametrize(
    "column",
    [
        VALUES,
        tuple(VALUES),
        np.array([1, 0.5, np.nan, 2]),
        np.array(VALUES, object),
        pl.Series(VALUES),
        pa.array(VALUES),
        pa.chunked_array([VALUES[:1], VALUES[1:]]),
        pd.Series(VALUES),
        pd.Series([1, 0.5, pd.NA, 2], dtype="Float64").to_numpy(np.float64, na_value=np.nan),
        [Decimal(1), 0.5, None, np.int64(2)],
    ],
    ids=lambda column: type(column).__name__,
)
def test_every_kind_of_column_is_the_same_numbers(column):
    np.testing.assert_array_equal(floats("x", column), [1, 0.5, np.nan, 2])


@pytest.mark.parametrize("kind", [list, pl.Series, pa.array, pd.Series, np.array])
def test_passes_may_be_booleans_with_nulls(kind):
    np.testing.assert_array_equal(floats("x", kind([True, None, False])), [1, np.nan, 0])


@pytest.mark.parametrize(
    "column",
    [LABELS, np.array(LABELS), pl.Series(LABELS), pl.Series(LABELS, dtype=pl.Categorical), pa.array(LABELS),
     pd.Series(LABELS), [11, 2, 11, 30], pl.Series([11, 2, 11, 30]), np.array([1.5, 0.5, 1.5, 2.5]),
     [("b", 1), ("a", 9), ("b", 1), ("c", 0)]],
)  # fmt: skip
def test_every_kind_of_label_is_coded_in_sorted_order(column):
    assert codes("c", column).tolist() == [1, 0, 1, 2]


def test_one_and_its_name_are_two_labels():
    """numpy would make both the string "1", and two clusters one."""
    assert codes("c", [1, "1", 1, "1"]).tolist() == [0, 1, 0, 1]


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: floats("score", ["0.5", "1"]), "score is '0.5' at row 0"),
        (lambda: floats("score", np.array(["a"])), "score holds <U1 and not numbers"),
        (lambda: floats("score", [0.0, float("inf")]), "score is infinite at row 1"),
        (lambda: floats("score", [[1, 2], [3, 4]]), "score is"),
        (lambda: floats("score", np.zeros((2, 2))), "2 dimensions"),
        (lambda: floats("score", "abc"), "not a column"),
        (lambda: floats("score", None), "not a column"),
        (lambda: floats("day", pl.Series(["2026-01-01"]).str.to_date()), "day"),
        (lambda: whole("p", [0.1, None, None]), "p holds 2 nulls, the first at row 1"),
        (lambda: codes("cluster", ["a", None]), "cluster holds 1 null, the first at row 1"),
        (lambda: codes("cluster", [1.0, float("nan")]), "cluster holds 1 null"),
        (lambda: codes("cluster", np.array([1.0, np.nan])), "cluster holds 1 null"),
        (lambda: codes("cluster", [{"a"}, {"b"}]), "cluster"),
        (lambda: clustered_mean([1, 2], [1, 2, 3]), "values 2, clusters 3"),
        (lambda: clustered_mean([], []), "no rows"),
        (lambda: clustered_mean([None], ["a"], nulls="omit"), "only nulls"),
        (lambda: clustered_mean([1, None], [1, 2]), "nulls='omit'"),
        (lambda: clustered_mean([1, 2], [1, 2], nulls="drop"), "nulls is 'drop'"),
        (lambda: clustered_mean([1, 2], [1, 2], level=95), "level is 95"),
        (lambda: clustered_mean([1, 2], [1, 2], correction="hc3"), "correction is 'hc3'"),
    ],
)
def test_what_is_no_column_is_refused_in_one_sentence_that_names_it(call, says):
    with pytest.raises(WarehouseError, match=r"^[^\n]+\.$") as raised:
        call()
    assert says in str(raised.value)


def test_rows_left_out_are_counted_and_take_their_empty_cluster_with_them():
    found = clustered_mean([1, 0, None, 1], ["a", "b", "x", "a"], nulls="omit")
    assert (found.n, found.n_null, found.clusters, found.df) == (3, 1, 2, 1)
    assert kept("omit", a=np.array([1, np.nan]), b=np.array([1.0, 2.0])).tolist() == [True, False]


def test_totals_do_not_depend_on_the_order_of_rows():
    random = np.random.default_rng(1)
    values, cluster = random.normal(size=500) * 10.0 ** random.integers(-8, 8, 500), random.integers(0, 7, 500)
    shuffled = random.permutation(500)
    for one, other in zip(totals(values, cluster), totals(values[shuffled], cluster[shuffled]), strict=True):
        assert one.tobytes() == other.tobytes()


def test_draws_are_a_hash_of_what_they_are_for():
    """These numbers are pinned: a change of them would change intervals that were published."""
    array = np.array([0.5, 1.0])
    first = generator("x", 3, array).random(3)
    assert first.tolist() == generator("x", 3, array.copy()).random(3).tolist()
    assert first.round(12).tolist() == PINNED
    others = [generator("x", 4, array), generator("y", 3, array), generator("x", 3, array + 1), generator("x3", array)]
    assert all(other.random() != first[0] for other in others)
    assert generator("ab", "c").random() != generator("a", "bc").random()


PINNED = [0.004836655611, 0.741271622604, 0.443688697426]
