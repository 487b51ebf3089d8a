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


def best_in_turns(*functions: Callable[[], object], at_least: int = 3, seconds: float = 3.0) -> list[float]:
    """Return the shortest wall time in seconds of each function, called in turns `at_least` times and for `seconds`.

    Short calls are repeated more often, so that a pause of the machine decides no ratio.
    """
    shortest = [float("inf")] * len(functions)
    start, turns = time.perf_counter(), 0
    while turns < at_least or time.perf_counter() - start < seconds:
        shortest = [min(best, best_of(one, 1)) for best, one in zip(shortest, functions, strict=True)]
        turns += 1
    return shortest


def best_of(function: Callable[[], object], repeats: int = 3) -> float:
    """Return the shortest wall time in seconds of `repeats` calls."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        function()
        times.append(time.perf_counter() - start)
    return min(times)
