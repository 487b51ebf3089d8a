"""The figures of the track against slow, obvious definitions, and what they say where nothing varies."""

import math
from itertools import product

import pytest
from scipy import stats

from tasks.ids import draw
from warehouse.errors import WarehouseError
from warehouse.stats import registers
from warehouse.stats.registers import difficulty, metrics, power_of_mean

Row = tuple[str, str, str, int, int]  # family, variant, tier, passed, answered


def rows_of(families: int = 12, attempts: int = 3, seed: str = "rows") -> list[Row]:
    """Families of different strength, several items a variant, some replies without an answer."""
    rows = []
    for number in range(families):
        tier = ("easy", "medium", "hard")[number % 3]
        strength = draw(seed, number)
        for variant, items in (("base", 1), ("rename", 3), ("renumber", 2), ("distractor", 1), ("isolate", 2)):
            for one, attempt in product(range(items), range(attempts)):
                answered = int(draw(seed, number, variant, one, attempt, "answered") > 0.1)
                lost = {"renumber": 0.2, "isolate": -0.2}.get(variant, 0.0)
                passed = answered * int(draw(seed, number, variant, one, attempt) < strength - lost)
                rows.append((f"family_{number:02d}", variant, tier, passed, answered))
    return rows


def figures(rows: list[Row]) -> dict[str, registers.Metric]:
    family, variant, tier, passed, answered = (list(column) for column in zip(*rows, strict=True))
    return {one.name: one for one in metrics(family, variant, tier, passed, answered)}


def mean(values: list[float]) -> float:
    return sum(values) / len(values)


def of(rows: list[Row], family: str | None = None, variant: str | None = None) -> list[int]:
    return [row[3] for row in rows if family in (None, row[0]) and variant in (None, row[1])]


def test_rates_are_plain_shares() -> None:
    rows = rows_of()
    found = figures(rows)
    assert found["accuracy"].estimate.estimate == pytest.approx(mean([row[3] for row in rows]))
    assert found["no_answer_rate"].estimate.estimate == pytest.approx(mean([1 - row[4] for row in rows]))
    assert found["accuracy_answered"].estimate.estimate == pytest.approx(mean([row[3] for row in rows if row[4]]))
    for variant in ("base", "rename", "renumber", "distractor", "isolate"):
        assert found[f"accuracy_{variant}"].estimate.estimate == pytest.approx(mean(of(rows, variant=variant)))
    for tier in ("easy", "medium", "hard"):
        expected = mean([row[3] for row in rows if row[2] == tier])
        assert found[f"accuracy_{tier}"].estimate.estimate == pytest.approx(expected)


@pytest.mark.parametrize("variant", ["rename", "renumber", "distractor", "isolate"])
def test_a_delta_is_the_mean_difference_within_families(variant: str) -> None:
    rows = rows_of()
    families = sorted({row[0] for row in rows})
    lost = [mean(of(rows, family, "base")) - mean(of(rows, family, variant)) for family in families]
    middle, count = mean(lost), len(lost)
    se = math.sqrt(sum((one - middle) ** 2 for one in lost) / (count - 1) / count)
    half = stats.t.ppf(0.975, count - 1) * se
    found = figures(rows)[f"{variant}_delta"]
    assert found.estimate.estimate == pytest.approx(middle)
    assert found.estimate.se == pytest.approx(se)
    assert (found.estimate.low, found.estimate.high) == pytest.approx((middle - half, middle + half))
    quantiles = stats.t.ppf(0.975, count - 1) + stats.t.ppf(0.8, count - 1)
    assert found.detectable == pytest.approx(quantiles * se)
    assert found.power == pytest.approx(stats.t.cdf(0.05 / se - stats.t.ppf(0.975, count - 1), count - 1))
    assert not found.bounded


def test_the_detectable_difference_is_found_with_the_power_it_names() -> None:
    found = figures(rows_of())["rename_delta"]
    assert found.detectable is not None
    assert power_of_mean(found.detectable, found.estimate.se, found.estimate.df) == pytest.approx(0.8)


@pytest.mark.parametrize("variant", ["rename", "renumber"])
def test_a_consistency_is_how_often_two_attempts_are_graded_alike(variant: str) -> None:
    rows = rows_of()
    alike = []
    for family in sorted({row[0] for row in rows}):
        pairs = list(product(of(rows, family, "base"), of(rows, family, variant)))
        alike.append(mean([float(one == other) for one, other in pairs]))
    found = figures(rows)[f"{variant}_consistency"].estimate
    assert found.estimate == pytest.approx(mean(alike))
    assert 0 <= found.low < found.high <= 1


def test_a_delta_of_nothing_can_hide_families_that_all_changed() -> None:
    """The seed's point: half the families swap sides, the delta is 0 and the consistency shows it."""
    rows: list[Row] = []
    for number in range(20):
        rows.append((f"f{number}", "base", "easy", number % 2, 1))
        rows.append((f"f{number}", "rename", "easy", 1 - number % 2, 1))
    found = figures(rows)
    assert found["rename_delta"].estimate.estimate == 0
    assert found["rename_consistency"].estimate.estimate == 0
    assert found["rename_delta"].estimate.se > 0.2
    assert found["rename_delta"].power < 0.1


