"""Conditions on one value, as tables write them: `<n`, `<=n`, `>n`, `>=n`, `=n` or `a..b` (both included)."""

from collections.abc import Mapping
from functools import cache

LOWEST, HIGHEST = -1_000_000, 1_000_000


@cache
def bounds(condition: str) -> tuple[int, int]:
    """Return the smallest and the largest value that meets a condition."""
    if ".." in condition:
        low, high = condition.split("..")
        return int(low), int(high)
    sign = condition.rstrip("-0123456789")
    bound = int(condition[len(sign) :])
    return {
        "<": (LOWEST, bound - 1), "<=": (LOWEST, bound), ">": (bound + 1, HIGHEST), ">=": (bound, HIGHEST),
        "=": (bound, bound),
    }[sign]  # fmt: skip


def meets(value: int, condition: str) -> bool:
    """Return whether a value meets a condition."""
    low, high = bounds(condition)
    return low <= value <= high


def all_meet(values: Mapping[str, int], conditions: Mapping[str, str]) -> bool:
    """Return whether each named value is there and meets its condition."""
    return all(name in values and meets(values[name], condition) for name, condition in conditions.items())
