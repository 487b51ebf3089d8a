import math
from itertools import product

import numpy as np
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest, ttest_rel
from statsmodels.stats.contingency_tables import mcnemar as oracle

from warehouse.errors import WarehouseError
from warehouse.stats.clustered import clustered_mean
from warehouse.stats.paired import mcnemar, pair, paired_difference, unpaired_difference

PAIRS = st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=30)
SIDES = st.lists(st.tuples(st.floats(-9, 9), st.floats(-9, 9), st.integers(0, 5)), min_size=3, max_size=30)


@given(SIDES)
def test_the_difference_is_the_clustered_mean_of_differences(rows):
    left, right, cluster = (np.array(column) for column in zip(*rows, strict=True))
    found = paired_difference(left, right, cluster)
    assert found.difference == clustered_mean(left - right, cluster)
    assert found.left == clustered_mean(left, cluster)
    assert found.right == clustered_mean(right, cluster)
    swapped = paired_difference(right, left, cluster)
    assert swapped.difference.estimate == -found.difference.estimate
    assert swapped.p_value == pytest.approx(found.p_value)
    assert found.difference.estimate == pytest.approx(found.left.estimate - found.right.estimate, abs=1e-9)


@given(SIDES)
def test_its_variance_is_what_the_sides_do_not_share(rows):
    """Var(left − right) = Var(left) + Var(right) − 2·Cov, each clustered."""
    left, right, cluster = (np.array(column) for column in zip(*rows, strict=True))
    if len(set(cluster.tolist())) < 2:
        return
    sums = [
        [float(np.sum((side - side.mean())[cluster == label])) for label in sorted(set(cluster.tolist()))]
        for side in (left, right)
    ]
    count = len(sums[0])
    covariance = count / (count - 1) * sum(a * b for a, b in zip(*sums, strict=True)) / left.size**2
    found = paired_difference(left, right, cluster, correction="cr1")
    expected = found.left.se**2 + found.right.se**2 - 2 * covariance
    assert found.difference.se**2 == pytest.approx(expected, abs=1e-9)


def test_each_pair_its_own_cluster_is_the_paired_t_test():
    random = np.random.default_rng(4)
    left, right = random.normal(size=25), random.normal(size=25) + 0.3
    found, test = paired_difference(left, right, range(25)), ttest_rel(left, right)
    assert (found.statistic, found.p_value) == pytest.approx((test.statistic, test.pvalue))
    interval = test.confidence_interval(0.95)
    assert (found.difference.low, found.difference.high) == pytest.approx((interval.low, interval.high))
    assert found.correlation == pytest.approx(np.corrcoef(left, right)[0, 1])


def test_pairing_sees_what_two_marginal_rates_cannot():
    random = np.random.default_rng(5)
    ability = random.normal(size=200)
    left, right = ability + 0.1 + 0.1 * random.normal(size=200), ability + 0.1 * random.normal(size=200)
    paired = paired_difference(left, right, range(200))
    unpaired = unpaired_difference(left, range(200), right, range(200))
    assert paired.p_value < 1e-6 < 0.1 < unpaired.p_value
    assert unpaired.difference.estimate == pytest.approx(paired.difference.estimate)
    assert unpaired.difference.se == pytest.approx(math.hypot(paired.left.se, paired.right.se))
    assert unpaired.correlation is None


def test_welch():
    from scipy.stats import ttest_ind

    random = np.random.default_rng(6)
    left, right = random.normal(size=12), 3 * random.normal(size=7)
    found, test = unpaired_difference(left, range(12), right, range(7)), ttest_ind(left, right, equal_var=False)
    assert (found.statistic, found.p_value, found.difference.df) == pytest.approx(
        (test.statistic, test.pvalue, test.df)
    )


