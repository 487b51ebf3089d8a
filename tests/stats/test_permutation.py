from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import permutation_test

from warehouse.errors import WarehouseError
from warehouse.stats import permutation
from warehouse.stats.permutation import sign_flip

ROWS = st.lists(st.tuples(st.integers(-5, 5), st.integers(0, 7)), min_size=1, max_size=30)


def by_enumeration(values, labels):
    names = sorted(set(labels))
    sums = [sum(value for value, label in zip(values, labels, strict=True) if label == name) for name in names]
    seen = abs(sum(sums))
    patterns = list(product([-1, 1], repeat=len(sums)))
    return sum(abs(sum(s * x for s, x in zip(signs, sums, strict=True))) >= seen for signs in patterns) / len(patterns)


@given(ROWS)
def test_every_pattern_of_signs_is_counted(rows):
    values, labels = map(list, zip(*rows, strict=True))
    found = sign_flip(values, labels)
    assert found.p_value == by_enumeration(values, labels)
    assert found.exact
    assert found.draws == 2**found.moving
    assert found.clusters == len(set(labels))
    assert found.p_value >= found.smallest_p


@given(ROWS)
def test_ties_are_ties_though_rounding_parts_them(rows):
    """0.1 + 0.2 − 0.3 is not 0 in binary; tenths must give what whole numbers give."""
    values, labels = map(list, zip(*rows, strict=True))
    assert sign_flip([value / 10 for value in values], labels).p_value == sign_flip(values, labels).p_value


def test_it_is_scipys():
    values = np.random.default_rng(1).normal(0.4, 1, 11)
    oracle = permutation_test((values,), np.mean, permutation_type="samples", n_resamples=np.inf)
    assert sign_flip(values, range(11)).p_value == pytest.approx(oracle.pvalue, abs=1e-12)


def test_clusters_flip_whole():
    """Forty rows that agree within four clusters are four facts, and not forty."""
    values, labels = [1.0] * 40, [row // 10 for row in range(40)]
    assert sign_flip(values, labels).p_value == 2 / 16
    assert sign_flip(values, range(40)).p_value < 0.001


def test_five_clusters_can_never_reach_five_percent():
    found = sign_flip([9.0, 8.0, 9.5, 8.5, 9.2], ["tank", "chamber", "vessel", "mixer", "filter"])
    assert found.p_value == found.smallest_p == 0.0625


def test_beyond_sixteen_clusters_patterns_are_drawn_and_near_the_exact_count(monkeypatch):
    values = np.random.default_rng(2).normal(0.3, 1, 16)
    exact = sign_flip(values, range(16))
    assert (exact.exact, exact.draws) == (True, 65536)
    monkeypatch.setattr(permutation, "EXACT_CLUSTERS", 15)
    drawn = sign_flip(values, range(16))
    assert (drawn.exact, drawn.draws) == (False, 99_999)
    assert drawn.p_value == pytest.approx(exact.p_value, abs=4 * np.sqrt(exact.p_value / 99_999))
    assert drawn.p_value != exact.p_value


def test_drawn_p_values_are_the_same_every_time_in_every_order_and_in_chunks_and_never_0(monkeypatch):
    random = np.random.default_rng(3)
    values, labels = random.normal(1, 0.1, 200), np.arange(200) % 40
    found = sign_flip(values, labels, draws=999)
    assert found.p_value == found.smallest_p == 1 / 1000
    mixed = random.permutation(200)
    weaker = values - 0.99
    before = sign_flip(weaker, labels, draws=999)
    assert 0.001 < before.p_value < 1
    assert sign_flip(weaker[mixed], [f"c{label}" for label in labels[mixed]], draws=999) == before
    monkeypatch.setattr(permutation, "CHUNK", 1000)
    assert sign_flip(weaker, labels, draws=999) == before


def test_no_difference_at_all_is_no_evidence():
    found = sign_flip([0, 1, -1], ["a", "b", "b"])
    assert (found.p_value, found.smallest_p, found.moving, found.clusters) == (1.0, 1.0, 0, 2)


def test_nulls_are_refused_or_counted():
    with pytest.raises(WarehouseError, match="1 null"):
        sign_flip([1, None], [1, 2])
    assert sign_flip([1, None, 2], [1, 2, 3], nulls="omit").n_null == 1
    with pytest.raises(WarehouseError, match="draws is 0"):
        sign_flip([1], [1], draws=0)
