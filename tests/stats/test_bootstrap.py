import math

import numpy as np
import pytest

from warehouse.errors import WarehouseError
from warehouse.stats import bootstrap
from warehouse.stats.bootstrap import cluster_bootstrap
from warehouse.stats.clustered import clustered_mean
from warehouse.stats.columns import generator


@pytest.fixture
def rows():
    random = np.random.default_rng(7)
    cluster = np.repeat(np.arange(25), random.integers(1, 9, 25))
    return random.normal(size=cluster.size) + random.normal(size=25)[cluster], cluster


def by_hand(values, cluster, draws):
    """The bootstrap as it is told: take clusters, put their rows together, compute."""
    members = [values[cluster == label] for label in np.unique(cluster)]
    members = [members[i] for i in sorted(range(len(members)), key=lambda i: (members[i].size, members[i].sum()))]
    random = generator(
        "cluster bootstrap", draws, np.array([m.sum() for m in members]), np.array([float(m.size) for m in members])
    )
    seen, means, scores = values.mean(), [], []
    for _ in range(draws):
        taken = [int(random.random() * len(members)) for _ in members]
        drawn = np.concatenate([members[i] for i in taken])
        labels = np.concatenate([[place] * members[i].size for place, i in enumerate(taken)])
        found = clustered_mean(drawn, labels, correction="cr1")
        means.append(found.estimate)
        scores.append((found.estimate - seen) / found.se)
    return np.array(means), np.array(scores)


def test_draws_are_those_of_the_slow_bootstrap():
    """Whole numbers, so that the sums, and with them the seed, are the same bits."""
    random = np.random.default_rng(8)
    cluster = np.repeat(np.arange(9), random.integers(1, 6, 9))
    values = random.integers(0, 50, cluster.size).astype(float)
    means, scores = by_hand(values, cluster, 399)
    percentile = cluster_bootstrap(values, cluster, draws=399, kind="percentile")
    ordered = np.sort(means)
    assert (percentile.low, percentile.high) == pytest.approx((ordered[9], ordered[389]))
    assert percentile.se == pytest.approx(np.std(means, ddof=1))
    plain, ordered = clustered_mean(values, cluster, correction="cr1"), np.sort(scores)
    studentised = cluster_bootstrap(values, cluster, draws=399)
    assert studentised.low == pytest.approx(plain.estimate - ordered[389] * plain.se)
    assert studentised.high == pytest.approx(plain.estimate - ordered[9] * plain.se)


def test_over_all_draws_of_equal_clusters_the_error_is_known():
    """The standard deviation of the mean of C clusters drawn from C is √((C−1)/C) of the clustered error."""
    values = [0.0, 1, 4, 2, 8, 3, 5, 5]
    cluster = [0, 0, 1, 1, 2, 2, 3, 3]
    found = cluster_bootstrap(values, cluster, draws=40_000)
    assert found.se == pytest.approx(clustered_mean(values, cluster).se * math.sqrt(3 / 4), rel=0.02)


def test_the_same_bits_every_time_in_every_order_under_any_label(rows, monkeypatch):
    values, cluster = rows
    before = cluster_bootstrap(values, cluster)
    assert cluster_bootstrap(values, cluster) == before
    mixed = np.random.default_rng(1).permutation(values.size)
    names = {label: f"{label * 7919 % 25}" for label in range(25)}
    assert cluster_bootstrap(values[mixed], [names[label] for label in cluster[mixed]]) == before
    monkeypatch.setattr(bootstrap, "CHUNK", 300)
    assert cluster_bootstrap(values, cluster).low == pytest.approx(before.low, rel=1e-12)


def test_another_level_reads_the_same_draws_and_other_data_gets_others(rows):
    values, cluster = rows
    narrow, wide = (cluster_bootstrap(values, cluster, level=level) for level in (0.8, 0.99))
    assert wide.se == narrow.se
    assert wide.low < narrow.low < narrow.estimate < narrow.high < wide.high
    assert cluster_bootstrap(values + 1, cluster).se != narrow.se


def test_many_clusters_make_it_the_t_interval(rows):
    random = np.random.default_rng(9)
    cluster = np.repeat(np.arange(400), 3)
    values = random.normal(size=1200) + random.normal(size=400)[cluster]
    plain = clustered_mean(values, cluster)
    for kind in ("t", "percentile"):
        found = cluster_bootstrap(values, cluster, kind=kind)
        assert (found.low, found.high) == pytest.approx((plain.low, plain.high), abs=0.1 * plain.se)


def test_too_few_clusters_for_a_studentised_interval_say_so():
    found = cluster_bootstrap([0.1, 0.9, 0.3], [1, 2, 3])
    assert (found.low, found.high) == (None, None)
    assert "3 clusters are too few" in found.reason
    percentile = cluster_bootstrap([0.1, 0.9, 0.3], [1, 2, 3], kind="percentile")
    assert (percentile.low, percentile.high) == pytest.approx((0.1, 0.9))


@pytest.mark.parametrize(("values", "says"), [([1.0, 1.0, 1.0], "do not differ")])
def test_clusters_that_do_not_differ_have_no_interval(values, says):
    found = cluster_bootstrap(values, [1, 2, 3])
    assert (found.estimate, found.low, found.high) == (1.0, None, None)
    assert says in found.reason


def test_one_cluster_has_none_either():
    found = cluster_bootstrap([1, 0], [1, 1])
    assert (found.se, found.low) == (None, None)
    assert "1 cluster" in found.reason


def test_arguments_and_nulls():
    for arguments, says in (({"draws": 5}, "draws is 5"), ({"kind": "bca"}, "kind is 'bca'"), ({"level": 2}, "level")):
        with pytest.raises(WarehouseError, match=says):
            cluster_bootstrap([1, 2], [1, 2], **arguments)
    with pytest.raises(WarehouseError, match="1 null"):
        cluster_bootstrap([1, None], [1, 2])
    assert cluster_bootstrap([1, None, 0, 2], [1, 2, 3, 4], nulls="omit").n_null == 1
