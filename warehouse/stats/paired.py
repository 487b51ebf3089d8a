"""Two configs or models over the same samples: the difference within a sample, never that of two marginal rates.

Miller (arXiv 2411.00640) on paired differences, clustered as in its appendix A; McNemar (1947), with mid-p after
Fagerland, Lydersen & Laake (2013).
"""

import math
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from warehouse.errors import WarehouseError
from warehouse.stats.clustered import Correction, clustered_mean
from warehouse.stats.columns import (
    Column,
    Floats,
    Nulls,
    as_list,
    codes,
    floats,
    in_order,
    kept,
    mean,
    same_length,
)
from warehouse.stats.estimate import Estimate, Reference, around, normal_p_value, t_p_value
from warehouse.stats.proportions import binary


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """Left minus right: `difference` with its interval, the two means it comes from, its test.

    `statistic` is difference/se and `p_value` two-sided, of t or the normal as the interval is; both None where there
    is no standard error or it is 0. `correlation` is that of the two sides over the pairs, None for unpaired sides
    and where a side does not vary.
    """

    difference: Estimate
    left: Estimate
    right: Estimate
    statistic: float | None
    p_value: float | None
    correlation: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Pairs:
    """Samples that both sides have, sorted by key: the mean over attempts of each side, and who was left alone.

    `only_left` and `only_right` are the keys that one side lacks; `n_null` counts attempts left out for a null.
    """

    keys: tuple[Any, ...]
    left: Floats
    right: Floats
    only_left: tuple[Any, ...]
    only_right: tuple[Any, ...]
    n_null: int


def pair(left_keys: Column, left: Column, right_keys: Column, right: Column, *, nulls: Nulls = "refuse") -> Pairs:
    """Return the samples of two long columns side by side, attempts averaged within a sample first.

    Each side is one row an attempt: the key of its sample and a number. A sample with no measured attempt on one side
    is named in `only_left` or `only_right`. Raises WarehouseError for nulls unless they are to be left out, for
    columns of unequal length, and when no sample is on both sides.
    """
    sides, n_null = [], 0
    for name, keys, values in (("left", left_keys, left), ("right", right_keys, right)):
        column = floats(name, values)
        same_length(**{name: column, f"{name}_keys": codes(f"{name}_keys", keys)})
        keep = kept(nulls, **{name: column})
        n_null += int((~keep).sum())
        sides.append(_per_key(as_list(f"{name}_keys", keys), column, keep))
    ours, theirs = sides
    both = in_order("left_keys", ours.keys() & theirs.keys())
    if not both:
        raise WarehouseError("No sample is on both sides, so that nothing can be paired; are the keys the same?")
    return Pairs(
        keys=tuple(both),
        left=np.array([ours[key] for key in both]),
        right=np.array([theirs[key] for key in both]),
        only_left=tuple(in_order("left_keys", ours.keys() - theirs.keys())),
        only_right=tuple(in_order("right_keys", theirs.keys() - ours.keys())),
        n_null=n_null,
    )


def paired_difference(left: Column, right: Column, clusters: Column, second: Column | None = None, *,
                      level: float = 0.95, correction: Correction | None = None, reference: Reference = "t",
                      nulls: Nulls = "refuse") -> Difference:  # fmt: skip
    """Return the mean of left − right over rows that are pairs, with the clustered interval of that difference.

    One row a sample (see `pair`); `clusters` may be the sample itself. A null on either side drops the pair, where
    `nulls="omit"` allows it. Other arguments and refusals as in `warehouse.stats.clustered.clustered_mean`.
    """
    ours, theirs = floats("left", left), floats("right", right)
    same_length(left=ours, right=theirs)
    keep = kept(nulls, left=ours, right=theirs)
    ours, theirs = np.where(keep, ours, np.nan), np.where(keep, theirs, np.nan)
    difference, one, other = (
        clustered_mean(column, clusters, second, level=level, correction=correction, reference=reference, nulls="omit")
        for column in (ours - theirs, ours, theirs)
    )
    return Difference(difference=difference, left=one, right=other, **_test(difference, reference),
                      correlation=_correlation(ours[keep], theirs[keep]))  # fmt: skip


