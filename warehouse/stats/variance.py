"""Where the spread comes from: between samples or between repeats of one, and what clustering does to it.

Repeats shrink only the second: Var(mean) = (Var of the samples' true means + mean variance of repeats / K) / n
(Miller, arXiv 2411.00640). One-way analysis of variance with random samples, unequal numbers of repeats
allowed (Searle, Casella & McCulloch 1992).
"""

import math
from dataclasses import dataclass

import numpy as np

from warehouse.errors import WarehouseError
from warehouse.stats.clustered import one_level
from warehouse.stats.columns import Column, Nulls, check_count, codes, floats, kept, mean, same_length, totals


@dataclass(frozen=True, slots=True, kw_only=True)
class VarianceSplit:
    """Variance between samples and within them, over rows that are repeats.

    `within` is the mean variance of repeats of one sample and `between` that of the samples' true means; both None
    where no sample has a repeat, or there is one sample, and `reason` says so. `between_raw` is the estimate before it
    was cut at 0: below 0 it says that samples differ less than chance alone would make them. `icc` is
    between/(between + within), None where nothing varies. `n` counts rows, `min_repeats` and `max_repeats` are over
    samples.
    """

    within: float | None
    between: float | None
    between_raw: float | None
    icc: float | None
    n: int
    samples: int
    min_repeats: int
    max_repeats: int
    n_null: int
    reason: str | None = None

    def se(self, repeats: int, samples: int | None = None) -> float | None:
        """Return the standard error of the mean if each of `samples` (those there are) had so many `repeats`."""
        check_count("repeats", repeats, 1)
        count = self.samples if samples is None else samples
        check_count("samples", count, 1)
        if self.within is None or self.between is None:
            return None
        return math.sqrt((self.between + self.within / repeats) / count)

    def share_within(self, repeats: int) -> float | None:
        """Return the share of the mean's variance that comes from within at so many repeats: what more could save."""
        check_count("repeats", repeats, 1)
        if self.within is None or self.between is None or not self.between + self.within:
            return None
        return self.within / repeats / (self.between + self.within / repeats)


def split_variance(values: Column, samples: Column, *, nulls: Nulls = "refuse") -> VarianceSplit:
    """Return how much of the variance of `values` lies between `samples` and how much within, one row a repeat.

    Raises WarehouseError for nulls, or leaves such rows out and counts them under `nulls="omit"`.
    """
    column, code = floats("values", values), codes("samples", samples)
    same_length(values=column, samples=code)
    keep = kept(nulls, values=column)
    column, code = column[keep], np.unique(code[keep], return_inverse=True)[1].astype(np.int64)
    sums, repeats = totals(column, code)
    n, count = column.size, sums.size
    within = between = raw = icc = reason = None
    if count < 2:
        reason = "one sample: variance between samples takes two at least"
    elif n == count:
        reason = "no sample has a repeat: variance within samples takes two attempts of one at least"
    else:
        means = sums / repeats
        within = math.fsum((column - means[code]) ** 2) / (n - count)
        across = math.fsum(repeats * (means - mean(column)) ** 2) / (count - 1)
        typical = (n - math.fsum(repeats**2) / n) / (count - 1)
        raw = (across - within) / typical
        between = max(0.0, raw)
        icc = between / (between + within) if between + within else None
    return VarianceSplit(within=within, between=between, between_raw=raw, icc=icc, n=n, samples=count,
                         min_repeats=int(repeats.min()), max_repeats=int(repeats.max()), n_null=int((~keep).sum()),
                         reason=reason)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class DesignEffect:
    """How much larger clustering makes the variance of a mean, and how many independent rows would do as well.

    `design_effect` is clustered variance / (variance of the rows / n), `effective_n` is n / design_effect; None with
    one cluster or where nothing varies. `equal_clusters` is (Σ n_c)²/Σ n_c²: how many clusters of one size would
    weigh as these do; far below `clusters` it warns that a few dominate.
    """

    design_effect: float | None
    effective_n: float | None
    equal_clusters: float
    n: int
    clusters: int
    n_null: int
    reason: str | None = None


def design_effect(values: Column, clusters: Column, *, nulls: Nulls = "refuse") -> DesignEffect:
    """Return the design effect of clustering on the mean of `values` (Kish 1965), measured."""
    column, code = floats("values", values), codes("clusters", clusters)
    same_length(values=column, clusters=code)
    keep = kept(nulls, values=column)
    column, code = column[keep], np.unique(code[keep], return_inverse=True)[1].astype(np.int64)
    grouped = totals(column, code)
    variance, n = one_level(grouped).variance, column.size
    naive = math.fsum((column - mean(column)) ** 2) / n**2
    effect = size = reason = None
    if variance is None:
        reason = "one cluster: a standard error takes two at least"
    elif not naive:
        reason = "every row has the same value, so that nothing measures the clustering"
    else:
        effect = variance / naive
        size = n / effect if effect else None
    return DesignEffect(design_effect=effect, effective_n=size, n=n, clusters=grouped.sums.size,
                        equal_clusters=float(n**2 / np.sum(grouped.sizes**2)), n_null=int((~keep).sum()),
                        reason=reason)  # fmt: skip


def kish(rows_per_cluster: float, icc: float) -> float:
    """Return the design effect 1 + (m − 1)·icc that clusters of m rows with that correlation will have (Kish 1965)."""
    if rows_per_cluster < 1 or not -1 <= icc <= 1:
        raise WarehouseError(
            f"{rows_per_cluster} rows a cluster with correlation {icc} cannot be; give 1 row at least, icc in [-1, 1]."
        )
    return 1 + (rows_per_cluster - 1) * icc
