import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from warehouse.errors import WarehouseError
from warehouse.stats.clustered import clustered_mean

ROWS = st.lists(st.tuples(st.floats(-100, 100), st.integers(0, 6), st.integers(0, 4)), min_size=2, max_size=40).filter(
    lambda rows: len({row[1] for row in rows}) > 1 and len({row[2] for row in rows}) > 1
)


def double_sum(values, same):
    """Miller's appendix A as it is written: a sum over all pairs of rows of one cluster."""
    centre = sum(values) / len(values)
    pairs = ((i, j) for i in range(len(values)) for j in range(len(values)) if same(i, j))
    return sum((values[i] - centre) * (values[j] - centre) for i, j in pairs) / len(values) ** 2


def corrected(values, labels):
    count = len(set(labels))
    return count / (count - 1) * double_sum(values, lambda i, j: labels[i] == labels[j])


@given(ROWS)
def test_one_level_is_the_double_sum(rows):
    values, labels, _ = map(list, zip(*rows, strict=True))
    found = clustered_mean(values, labels, correction="cr1")
    assert found.estimate == pytest.approx(sum(values) / len(values), abs=1e-9)
    assert found.se**2 == pytest.approx(max(0.0, corrected(values, labels)), rel=1e-9, abs=1e-9)
    assert (found.clusters, found.df, found.n) == (len(set(labels)), len(set(labels)) - 1, len(rows))


@given(ROWS)
def test_two_levels_are_inclusion_and_exclusion(rows):
    values, one, other = map(list, zip(*rows, strict=True))
    both = list(zip(one, other, strict=True))
    variance = corrected(values, one) + corrected(values, other) - corrected(values, both)
    found = clustered_mean(values, one, other, correction="cr1")
    assert found.df == min(len(set(one)), len(set(other))) - 1
    if variance > 1e-9:
        assert found.se**2 == pytest.approx(variance, rel=1e-9, abs=1e-9)
    if "not positive" in found.method:
        assert variance < 1e-9
        larger = max(corrected(values, one), corrected(values, other))
        assert found.se**2 == pytest.approx(larger, rel=1e-9, abs=1e-9)


def test_a_two_way_variance_below_zero_gives_way_to_the_larger_one_way():
    values = [1, -1, -1, 1, 1, -1, -1, 1]
    rows, columns = [0, 0, 1, 1, 0, 0, 1, 1], [0, 1, 0, 1, 0, 1, 0, 1]
    values[0] += 0.5
    found = clustered_mean(values, rows, columns)
    assert "not positive" in found.method
    assert found.se**2 == pytest.approx(max(corrected(values, rows), corrected(values, columns)))


@given(ROWS)
def test_a_level_within_another_adds_nothing(rows):
    values, outer, inner = map(list, zip(*rows, strict=True))
    nested = [f"{a}/{b}" for a, b in zip(outer, inner, strict=True)]
    alone = clustered_mean(values, outer)
    for found in (clustered_mean(values, outer, nested), clustered_mean(values, nested, outer)):
        assert (found.se, found.df, found.low, found.high) == (alone.se, alone.df, alone.low, alone.high)


def by_matrices(values, labels):
    """CR2 and its degrees of freedom from the hat matrix (Bell & McCaffrey 2002; Pustejovsky & Tipton 2018)."""
    n = len(values)
    hat = np.full((n, n), 1 / n)
    residuals = np.asarray(values) - np.mean(values)
    variance, gram = 0.0, []
    for label in sorted(set(labels)):
        rows = [i for i in range(n) if labels[i] == label]
        block = np.eye(len(rows)) - hat[np.ix_(rows, rows)]
        eigenvalues, vectors = np.linalg.eigh(block)
        adjust = vectors @ np.diag(eigenvalues**-0.5) @ vectors.T
        variance += (np.ones(len(rows)) @ adjust @ residuals[rows]) ** 2 / n**2
        gram.append((np.eye(n) - hat)[:, rows] @ adjust @ np.ones(len(rows)) / n)
    products = np.array(gram) @ np.array(gram).T
    return variance, np.trace(products) ** 2 / np.trace(products @ products)


