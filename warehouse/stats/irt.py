"""Item response theory: how hard each item is and how well it tells good respondents from bad, with standard errors.

A respondent is whoever answers: a model, or a model under one config. It passes item j with the chance σ(θ − bⱼ) under
the Rasch model and σ(aⱼ·(θ − bⱼ)) under the 2PL, abilities θ normal around 0 (Rasch 1960; Birnbaum 1968). Fitted by
marginal maximum likelihood (`warehouse.stats.irt_likelihood`); standard errors are those of the observed information.
Few respondents carry no such fit, and are refused: docs/item-analysis.md prints the simulations behind the limits.
The figures that need no model are in `warehouse.stats.classical_items`.
"""

import math
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from warehouse.errors import WarehouseError
from warehouse.stats.columns import (
    Codes,
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
from warehouse.stats.estimate import Estimate, normal_quantile
from warehouse.stats.irt_likelihood import STEEPEST, Maximum, maximise
from warehouse.stats.proportions import binary

Model = Literal["rasch", "2pl"]
Place = Literal["fitted", "floor", "ceiling", "unanswered"]

LEAST_RESPONDENTS: dict[Model, int] = {"rasch": 12, "2pl": 100}
"""Below these the intervals do not hold their level, or the estimates say less than chance (docs/item-analysis.md)."""
LEAST_ITEMS = 3
WHY_NOT: dict[Place, str] = {
    "floor": "nobody passed it",
    "ceiling": "everybody passed it",
    "unanswered": "nobody answered it",
}
NAMES: dict[Model, str] = {"rasch": "Rasch", "2pl": "2PL"}


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemFit:
    """One item: `difficulty` in logits above the mean ability of Rasch, in standard deviations of ability under 2PL.

    Nobody passed a `floor` item and everybody a `ceiling` item: no finite difficulty fits them, they tell nobody
    apart, and they have no part in the fit. `discrimination` is the 2PL's. What the responses cannot carry is None,
    and `reason` says why.
    """

    item: Any
    place: Place
    n: int
    passes: int
    difficulty: Estimate | None
    discrimination: Estimate | None
    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Ability:
    """One respondent: the mean of its ability given its responses and the fitted items, and their standard deviation.

    The unit is that of difficulty. It leaves out that the items themselves are estimates.
    """

    respondent: Any
    n: int
    passes: int
    ability: float
    se: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Irt:
    """A fit: `items` and `respondents` in the order of their labels, the `floor` and `ceiling` items left out by name.

    `ability_sd` is the spread of ability in logits, which Rasch estimates; it is 1 under 2PL by choice of unit. `n`
    counts responses to all items, `n_null` those left out for a null.
    """

    model: Model
    items: tuple[ItemFit, ...]
    respondents: tuple[Ability, ...]
    floor: tuple[Any, ...]
    ceiling: tuple[Any, ...]
    ability_sd: Estimate
    log_likelihood: float
    parameters: int
    n: int
    n_null: int
    method: str


def fit_irt(respondents: Column, items: Column, passed: Column, *, model: Model = "rasch", level: float = 0.95,
            nulls: Nulls = "refuse") -> Irt:  # fmt: skip
    """Return the Rasch or 2PL fit of long columns, one row a response; a response that is not there is missing.

    `passed` holds 0 and 1. Missing responses are taken to be missing for reasons that have nothing to do with passing.
    Raises WarehouseError for fewer respondents than the model needs (`LEAST_RESPONDENTS`), fewer than three items that
    some but not all passed, a respondent with two responses to one item (repeats are no new respondents: keep one
    attempt), and nulls unless they are to be left out.
    """
    check_level(level)
    if model not in LEAST_RESPONDENTS:
        raise WarehouseError(f"model is {model!r}; give 'rasch' or '2pl'.")
    column = binary("passed", floats("passed", passed))
    who, what = codes("respondents", respondents), codes("items", items)
    same_length(passed=column, respondents=who, items=what)
    keep = kept(nulls, passed=column)
    people, labels = (
        in_order(name, as_list(name, values)) for name, values in (("respondents", respondents), ("items", items))
    )
    matrix, seen = _matrix(column[keep], who[keep], what[keep], people, labels)
    answering = np.flatnonzero(seen.any(axis=1))
    _enough(model, answering.size)
    matrix, seen, people = matrix[answering], seen[answering], [people[at] for at in answering]
    count, passes = seen.sum(axis=0), matrix.sum(axis=0)
    between = np.flatnonzero((passes > 0) & (passes < count))
    if between.size < LEAST_ITEMS:
        raise WarehouseError(
            f"Only {between.size} of {len(labels)} items were passed by some respondents and not by all, and a fit "
            f"takes {LEAST_ITEMS}; use classical_items, which lists floor and ceiling items."
        )
    fit = maximise(matrix[:, between], seen[:, between], model == "2pl")
    if not fit.converged:
        raise WarehouseError(
            f"The {NAMES[model]} fit of {between.size} items to {answering.size} respondents found no maximum; "
            f"{'fit the Rasch model' if model == '2pl' else 'use classical_items'} instead."
        )
    found = _items(fit, between, model, level, count)
    places = [_place(int(up), int(all_)) for up, all_ in zip(passes, count, strict=True)]
    rows = tuple(
        _row(label, place, int(all_), int(up), found.get(at))
        for at, (label, place, all_, up) in enumerate(zip(labels, places, count, passes, strict=True))
    )
    scale = float(fit.slopes[0]) if model == "rasch" else 1.0
    return Irt(
        model=model,
        items=rows,
        respondents=tuple(
            Ability(respondent=label, n=int(seen[at].sum()), passes=int(matrix[at].sum()),
                    ability=scale * float(fit.posterior_mean[at]), se=scale * float(fit.posterior_sd[at]))
            for at, label in enumerate(people)
        ),
        floor=tuple(row.item for row in rows if row.place == "floor"),
        ceiling=tuple(row.item for row in rows if row.place == "ceiling"),
        ability_sd=_spread(fit, model, level, answering.size),
        log_likelihood=fit.log_likelihood,
        parameters=between.size + (between.size if model == "2pl" else 1),
        n=int(count.sum()),
        n_null=int((~keep).sum()),
        method=f"{NAMES[model]}, marginal maximum likelihood, {between.size} items, {answering.size} respondents",
    )  # fmt: skip


def _matrix(column: Floats, who: Codes, what: Codes, people: list[Any], labels: list[Any]) -> tuple[Floats, Floats]:
    """Return passes and what was seen, respondents × items; refuse a pair that stands twice."""
    seen = np.zeros((len(people), len(labels)))
    np.add.at(seen, (who, what), 1.0)
    if (seen > 1).any():
        person, item = (int(axis[0]) for axis in np.nonzero(seen > 1))
        raise WarehouseError(
            f"{people[person]!r} answered {labels[item]!r} {int(seen[person, item])} times; keep one attempt, as "
            "repeats of one respondent are not independent given its ability."
        )
    matrix = np.zeros(seen.shape)
    matrix[who, what] = column
    return matrix, seen


def _enough(model: Model, count: int) -> None:
    if count < LEAST_RESPONDENTS[model]:
        other = " or fit the Rasch model" if model == "2pl" and count >= LEAST_RESPONDENTS["rasch"] else ""
        raise WarehouseError(
            f"A {NAMES[model]} fit takes {LEAST_RESPONDENTS[model]} respondents and there are {count}; use "
            f"classical_items for plain pass rates{other}."
        )


def _items(fit: Maximum, between: Codes, model: Model, level: float,
           count: Floats) -> dict[int, tuple[Estimate | None, Estimate | None, str | None]]:  # fmt: skip
    """Return difficulty, discrimination and what is wrong with them, by the number of the item."""
    size = between.size
    variance = np.full(fit.intercepts.size + fit.slopes.size, np.nan)
    cross = np.full(size, np.nan)
    if fit.covariance is not None:
        variance = np.diag(fit.covariance)
        if model == "2pl":
            cross = np.diag(fit.covariance, size)
    out: dict[int, tuple[Estimate | None, Estimate | None, str | None]] = {}
    for at, item in enumerate(between.tolist()):
        n = int(count[item])
        if model == "rasch":
            out[item] = _estimate(fit.intercepts[at], variance[at], level, n), None, None
            continue
        slope, intercept = float(fit.slopes[at]), float(fit.intercepts[at])
        if abs(slope) >= STEEPEST:
            out[item] = None, None, "its discrimination has no finite maximum: it parts the respondents cleanly"
            continue
        steepness = _estimate(slope, variance[size + at], level, n)
        if steepness.low is None or steepness.high is None or steepness.low <= 0 <= steepness.high:
            out[item] = None, steepness, "its discrimination is not told from 0, and without one it has no difficulty"
            continue
        place = intercept / slope
        spread = (variance[at] - 2 * place * cross[at] + place**2 * variance[size + at]) / slope**2
        reason = "it discriminates backwards: the better fail it more often" if slope < 0 else None
        out[item] = _estimate(place, spread, level, n), steepness, reason
    return out


def _place(passes: int, count: int) -> Place:
    if not count:
        return "unanswered"
    return "floor" if not passes else "ceiling" if passes == count else "fitted"


def _row(label: Any, place: Place, n: int, passes: int,
         found: tuple[Estimate | None, Estimate | None, str | None] | None) -> ItemFit:  # fmt: skip
    if found is None:
        why = WHY_NOT[place]
        return ItemFit(item=label, place=place, n=n, passes=passes, difficulty=None, discrimination=None, reason=why)
    difficulty, discrimination, reason = found
    return ItemFit(item=label, place=place, n=n, passes=passes, difficulty=difficulty, discrimination=discrimination,
                   reason=reason)  # fmt: skip


def _spread(fit: Maximum, model: Model, level: float, n: int) -> Estimate:
    if model == "2pl":
        return Estimate(estimate=1.0, se=None, df=None, low=None, high=None, level=level, n=n, clusters=n,
                        method="the unit of 2PL", reason="it is the unit")  # fmt: skip
    spread = float(fit.slopes[0])
    if not spread:
        return Estimate(estimate=0.0, se=None, df=None, low=None, high=None, level=level, n=n, clusters=n,
                        method="observed information, normal",
                        reason="respondents differ by no more than chance")  # fmt: skip
    variance = math.nan if fit.covariance is None else float(fit.covariance[-1, -1])
    return _estimate(spread, variance, level, n)


def _estimate(estimate: float, variance: float, level: float, n: int) -> Estimate:
    known = math.isfinite(variance) and variance > 0
    se = math.sqrt(variance) if known else None
    half = 0.0 if se is None else normal_quantile(level) * se
    return Estimate(estimate=float(estimate), se=se, df=None, low=None if se is None else float(estimate) - half,
                    high=None if se is None else float(estimate) + half, level=level, n=n, clusters=n,
                    method="observed information, normal",
                    reason=None if known else "the likelihood is flat there")  # fmt: skip
