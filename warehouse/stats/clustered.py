"""The mean of a column with a standard error that knows which rows belong together.

Miller (arXiv 2411.00640), appendix A, one level; Cameron, Gelbach & Miller (2011), two levels; Bell & McCaffrey (2002)
where few clusters of unequal size make the plain correction too small.
"""

import math
from typing import Literal, NamedTuple

import numpy as np

from warehouse.errors import WarehouseError
from warehouse.stats.columns import (
    Clusters,
    Codes,
    Column,
    Floats,
    Nulls,
    codes,
    crossed,
    floats,
    kept,
    mean,
    same_length,
    totals,
)
from warehouse.stats.estimate import Estimate, Reference, around

Correction = Literal["cr1", "cr2"]


class Spread(NamedTuple):
    """The variance of a mean, its degrees of freedom, the clusters that carry it, and how it was had."""

    variance: float | None
    df: float | None
    clusters: int
    method: str


def clustered_mean(values: Column, clusters: Column, second: Column | None = None, *, level: float = 0.95,
                   correction: Correction | None = None, reference: Reference = "t",
                   nulls: Nulls = "refuse") -> Estimate:  # fmt: skip
    """Return the mean of `values` with a standard error clustered by `clusters`, and by `second` where it is given.

    `values` are one number a row: scores, passes as 0 and 1, or differences. One level: variance
    Σ_c (Σ_i (x_i − x̄))² / (1 − n_c/n) / n² with t on Bell–McCaffrey degrees of freedom (`cr2`); `cr1` has the
    factor C/(C−1), C the number of clusters, and C−1 degrees of freedom: the same for clusters of one size, too narrow
    for few and unequal ones. Two crossed levels (`cr1`): V_first + V_second − V_both on min(C)−1 degrees of freedom;
    where one lies within the other, the outer level alone. `reference="normal"` uses ±1.96 for t. With one cluster the
    standard error is None. Raises WarehouseError for nulls (or leaves such rows out and counts them, under
    `nulls="omit"`), for columns of unequal length and for labels that are null.
    """
    column = floats("values", values)
    first = codes("clusters", clusters)
    other = None if second is None else codes("second", second)
    same_length(values=column, clusters=first, **({} if other is None else {"second": other}))
    keep = kept(nulls, values=column)
    column, first = column[keep], first[keep]
    found = spread(column, first, None if other is None else other[keep], correction)
    return around(
        mean(column), root(found), found.df, n=column.size, clusters=found.clusters, method=found.method, level=level,
        reference=reference, n_null=int((~keep).sum()), reason=why_none(found),
    )  # fmt: skip


def spread(values: Floats, first: Codes, second: Codes | None = None, correction: Correction | None = None) -> Spread:
    """Return the variance of the mean of `values` under one or two levels of clusters; arrays without nulls."""
    if correction not in (None, "cr1", "cr2"):
        raise WarehouseError(f"correction is {correction!r}; give 'cr1' (C/(C-1)) or 'cr2' (Bell and McCaffrey).")
    if second is None:
        return one_level(totals(values, _ranked(first)), correction or "cr2")
    if correction == "cr2":
        raise WarehouseError("cr2 is for one level of clusters; give the outer level alone, or use cr1 for two.")
    first, second = _ranked(first), _ranked(second)
    both = crossed(first, second)
    levels = sorted((first, second), key=lambda level: int(level.max()))
    if both.max() == levels[1].max():  # one level lies within the other, so that the outer one carries everything
        kind = correction or "cr2"
        outer = one_level(totals(values, levels[0]), kind)
        return outer._replace(method=f"clustered ({kind.upper()}), outer of two nested levels, C = {outer.clusters}")
    parts = [one_level(totals(values, level)) for level in (*levels, both)]
    few = parts[0].clusters
    method = f"two-way clustered (CR1), C = {few} and {parts[1].clusters}"
    coarse, fine, pairs = (part.variance or 0.0 for part in parts)  # none is None: one cluster would be the outer
    if coarse + fine - pairs <= 0 < coarse + fine:
        return Spread(max(coarse, fine), few - 1, few, f"{method}, not positive: the larger one-way variance")
    return Spread(max(0.0, coarse + fine - pairs), few - 1, few, method)


def one_level(clusters: Clusters, correction: Correction = "cr1") -> Spread:
    """Return the variance of the mean from the totals of its clusters; None with fewer than two."""
    sums, sizes = clusters
    count, n = sums.size, float(sizes.sum())
    method = f"clustered ({correction.upper()}), C = {count}"
    if count < 2:
        return Spread(None, None, count, method)
    expected = sizes * (math.fsum(sums) / n)
    residuals = sums - expected
    residuals[np.abs(residuals) <= 1e-12 * (np.abs(sums) + np.abs(expected))] = 0.0  # noise of equal cluster means
    if correction == "cr1":
        return Spread(count / (count - 1) * math.fsum(residuals**2) / n**2, count - 1, count, method)
    left = 1 - sizes / n
    variance = math.fsum(residuals**2 / left) / n**2
    return Spread(variance, _bell_mccaffrey(sizes, n), count, method)


def why_none(found: Spread) -> str | None:
    """Return why a spread carries no interval of a mean."""
    if found.variance is None:
        return f"{found.clusters} cluster: a standard error takes two at least"
    if not found.variance:
        return "the clusters do not differ, so that nothing measures how sure this is; see clustered_rate for passes"
    return None


def root(found: Spread) -> float | None:
    """Return the standard error of a spread."""
    return None if found.variance is None else math.sqrt(found.variance)


def _ranked(level: Codes) -> Codes:
    """Return codes without gaps, as rows left out for a null may have emptied a cluster."""
    return np.unique(level, return_inverse=True)[1].astype(np.int64)


def _bell_mccaffrey(sizes: Floats, n: float) -> float:
    """Return Satterthwaite's degrees of freedom of the CR2 variance of a mean under independent rows."""
    shares = sizes**2 / (n * (1 - sizes / n))
    return n**2 / (math.fsum(sizes**2) + math.fsum(shares) ** 2 - math.fsum(shares**2))
