"""What a statistic says: the estimate, how sure it is, of how many rows and clusters, and by which method."""

import math
from dataclasses import dataclass
from functools import cache
from typing import Literal

from warehouse.stats.columns import check_level

Reference = Literal["t", "normal"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """One figure with its interval. What the rows cannot carry is None, and `reason` says why.

    `n` counts the rows used and `n_null` those left out for a null; `df` are degrees of freedom, None where the
    interval uses none; `low` and `high` bound the interval of confidence `level`.
    """

    estimate: float
    se: float | None
    df: float | None
    low: float | None
    high: float | None
    level: float
    n: int
    clusters: int
    method: str
    n_null: int = 0
    reason: str | None = None


@cache
def t_quantile(df: float, level: float = 0.95) -> float:
    """Return the two-sided quantile of Student's t: the factor of the standard error at confidence `level`."""
    from scipy.special import stdtrit

    return float(stdtrit(df, (1 + level) / 2))


@cache
def normal_quantile(level: float = 0.95) -> float:
    """Return the two-sided quantile of the normal distribution, 1.96 at 95 %."""
    from scipy.special import ndtri

    return float(ndtri((1 + level) / 2))


def t_p_value(t: float, df: float) -> float:
    """Return the two-sided p value of a t statistic."""
    from scipy.special import stdtr

    return float(2 * stdtr(df, -abs(t)))


def normal_p_value(z: float) -> float:
    """Return the two-sided p value of a z statistic."""
    return math.erfc(abs(z) / math.sqrt(2))


def around(estimate: float, se: float | None, df: float | None, *, n: int, clusters: int, method: str,
           level: float = 0.95, reference: Reference = "t", n_null: int = 0,
           reason: str | None = None) -> Estimate:  # fmt: skip
    """Return `estimate` with the interval ± quantile · se, of t with `df` or of the normal.

    There is none without a standard error, nor with one of 0: an interval without width claims what nobody measured.
    """
    check_level(level)
    low = high = None
    if se and df is not None:
        half = (t_quantile(df, level) if reference == "t" else normal_quantile(level)) * se
        low, high = estimate - half, estimate + half
        method += f", t with {df:.4g} df" if reference == "t" else ", normal"
    return Estimate(estimate=estimate, se=se, df=df, low=low, high=high, level=level, n=n, clusters=clusters,
                    method=method, n_null=n_null, reason=reason)  # fmt: skip
