"""95 % intervals of the figures a view prints, from its standard errors and its number of clusters."""

from functools import cache
from math import sqrt

LEVEL = 0.95


@cache
def t_quantile(clusters: int) -> float:
    """Return the two-sided t quantile at 95 % with one degree of freedom fewer than `clusters` (at least 2)."""
    from scipy.special import stdtrit

    return float(stdtrit(clusters - 1, (1 + LEVEL) / 2))


def mean_interval(mean: float | None, se: float | None, clusters: int, low: float = 0.0,
                  high: float = 1.0) -> tuple[float, float] | None:  # fmt: skip
    """Return mean ± t(clusters − 1) · se within [low, high]; None with fewer than two clusters or no spread at all.

    Where all values are the same the standard error is 0, which says that spread was not seen, not that there is none.
    """
    if mean is None or not se or clusters < 2:
        return None
    half = t_quantile(clusters) * se
    return max(low, mean - half), min(high, mean + half)


def rate_interval(rate: float | None, n: int, se: float | None, clusters: int) -> tuple[float, float] | None:
    """Return Wilson's interval of a rate at the effective sample size that clustering leaves (Korn & Graubard 1998).

    The effective size is n over the design effect, times (z / t(clusters − 1))², at most n; where every unit passes or
    none does there is no design effect to measure and each cluster counts once. None with fewer than two clusters.
    """
    if rate is None or se is None or clusters < 2:
        return None
    z = 1.959963984540054
    spread = rate * (1 - rate)
    size = spread / se**2 if se > 0 and spread > 0 else float(clusters)
    size = min(float(n), size * (z / t_quantile(clusters)) ** 2)
    middle = (rate + z * z / (2 * size)) / (1 + z * z / size)
    half = z * sqrt(spread / size + z * z / (4 * size * size)) / (1 + z * z / size)
    return max(0.0, middle - half), min(1.0, middle + half)