def unpaired_difference(left: Column, left_clusters: Column, right: Column, right_clusters: Column, *,
                        level: float = 0.95, correction: Correction | None = None, reference: Reference = "t",
                        nulls: Nulls = "refuse") -> Difference:  # fmt: skip
    """Return the difference of two means over rows that share nothing: variances add, df by Welch–Satterthwaite.

    For sides over different samples only: over the same ones it throws away what they have in common, and is wider
    than `paired_difference` by the factor 1/√(1 − correlation) or so.
    """
    one, other = (
        clustered_mean(column, labels, level=level, correction=correction, reference=reference, nulls=nulls)
        for column, labels in ((left, left_clusters), (right, right_clusters))
    )
    se = df = None
    if one.se is not None and other.se is not None and one.df is not None and other.df is not None:
        parts = one.se**2, other.se**2
        se = math.sqrt(sum(parts))
        df = se**4 / (parts[0] ** 2 / one.df + parts[1] ** 2 / other.df) if se else one.df + other.df
    kind = (correction or "cr2").upper()
    difference = around(
        one.estimate - other.estimate, se, df, n=one.n + other.n, clusters=one.clusters + other.clusters,
        method=f"unpaired, each side {kind}, C = {one.clusters} and {other.clusters}", level=level,
        reference=reference, n_null=one.n_null + other.n_null, reason=one.reason or other.reason,
    )  # fmt: skip
    return Difference(difference=difference, left=one, right=other, **_test(difference, reference), correlation=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class McNemar:
    """McNemar's test: `only_left` and `only_right` count pairs where one side alone passed; `n` counts all pairs."""

    p_value: float
    only_left: int
    only_right: int
    n: int
    n_null: int
    method: str


def mcnemar(left: Column, right: Column, *, kind: Literal["exact", "mid-p"] = "mid-p",
            nulls: Nulls = "refuse") -> McNemar:  # fmt: skip
    """Return the test that two sides pass equally often, over independent pairs of 0 and 1.

    Of the pairs that disagree, those where left alone passed are binomial with p = 1/2 under the null. The exact test
    never errs more often than it says, and mostly less; mid-p counts the outcome seen half and stays near its level.
    Pairs that share a source are not independent: use `paired_difference` or `permutation.sign_flip` with clusters.
    """
    from scipy.special import bdtr

    if kind not in ("exact", "mid-p"):
        raise WarehouseError(f"kind is {kind!r}; give 'exact' or 'mid-p'.")
    ours, theirs = binary("left", floats("left", left)), binary("right", floats("right", right))
    same_length(left=ours, right=theirs)
    keep = kept(nulls, left=ours, right=theirs)
    ours, theirs = ours[keep], theirs[keep]
    only_left, only_right = int(np.sum(ours > theirs)), int(np.sum(ours < theirs))
    few, disagree = min(only_left, only_right), only_left + only_right
    tail = float(bdtr(few, disagree, 0.5)) if disagree else 1.0
    p_value = min(1.0, 2 * tail)
    if kind == "mid-p":
        p_value = min(1.0, 2 * tail - math.comb(disagree, few) / 2**disagree)
    return McNemar(p_value=p_value, only_left=only_left, only_right=only_right, n=ours.size,
                   n_null=int((~keep).sum()), method=f"McNemar, {kind}")  # fmt: skip


def _per_key(keys: list[Any], column: Floats, keep: np.ndarray) -> dict[Any, float]:
    """Return the mean of the kept rows of each key."""
    rows: dict[Any, list[float]] = {}
    for key, value, good in zip(keys, column.tolist(), keep.tolist(), strict=True):
        if good:
            rows.setdefault(key, []).append(value)
    return {key: math.fsum(values) / len(values) for key, values in rows.items()}


def _test(found: Estimate, reference: Reference) -> dict[str, float | None]:
    if not found.se or found.df is None:
        return {"statistic": None, "p_value": None}
    statistic = found.estimate / found.se
    p_value = t_p_value(statistic, found.df) if reference == "t" else normal_p_value(statistic)
    return {"statistic": statistic, "p_value": p_value}


def _correlation(left: Floats, right: Floats) -> float | None:
    ours, theirs = left - mean(left), right - mean(right)
    scale = math.sqrt(math.fsum(ours**2) * math.fsum(theirs**2))
    return math.fsum(ours * theirs) / scale if scale else None
