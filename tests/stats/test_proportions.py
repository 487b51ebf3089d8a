import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from warehouse.errors import WarehouseError
from warehouse.stats.clustered import clustered_mean
from warehouse.stats.estimate import normal_quantile, t_quantile
from warehouse.stats.proportions import clopper_pearson, clustered_rate, wilson

TRIALS = st.integers(1, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


@given(TRIALS, st.sampled_from([0.8, 0.95, 0.99]))
def test_both_intervals_are_scipys(trials, level):
    passes, n = trials
    test = binomtest(passes, n)
    for ours, method in ((wilson, "wilson"), (clopper_pearson, "exact")):
        found, oracle = ours(passes, n, level=level), test.proportion_ci(level, method)
        assert (found.low, found.high) == pytest.approx((oracle.low, oracle.high), abs=1e-9)
        assert found.estimate == passes / n
        assert found.low <= found.estimate <= found.high


@given(TRIALS)
def test_wilson_bounds_are_the_rates_that_a_z_test_just_does_not_reject(trials):
    passes, n = trials
    found = wilson(passes, n)
    for bound in (found.low, found.high):
        if 0 < bound < 1:
            z = (passes / n - bound) / np.sqrt(bound * (1 - bound) / n)
            assert abs(z) == pytest.approx(1.959963984540054, rel=1e-6)


@pytest.mark.parametrize(
    "call",
    [
        lambda: wilson(0, 0),
        lambda: wilson(3, 2),
        lambda: wilson(1.0, 2),
        lambda: wilson(-1, 2),
        lambda: wilson(1, 2, level=0),
        lambda: clopper_pearson(5, 4),
    ],
)
def test_trials_that_cannot_be_are_refused(call):
    with pytest.raises(WarehouseError):
        call()


def clusters_of(seed, count=20, size=6):
    random = np.random.default_rng(seed)
    rates = random.beta(2, 2, count)
    cluster = np.repeat(np.arange(count), size)
    return (random.random(count * size) < rates[cluster]), cluster


def test_a_clustered_rate_is_wilson_at_the_size_that_clustering_leaves():
    passed, cluster = clusters_of(3)
    found, plain = clustered_rate(passed, cluster), clustered_mean(passed, cluster)
    assert (found.estimate, found.se, found.df) == (plain.estimate, plain.se, plain.df)
    size = plain.estimate * (1 - plain.estimate) / plain.se**2
    size *= (1.959963984540054 / t_quantile(19)) ** 2
    assert size < passed.size
    # Wilson's bounds are roots of (p̂ − p)² = z²·p(1 − p)/n
    z = normal_quantile()
    roots = np.roots([1 + z * z / size, -(2 * plain.estimate + z * z / size), plain.estimate**2])
    assert sorted(roots) == pytest.approx([found.low, found.high])


def test_a_clustered_rate_stays_within_0_and_1_where_t_does_not():
    passed = [1] * 18 + [0, 1]
    cluster = [row // 4 for row in range(20)]
    assert clustered_mean(passed, cluster).high > 1
    found = clustered_rate(passed, cluster)
    assert 0 < found.low < found.estimate < found.high < 1


@pytest.mark.parametrize("value", [0, 1])
def test_where_every_row_passes_each_cluster_counts_once(value):
    found = clustered_rate([value] * 50, [row % 5 for row in range(50)])
    size = 5 * (normal_quantile() / t_quantile(4)) ** 2
    edge = normal_quantile() ** 2 / size
    width = edge / (1 + edge)
    assert (found.low, found.high) == pytest.approx((1 - width, 1) if value else (0, width))
    assert found.reason is None
    many = clustered_rate([value] * 50, range(50))
    assert many.high - many.low < found.high - found.low


def test_clusters_that_agree_by_chance_do_not_make_the_rows_more_than_they_are():
    found = clustered_rate([0, 1] * 10, [row // 2 for row in range(20)])
    independent = wilson(10, 20)
    assert found.se == 0
    assert found.high - found.low > independent.high - independent.low


def test_one_cluster_has_a_rate_and_no_interval():
    found = clustered_rate([1, 0, 1, 1], ["only"] * 4)
    assert (found.estimate, found.low, found.high) == (0.75, None, None)
    assert "1 cluster" in found.reason


def test_a_score_is_no_pass():
    with pytest.raises(WarehouseError, match=r"passed is 0\.5 at row 1"):
        clustered_rate([1, 0.5], [1, 2])


def test_nulls_are_counted():
    found = clustered_rate([1, None, 0, 1], [1, 1, 2, 3], nulls="omit")
    assert (found.n, found.n_null) == (3, 1)
