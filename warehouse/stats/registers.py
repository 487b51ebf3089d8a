"""What the registers track measures: how much of a score survives rewording, renumbering and distraction.

The eight figures of the seed benchmark and more of their kind, each with an interval clustered by family, as families
are what was sampled. Differences and consistencies are paired within a family. Rates are fractions: a delta of 0.05
is five points lost from `base`. Beside each delta stands what it could have seen, for a figure without variance says
nothing of the model: the least difference that is found with 80 % power, and the power to find one of `EFFECT`.
"""

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from warehouse.errors import WarehouseError
from warehouse.stats.clustered import clustered_mean
from warehouse.stats.columns import Column, Floats, check_level, codes, floats, kept, same_length
from warehouse.stats.estimate import Estimate, t_quantile
from warehouse.stats.paired import paired_difference
from warehouse.stats.power import detectable_mean
from warehouse.stats.proportions import clustered_rate

BASE = "base"
VARIANTS = ("rename", "renumber", "distractor", "isolate")
TIERS = ("easy", "medium", "hard")
EFFECT = 0.05
POWER = 0.8
ALPHA = 0.05


@dataclass(frozen=True, slots=True, kw_only=True)
class Metric:
    """One figure. `detectable` and `power` belong to deltas: the least difference found with 80 % power, and the power
    to find one of `EFFECT`. `bounded`: no family differed, so that both rest on a bound and not on a measured spread.
    """

    name: str
    estimate: Estimate
    detectable: float | None = None
    power: float | None = None
    bounded: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Difficulty:
    """How often a family is failed, 1 − pass rate, with its interval clustered by sample."""

    family: str
    tier: str
    estimate: Estimate

    @property
    def saturated(self) -> str | None:
        """`all_pass` or `all_fail` where the family tells no model or variant from another, else None."""
        return {0.0: "all_pass", 1.0: "all_fail"}.get(self.estimate.estimate)


@dataclass(frozen=True, slots=True)
class Rows:
    """One row an attempt, those that were measured: `passed` and `answered` as 0 and 1, and whose they are."""

    family: tuple[str, ...]
    variant: tuple[str, ...]
    tier: tuple[str, ...]
    passed: Floats
    answered: Floats
    n_null: int


def metrics(family: Column, variant: Column, tier: Column, passed: Column, answered: Column, *,
            level: float = 0.95) -> tuple[Metric, ...]:  # fmt: skip
    """Return the figures of one model under one config, one row an attempt.

    Args:
        family: the cluster of each row.
        variant: `base`, `rename`, `renumber`, `distractor` or `isolate`.
        tier: the author's guess of the difficulty.
        passed: whether the answer was right, or the share of attempts that were; null where nothing was measured,
            which counts nowhere.
        answered: whether there was an answer line. A row without one did not pass: accuracy counts it as wrong, as
            the seed does; `accuracy_answered` leaves it out; `no_answer_rate` is its share.
        level: confidence of the intervals.

    Variants and tiers that no row has are left out. Raises WarehouseError for rows that cannot be read.
    """
    check_level(level)
    rows = _rows(family, variant, tier, passed, answered)
    everything = np.ones(rows.passed.size, bool)
    found = [
        Metric(name="accuracy", estimate=_rate(rows, rows.passed, everything, level)),
        Metric(name="no_answer_rate", estimate=_rate(rows, 1 - rows.answered, everything, level)),
    ]
    if rows.answered.any():
        answered_only = rows.answered == 1
        found.append(Metric(name="accuracy_answered", estimate=_rate(rows, rows.passed, answered_only, level)))
    for labels, names in ((rows.variant, (BASE, *VARIANTS)), (rows.tier, TIERS)):
        for name in names:
            chosen = np.array([label == name for label in labels])
            if chosen.any():
                found.append(Metric(name=f"accuracy_{name}", estimate=_rate(rows, rows.passed, chosen, level)))
    for name in VARIANTS:
        pairs = _pairs(rows, name)
        if pairs:
            found += [delta(name, pairs, level), consistency(name, pairs, level)]
    return tuple(found)


def delta(name: str, pairs: "Pairs", level: float = 0.95) -> Metric:
    """Return accuracy lost from `base` to a variant: the mean over families of the difference within each.

    Where no family differs nothing measures the spread. The interval is then ± the share of families that may still
    differ (the upper bound of none in so many), and so is the variance that `detectable` and `power` take.
    """
    base, other = (np.array(side) for side in zip(*pairs.values(), strict=True))
    found = paired_difference(base, other, list(pairs), level=level).difference
    se, df, bounded = found.se, found.df, False
    if df is not None and not se:
        may_differ = clustered_rate([0] * found.n, list(pairs), level=level).high or 1.0
        se, bounded = math.sqrt(may_differ / found.n), True
        if found.estimate == 0:
            method = f"no family differs: the upper bound on the share that would, C = {found.clusters}"
            found = replace(found, low=-may_differ, high=may_differ, method=method)
    if se is None or df is None:
        return Metric(name=f"{name}_delta", estimate=found)
    return Metric(
        name=f"{name}_delta",
        estimate=found,
        detectable=detectable_mean(se, df, power=POWER, alpha=ALPHA),
        power=power_of_mean(EFFECT, se, df),
        bounded=bounded,
    )


