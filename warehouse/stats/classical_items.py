"""Items without a model: pass rates, item–rest correlations, floor and ceiling, declared against seen difficulty.

These are the figures EmbedEval calls IRT difficulty and discrimination, under their own names: `1 − pass rate` and the
standard deviation of the respondents' pass rates. They need few respondents and claim no ability behind the answers;
for a fit that does, see `warehouse.stats.irt`.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from warehouse.errors import WarehouseError
from warehouse.stats.columns import (
    Column,
    Floats,
    Nulls,
    as_list,
    check_level,
    codes,
    floats,
    in_order,
    kept,
    same_length,
)
from warehouse.stats.estimate import Estimate, around, normal_quantile
from warehouse.stats.proportions import binary, clustered_rate

Extreme = Literal["floor", "ceiling"]
LEAST_FOR_CORRELATION = 3
THRESHOLDS = (("easy", 0.8), ("medium", 0.4))
"""EmbedEval's: easy above 80 % passed, medium from 40 %, hard below."""
ORDER = ("easy", "medium", "hard")


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemFigures:
    """One item. `n` counts attempts, `respondents` who made them, `n_null` attempts where nothing was measured.

    `pass_rate` has Wilson's interval clustered by respondent. `sd_of_rates` is the population standard deviation of
    the respondents' pass rates. `item_rest` is the correlation of an item with the other items (point-biserial,
    corrected for the item itself), with its interval by Fisher's z, approximate for a few dozen respondents.
    `rate_label` is what EmbedEval's thresholds call the rate.
    What the rows cannot carry is None, and `reason` says why.
    """

    item: Any
    n: int
    respondents: int
    passes: int
    n_null: int
    pass_rate: Estimate | None
    one_minus_pass_rate: float | None
    sd_of_rates: float | None
    item_rest: float | None
    item_rest_low: float | None
    item_rest_high: float | None
    extreme: Extreme | None
    rate_label: str | None
    reason: str | None = None


def classical_items(respondents: Column, items: Column, passed: Column, *, level: float = 0.95,
                    nulls: Nulls = "refuse") -> tuple[ItemFigures, ...]:  # fmt: skip
    """Return the figures of each item, in the order of their labels, from long columns: one row an attempt.

    `passed` holds 0 and 1; repeats of a respondent on an item are averaged before respondents are compared. The rest
    score of a respondent is its mean over the other items it answered, each less that item's mean, so that who was
    asked harder items is not taken for weaker; with no response missing that is the textbook's item–rest correlation.
    Raises WarehouseError for nulls unless they are to be left out and counted, and for columns of unequal length.
    """
    check_level(level)
    column = binary("passed", floats("passed", passed))
    who, what = codes("respondents", respondents), codes("items", items)
    same_length(passed=column, respondents=who, items=what)
    keep = kept(nulls, passed=column)
    labels = in_order("items", as_list("items", items))
    shape = int(who.max()) + 1, len(labels)
    count, passes = np.zeros(shape), np.zeros(shape)
    np.add.at(count, (who[keep], what[keep]), 1.0)
    np.add.at(passes, (who[keep], what[keep]), column[keep])
    with np.errstate(invalid="ignore"):
        rates = passes / count
    rest = _rest(rates)
    return tuple(
        _figures(label, column, who, (what == at) & keep, int(((what == at) & ~keep).sum()), rates[:, at],
                 rest[:, at], level)
        for at, label in enumerate(labels)
    )  # fmt: skip


def rate_label(rate: float) -> str:
    """Return what EmbedEval's thresholds call a pass rate: easy above 0.8, medium from 0.4, hard below."""
    (easy, high), (medium, low) = THRESHOLDS
    return easy if rate > high else medium if rate >= low else "hard"


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelFigures:
    """The items of one declared label: how many, and the mean and range of their estimated difficulty."""

    label: str
    n: int
    mean: float
    lowest: float
    highest: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """Declared against estimated difficulty. `rank_correlation` is Kendall's tau-b with its jackknife interval.

    Of the `pairs` of items with different labels, `right` counts those whose harder label is the harder item, `wrong`
    those the other way round, and the rest are ties of difficulty. `n_null` counts items without an estimate or label.
    """

    rank_correlation: Estimate | None
    right: int
    wrong: int
    pairs: int
    by_label: tuple[LabelFigures, ...]
    n_null: int
    reason: str | None = None


