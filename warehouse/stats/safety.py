"""How far a model's code can be trusted, by kind of task: a risk tier from the lower bound of the pass rate.

EmbedEval's guide reads tiers off bare rates: one pass of one is "reliable" there, its mock model decides, and runs are
pooled. Here a tier is what the interval guarantees, clustered; models are never pooled, solvers without a model are
left out by name, and where even a perfect score of so few tasks could not leave the lowest tier there is none.
"""

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from warehouse.errors import WarehouseError
from warehouse.stats.columns import Codes, Column, as_list, check_level, codes, floats, in_order, same_length
from warehouse.stats.estimate import Estimate, normal_quantile, t_quantile
from warehouse.stats.proportions import binary, clustered_rate, wilson_bounds

COLUMNS = ("tasks", "tier", "passed", "interval", "n", "clusters", "not measured", "note")


class Tier(NamedTuple):
    """A risk tier: the least lower bound that reaches it, and what to do with code of such tasks."""

    name: str
    least: float
    advice: str


class Policy(NamedTuple):
    """The tiers, best first, and the names of solvers that are no model."""

    tiers: tuple[Tier, ...]
    no_model: frozenset[str]


@cache
def policy() -> Policy:
    """Return what safety.toml declares."""
    table = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
    tiers = sorted((Tier(**row) for row in table["tier"]), key=lambda tier: -tier.least)
    return Policy(tuple(tiers), frozenset(table["no_model"]["names"]))


@dataclass(frozen=True, slots=True, kw_only=True)
class Risk:
    """One model on one group of tasks.

    `tier` is that of the lower bound of `rate`, `at_best` that of the upper bound: where they differ, more tasks would
    settle it. `n` counts attempts with a verdict and `n_null` those without; `clusters` are independent tasks.
    `to_reach_best` is how many clusters, all passed, the best tier takes. A tier that the rows cannot carry is None,
    and `reason` says why.
    """

    model: str
    group: Any
    n: int
    n_null: int
    clusters: int
    rate: Estimate | None
    tier: str | None
    at_best: str | None
    to_reach_best: int
    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Guide:
    """Risks by model and group in order, worst lower bound first within a model; `left_out` are solvers, no models.

    `level` is that of each interval. Where `simultaneous`, it was raised (Bonferroni) so that all bounds of the guide
    hold together: a reader who picks the best group then still reads a bound that holds.
    """

    risks: tuple[Risk, ...]
    left_out: tuple[str, ...]
    level: float
    simultaneous: bool


def safety_guide(models: Column, groups: Column, passed: Column, clusters: Column, *, level: float = 0.95,
                 simultaneous: bool = False, rules: Policy | None = None) -> Guide:  # fmt: skip
    """Return the risk tier of each model on each group (category, platform, …), one row an attempt.

    `passed` is null where nothing was measured; such rows are counted and in no rate. `clusters` is the independent
    unit of a group, the case at least: repeats of one case add nothing to it. Raises WarehouseError for columns of
    unequal length and when nothing but solvers without a model is there.
    """
    check_level(level)
    rules = rules or policy()
    column = binary("passed", floats("passed", passed))
    names, kinds, cluster = as_list("models", models), as_list("groups", groups), codes("clusters", clusters)
    same_length(models=np.empty(len(names)), groups=np.empty(len(kinds)), passed=column, clusters=cluster)
    everyone = in_order("models", names)
    shown = [name for name in everyone if not is_no_model(name, rules)]
    if not shown:
        raise WarehouseError(
            f"Only {', '.join(map(str, everyone))} answered, which are no models and carry no guide; run a model."
        )
    of_model, of_group = np.array(names, object), np.array(kinds, object)
    cells = [
        (name, kind, np.flatnonzero((of_model == name) & (of_group == kind)))
        for name in shown
        for kind in in_order("groups", [kind for kind, who in zip(kinds, names, strict=True) if who == name])
    ]
    each = 1 - (1 - level) / len(cells) if simultaneous else level
    risks = [_risk(name, kind, column[rows], cluster[rows], each, rules) for name, kind, rows in cells]
    risks.sort(key=lambda risk: (str(risk.model), _low(risk)))
    left_out = tuple(name for name in everyone if name not in shown)
    return Guide(risks=tuple(risks), left_out=left_out, level=each, simultaneous=simultaneous)


def is_no_model(name: str, rules: Policy | None = None) -> bool:
    """Return whether a name is that of a solver without a model, alone or with an argument behind a colon."""
    return str(name).partition(":")[0] in (rules or policy()).no_model


