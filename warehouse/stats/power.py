"""What a design can see: the power of a comparison, its smallest detectable difference, the samples it would take."""

import math
from collections.abc import Callable

from warehouse.errors import WarehouseError
from warehouse.stats.columns import check_count
from warehouse.stats.estimate import normal_quantile, t_quantile


def power_of_rates(left: float, right: float, n_left: int, n_right: int | None = None, *, alpha: float = 0.05,
                   design_effect: float = 1.0) -> float:  # fmt: skip
    """Return the chance that a two-sided test of two independent rates finds their difference.

    Normal approximation with the pooled variance under the null and the separate ones under the alternative (Fleiss,
    Levin & Paik 2003), the far tail neglected. `n_left` and `n_right` (the same if not given) count
    trials, of which clustering leaves 1/`design_effect`.
    """
    for name, rate in (("left", left), ("right", right)):
        if not 0 <= rate <= 1:
            raise WarehouseError(f"{name} is {rate}; a rate lies between 0 and 1.")
    _check(alpha, design_effect)
    ours, theirs = _sizes(n_left, n_right, design_effect)
    pooled = (left * ours + right * theirs) / (ours + theirs)
    null = math.sqrt(pooled * (1 - pooled) * (1 / ours + 1 / theirs))
    alternative = math.sqrt(left * (1 - left) / ours + right * (1 - right) / theirs)
    beyond = abs(left - right) - normal_quantile(1 - alpha) * null
    if alternative == 0:
        return 1.0 if beyond > 0 else 0.0
    return _normal_cdf(beyond / alternative)


def detectable_rate_difference(base: float, n_left: int, n_right: int | None = None, *, power: float = 0.8,
                               alpha: float = 0.05, design_effect: float = 1.0) -> float | None:  # fmt: skip
    """Return the least rise over the rate `base` that is found with `power`; None if even a rise to 1 is not.

    Two independent rates, as in `power_of_rates`; a fall below b is found as a rise over 1 − b is. The closed-loop
    paper's 15 runs a side see 0.46, 0.49, 0.49 and 0.44 over bases of 0.1, 0.2, 0.3 and 0.5, and nothing over 0.7.
    """
    _check_fraction("power", power)
    if not 0 <= base < 1:
        raise WarehouseError(f"base is {base}; a rate that can rise lies between 0 and 1, 1 left out.")

    def reaches(rise: float) -> bool:
        right = min(1.0, base + rise)
        return power_of_rates(base, right, n_left, n_right, alpha=alpha, design_effect=design_effect) >= power

    return _least(reaches, 1 - base)


def detectable_mean(se: float, df: float | None = None, *, power: float = 0.8, alpha: float = 0.05) -> float:
    """Return the least mean, or mean difference, that a test with standard error `se` finds with `power`.

    (t_{1−α/2} + t_{power}) · se with `df` degrees of freedom, of the normal without (Bloom 1995). With the clustered
    standard error of a paired difference this is the smallest effect that comparison could have shown.
    """
    if not (math.isfinite(se) and se >= 0):
        raise WarehouseError(f"se is {se}; give a standard error, which is no less than 0.")
    _check(alpha, 1.0)
    _check_fraction("power", power)
    if df is None:
        return (normal_quantile(1 - alpha) + _one_sided(power)) * se
    return (t_quantile(df, 1 - alpha) + t_quantile(df, 2 * power - 1)) * se


def samples_needed(difference: float, *, between: float, within_left: float = 0.0, within_right: float = 0.0,
                   repeats_left: int = 1, repeats_right: int = 1, power: float = 0.8, alpha: float = 0.05,
                   design_effect: float = 1.0) -> int:  # fmt: skip
    """Return how many samples a paired comparison takes to find `difference` with `power`.

    (z_{1−α/2} + z_{power})² · (ω² + σ_L²/K_L + σ_R²/K_R) / δ² times the design effect of clustered samples (Miller,
    arXiv 2411.00640). `between` is ω², the variance over samples of the difference of the two sides' true
    means; `within_*` are σ², the mean variance over repeats of one sample, and `repeats_*` are K.
    """
    if not difference:
        raise WarehouseError("difference is 0, which no number of samples detects; give the least one that matters.")
    _check(alpha, design_effect)
    _check_fraction("power", power)
    check_count("repeats_left", repeats_left, 1)
    check_count("repeats_right", repeats_right, 1)
    if min(between, within_left, within_right) < 0:
        raise WarehouseError("A variance is below 0; give between and within as squares of standard deviations.")
    variance = between + within_left / repeats_left + within_right / repeats_right
    quantiles = normal_quantile(1 - alpha) + _one_sided(power)
    return max(1, math.ceil(quantiles**2 * variance * design_effect / difference**2 - 1e-9))


def _least(reaches: Callable[[float], bool], top: float) -> float | None:
    """Return the least number in (0, top] that reaches, by bisection; the power rises with the difference."""
    if not reaches(top):
        return None
    low, high = 0.0, top
    while high - low > 1e-12:
        middle = (low + high) / 2
        low, high = (low, middle) if reaches(middle) else (middle, high)
    return high


def _sizes(n_left: int, n_right: int | None, design_effect: float) -> tuple[float, float]:
    check_count("n_left", n_left, 1)
    n_right = n_left if n_right is None else n_right
    check_count("n_right", n_right, 1)
    return n_left / design_effect, n_right / design_effect


def _check(alpha: float, design_effect: float) -> None:
    _check_fraction("alpha", alpha)
    if not (math.isfinite(design_effect) and design_effect > 0):
        raise WarehouseError(f"design_effect is {design_effect}; give a number above 0, 1 for independent trials.")


def _check_fraction(name: str, value: float) -> None:
    if not 0 < value < 1:
        raise WarehouseError(f"{name} is {value}; give a fraction between 0 and 1.")


def _one_sided(power: float) -> float:
    """Return the normal quantile of `power` itself, below 0 for a power under one half."""
    from scipy.special import ndtri

    return float(ndtri(power))


def _normal_cdf(z: float) -> float:
    return math.erfc(-z / math.sqrt(2)) / 2
