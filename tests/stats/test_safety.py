"""Risk tiers: what the lower bound guarantees, and the faults of the published guide."""

import numpy as np
import pytest

from tasks.inference.models import BUILT_IN
from tests.stats import published
from warehouse.errors import WarehouseError
from warehouse.stats.proportions import clustered_rate, wilson
from warehouse.stats.safety import (
    as_markdown,
    bound_if_all_pass,
    clusters_to_reach,
    is_no_model,
    policy,
    safety_guide,
    tier_of,
)


def cells(**passes):
    """Return columns of one model: for each group, `passed` of `n` independent tasks."""
    groups, passed = [], []
    for group, (hits, n) in passes.items():
        groups += [group] * n
        passed += [1] * hits + [0] * (n - hits)
    return ["m"] * len(groups), groups, passed, range(len(groups))


def by_group(guide):
    return {risk.group: risk for risk in guide.risks}


def test_the_tier_is_that_of_the_lower_bound():
    guide = by_group(safety_guide(*cells(dma=(40, 40), ble=(39, 40), adc=(20, 20), gpio=(11, 12), isr=(3, 10))))
    for group, n, tier in [("dma", 40, "reliable"), ("ble", 40, "moderate"), ("adc", 20, "moderate"),
                           ("gpio", 12, "caution"), ("isr", 10, "critical")]:  # fmt: skip
        risk = guide[group]
        assert risk.tier == tier == tier_of(risk.rate.low)
        assert (risk.n, risk.clusters, risk.reason) == (n, n, None)
        plain = wilson(round(risk.rate.estimate * n), n)
        assert plain.low - 0.08 < risk.rate.low <= plain.low


@pytest.mark.parametrize("hits", [0, 1, 2, 3])
def test_three_tasks_carry_no_tier_whatever_they_show(hits):
    """One of one is "reliable" in the published guide."""
    risk = safety_guide(*cells(pwm=(hits, 3))).risks[0]
    assert risk.tier is None
    assert risk.rate.estimate == hits / 3
    assert "3 independent tasks: even all passed would bound the rate by 14% only" in risk.reason


def test_repeats_of_few_cases_do_not_make_a_tier():
    models, groups, passed, _ = cells(pwm=(60, 60))
    risk = safety_guide(models, groups, passed, [row % 2 for row in range(60)]).risks[0]
    assert (risk.n, risk.clusters, risk.tier) == (60, 2, None)
    assert wilson(60, 60).low > 0.9


def test_what_a_tier_takes():
    assert [clusters_to_reach(tier.least) for tier in policy().tiers] == [38, 18, 7, 2]
    for least in (0.5, 0.8, 0.9):
        count = clusters_to_reach(least)
        reached = [clustered_rate([1] * some, range(some)).low for some in (count - 1, count)]
        assert reached[0] < least <= reached[1]
        assert bound_if_all_pass(count) == pytest.approx(reached[1])
    assert safety_guide(*cells(a=(9, 10))).risks[0].to_reach_best == 38


def test_every_built_in_solver_is_left_out():
    """The small model that a package ships is built in too, and a model."""
    solvers = {name for name in BUILT_IN if not name.startswith("local/")}
    assert solvers >= {"reference", "empty", "stub", "mutant"}
    for name in solvers:
        assert is_no_model(name), name
        assert is_no_model(f"{name}:argument")
    assert is_no_model("mock")
    assert not is_no_model("local/smollm2-135m")
    assert not is_no_model("openai/stub-7b")


def test_a_mock_neither_decides_nor_counts():
    """In the published guide the worst model decides and the mock is one, so that its best category is "critical"."""
    models, groups, passed, clusters = cells(boot=(40, 40))
    guide = safety_guide(
        [*models, *["mock"] * 40, *["mutant:off_by_one"] * 40], groups * 3, [*passed, *[0] * 80], [*clusters] * 3
    )
    assert [(risk.model, risk.tier) for risk in guide.risks] == [("m", "reliable")]
    assert guide.left_out == ("mock", "mutant:off_by_one")
    assert "mock, mutant:off_by_one" in as_markdown(guide)
    with pytest.raises(WarehouseError, match="Only mock answered"):
        safety_guide(["mock"], ["boot"], [1], [0])


