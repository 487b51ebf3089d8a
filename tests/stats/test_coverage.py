"""How often the 95 % intervals hold the truth, over simulated rows whose clusters have something in common.

4,000 simulations put the Monte Carlo error at 0.35 points, the 2,000 of a bootstrap at 0.5. docs/statistics.md prints
these figures, and those where an interval falls short.
"""

import numpy as np
import pytest

from warehouse.stats.bootstrap import cluster_bootstrap
from warehouse.stats.clustered import clustered_mean
from warehouse.stats.paired import paired_difference, unpaired_difference
from warehouse.stats.permutation import sign_flip
from warehouse.stats.proportions import clustered_rate, wilson

RUNS = 4_000
DRAWS = 999
ICC = 0.3
EQUAL = {"30 of 10": [10] * 30, "10 of 10": [10] * 10, "5 of 3": [3] * 5, "233 of 3": [3] * 233, "60 of 3": [3] * 60}
UNEQUAL = {
    "30 of 2 to 23": [2 + 3 * (i % 8) for i in range(30)],
    "12 of 2 to 23": [2 + 3 * (i % 8) for i in range(12)],
    "8 of 24 to 300": [int(300 * 0.7**i) for i in range(8)],
}
DESIGNS = EQUAL | UNEQUAL


def scores(random, sizes, icc=ICC, mean=0.0):
    cluster = np.repeat(np.arange(len(sizes)), sizes)
    common = np.sqrt(icc) * random.normal(size=len(sizes))[cluster]
    return mean + common + np.sqrt(1 - icc) * random.normal(size=cluster.size), cluster


def passes(random, sizes, rate, icc=ICC):
    """Beta-binomial: each cluster has a rate of its own, and rows of one cluster correlate by `icc`."""
    weight = (1 - icc) / icc
    cluster = np.repeat(np.arange(len(sizes)), sizes)
    own = random.beta(rate * weight, (1 - rate) * weight, len(sizes))
    return (random.random(cluster.size) < own[cluster]).astype(float), cluster


def covered(interval, truth, runs=RUNS):
    """Return the share of runs whose interval holds the truth; one that is not given holds nothing."""
    random = np.random.default_rng(20261129)
    found = [interval(random) for _ in range(runs)]
    return sum(one.low is not None and one.low <= truth <= one.high for one in found) / runs


def means(sizes, **arguments):
    return lambda random: clustered_mean(*scores(random, sizes), **arguments)


def test_rows_taken_for_independent_promise_what_they_do_not_hold():
    """The fault all this is there for: thirty projects of ten functions are no three hundred functions."""

    def naive(random):
        passed, _ = passes(random, DESIGNS["30 of 10"], 0.5)
        return wilson(int(passed.sum()), passed.size)

    assert covered(naive, 0.5, 1000) < 0.8


def test_clustered_means_in_short():
    assert covered(means(DESIGNS["10 of 10"]), 0.0, 1500) == pytest.approx(0.95, abs=0.02)


@pytest.mark.slow
@pytest.mark.parametrize("design", EQUAL)
def test_means_over_equal_clusters(design):
    assert 0.93 <= covered(means(DESIGNS[design]), 0.0) <= 0.97


@pytest.mark.slow
@pytest.mark.parametrize("design", UNEQUAL)
def test_means_over_unequal_clusters(design):
    assert 0.93 <= covered(means(DESIGNS[design]), 0.0) <= 0.97


@pytest.mark.slow
def test_one_dominant_cluster_is_where_cr1_falls_short():
    assert covered(means(DESIGNS["8 of 24 to 300"], correction="cr1"), 0.0) < 0.92


@pytest.mark.slow
@pytest.mark.parametrize(
    ("design", "rate"),
    [
        ("30 of 10", 0.5),
        ("30 of 10", 0.9),
        ("233 of 3", 0.5),
        ("233 of 3", 0.9),
        ("10 of 10", 0.5),
        ("5 of 3", 0.5),
        ("30 of 2 to 23", 0.5),
        ("12 of 2 to 23", 0.5),
        ("8 of 24 to 300", 0.5),
    ],
)
def test_rates(design, rate):
    def interval(random):
        return clustered_rate(*passes(random, DESIGNS[design], rate))

    assert 0.93 <= covered(interval, rate) <= 0.97


@pytest.mark.slow
@pytest.mark.parametrize("design", ["30 of 10", "10 of 10", "5 of 3"])
def test_paired_differences(design):
    """Two models share each sample's difficulty, and the clusters share in what one of them is better at."""

    def interval(random):
        sizes = DESIGNS[design]
        difficulty, cluster = scores(random, sizes)
        lift, _ = scores(random, sizes, mean=0.4)
        return paired_difference(difficulty + lift, difficulty, cluster).difference

    assert 0.93 <= covered(interval, 0.4) <= 0.97


@pytest.mark.slow
def test_unpaired_differences():
    def interval(random):
        left, right = scores(random, DESIGNS["30 of 10"], mean=0.4), scores(random, DESIGNS["10 of 10"])
        return unpaired_difference(*left, *right).difference

    assert 0.93 <= covered(interval, 0.4) <= 0.97


@pytest.mark.slow
@pytest.mark.parametrize("shape", ["crossed", "nested"])
def test_two_levels(shape):
    """25 projects × 25 templates, each with something in common; or 25 categories of 4 cases of 3 runs."""

    def interval(random):
        if shape == "crossed":
            one, other = (side.ravel() for side in np.indices((25, 25)))
        else:
            one, other = np.repeat(np.arange(25), 12), np.repeat(np.arange(100), 3)
        values = random.normal(size=one.max() + 1)[one] + random.normal(size=other.max() + 1)[other]
        return clustered_mean(values + random.normal(size=one.size), one, other)

    assert 0.93 <= covered(interval, 0.0) <= 0.97


@pytest.mark.slow
@pytest.mark.parametrize(
    ("design", "kind"),
    [("30 of 10", "t"), ("10 of 10", "t"), ("12 of 2 to 23", "t"), ("60 of 3", "t"), ("30 of 10", "percentile"),
     ("60 of 3", "percentile")],
)  # fmt: skip
def test_bootstraps(design, kind):
    def interval(random):
        return cluster_bootstrap(*scores(random, DESIGNS[design]), draws=DRAWS, kind=kind)

    assert 0.93 <= covered(interval, 0.0, 2_000) <= 0.97


@pytest.mark.slow
def test_ten_clusters_are_where_the_percentile_bootstrap_falls_short():
    def interval(random):
        return cluster_bootstrap(*scores(random, DESIGNS["10 of 10"]), draws=DRAWS, kind="percentile")

    assert covered(interval, 0.0, 2_000) < 0.93


@pytest.mark.slow
def test_wilson_over_rates():
    """A single rate has steps; over rates from 5 to 95 % the coverage is the level."""

    def found(random):
        rate = random.uniform(0.05, 0.95)
        interval = wilson(int(random.binomial(40, rate)), 40)
        return interval.low <= rate <= interval.high

    random = np.random.default_rng(1)
    assert 0.94 <= np.mean([found(random) for _ in range(20_000)]) <= 0.96


@pytest.mark.slow
@pytest.mark.parametrize("design", ["10 of 10", "12 of 2 to 23", "8 of 24 to 300"])
def test_the_sign_flip_test_errs_no_oftener_than_it_says(design):
    random = np.random.default_rng(2)
    rejected = [sign_flip(*scores(random, DESIGNS[design])).p_value <= 0.05 for _ in range(RUNS)]
    assert 0.03 <= np.mean(rejected) <= 0.057