def consistency(name: str, pairs: "Pairs", level: float = 0.95) -> Metric:
    """Return how often `base` and a variant are graded alike: the mean over families of that chance.

    Within a family it is the chance that an attempt at `base` and one at the variant both pass or both fail, which is
    1 or 0 with one attempt each, as the seed counts it.
    """
    alike = [base * other + (1 - base) * (1 - other) for base, other in pairs.values()]
    return Metric(name=f"{name}_consistency", estimate=_share(alike, list(pairs), level))


def difficulty(family: Column, tier: Column, sample: Column, passed: Column, *,
               level: float = 0.95) -> tuple[Difficulty, ...]:  # fmt: skip
    """Return the measured difficulty of each family, the hardest first, whatever its label says.

    Rows of several models may be given together; `sample` clusters repeats of one question.
    """
    names, labels, samples = (_labels(column) for column in (family, tier, sample))
    values = floats("passed", passed)
    same_length(family=np.array(names), tier=np.array(labels), sample=np.array(samples), passed=values)
    keep = kept("omit", passed=values)
    rows: dict[str, list[int]] = defaultdict(list)
    for place in np.flatnonzero(keep).tolist():
        rows[names[place]].append(place)
    found = [
        Difficulty(
            family=name,
            tier=labels[places[0]],
            estimate=clustered_rate(1 - values[places], [samples[place] for place in places], level=level),
        )
        for name, places in rows.items()
    ]
    return tuple(sorted(found, key=lambda one: (-one.estimate.estimate, one.family)))


def power_of_mean(effect: float, se: float, df: float, *, alpha: float = ALPHA) -> float:
    """Return the chance that a two-sided t test finds a mean of `effect`; at `detectable_mean` it is its `power`."""
    from scipy.special import stdtr

    if not se > 0:
        raise WarehouseError(f"se is {se}; power takes a standard error above 0.")
    return float(stdtr(df, abs(effect) / se - t_quantile(df, 1 - alpha)))


Pairs = dict[str, tuple[float, float]]
"""Of each family that has both: the mean of `base` and the mean of the variant."""


def _pairs(rows: Rows, name: str) -> Pairs:
    sums: dict[tuple[str, str], list[float]] = defaultdict(list)
    for family, variant, value in zip(rows.family, rows.variant, rows.passed.tolist(), strict=True):
        if variant in (BASE, name):
            sums[family, variant].append(value)
    means = {key: math.fsum(values) / len(values) for key, values in sums.items()}
    families = sorted({family for family, _ in means if (family, BASE) in means and (family, name) in means})
    return {family: (means[family, BASE], means[family, name]) for family in families}


def _rate(rows: Rows, values: Floats, chosen: np.ndarray, level: float) -> Estimate:
    """Return a share over the chosen rows; of rows that are means of attempts already, their mean."""
    families = [family for family, taken in zip(rows.family, chosen.tolist(), strict=True) if taken]
    return replace(_share(values[chosen], families, level), n_null=rows.n_null)


def _share(values: Column, families: Sequence[str], level: float) -> Estimate:
    if all(value in (0.0, 1.0) for value in values):
        return clustered_rate(values, families, level=level)
    found = clustered_mean(values, families, level=level)
    if found.low is not None and found.high is not None:
        found = replace(found, low=max(0.0, found.low), high=min(1.0, found.high))
    return found


def _rows(family: Column, variant: Column, tier: Column, passed: Column, answered: Column) -> Rows:
    values, given = floats("passed", passed), floats("answered", answered)
    labels = {"family": _labels(family), "variant": _labels(variant), "tier": _labels(tier)}
    same_length(passed=values, answered=given, **{name: np.array(column) for name, column in labels.items()})
    codes("family", labels["family"])
    keep = kept("omit", passed=values, answered=given)
    if unknown := sorted(set(labels["variant"]) - {BASE, *VARIANTS}):
        raise WarehouseError(f"variant is {unknown[0]!r}; it is one of {', '.join((BASE, *VARIANTS))}.")
    if (values[keep] > given[keep]).any():
        raise WarehouseError("A row passed without an answer; `answered` must be 1 wherever `passed` is.")
    chosen = np.flatnonzero(keep).tolist()
    taken = {name: tuple(column[place] for place in chosen) for name, column in labels.items()}
    return Rows(**taken, passed=values[keep], answered=given[keep], n_null=int((~keep).sum()))


def _labels(column: Column) -> Sequence[str]:
    return [str(label) for label in list(column)]