def test_figures_of_one_attempt_are_the_seed_benchmarks_own() -> None:
    """With one item a variant and one attempt: points from marginal accuracies, and the share of equal grades."""
    rows = [row for row in rows_of(attempts=1, seed="once") if row[1] == "base"]
    rows += [(f, v, t, int(draw("once", f, v) < 0.5), 1) for f, _, t, *_ in list(rows) for v in ("rename", "renumber")]
    found = figures(rows)
    for variant in ("rename", "renumber"):
        marginal = mean(of(rows, variant="base")) - mean(of(rows, variant=variant))
        grades = {(row[0], row[1]): row[3] for row in rows}
        equal = [float(grades[f, "base"] == grades[f, variant]) for f in {row[0] for row in rows}]
        assert found[f"{variant}_delta"].estimate.estimate == pytest.approx(marginal)
        assert found[f"{variant}_consistency"].estimate.estimate == pytest.approx(mean(equal))


@pytest.mark.parametrize("passed", [0, 1])
def test_a_saturated_run_says_how_little_it_could_have_seen(passed: int) -> None:
    """The seed's runs: every family alike, a delta of 0 and no variance. That is no proof of robustness."""
    rows = [(f"f{n}", v, "easy", passed, 1) for n in range(20) for v in ("base", "rename", "renumber")]
    found = figures(rows)["rename_delta"]
    size = 20 * (stats.norm.ppf(0.975) / stats.t.ppf(0.975, 19)) ** 2
    may_differ = stats.norm.ppf(0.975) ** 2 / (size + stats.norm.ppf(0.975) ** 2)  # Wilson's upper bound of none
    assert found.estimate.estimate == 0
    assert (found.estimate.low, found.estimate.high) == pytest.approx((-may_differ, may_differ), abs=1e-6)
    assert found.bounded
    assert found.detectable == pytest.approx(
        (stats.t.ppf(0.975, 19) + stats.t.ppf(0.8, 19)) * math.sqrt(may_differ / 20), rel=1e-5
    )
    assert found.detectable > 0.2
    assert found.power < 0.15
    accuracy = figures(rows)["accuracy"].estimate
    assert accuracy.low < accuracy.high
    assert figures(rows)["rename_consistency"].estimate.low == pytest.approx(1 - may_differ, abs=1e-6)


def test_more_families_see_smaller_differences() -> None:
    few, many = (figures(rows_of(families=count))["rename_delta"].detectable for count in (8, 60))
    assert many < few


def test_what_was_not_measured_counts_nowhere() -> None:
    rows = rows_of()
    family, variant, tier, passed, answered = (list(column) for column in zip(*rows, strict=True))
    more = ["family_99"] * 5
    with_nulls = metrics(
        family + more, variant + ["base"] * 5, tier + ["hard"] * 5, passed + [None] * 5, answered + [None] * 5
    )
    for one, other in zip(metrics(family, variant, tier, passed, answered), with_nulls, strict=True):
        assert (one.name, one.estimate.estimate, one.estimate.clusters) == (
            other.name, other.estimate.estimate, other.estimate.clusters,
        )  # fmt: skip
    assert {one.name: one for one in with_nulls}["accuracy"].estimate.n_null == 5


def test_the_order_of_rows_changes_no_bit() -> None:
    rows = rows_of()
    shuffled = sorted(rows, key=lambda row: draw(row[0], row[1], row[3], rows.index(row)))
    assert figures(rows) == figures(shuffled)


def test_a_family_without_the_other_side_is_no_pair() -> None:
    rows = rows_of()
    alone = [*rows, ("family_lone", "base", "easy", 1, 1), ("family_other", "rename", "easy", 0, 1)]
    assert figures(alone)["rename_delta"] == figures(rows)["rename_delta"]


def test_difficulty_comes_from_results_and_names_what_saturates() -> None:
    family = ["a"] * 6 + ["b"] * 6 + ["c"] * 6
    sample = [f"s{number // 2}" for number in range(18)]
    passed = [1] * 6 + [0, 0, 0, 1, 1, 1] + [0] * 6
    found = difficulty(family, ["hard"] * 6 + ["easy"] * 12, sample, passed)
    assert [(one.family, one.estimate.estimate, one.saturated) for one in found] == [
        ("c", 1.0, "all_fail"), ("b", 0.5, None), ("a", 0.0, "all_pass"),
    ]  # fmt: skip
    for one in found:
        assert one.estimate.clusters == 3
        assert one.estimate.low <= one.estimate.estimate <= one.estimate.high
        assert one.estimate.high - one.estimate.low > 0.2
    assert found[2].tier == "hard"


def test_rows_that_cannot_be_are_refused() -> None:
    with pytest.raises(WarehouseError, match="passed without an answer"):
        metrics(["a", "b"], ["base", "base"], ["easy", "easy"], [1, 0], [0, 1])
    with pytest.raises(WarehouseError, match="reworded"):
        metrics(["a", "b"], ["base", "reworded"], ["easy", "easy"], [1, 0], [1, 1])
    with pytest.raises(WarehouseError, match="standard error"):
        power_of_mean(0.1, 0.0, 5)


def test_the_interval_of_a_delta_covers_the_truth() -> None:
    """In 300 simulated releases of 30 families, the 95 % interval holds the true delta about that often."""
    true, covered = 0.1, 0
    for run in range(300):
        rows: list[Row] = []
        for number in range(30):
            strength = 0.4 + 0.5 * draw("cover", run, number)
            for variant, lost in (("base", 0.0), ("renumber", true)):
                for attempt in range(4):
                    passed = int(draw("cover", run, number, variant, attempt) < strength - lost)
                    rows.append((f"f{number}", variant, "easy", passed, 1))
        found = figures(rows)["renumber_delta"].estimate
        covered += found.low <= true <= found.high
    assert 0.91 <= covered / 300 <= 0.985
