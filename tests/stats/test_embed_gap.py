"""The gap to an outside score: against the definitions, by coverage, and paired by model."""

import math

import numpy as np
import pytest
from scipy.stats import kendalltau, ttest_1samp

from tests.stats import published
from warehouse.errors import WarehouseError
from warehouse.stats.embed_gap import Outside, embed_gap, embed_gap_over_models
from warehouse.stats.proportions import wilson


def test_the_gap_joins_the_intervals_of_both_sides():
    passed = [1] * 30 + [0] * 20
    found = embed_gap(passed, range(50), Outside(model="m", benchmark="HumanEval", rate=0.9, n=164))
    ours, theirs = found.ours, found.outside
    assert found.gap.estimate == pytest.approx(0.6 - 0.9)
    assert found.gap.low == pytest.approx(-0.3 - math.hypot(0.6 - ours.low, theirs.high - 0.9))
    assert found.gap.high == pytest.approx(-0.3 + math.hypot(ours.high - 0.6, 0.9 - theirs.low))
    assert found.gap.se == pytest.approx(math.sqrt(ours.se**2 + 0.9 * 0.1 / 164))
    assert found.gap.high < 0
    exact = wilson(round(0.75 * 164), 164)
    found = embed_gap(passed, range(50), Outside(model="m", benchmark="HumanEval", rate=0.75, n=164))
    assert (found.outside.low, found.outside.high) == pytest.approx((exact.low, exact.high))
    assert (found.gap.n, found.gap.clusters) == (50, 50)


def test_a_score_without_its_tasks_counts_as_exact_and_says_so():
    passed = [1] * 30 + [0] * 20
    found = embed_gap(passed, range(50), Outside(model="m", benchmark="HumanEval", rate=0.9))
    assert (found.gap.low, found.gap.high) == pytest.approx((found.ours.low - 0.9, found.ours.high - 0.9))
    assert "taken as exact" in found.gap.method
    known = embed_gap(passed, range(50), Outside(model="m", benchmark="HumanEval", rate=0.9, n=164))
    assert known.gap.high - known.gap.low > found.gap.high - found.gap.low


