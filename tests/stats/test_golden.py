"""Figures that others printed or that were had from their files by hand: EmbedEval's and the closed-loop paper's."""

import math
from collections import Counter

import numpy as np
import polars as pl
import pytest

from tests.stats import published
from warehouse.stats.clustered import clustered_mean
from warehouse.stats.paired import pair, paired_difference, unpaired_difference
from warehouse.stats.passk import pass_k
from warehouse.stats.power import detectable_rate_difference, power_of_rates, samples_needed
from warehouse.stats.proportions import wilson
from warehouse.stats.variance import design_effect, split_variance

EXACT = {"abs": 1e-9, "rel": 0}
MEAN = {"sonnet": 0.6795422031473535, "haiku": 0.569384835479256}
SE_CASES = {"sonnet": 0.02855366197290366, "haiku": 0.028246140085374728}
SE_CATEGORIES = {"sonnet": 0.049228072097713294, "haiku": 0.051267815426421275}


@pytest.fixture(scope="module")
def table():
    return pl.DataFrame(published.embedeval())


@pytest.fixture(scope="module")
def cases(table):
    """Return one row a case in one order for both models: their means over runs, and the category."""
    wide = table.group_by("case", "category", "model").agg(pl.col("passed").mean()).pivot("model", values="passed")
    return wide.sort("case")


def of(table, model):
    return table.filter(pl.col("model") == model)


def test_the_table_is_the_published_one(table):
    assert of(table, "sonnet").height == of(table, "haiku").height == 699
    assert table["category"].n_unique() == 23
    for model, counts in {"sonnet": (60, 14, 16, 143), "haiku": (71, 25, 38, 99)}.items():
        passes = of(table, model).group_by("case").agg(pl.col("passed").sum())["passed"]
        assert tuple(Counter(passes.to_list())[number] for number in range(4)) == counts


@pytest.mark.parametrize("model", ["sonnet", "haiku"])
def test_one_level(table, cases, model):
    rows = of(table, model)
    for found in (clustered_mean(rows["passed"], rows["case"]), clustered_mean(cases[model], cases["case"])):
        assert found.estimate == pytest.approx(MEAN[model], **EXACT)
        assert found.se == pytest.approx(SE_CASES[model], **EXACT)
        assert (found.clusters, found.df) == (233, 232)
    rows_of_categories = clustered_mean(rows["passed"], rows["category"], correction="cr1")
    assert rows_of_categories.se == pytest.approx(SE_CATEGORIES[model], **EXACT)
    assert rows_of_categories.df == 22


@pytest.mark.parametrize("model", ["sonnet", "haiku"])
def test_two_levels_of_which_one_lies_within_the_other(table, cases, model):
    rows = of(table, model)
    for found in (
        clustered_mean(rows["passed"], rows["case"], rows["category"], correction="cr1"),
        clustered_mean(rows["passed"], rows["category"], rows["case"], correction="cr1"),
        clustered_mean(cases[model], cases["case"], cases["category"], correction="cr1"),
    ):
        assert found.se == pytest.approx(SE_CATEGORIES[model], **EXACT)
        assert (found.clusters, found.df) == (23, 22)


def test_paired(cases):
    found = paired_difference(cases["sonnet"], cases["haiku"], cases["case"], reference="normal")
    assert found.difference.estimate == pytest.approx(0.11015736766809725, **EXACT)
    assert found.difference.se == pytest.approx(0.021721954107012303, **EXACT)
    assert found.statistic == pytest.approx(5.071245760183985, **EXACT)
    assert found.correlation == pytest.approx(0.7075444868760933, **EXACT)
    golden = (0.06758233761835314, 0.15273239771784136)  # of 1.96, which is the quantile rounded
    for sign, bound in zip((-1, 1), golden, strict=True):
        assert found.difference.estimate + sign * 1.96 * found.difference.se == pytest.approx(bound, **EXACT)
    assert (found.difference.low, found.difference.high) == pytest.approx(golden, abs=1e-6)
    assert found.left.se == pytest.approx(SE_CASES["sonnet"], **EXACT)
    assert found.right.se == pytest.approx(SE_CASES["haiku"], **EXACT)


def test_paired_from_long_rows(table, cases):
    left, right = of(table, "sonnet"), of(table, "haiku").sample(fraction=1, shuffle=True, seed=1)
    pairs = pair(left["case"], left["passed"], right["case"], right["passed"])
    assert list(pairs.keys) == cases["case"].to_list()
    assert (pairs.only_left, pairs.only_right, pairs.n_null) == ((), (), 0)
    found = paired_difference(pairs.left, pairs.right, pairs.keys)
    assert found.difference.se == pytest.approx(0.021721954107012303, **EXACT)


