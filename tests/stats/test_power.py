from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm, t
from statsmodels.stats.proportion import power_proportions_2indep

from warehouse.errors import WarehouseError
from warehouse.stats.power import detectable_mean, detectable_rate_difference, power_of_rates, samples_needed

RATE = st.floats(0.01, 0.99)


@given(RATE, RATE, st.integers(5, 500))
def test_power_is_statsmodels(left, right, n):
    oracle = power_proportions_2indep(left - right, right, n, return_results=False, alternative="larger", alpha=0.025)
    if left > right:
        assert power_of_rates(left, right, n) == pytest.approx(oracle, abs=1e-9)
    assert power_of_rates(left, right, n) == pytest.approx(power_of_rates(right, left, n))
    assert power_of_rates(left, right, n) == pytest.approx(power_of_rates(1 - left, 1 - right, n))


@pytest.mark.parametrize(("left", "right", "n_left", "n_right"), [(0.4, 0.5, 300, 300), (0.2, 0.3, 400, 200)])
def test_power_is_how_often_a_z_test_rejects(left, right, n_left, n_right):
    random = np.random.default_rng(1)
    ours, theirs = random.binomial(n_left, left, 40_000) / n_left, random.binomial(n_right, right, 40_000) / n_right
    pooled = (ours * n_left + theirs * n_right) / (n_left + n_right)
    z = (ours - theirs) / np.sqrt(pooled * (1 - pooled) * (1 / n_left + 1 / n_right))
    assert power_of_rates(left, right, n_left, n_right) == pytest.approx(np.mean(np.abs(z) > 1.96), abs=0.015)


@given(st.floats(0, 0.95), st.integers(2, 2000), st.floats(0.5, 0.95))
def test_the_detectable_difference_has_just_that_power(base, n, power):
    rise = detectable_rate_difference(base, n, power=power)
    if rise is None:
        assert power_of_rates(base, 1.0, n) < power
    else:
        assert power_of_rates(base, min(1.0, base + rise), n) == pytest.approx(power, abs=1e-6) or base + rise >= 1
        assert power_of_rates(base, base + 0.99 * rise, n) < power


@given(st.floats(0, 0.9), st.integers(3, 300))
def test_power_rises_with_the_difference(base, n):
    """What bisection rests on."""
    powers = [power_of_rates(base, min(1.0, base + step * (1 - base) / 40), n) for step in range(41)]
    assert all(after >= before - 1e-12 for before, after in pairwise(powers))


def test_clustering_costs_what_its_design_effect_says():
    assert power_of_rates(0.4, 0.6, 300, design_effect=3) == pytest.approx(power_of_rates(0.4, 0.6, 100))
    assert detectable_rate_difference(0.3, 300, design_effect=2) == pytest.approx(detectable_rate_difference(0.3, 150))


def test_the_detectable_mean_is_found_with_that_power():
    z = norm.ppf(0.975) + norm.ppf(0.8)
    assert detectable_mean(0.02) == pytest.approx(z * 0.02)
    assert detectable_mean(0.02, 22) == pytest.approx((t.ppf(0.975, 22) + t.ppf(0.8, 22)) * 0.02)
    assert detectable_mean(0.02, power=0.3) == pytest.approx((norm.ppf(0.975) + norm.ppf(0.3)) * 0.02)
    random = np.random.default_rng(2)
    se = 1 / np.sqrt(50)
    drawn = random.normal(detectable_mean(se, 49), 1, (20_000, 50))
    found = np.abs(drawn.mean(axis=1) / (drawn.std(axis=1, ddof=1) / np.sqrt(50))) > t.ppf(0.975, 49)
    assert np.mean(found) == pytest.approx(0.8, abs=0.01)


def test_samples_needed_find_the_difference_with_that_power():
    between, within, repeats = 0.02, 0.2, 4
    n = samples_needed(0.05, between=between, within_left=within, within_right=within, repeats_left=repeats,
                       repeats_right=repeats)  # fmt: skip
    assert n == 377  # (1.96 + 0.8416)² · (0.02 + 0.2/4 + 0.2/4) / 0.05²
    se = np.sqrt((between + 2 * within / repeats) / n)
    assert detectable_mean(se) == pytest.approx(0.05, rel=2e-3)
    assert samples_needed(0.05, between=between, within_left=within, within_right=within) > 3 * n
    assert samples_needed(-0.03, between=1 / 9) == samples_needed(0.03, between=1 / 9)
    assert samples_needed(0.03, between=1 / 9, design_effect=2) == pytest.approx(2 * 969, abs=1)
    assert samples_needed(0.5, between=0.0) == 1


@pytest.mark.parametrize(
    "call",
    [
        lambda: power_of_rates(1.2, 0.5, 10),
        lambda: power_of_rates(0.2, 0.5, 0),
        lambda: power_of_rates(0.2, 0.5, 10, design_effect=0),
        lambda: detectable_rate_difference(1.0, 10),
        lambda: detectable_rate_difference(0.1, 10, power=80),
        lambda: detectable_mean(-1),
        lambda: detectable_mean(float("nan")),
        lambda: samples_needed(0, between=0.1),
        lambda: samples_needed(0.1, between=-0.1),
        lambda: samples_needed(0.1, between=0.1, repeats_left=0),
    ],
)
def test_designs_that_cannot_be_are_refused(call):
    with pytest.raises(WarehouseError):
        call()


def test_rates_without_spread():
    assert power_of_rates(0, 1, 5) == 1.0
    assert power_of_rates(0, 0, 5) == 0.0
    assert power_of_rates(0, 1, 1) == 0.0  # one trial a side proves nothing
