import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from warehouse.errors import WarehouseError
from warehouse.stats.clustered import clustered_mean
from warehouse.stats.variance import design_effect, kish, split_variance

ROWS = st.lists(st.tuples(st.floats(-10, 10), st.integers(0, 6)), min_size=2, max_size=40)


def by_hand(values, samples):
    groups = [[v for v, s in zip(values, samples, strict=True) if s == name] for name in sorted(set(samples))]
    n, count, grand = len(values), len(groups), sum(values) / len(values)
    inside = sum((x - sum(group) / len(group)) ** 2 for group in groups for x in group) / (n - count)
    across = sum(len(group) * (sum(group) / len(group) - grand) ** 2 for group in groups) / (count - 1)
    typical = (n - sum(len(group) ** 2 for group in groups) / n) / (count - 1)
    return inside, (across - inside) / typical


@given(ROWS)
def test_the_split_is_the_analysis_of_variance(rows):
    values, samples = map(list, zip(*rows, strict=True))
    found = split_variance(values, samples)
    if len(set(samples)) in (1, len(rows)):
        assert found.within is found.between is found.icc is found.se(3) is found.share_within(1) is None
        assert found.reason
        return
    within, raw = by_hand(values, samples)
    assert (found.within, found.between_raw) == pytest.approx((within, raw), abs=1e-8)
    assert found.between == max(0, found.between_raw)
    assert found.samples == len(set(samples))


@given(st.integers(2, 8), st.integers(2, 5), st.randoms())
def test_with_equal_repeats_both_parts_make_up_the_clustered_error(samples, repeats, random):
    values = [random.random() for _ in range(samples * repeats)]
    sample = [row % samples for row in range(samples * repeats)]
    found, clustered = split_variance(values, sample), clustered_mean(values, sample)
    assert (found.between_raw + found.within / repeats) / samples == pytest.approx(clustered.se**2, abs=1e-12)
    if found.between_raw >= 0:
        assert found.se(repeats) == pytest.approx(clustered.se)
    else:  # cut at 0, so never too sure
        assert found.se(repeats) > clustered.se * (1 - 1e-9)


def test_simulated_parts_are_found_again():
    random = np.random.default_rng(3)
    repeats = random.integers(1, 6, 6000)
    sample = np.repeat(np.arange(6000), repeats)
    values = 0.5 * random.normal(size=6000)[sample] + 2.0 * random.normal(size=sample.size)
    found = split_variance(values, sample)
    assert found.within == pytest.approx(4.0, rel=0.03)
    assert found.between == pytest.approx(0.25, abs=0.06)
    assert found.icc == pytest.approx(0.25 / 4.25, abs=0.015)
    assert (found.min_repeats, found.max_repeats) == (1, 5)


def test_repeats_shrink_only_what_lies_within():
    found = split_variance([0, 1, 1, 1, 0, 0, 1, 0], [1, 1, 2, 2, 3, 3, 4, 4])
    assert found.se(1) ** 2 == pytest.approx((found.between + found.within) / 4)
    assert found.se(10**9) ** 2 == pytest.approx(found.between / 4)
    assert found.se(2, samples=16) == pytest.approx(found.se(2) / 2)
    shares = [found.share_within(repeats) for repeats in (1, 2, 4, 100)]
    assert shares == sorted(shares, reverse=True)
    assert shares[1] == pytest.approx((found.within / 2) / (found.between + found.within / 2))


def test_samples_more_alike_than_chance_are_cut_at_0_and_said():
    found = split_variance([0, 1, 0, 1, 0, 1], [1, 1, 2, 2, 3, 3])
    assert found.between == found.icc == 0
    assert found.between_raw < 0
    constant = split_variance([1, 1, 1, 1], [1, 1, 2, 2])
    assert (constant.within, constant.between, constant.icc) == (0, 0, None)


def test_the_design_effect_is_the_ratio_of_variances():
    random = np.random.default_rng(5)
    cluster = np.repeat(np.arange(40), 5)
    passed = random.random(200) < random.beta(1, 1, 40)[cluster]
    found, clustered = design_effect(passed, cluster), clustered_mean(passed, cluster)
    rate = passed.mean()
    assert found.design_effect == pytest.approx(clustered.se**2 / (rate * (1 - rate) / 200))
    assert found.effective_n == pytest.approx(rate * (1 - rate) / clustered.se**2)
    assert found.equal_clusters == pytest.approx(40)


def test_it_is_what_kish_foretells_from_the_correlation():
    random = np.random.default_rng(6)
    cluster = np.repeat(np.arange(3000), 6)
    values = np.sqrt(0.3) * random.normal(size=3000)[cluster] + np.sqrt(0.7) * random.normal(size=18_000)
    assert kish(6, 0.3) == 2.5
    assert design_effect(values, cluster).design_effect == pytest.approx(2.5, rel=0.05)
    assert kish(6, split_variance(values, cluster).icc) == pytest.approx(2.5, rel=0.05)


def test_one_large_cluster_counts_for_little_more_than_one():
    cluster = [0] * 90 + list(range(1, 11))
    assert design_effect([row % 2 for row in range(100)], cluster).equal_clusters == pytest.approx(10_000 / 8110)


def test_what_cannot_be_measured_is_none_with_a_reason():
    alone, constant = design_effect([1, 0], ["a", "a"]), design_effect([1, 1], ["a", "b"])
    assert (alone.design_effect, alone.effective_n, constant.design_effect) == (None, None, None)
    assert "one cluster" in alone.reason
    assert "same value" in constant.reason


def test_arguments_and_nulls():
    assert split_variance([1, None, 0, 1], [1, 1, 2, 2], nulls="omit").n_null == 1
    assert design_effect([1, None, 0], [1, 1, 2], nulls="omit").n_null == 1
    with pytest.raises(WarehouseError, match="1 null"):
        split_variance([1, None], [1, 1])
    with pytest.raises(WarehouseError, match="cannot be"):
        kish(0, 0.1)
    with pytest.raises(WarehouseError, match="repeats is 0"):
        split_variance([1, 0, 1], [1, 1, 2]).se(0)