def test_repeats_widen_nothing_away():
    """Three runs of one case are one case."""
    passed, cluster = [1, 0] * 30, [row // 2 for row in range(60)]
    once = embed_gap(passed, cluster, Outside(model="m", benchmark="b", rate=0.5, n=100))
    thrice = embed_gap(passed * 3, cluster * 3, Outside(model="m", benchmark="b", rate=0.5, n=100))
    assert thrice.gap.clusters == once.gap.clusters == 30
    skewed = [row % 4 < 2 for row in range(60)]
    few = embed_gap(skewed * 3, [row // 2 for row in range(60)] * 3, Outside(model="m", benchmark="b", rate=0.5))
    assert few.ours.se == pytest.approx(
        embed_gap(skewed, cluster, Outside(model="m", benchmark="b", rate=0.5)).ours.se
    )


def test_one_cluster_and_no_measurement_carry_no_interval():
    outside = Outside(model="m", benchmark="b", rate=0.5, n=100)
    found = embed_gap([1, 0], [0, 0], outside)
    assert (found.gap.low, found.gap.se) == (None, None)
    assert "1 cluster" in found.gap.reason
    assert embed_gap([1, None, 0], range(3), outside).gap.n_null == 1
    with pytest.raises(WarehouseError, match="only nulls"):
        embed_gap([None], [0], outside)


def test_scores_that_are_no_fractions_are_refused():
    for rate in (68.0, -0.1):
        with pytest.raises(WarehouseError, match="give a fraction"):
            embed_gap([1, 0], [0, 1], Outside(model="m", benchmark="b", rate=rate))
    with pytest.raises(WarehouseError, match="n of m"):
        embed_gap([1, 0], [0, 1], Outside(model="m", benchmark="b", rate=0.5, n=0))


@pytest.mark.parametrize(("ours", "theirs"), [(0.6, 0.9), (0.3, 0.5), (0.92, 0.97)])
def test_the_interval_holds_its_level(ours, theirs):
    random = np.random.default_rng(12)
    cluster = np.repeat(np.arange(60), 3)
    held = []
    for _ in range(600):
        own = random.beta(ours * 2, (1 - ours) * 2, 60)
        passed = (random.random(180) < own[cluster]).astype(float)
        rate = random.binomial(164, theirs) / 164
        gap = embed_gap(passed, cluster, Outside(model="m", benchmark="b", rate=rate, n=164)).gap
        held.append(gap.low <= ours - theirs <= gap.high)
    assert 0.925 <= np.mean(held) <= 0.98


def several(count=8, seed=2):
    random = np.random.default_rng(seed)
    skill = random.uniform(0.3, 0.8, count)
    models, passed, cluster, outside = [], [], [], []
    for number, own in enumerate(skill):
        hits = (random.random(100) < own).astype(int)
        models += [f"m{number}"] * 100
        passed += hits.tolist()
        cluster += range(100)
        outside.append(Outside(model=f"m{number}", benchmark="HumanEval", rate=round(min(0.99, own + 0.15), 3), n=164))
    return models, passed, cluster, outside


def test_over_models_the_gap_is_paired_by_model():
    models, passed, cluster, outside = several()
    found = embed_gap_over_models(models, passed, cluster, outside)
    ours = np.array(passed).reshape(8, 100).mean(axis=1)
    theirs = np.array([one.rate for one in outside])
    test = ttest_1samp(ours - theirs, 0).confidence_interval()
    assert found.mean.estimate == pytest.approx((ours - theirs).mean())
    assert (found.mean.low, found.mean.high) == pytest.approx((test.low, test.high))
    assert found.rank_correlation == pytest.approx(kendalltau(ours, theirs).statistic)
    assert (found.n, found.mean.df) == (8, 7)
    unpaired = math.sqrt(ours.var(ddof=1) / 8 + theirs.var(ddof=1) / 8)
    assert found.mean.se < unpaired / 2


def test_models_that_one_side_lacks_are_named():
    models, passed, cluster, outside = several(4)
    outside = [*outside[:3], Outside(model="zeta", benchmark="HumanEval", rate=0.5)]
    found = embed_gap_over_models(models, passed, cluster, outside)
    assert (found.only_ours, found.only_outside, found.n) == (("m3",), ("zeta",), 3)
    few = embed_gap_over_models(models, passed, cluster, outside[:2])
    assert (few.mean, few.rank_correlation) == (None, None)
    assert "2 models with both scores" in few.reason
    with pytest.raises(WarehouseError, match="No model is both here"):
        embed_gap_over_models(models, passed, cluster, outside[3:])
    with pytest.raises(WarehouseError, match="one score a model, of one benchmark"):
        embed_gap_over_models(models, passed, cluster, [outside[0], outside[0]])
    with pytest.raises(WarehouseError, match="of one benchmark"):
        embed_gap_over_models(models, passed, cluster, [outside[0], Outside(model="m1", benchmark="x", rate=0.5)])
    unmeasured = [None if name == "m0" else one for name, one in zip(models, passed, strict=True)]
    assert "m0" in embed_gap_over_models(models, unmeasured, cluster, outside[:3]).only_outside


def test_the_published_runs_clustered_by_case():
    table = [row for row in published.embedeval() if row["model"] == "sonnet"]
    found = embed_gap(
        [row["passed"] for row in table],
        [row["case"] for row in table],
        Outside(model="sonnet", benchmark="some other", rate=0.9, n=164, source="made up for this test"),
    )
    assert found.ours.se == pytest.approx(0.02855366197290366, abs=1e-9)
    assert found.gap.estimate == pytest.approx(0.6795422031473535 - 0.9, abs=1e-9)
