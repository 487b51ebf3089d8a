"""The row that every benchmark yields: two things timed in one run, and their ratio against a goal."""

import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Ratio:
    """`ours` and `other` are in `unit`; `ratio` is ours / other, and the goal a bound on it (`<= 1.5`, `>= 5`)."""

    name: str
    ours: float
    other: float
    unit: str
    goal: str
    detail: str = ""

    @property
    def ratio(self) -> float:
        """ours / other."""
        return self.ours / self.other if self.other else float("inf")

    @property
    def met(self) -> bool:
        """Whether the ratio keeps the goal."""
        sign, bound = self.goal.split()
        return self.ratio <= float(bound) if sign == "<=" else self.ratio >= float(bound)


def best_of(function: Callable[[], object], repeats: int = 3) -> float:
    """Return the shortest wall time in seconds of `repeats` calls."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        function()
        times.append(time.perf_counter() - start)
    return min(times)
