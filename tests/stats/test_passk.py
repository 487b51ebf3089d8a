import math
from itertools import combinations

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from warehouse.errors import WarehouseError
from warehouse.stats.clustered import clustered_mean
from warehouse.stats.passk import pass_at_k, pass_hat_k, pass_k


@pytest.mark.parametrize("n", range(9))
def test_every_way_to_take_k_of_n_attempts(n):
    for c in range(n + 1):
        attempts = [True] * c + [False] * (n - c)
        for k in range(1, 11):
            taken = list(combinations(attempts, k))
            if n < k:
                assert pass_at_k(n, c, k) is pass_hat_k(n, c, k) is None
            else:
                assert pass_at_k(n, c, k) == pytest.approx(sum(map(any, taken)) / len(taken), abs=1e-15)
                assert pass_hat_k(n, c, k) == pytest.approx(sum(map(all, taken)) / len(taken), abs=1e-15)


@given(st.integers(1, 12), st.integers(1, 12), st.floats(0, 1))
def test_both_are_unbiased(n, k, p):
    """Over all outcomes of n attempts the mean is what k attempts do."""
    if n < k:
        return
    chances = [math.comb(n, c) * p**c * (1 - p) ** (n - c) for c in range(n + 1)]
    mean_any = sum(chance * pass_at_k(n, c, k) for c, chance in enumerate(chances))
    mean_all = sum(chance * pass_hat_k(n, c, k) for c, chance in enumerate(chances))
    assert mean_any == pytest.approx(1 - (1 - p) ** k, abs=1e-12)
    assert mean_all == pytest.approx(p**k, abs=1e-12)


@given(st.integers(1, 200), st.data())
def test_with_k_any_rises_and_all_falls(n, data):
    c = data.draw(st.integers(0, n))
    any_, all_ = ([f(n, c, k) for k in range(1, n + 1)] for f in (pass_at_k, pass_hat_k))
    assert any_ == sorted(any_)
    assert all_ == sorted(all_, reverse=True)
    assert any_[0] == all_[0] == c / n
    assert pass_hat_k(n, c, n) == float(c == n)


def test_large_counts_neither_overflow_nor_round_to_one():
    assert pass_at_k(10_000, 1, 100) == pytest.approx(0.01, rel=1e-12)


@pytest.mark.parametrize(("n", "c", "k"), [(3, 4, 1), (3, 1, 0), (-1, 0, 1), (3, -1, 1), (3, 1.5, 1), (3, True, 1)])
def test_counts_that_cannot_be_are_refused(n, c, k):
    with pytest.raises(WarehouseError):
        pass_at_k(n, c, k)


FRAME = pl.DataFrame(
    {
        "sample": ["a", "a", "a", "b", "b", "b", "c", "c", "c", "d", "d"],
        "passed": [True, False, False, True, True, False, False, False, False, True, None],
        "project": ["p", "p", "p", "p", "p", "p", "q", "q", "q", "r", "r"],
    }
)


def test_the_figure_is_the_mean_over_samples_with_the_error_of_their_clusters():
    rows = FRAME.filter(pl.col("sample") != "d")
    found = pass_k(rows["passed"], rows["sample"], 2, clusters=rows["project"])
    by_hand = [2 / 3, 1.0, 0.0]
    assert found.figure == clustered_mean(by_hand, ["p", "p", "q"])
    assert (found.n_samples, found.n_attempts, found.min_attempts, found.max_attempts, found.n_short) == (
        3,
        9,
        3,
        3,
        0,
    )
    every = pass_k(rows["passed"], rows["sample"], 2, kind="all")
    assert every.figure.estimate == pytest.approx((0 + 1 / 3 + 0) / 3)
    assert every.figure.clusters == 3


def test_one_sample_short_of_attempts_makes_the_figure_null():
    found = pass_k(FRAME["passed"], FRAME["sample"], 2, nulls="omit")
    assert found.figure is None
    assert found.reason == "1 of 4 samples have fewer than k = 2 measured attempts, the fewest 1"
    assert (found.n_short, found.min_attempts, found.max_attempts, found.n_null) == (1, 1, 3, 1)


def test_samples_short_of_attempts_are_left_out_only_on_demand_and_counted():
    found = pass_k(FRAME["passed"], FRAME["sample"], 2, nulls="omit", short="omit", clusters=FRAME["project"])
    assert found.figure == clustered_mean([2 / 3, 1.0, 0.0], ["p", "p", "q"])
    assert (found.n_samples, found.n_short) == (3, 1)
    none = pass_k(FRAME["passed"], FRAME["sample"], 4, nulls="omit", short="omit")
    assert none.figure is None
    assert none.n_short == 4


def test_a_sample_that_nobody_could_measure_is_short_and_not_gone():
    found = pass_k([True, False, None, None], ["a", "a", "b", "b"], 1, nulls="omit")
    assert found.figure is None
    assert (found.min_attempts, found.n_short) == (0, 1)
    nothing = pass_k([None, None], ["a", "b"], 1, nulls="omit")
    assert (nothing.figure, nothing.n_short, nothing.n_attempts) == (None, 2, 0)


def test_what_is_no_pass_is_refused():
    with pytest.raises(WarehouseError, match="neither 0 nor 1"):
        pass_k([0.5, 1], ["a", "a"], 1)
    with pytest.raises(WarehouseError, match="null"):
        pass_k(FRAME["passed"], FRAME["sample"], 1)
    with pytest.raises(WarehouseError, match="two clusters"):
        pass_k([1, 0], ["a", "a"], 1, clusters=["p", "q"])
    with pytest.raises(WarehouseError, match="kind is 'some'"):
        pass_k([1, 0], ["a", "a"], 1, kind="some")
