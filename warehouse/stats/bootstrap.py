"""The cluster bootstrap: whole clusters are drawn again, so what they have in common stays in every draw.

Randomness is the hash of the data and the arguments: the same rows in any order, under any labels, give the same bits.
"""

import math
from typing import Literal, NamedTuple

import numpy as np

from warehouse.errors import WarehouseError
from warehouse.stats.clustered import one_level, root, why_none
from warehouse.stats.columns import (
    Clusters,
    Column,
    Floats,
    Nulls,
    check_count,
    check_level,
    codes,
    floats,
    generator,
    kept,
    mean,
    same_length,
    totals,
)
from warehouse.stats.estimate import Estimate

Kind = Literal["t", "percentile"]
CHUNK = 1 << 21
"""Clusters drawn at once, so that memory stays below a few hundred megabytes."""


class Draws(NamedTuple):
    """The mean of each draw, and its distance from the mean seen in standard errors of the draw."""

    means: Floats
    t: Floats


def cluster_bootstrap(values: Column, clusters: Column, *, draws: int = 9_999, kind: Kind = "t", level: float = 0.95,
                      nulls: Nulls = "refuse") -> Estimate:  # fmt: skip
    """Return the mean of `values` with an interval from draws of whole clusters, as many as there are.

    `t` scales each draw by its own clustered standard error and is right already for some ten clusters; `percentile`
    takes the quantiles of the drawn means and is too narrow below some fifty (Cameron, Gelbach & Miller 2008). `se` is
    the standard deviation of the drawn means. For a paired difference give the differences. The bounds are None where
    too many draws took one and the same cluster for a quantile to be finite. Refusals as in
    `warehouse.stats.clustered.clustered_mean`.
    """
    check_count("draws", draws, 100)
    check_level(level)
    if kind not in ("t", "percentile"):
        raise WarehouseError(f"kind is {kind!r}; give 't' or 'percentile'.")
    column, code = floats("values", values), codes("clusters", clusters)
    same_length(values=column, clusters=code)
    keep = kept(nulls, values=column)
    column, code = column[keep], np.unique(code[keep], return_inverse=True)[1].astype(np.int64)
    grouped = _by_content(totals(column, code))
    count, estimate = grouped.sums.size, mean(column)
    found = one_level(grouped)
    seen, se, low, high, reason = root(found), None, None, None, why_none(found)
    if seen:
        drawn = draw(grouped, draws)
        se = float(np.std(drawn.means, ddof=1))
        tails = [(1 - level) / 2, (1 + level) / 2]
        if kind == "percentile":
            low, high = (float(bound) for bound in _quantiles(drawn.means, tails))
        else:
            lower, upper = _quantiles(drawn.t, tails)
            if math.isfinite(lower) and math.isfinite(upper):
                low, high = estimate - float(upper) * seen, estimate - float(lower) * seen
            else:
                reason = f"{count} clusters are too few for a studentised bootstrap at level {level}"
    return Estimate(estimate=estimate, se=se, df=None, low=low, high=high, level=level, n=column.size, clusters=count,
                    method=f"cluster bootstrap ({kind}), C = {count}, {draws} draws", n_null=int((~keep).sum()),
                    reason=reason)  # fmt: skip


def draw(clusters: Clusters, draws: int) -> Draws:
    """Return `draws` means of as many clusters drawn with replacement, and their t statistics."""
    sums, sizes = clusters
    count, seen = sums.size, math.fsum(sums) / float(sizes.sum())
    scale = float(np.abs(sums).sum() / sizes.sum())
    random = generator("cluster bootstrap", draws, sums, sizes)
    means, t = np.empty(draws), np.empty(draws)
    step = max(1, CHUNK // count)
    for start in range(0, draws, step):
        rows = min(step, draws - start)
        taken = (random.random((rows, count)) * count).astype(np.int64)
        total, size = sums[taken], sizes[taken]
        n = size.sum(axis=1)
        here = total.sum(axis=1) / n
        residuals = total - size * here[:, None]
        se = np.sqrt(count / (count - 1) * np.sum(residuals**2, axis=1)) / n
        se[se <= 1e-12 * np.abs(total).sum(axis=1) / n] = 0.0
        means[start : start + rows] = here
        t[start : start + rows] = _ratio(here - seen, se, scale)
    return Draws(means, t)


def _by_content(clusters: Clusters) -> Clusters:
    """Return the clusters in an order that their labels have no part in."""
    order = np.lexsort((clusters.sums, clusters.sizes))
    return Clusters(clusters.sums[order], clusters.sizes[order])


def _ratio(distance: Floats, se: Floats, scale: float) -> Floats:
    """Return distance/se, infinite for a draw that does not vary and is not where the mean seen is."""
    out = np.zeros(distance.size)
    np.divide(distance, se, out=out, where=se > 0)
    flat = (se == 0) & (np.abs(distance) > 1e-12 * scale)
    out[flat] = np.copysign(np.inf, distance[flat])
    return out


def _quantiles(values: Floats, tails: list[float]) -> Floats:
    """Return the order statistics at (draws + 1)·tail, which are exact for 9,999 draws and take infinities."""
    ranks = [round((values.size + 1) * tail) for tail in tails]
    ordered = np.sort(values)
    return ordered[[min(max(rank, 1), values.size) - 1 for rank in ranks]]
