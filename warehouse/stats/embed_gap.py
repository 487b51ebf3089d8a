"""The embed gap: a model's pass rate here less its score on another benchmark, with an interval.

The two have no sample in common, so a model's own gap is a difference of independent rates: each side's own interval,
joined by the square-and-add rule (Newcombe 1998; MOVER, Donner & Zou 2012), which keeps its level near 0 and 1. Over
several models the gap is paired by model, which takes out how good a model is at programming in general. An outside
score is a claim of its source: without the number of its tasks it counts as exact, and its method says so.
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from warehouse.errors import WarehouseError
from warehouse.stats.columns import Column, as_list, check_count, check_level, codes, floats, in_order, same_length
from warehouse.stats.estimate import Estimate, around
from warehouse.stats.proportions import clustered_rate, wilson_bounds

LEAST_MODELS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Outside:
    """A score that someone else printed: a rate, the number of tasks behind it where it is known, and the source."""

    model: str
    benchmark: str
    rate: float
    n: int | None = None
    source: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Gap:
    """One model: `gap` is ours less `outside`; negative where the model does worse on embedded code."""

    model: str
    benchmark: str
    gap: Estimate
    ours: Estimate
    outside: Estimate
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GapOverModels:
    """The mean gap over models, paired, and whether the two benchmarks rank the models alike.

    `mean` has ± t over models, so it speaks for models like these and not for these alone; None with fewer than three.
    `rank_correlation` is Kendall's tau-b of the two scores over `n` models. `only_ours` and `only_outside` name models
    that one side lacks.
    """

    benchmark: str
    gaps: tuple[Gap, ...]
    mean: Estimate | None
    rank_correlation: float | None
    n: int
    only_ours: tuple[Any, ...]
    only_outside: tuple[Any, ...]
    reason: str | None = None


def embed_gap(passed: Column, clusters: Column, outside: Outside, *, level: float = 0.95) -> Gap:
    """Return the gap of one model: its attempts here (null: not measured) by cluster, against an outside score.

    Raises WarehouseError for an outside rate that is no fraction, and as `clustered_rate` does.
    """
    check_level(level)
    theirs = _outside(outside, level)
    ours = clustered_rate(passed, clusters, level=level, nulls="omit")
    difference = ours.estimate - theirs.estimate
    low = high = None
    if ours.low is not None and ours.high is not None and theirs.low is not None and theirs.high is not None:
        low = difference - math.hypot(ours.estimate - ours.low, theirs.high - theirs.estimate)
        high = difference + math.hypot(ours.high - ours.estimate, theirs.estimate - theirs.low)
    known = [one.se for one in (ours, theirs) if one.se is not None]
    gap = Estimate(
        estimate=difference, se=math.hypot(*known) if ours.se is not None else None, df=None, low=low, high=high,
        level=level, n=ours.n, clusters=ours.clusters, n_null=ours.n_null, reason=ours.reason,
        method=f"unpaired, square-and-add of {ours.method} and {theirs.method}",
    )  # fmt: skip
    return Gap(model=outside.model, benchmark=outside.benchmark, gap=gap, ours=ours, outside=theirs,
               source=outside.source)  # fmt: skip


def embed_gap_over_models(models: Column, passed: Column, clusters: Column, outside: list[Outside], *,
                          level: float = 0.95) -> GapOverModels:  # fmt: skip
    """Return the gap of every model that has both scores, and their mean paired by model.

    One row an attempt: its model, whether it passed (null: not measured), its cluster. `outside` are scores of one
    benchmark. Raises WarehouseError for two scores of one model, scores of two benchmarks, and no model in common.
    """
    check_level(level)
    column, cluster, names = floats("passed", passed), codes("clusters", clusters), as_list("models", models)
    same_length(models=np.empty(len(names)), passed=column, clusters=cluster)
    scores = {one.model: one for one in outside}
    benchmarks = in_order("benchmarks", [one.benchmark for one in outside])
    if len(scores) != len(outside) or len(benchmarks) != 1:
        raise WarehouseError(
            f"The outside scores are {len(outside)} of {len(scores)} models on {', '.join(benchmarks) or 'nothing'}; "
            "give one score a model, of one benchmark."
        )
    of_model = np.array(names, object)
    measured = in_order("models", [name for name, value in zip(names, column, strict=True) if not math.isnan(value)])
    both = [name for name in measured if name in scores]
    if not both:
        raise WarehouseError(
            f"No model is both here ({', '.join(map(str, measured)) or 'none'}) and outside "
            f"({', '.join(sorted(scores))}); are the names the same?"
        )
    gaps = tuple(
        embed_gap(column[of_model == name], cluster[of_model == name], scores[name], level=level) for name in both
    )
    mean = correlation = reason = None
    if len(gaps) < LEAST_MODELS:
        reason = f"{len(gaps)} model{'s' * (len(gaps) != 1)} with both scores; a mean over models takes {LEAST_MODELS}"
    else:
        mean = _mean([row.gap.estimate for row in gaps], level)
        correlation = _tau([row.ours.estimate for row in gaps], [row.outside.estimate for row in gaps])
    return GapOverModels(
        benchmark=benchmarks[0],
        gaps=gaps,
        mean=mean,
        rank_correlation=correlation,
        n=len(gaps),
        only_ours=tuple(name for name in measured if name not in scores),
        only_outside=tuple(name for name in sorted(scores) if name not in both),
        reason=reason,
    )


def _outside(outside: Outside, level: float) -> Estimate:
    if not 0 <= outside.rate <= 1:
        raise WarehouseError(
            f"The {outside.benchmark} score of {outside.model} is {outside.rate}; give a fraction, 0.68 for 68 %."
        )
    if outside.n is None:
        return Estimate(estimate=outside.rate, se=None, df=None, low=outside.rate, high=outside.rate, level=level, n=0,
                        clusters=0, method="an outside score without its number of tasks, taken as exact")  # fmt: skip
    check_count(f"n of {outside.model}", outside.n, 1)
    low, high = wilson_bounds(outside.rate, outside.n, level)
    return Estimate(estimate=outside.rate, se=math.sqrt(outside.rate * (1 - outside.rate) / outside.n), df=None,
                    low=low, high=high, level=level, n=outside.n, clusters=outside.n,
                    method="Wilson, independent trials")  # fmt: skip


def _mean(values: list[float], level: float) -> Estimate:
    count = len(values)
    mean = math.fsum(values) / count
    se = math.sqrt(math.fsum((value - mean) ** 2 for value in values) / (count - 1) / count)
    return around(mean, se, count - 1, n=count, clusters=count, method=f"paired by model, C = {count}", level=level,
                  reason=None if se else "all models have one gap")  # fmt: skip


def _tau(ours: list[float], theirs: list[float]) -> float | None:
    from scipy.stats import kendalltau

    tau = float(kendalltau(ours, theirs).statistic)
    return None if math.isnan(tau) else tau