def label_agreement(difficulty: Column, labels: Column, *, order: Sequence[str] = ORDER,
                    clusters: Column | None = None, level: float = 0.95) -> Agreement:  # fmt: skip
    """Return how far declared labels order items as their estimated difficulty does: one row an item.

    `difficulty` is 1 − pass rate or that of an IRT fit, null where there is none; `labels` are of `order`, easiest
    first, or null. The interval is ± t · se of the jackknife that leaves out one cluster at a time (the item where
    none is given), and tau-b cannot reach 1 where labels are coarser than difficulties. Raises WarehouseError for
    other labels.
    """
    check_level(level)
    column, declared = floats("difficulty", difficulty), as_list("labels", labels)
    same_length(difficulty=column, labels=np.empty(len(declared)))
    rank = {label: float(at) for at, label in enumerate(order)}
    strange = next((label for label in declared if label is not None and label not in rank), None)
    if strange is not None:
        raise WarehouseError(f"{strange!r} is no difficulty of {', '.join(order)}; name all labels, easiest first.")
    place = np.array([math.nan if label is None else rank[label] for label in declared])
    group = np.arange(column.size) if clusters is None else codes("clusters", clusters)
    keep = ~(np.isnan(column) | np.isnan(place))
    column, place, group = column[keep], place[keep], group[keep]
    by_label = tuple(
        LabelFigures(label=label, n=int(here.sum()), mean=float(column[here].mean()),
                     lowest=float(column[here].min()), highest=float(column[here].max()))
        for label, at in rank.items()
        if (here := place == at).any()
    )  # fmt: skip
    n_null = int((~keep).sum())
    if len(by_label) < 2 or np.unique(column).size < 2:
        reason = f"the {column.size} items with both have one {'label' if len(by_label) < 2 else 'difficulty'} only"
        return Agreement(rank_correlation=None, right=0, wrong=0, pairs=0, by_label=by_label, n_null=n_null,
                         reason=reason)  # fmt: skip
    harder = np.sign(column[:, None] - column[None, :])
    above = np.sign(place[:, None] - place[None, :])
    product = harder * above
    tau = _jackknife(product, np.abs(harder), np.abs(above), group, level)
    return Agreement(rank_correlation=tau, right=int((product > 0).sum()) // 2, wrong=int((product < 0).sum()) // 2,
                     pairs=int(np.abs(above).sum()) // 2, by_label=by_label, n_null=n_null)  # fmt: skip


def _rest(rates: Floats) -> Floats:
    """Return each respondent's mean excess over the item means on all other items it answered; NaN without any."""
    seen = ~np.isnan(rates)
    size = np.maximum(seen.sum(axis=0), 1)
    excess = np.where(seen, rates - np.where(seen, rates, 0.0).sum(axis=0) / size, 0.0)
    others = seen.sum(axis=1, keepdims=True) - seen
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(others > 0, (excess.sum(axis=1, keepdims=True) - excess) / others, np.nan)


def _figures(label: Any, column: Floats, who: Any, rows: Any, n_null: int, rates: Floats, rest: Floats,
             level: float) -> ItemFigures:  # fmt: skip
    seen = ~np.isnan(rates)
    respondents, n, passes = int(seen.sum()), int(rows.sum()), int(column[rows].sum())
    if not n:
        return ItemFigures(item=label, n=0, respondents=0, passes=0, n_null=n_null, pass_rate=None,
                           one_minus_pass_rate=None, sd_of_rates=None, item_rest=None, item_rest_low=None,
                           item_rest_high=None, extreme=None, rate_label=None,
                           reason="no attempt at it was measured")  # fmt: skip
    rate = clustered_rate(column[rows], who[rows], level=level)
    correlation, reason = _correlation(rates[seen & ~np.isnan(rest)], rest[seen & ~np.isnan(rest)])
    low, high = _fisher(correlation, int((seen & ~np.isnan(rest)).sum()), level)
    extreme: Extreme | None = "floor" if not passes else "ceiling" if passes == n else None
    return ItemFigures(
        item=label, n=n, respondents=respondents, passes=passes, n_null=n_null, pass_rate=rate,
        one_minus_pass_rate=1 - rate.estimate, sd_of_rates=float(np.std(rates[seen])), item_rest=correlation,
        item_rest_low=low, item_rest_high=high, extreme=extreme, rate_label=rate_label(rate.estimate), reason=reason,
    )  # fmt: skip


def _correlation(item: Floats, rest: Floats) -> tuple[float | None, str | None]:
    if item.size < LEAST_FOR_CORRELATION:
        return None, f"{item.size} respondents carry no correlation; it takes {LEAST_FOR_CORRELATION}"
    ours, theirs = item - item.mean(), rest - rest.mean()
    if np.ptp(item) == 0:
        return None, "all respondents have one rate on it, so that it correlates with nothing"
    if np.abs(theirs).max() < 1e-12:
        return None, "the respondents do not differ on the other items"
    scale = math.sqrt(math.fsum(ours**2) * math.fsum(theirs**2))
    return max(-1.0, min(1.0, math.fsum(ours * theirs) / scale)), None


def _fisher(correlation: float | None, n: int, level: float) -> tuple[float | None, float | None]:
    if correlation is None or n < 4 or abs(correlation) == 1:
        return None, None
    middle, half = math.atanh(correlation), normal_quantile(level) / math.sqrt(n - 3)
    return math.tanh(middle - half), math.tanh(middle + half)


def _jackknife(product: Floats, harder: Floats, above: Floats, group: Any, level: float) -> Estimate:
    """Return tau-b with the spread of its values when each cluster in turn is left out."""
    tables = (product, harder, above)
    whole_ = [float(table.sum()) for table in tables]
    left: list[float] = []
    members = [np.flatnonzero(group == label) for label in np.unique(group)]
    for own in members:
        sums = [
            total - 2 * float(table[own].sum()) + float(table[np.ix_(own, own)].sum())
            for total, table in zip(whole_, tables, strict=True)
        ]
        left.append(_tau(*sums))
    count, tau = len(members), _tau(*whole_)
    values = np.array(left)
    se = None
    if count > 1 and not np.isnan(values).any():
        se = math.sqrt((count - 1) / count * math.fsum((values - values.mean()) ** 2))
    return around(tau, se, count - 1 if count > 1 else None, n=product.shape[0], clusters=count,
                  method=f"Kendall's tau-b, jackknife, C = {count}", level=level,
                  reason=None if se else "leaving out a cluster changes nothing or leaves one label")  # fmt: skip


def _tau(product: float, harder: float, above: float) -> float:
    scale = math.sqrt(harder * above)
    return product / scale if scale > 0 else math.nan