def test_a_null_on_either_side_drops_the_pair_and_is_counted():
    left, right, cluster = [1, None, 0, 1, 1], [0, 1, 1, None, 0], [1, 1, 2, 3, 4]
    found = paired_difference(left, right, cluster, nulls="omit")
    assert (found.difference.n, found.difference.n_null, found.difference.clusters) == (3, 2, 3)
    assert found.left.estimate == pytest.approx(2 / 3)
    assert found.difference == clustered_mean([1, None, -1, None, 1], cluster, nulls="omit")
    with pytest.raises(WarehouseError, match="left holds 1 null"):
        paired_difference(left, right, cluster)
    with pytest.raises(WarehouseError, match="left 2, right 1"):
        paired_difference([1, 2], [1], [1, 1])


def test_sides_that_are_equal_have_no_interval_and_no_test():
    found = paired_difference([1, 0, 1], [1, 0, 1], [1, 2, 3])
    assert (found.difference.estimate, found.difference.low, found.p_value, found.statistic) == (0, None, None, None)
    assert found.correlation == pytest.approx(1)
    assert paired_difference([1, 1], [0, 1], [1, 2]).correlation is None


def test_pairs_average_attempts_and_name_who_was_left_alone():
    found = pair(["b", "a", "b", "c", "e"], [1, 0, 0, 1, None], ["d", "b", "a", "e"], [1, 1, 1, 0], nulls="omit")
    assert (found.keys, found.left.tolist(), found.right.tolist()) == (("a", "b"), [0, 0.5], [1, 1])
    assert (found.only_left, found.only_right, found.n_null) == (("c",), ("d", "e"), 1)
    with pytest.raises(WarehouseError, match="left holds 1 null"):
        pair(["a", "b"], [1, None], ["a"], [1])
    with pytest.raises(WarehouseError, match="on both sides"):
        pair(["a"], [1], ["b"], [1])


@pytest.mark.parametrize(
    "kind", [list, pl.Series, pa.array, np.array, lambda keys: pl.Series(keys, dtype=pl.Categorical)]
)
def test_keys_of_every_kind_of_column_meet(kind):
    found = pair(kind(["b", "a"]), [1, 0], ["a", "b", "c"], [1, 1, 0])
    assert (found.keys, found.left.tolist(), found.only_right) == (("a", "b"), [0, 1], ("c",))


def midp_by_enumeration(few, many):
    """Every way in which the pairs that disagree could have fallen; as far out half counted where as likely."""
    n, total = few + many, 0.0
    for signs in product([0, 1], repeat=n):
        lefts = sum(signs)
        out, seen = abs(lefts - n / 2), abs(few - n / 2)
        total += 1.0 if out > seen else 0.5 if out == seen else 0.0
    return total / 2**n


@given(PAIRS)
def test_mcnemar_is_statsmodels_and_the_binomial(pairs):
    left, right = zip(*pairs, strict=True)
    one, other = sum(a > b for a, b in pairs), sum(a < b for a, b in pairs)
    both, neither = sum(a and b for a, b in pairs), sum(not (a or b) for a, b in pairs)
    exact, midp = mcnemar(left, right, kind="exact"), mcnemar(left, right)
    assert exact.p_value == pytest.approx(oracle([[both, one], [other, neither]], exact=True).pvalue, abs=1e-12)
    if one + other:
        assert exact.p_value == pytest.approx(binomtest(one, one + other).pvalue)
    assert (exact.only_left, exact.only_right, exact.n) == (one, other, len(pairs))
    assert midp.p_value <= exact.p_value


@pytest.mark.parametrize(("few", "many"), [(0, 1), (0, 5), (1, 5), (2, 5), (3, 3), (4, 5), (0, 0), (6, 6), (2, 9)])
def test_mid_p_by_enumeration(few, many):
    found = mcnemar([0] * few + [1] * many + [1], [1] * few + [0] * many + [1])
    if few != many:
        assert found.p_value == pytest.approx(midp_by_enumeration(few, many))
    else:
        assert found.p_value == pytest.approx(1 - math.comb(2 * few, few) / 4**few if few else 1, abs=0.5)


def test_mcnemar_takes_passes_only():
    with pytest.raises(WarehouseError, match="neither 0 nor 1"):
        mcnemar([0.5], [1])
    with pytest.raises(WarehouseError, match="kind"):
        mcnemar([0], [1], kind="chi2")
    assert mcnemar([1, None, 1], [0, 1, 1], nulls="omit").n_null == 1
