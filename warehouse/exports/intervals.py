"""95 % intervals of the figures a view prints, from its standard errors and their degrees of freedom."""

from warehouse.stats.estimate import normal_quantile, t_quantile
from warehouse.stats.proportions import effective_size, wilson_bounds


def mean_interval(mean: float | None, se: float | None, df: float | None, low: float = 0.0,
                  high: float = 1.0) -> tuple[float, float] | None:  # fmt: skip
    """Return mean ± t(df) · se within [low, high]; None with fewer than two clusters or no spread at all.

    Where all clusters are the same the standard error is 0, which says that spread was not seen, not that there is
    none.
    """
    if mean is None or not se or df is None:
        return None
    half = t_quantile(df) * se
    return max(low, mean - half), min(high, mean + half)


def rate_interval(rate: float | None, n: int, se: float | None, df: float | None,
                  clusters: int) -> tuple[float, float] | None:  # fmt: skip
    """Return Wilson's interval of a rate at the effective sample size that clustering leaves (Korn & Graubard 1998).

    It is that of `warehouse.stats.proportions.clustered_rate`, from the figures of a view's row. None with fewer than
    two clusters.
    """
    if rate is None or se is None or df is None:
        return None
    size = effective_size(rate, se, n, clusters) * (normal_quantile() / t_quantile(df)) ** 2
    return wilson_bounds(rate, min(float(n), size))
