"""A share of trials that passed: independent trials (Wilson, Clopper–Pearson) and clustered ones (Korn–Graubard)."""

import math

import numpy as np

from warehouse.errors import WarehouseError
from warehouse.stats.clustered import Correction, root, spread, why_none
from warehouse.stats.columns import (
    Column,
    Floats,
    Nulls,
    check_count,
    check_level,
    codes,
    floats,
    kept,
    mean,
    same_length,
)
from warehouse.stats.estimate import Estimate, normal_quantile, t_quantile


def wilson(passes: int, n: int, *, level: float = 0.95) -> Estimate:
    """Return the rate of `passes` in `n` independent trials with Wilson's score interval (Wilson 1927).

    Repeats of one question are not independent trials: for those use `clustered_rate`. Raises WarehouseError for no
    trials.
    """
    _check_trials(passes, n, level)
    rate = passes / n
    low, high = wilson_bounds(rate, n, level)
    return Estimate(estimate=rate, se=math.sqrt(rate * (1 - rate) / n), df=None, low=low, high=high, level=level, n=n,
                    clusters=n, method="Wilson, independent trials")  # fmt: skip


def clopper_pearson(passes: int, n: int, *, level: float = 0.95) -> Estimate:
    """Return the rate of `passes` in `n` independent trials with the exact interval (Clopper & Pearson 1934).

    It holds its level for every true rate, and so is wider than Wilson's: the one for safety claims of few trials.
    """
    from scipy.special import betaincinv

    _check_trials(passes, n, level)
    rate, tail = passes / n, (1 - level) / 2
    low = float(betaincinv(passes, n - passes + 1, tail)) if passes else 0.0
    high = float(betaincinv(passes + 1, n - passes, 1 - tail)) if passes < n else 1.0
    return Estimate(estimate=rate, se=math.sqrt(rate * (1 - rate) / n), df=None, low=low, high=high, level=level, n=n,
                    clusters=n, method="Clopper-Pearson, independent trials")  # fmt: skip


def clustered_rate(passed: Column, clusters: Column, second: Column | None = None, *, level: float = 0.95,
                   correction: Correction | None = None, nulls: Nulls = "refuse") -> Estimate:  # fmt: skip
    """Return the share of rows that passed with Wilson's interval at the size that clustering leaves.

    That size is rate·(1 − rate)/se² · (z/t)², t on the degrees of freedom of the clustered standard error, at most the
    rows there are (Korn & Graubard 1998). Where every row passes or none does nothing measures the clustering, and
    each cluster counts once. Unlike rate ± t·se it stays within 0 and 1. Arguments and refusals as in
    `warehouse.stats.clustered.clustered_mean`; `passed` holds booleans, 0 and 1.
    """
    check_level(level)
    column = binary("passed", floats("passed", passed))
    first = codes("clusters", clusters)
    other = None if second is None else codes("second", second)
    same_length(passed=column, clusters=first, **({} if other is None else {"second": other}))
    keep = kept(nulls, passed=column)
    column = column[keep]
    found = spread(column, first[keep], None if other is None else other[keep], correction)
    rate, se = mean(column), root(found)
    low = high = None
    if se is not None and found.df is not None:
        size = effective_size(rate, se, column.size, found.clusters)
        size = min(float(column.size), size * (normal_quantile(level) / t_quantile(found.df, level)) ** 2)
        low, high = wilson_bounds(rate, size, level)
    return Estimate(estimate=rate, se=se, df=found.df, low=low, high=high, level=level, n=column.size,
                    clusters=found.clusters, method=f"Wilson at the effective size, {found.method}",
                    n_null=int((~keep).sum()), reason=None if se is not None else why_none(found))  # fmt: skip


def wilson_bounds(rate: float, n: float, level: float = 0.95) -> tuple[float, float]:
    """Return Wilson's bounds of a rate over `n` trials; `n` may be an effective number and so no integer."""
    z = normal_quantile(level)
    middle = (rate + z * z / (2 * n)) / (1 + z * z / n)
    half = z * math.sqrt(rate * (1 - rate) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    return (0.0 if rate == 0 else max(0.0, middle - half)), (1.0 if rate == 1 else min(1.0, middle + half))


def effective_size(rate: float, se: float, n: int, clusters: int) -> float:
    """Return how many independent trials would give a rate this standard error: rate · (1 − rate) / se².

    Each cluster counts once where the rate is 0 or 1; every row where the cluster rates are all the same.
    """
    if rate in (0.0, 1.0):
        return float(clusters)
    return rate * (1 - rate) / se**2 if se > 0 else float(n)


def binary(name: str, column: Floats) -> Floats:
    """Return `column` if it holds nothing but 0, 1 and NaN; raises WarehouseError otherwise."""
    odd = ~(np.isnan(column) | (column == 0) | (column == 1))
    if odd.any():
        row = int(odd.argmax())
        raise WarehouseError(
            f"{name} is {column[row]:g} at row {row}, neither 0 nor 1; use clustered_mean for scores."
        )
    return column


def _check_trials(passes: int, n: int, level: float) -> None:
    check_count("n", n, 1)
    check_count("passes", passes, 0)
    if passes > n:
        raise WarehouseError(f"{passes} passes of {n} trials are more passes than trials; swap the arguments?")
    check_level(level)