def test_models_are_not_pooled():
    one, two = cells(dma=(40, 40)), cells(dma=(0, 40))
    guide = safety_guide(["a"] * 40 + ["b"] * 40, one[1] * 2, one[2] + two[2], [*range(40)] * 2)
    assert [(risk.model, risk.tier, risk.n) for risk in guide.risks] == [
        ("a", "reliable", 40),
        ("b", "critical", 40),
    ]


def test_what_was_not_measured_is_in_no_rate():
    models, groups, passed, clusters = cells(dma=(20, 20), uart=(0, 5))
    passed = [None if group == "uart" else one for group, one in zip(groups, passed, strict=True)]
    passed[:5] = [None] * 5
    guide = by_group(safety_guide(models, groups, passed, clusters))
    assert (guide["dma"].n, guide["dma"].n_null, guide["dma"].rate.estimate) == (15, 5, 1)
    assert (guide["uart"].tier, guide["uart"].n_null, guide["uart"].reason) == (None, 5, "nothing was measured")


def test_a_tier_that_more_tasks_might_lift_says_so():
    risk = safety_guide(*cells(dma=(19, 20))).risks[0]
    assert (risk.tier, risk.at_best) == ("caution", "reliable")
    assert "may be reliable: more tasks would tell" in as_markdown(safety_guide(*cells(dma=(19, 20))))


def test_bounds_that_hold_together_are_lower():
    groups = {f"g{number}": (40, 40) for number in range(10)}
    alone, together = safety_guide(*cells(**groups)), safety_guide(*cells(**groups), simultaneous=True)
    assert together.level == pytest.approx(0.995)
    assert {risk.tier for risk in alone.risks} == {"reliable"}
    assert {risk.tier for risk in together.risks} == {"moderate"}


def test_a_tier_too_good_is_rare():
    """Bare rates call a third of groups reliable that are not; the bound errs as seldom as it says."""
    random = np.random.default_rng(4)
    bare = bound = 0
    for _ in range(400):
        cluster = np.repeat(np.arange(40), 3)
        own = random.beta(0.85 * 3, 0.15 * 3, 40)
        passed = (random.random(120) < own[cluster]).astype(int)
        risk = safety_guide(["m"] * 120, ["g"] * 120, passed, cluster).risks[0]
        assert risk.rate == clustered_rate(passed, cluster)
        bare += passed.mean() >= 0.9
        bound += risk.tier == "reliable"
    assert bare > 25
    assert bound <= 0.025 * 400


def test_the_published_runs_carry_fewer_tiers_than_the_published_guide_gives():
    table = published.embedeval()
    columns = ([row[name] for row in table] for name in ("model", "category", "passed", "case"))
    guide = safety_guide(*columns)
    assert len(guide.risks) == 46
    bare = sum(risk.rate.estimate >= 0.9 for risk in guide.risks)
    assert bare > 0
    assert not any(risk.tier == "reliable" for risk in guide.risks)  # no category has 38 cases
    assert {risk.group for risk in guide.risks if risk.tier is None} >= {"pwm", "adc", "uart"}


def test_the_page_shows_n_and_escapes_names():
    guide = safety_guide(["a|b"] * 8, ["x\ny"] * 8, [1, 1, 1, 0] * 2, range(8))
    page = as_markdown(guide)
    assert "## a\\|b" in page
    assert "| x y | critical | 75.0% |" in page
    assert page.count("| 8 | 8 | 0 |") == 1
    with pytest.raises(WarehouseError, match="one length"):
        safety_guide(["a"], ["x", "y"], [1], [0])
    with pytest.raises(WarehouseError, match="least is 1"):
        clusters_to_reach(1.0)