def tier_of(bound: float, rules: Policy | None = None) -> str:
    """Return the name of the tier that a bound of the pass rate reaches."""
    tiers = (rules or policy()).tiers
    return next((tier.name for tier in tiers if bound >= tier.least), tiers[-1].name)


@cache
def clusters_to_reach(least: float, level: float = 0.95) -> int:
    """Return the fewest clusters, all passed, whose lower bound (`clustered_rate`) is at least `least`."""
    if not 0 <= least < 1:
        raise WarehouseError(f"least is {least}; give a fraction from 0 to below 1.")
    count = 2
    while bound_if_all_pass(count, level) < least:
        count += 1
    return count


def bound_if_all_pass(clusters: int, level: float = 0.95) -> float:
    """Return the lower bound of the rate where so many clusters all passed; 0 for fewer than two."""
    if clusters < 2:
        return 0.0
    size = clusters * (normal_quantile(level) / t_quantile(clusters - 1, level)) ** 2
    return wilson_bounds(1.0, size, level)[0]


def as_markdown(guide: Guide, rules: Policy | None = None) -> str:
    """Return the guide as a Markdown page: a table a model, the rate with its interval, n, the tier and its advice."""
    tiers = (rules or policy()).tiers
    lines = [
        "# Safety guide", "",
        f"Tiers are those of the lower bound of the {guide.level:.4g} interval, clustered"
        f"{', corrected so that all bounds hold together' if guide.simultaneous else ''}; never those of the rate.",
    ]  # fmt: skip
    if guide.left_out:
        lines += ["", f"Left out, as no model answers there: {', '.join(guide.left_out)}."]
    lines += ["", "| tier | lower bound | advice |", "|---|---:|---|"]
    lines += [f"| {tier.name} | {tier.least:.0%} and more | {tier.advice} |" for tier in tiers]
    for name in dict.fromkeys(risk.model for risk in guide.risks):
        lines += ["", f"## {_cell(name)}", "", f"| {' | '.join(COLUMNS)} |", "|---|---|---:|---:|---:|---:|---:|---|"]
        lines += [_line(risk) for risk in guide.risks if risk.model == name]
    return "\n".join(lines) + "\n"


def _risk(model: str, group: Any, passed: NDArray[np.float64], cluster: Codes, level: float, rules: Policy) -> Risk:
    n_null = int(np.isnan(passed).sum())
    best, second_worst = rules.tiers[0], rules.tiers[-2]
    needed = clusters_to_reach(best.least, level)
    if n_null == passed.size:
        return Risk(model=model, group=group, n=0, n_null=n_null, clusters=0, rate=None, tier=None, at_best=None,
                    to_reach_best=needed, reason="nothing was measured")  # fmt: skip
    rate = clustered_rate(passed, cluster, level=level, nulls="omit")
    reason = tier = at_best = None
    least = clusters_to_reach(second_worst.least, level)
    if rate.clusters < least:
        reason = (
            f"{rate.clusters} independent task{'s' * (rate.clusters != 1)}: even all passed would bound the rate by "
            f"{bound_if_all_pass(rate.clusters, level):.0%} only, and a tier takes {least} tasks"
        )
    elif rate.low is None or rate.high is None:
        reason = rate.reason
    else:
        tier, at_best = tier_of(rate.low, rules), tier_of(rate.high, rules)
    return Risk(model=model, group=group, n=rate.n, n_null=n_null, clusters=rate.clusters, rate=rate, tier=tier,
                at_best=at_best, to_reach_best=needed, reason=reason)  # fmt: skip


def _low(risk: Risk) -> tuple[bool, float, str]:
    low = None if risk.tier is None or risk.rate is None else risk.rate.low
    return low is None, low or 0.0, str(risk.group)


def _line(risk: Risk) -> str:
    rate, interval = "–", "–"
    if risk.rate is not None:
        rate = f"{risk.rate.estimate:.1%}"
        if risk.rate.low is not None and risk.rate.high is not None:
            interval = f"{risk.rate.low:.1%} – {risk.rate.high:.1%}"
    note = risk.reason or (f"may be {risk.at_best}: more tasks would tell" if risk.at_best != risk.tier else "")
    cells = (_cell(risk.group), risk.tier or "none", rate, interval, risk.n, risk.clusters, risk.n_null, note)
    return f"| {' | '.join(map(str, cells))} |"


def _cell(text: Any) -> str:
    return str(text).replace("|", "\\|").replace("\n", " ")