@given(ROWS)
@settings(max_examples=50)
def test_cr2_is_what_the_matrices_say(rows):
    values, labels, _ = map(list, zip(*rows, strict=True))
    variance, df = by_matrices(values, labels)
    found = clustered_mean(values, labels, correction="cr2")
    assert found.se**2 == pytest.approx(variance, rel=1e-7, abs=1e-7)
    assert found.df == pytest.approx(df, rel=1e-7)


@given(st.integers(2, 6), st.integers(1, 5), st.randoms())
def test_for_clusters_of_one_size_both_corrections_are_one(clusters, size, random):
    values = [random.random() for _ in range(clusters * size)]
    labels = [row % clusters for row in range(clusters * size)]
    one, other = (clustered_mean(values, labels, correction=name) for name in ("cr1", "cr2"))
    assert other.se == pytest.approx(one.se)
    assert other.df == pytest.approx(one.df)


def test_each_row_its_own_cluster_is_the_plain_error_of_a_mean():
    values = [3.0, 1.0, 4.0, 1.0, 5.0]
    found = clustered_mean(values, range(5))
    assert found.se == pytest.approx(np.std(values, ddof=1) / math.sqrt(5))
    assert found.high - found.estimate == pytest.approx(2.7764451051977987 * found.se)  # t, 4 df, from a table
    normal = clustered_mean(values, range(5), reference="normal")
    assert normal.high - normal.estimate == pytest.approx(1.959963984540054 * found.se)
    assert (found.method, normal.method) == (
        "clustered (CR2), C = 5, t with 4 df",
        "clustered (CR2), C = 5, normal",
    )


@settings(max_examples=40)
@given(ROWS, st.randoms())
def test_neither_the_order_of_rows_nor_the_names_of_clusters_change_a_bit(rows, random):
    values, labels, other = map(list, zip(*rows, strict=True))
    before = clustered_mean(values, labels, other)
    random.shuffle(rows)
    values, labels, other = map(list, zip(*rows, strict=True))
    names = {label: f"{random.random()} {label}" for label in set(labels)}
    after = clustered_mean(values, [names[label] for label in labels], other)
    assert after == before


@given(ROWS, st.floats(0.1, 10), st.floats(-5, 5))
def test_the_error_scales_and_does_not_shift(rows, factor, shift):
    values, labels, _ = map(list, zip(*rows, strict=True))
    before, after = clustered_mean(values, labels), clustered_mean([factor * x + shift for x in values], labels)
    assert after.se == pytest.approx(factor * before.se, rel=1e-6, abs=1e-6)
    assert after.estimate == pytest.approx(factor * before.estimate + shift, rel=1e-6, abs=1e-6)


def test_one_cluster_has_a_mean_and_no_error():
    found = clustered_mean([1, 0, 1], ["only"] * 3)
    assert found.estimate == pytest.approx(2 / 3)
    assert (found.se, found.df, found.low, found.high, found.clusters) == (None, None, None, None, 1)
    assert "1 cluster" in found.reason
    assert clustered_mean([1, 0, 1], ["only"] * 3, [1, 2, 3]).se is None


@pytest.mark.parametrize("value", [1.0, 0.1, 0.0])
def test_an_interval_without_width_is_not_given(value):
    found = clustered_mean([value] * 12, [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3])
    assert found.estimate == pytest.approx(value)
    assert (found.se, found.low, found.high) == (0.0, None, None)
    assert "do not differ" in found.reason


def test_cr2_is_for_one_level():
    with pytest.raises(WarehouseError, match="one level"):
        clustered_mean([1, 2, 3, 4], [1, 1, 2, 2], [1, 2, 1, 2], correction="cr2")