def test_paired_by_category(cases):
    for levels in ([cases["category"]], [cases["case"], cases["category"]]):
        found = paired_difference(cases["sonnet"], cases["haiku"], *levels, correction="cr1")
        assert found.difference.se == pytest.approx(0.02230135736762983, **EXACT)
        assert found.statistic == pytest.approx(4.9394916126490775, **EXACT)


def test_unpaired(table):
    left, right = of(table, "sonnet"), of(table, "haiku")
    found = unpaired_difference(left["passed"], left["case"], right["passed"], right["case"], reference="normal")
    assert found.difference.se == pytest.approx(0.04016411385534925, **EXACT)
    assert found.statistic == pytest.approx(2.7426813912745134, **EXACT)


def test_naive(table):
    left, right = (wilson(int(of(table, model)["passed"].sum()), 699) for model in ("sonnet", "haiku"))
    se = math.hypot(left.se, right.se)
    assert se == pytest.approx(0.025735263346901086, **EXACT)
    assert (left.estimate - right.estimate) / se == pytest.approx(4.280405690169938, **EXACT)
    assert [round(100 * bound, 1) for bound in (left.low, left.high)] == [64.4, 71.3]
    assert [round(100 * bound, 1) for bound in (right.low, right.high)] == [53.2, 60.6]


def test_design_effects(table):
    rows = of(table, "sonnet")
    found = design_effect(rows["passed"], rows["case"])
    assert found.design_effect == pytest.approx(2.62, abs=0.005)
    assert round(found.effective_n) == 267
    other = of(table, "haiku")
    assert design_effect(other["passed"], other["case"]).design_effect == pytest.approx(2.3, abs=0.05)


def test_repeats_and_cases_make_up_the_clustered_error(table):
    rows = of(table, "haiku")
    split = split_variance(rows["passed"], rows["case"])
    assert (split.min_repeats, split.max_repeats, split.samples) == (3, 3, 233)
    assert split.se(3) == pytest.approx(SE_CASES["haiku"], **EXACT)
    assert split.se(1) > split.se(3) > math.sqrt(split.between / 233)


def test_pass_at_k_of_runs_with_one_attempt_a_case_is_null(table):
    """The published files print pass_at_3 and pass_at_5 of such runs, equal to pass_at_1."""
    run = of(table, "sonnet").filter(pl.col("run") == "1")
    assert pass_k(run["passed"], run["case"], 1).figure.estimate == pytest.approx(154 / 233)
    for k in (3, 5):
        found = pass_k(run["passed"], run["case"], k)
        assert found.figure is None
        assert "233 of 233 samples" in found.reason
        assert (found.min_attempts, found.max_attempts) == (1, 1)
    rows = of(table, "sonnet")
    assert pass_k(rows["passed"], rows["case"], 3).figure.estimate == pytest.approx((14 + 16 + 143) / 233)
    assert pass_k(rows["passed"], rows["case"], 3, kind="all").figure.estimate == pytest.approx(143 / 233)


@pytest.mark.parametrize(("base", "printed"), [(0.1, 0.46), (0.2, 0.49), (0.3, 0.49), (0.5, 0.44)])
def test_what_fifteen_closed_loop_runs_can_see(base, printed):
    assert round(detectable_rate_difference(base, 15), 2) == printed


def test_over_a_base_of_70_percent_fifteen_runs_see_nothing():
    assert detectable_rate_difference(0.7, 15) is None
    assert power_of_rates(0.7, 1.0, 15) < 0.8


def test_about_a_thousand_questions_for_three_points():
    """Miller's rule of thumb, with the variance 1/9 of the difference that he takes for an example."""
    assert samples_needed(0.03, between=1 / 9) == 969


CLOSED_LOOP = {
    "gpt-5.4": (14, 70.2, 98.8),
    "gpt-5.4-mini": (8, 30.1, 75.2),
    "qwen3.5-27B": (9, 35.7, 80.2),
    "qwen3.5-35B-A3B": (4, 10.9, 52.0),
    "qwen3.5-9B": (2, 3.7, 37.9),
    "qwen3.5-4B": (2, 3.7, 37.9),
    "qwen3.5-2B": (0, 0.0, 20.4),
}


def test_wilson_intervals_of_the_closed_loop_paper():
    runs = [row for row in published.rows("closed_loop_420_outcomes.csv") if row["mode"] == "realistic_self_verify"]
    found = {}
    for model in sorted({row["model_label"] for row in runs}):
        passes = [row["hidden_status"] == "PASS" for row in runs if row["model_label"] == model]
        rate = wilson(int(np.sum(passes)), len(passes))
        found[model] = (sum(passes), round(100 * rate.low, 1), round(100 * rate.high, 1))
    assert sorted(found.values()) == sorted(CLOSED_LOOP.values())
