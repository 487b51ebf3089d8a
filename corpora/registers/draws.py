"""Parameters drawn by hash: the same for the same family and draw index in every process."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from tasks.ids import pick
from warehouse.errors import CorpusError

T = TypeVar("T")


class Draws:
    """A stream of draws that is a pure function of its key; every call moves to the next draw.

    Args:
        key: what the stream belongs to, usually (family, form, draw index); anything JSON holds.
    """

    def __init__(self, *key: Any) -> None:
        self._key = key
        self._step = 0

    def _pick(self, count: int) -> int:
        self._step += 1
        return pick(count, *self._key, self._step)

    def integer(self, low: int, high: int) -> int:
        """Return an integer in [low, high], both ends included."""
        return low + self._pick(high - low + 1)

    def choice(self, options: Sequence[T]) -> T:
        """Return one of the options."""
        return options[self._pick(len(options))]

    def sample(self, options: Sequence[T], count: int) -> list[T]:
        """Return `count` of the options, each at most once, in drawn order."""
        left = list(options)
        return [left.pop(self._pick(len(left))) for _ in range(count)]

    def shuffled(self, options: Sequence[T]) -> list[T]:
        """Return all the options in drawn order."""
        return self.sample(options, len(options))

    def flag(self) -> bool:
        """Return true or false, each half of the time."""
        return bool(self._pick(2))

    def until(self, make: Callable[[], T], accept: Callable[[T], bool], limit: int = 2000) -> T:
        """Return the first value of `make` that `accept` takes; raises CorpusError after `limit` refusals."""
        for _ in range(limit):
            value = make()
            if accept(value):
                return value
        raise CorpusError(f"No draw of {self._key} was accepted in {limit} tries; widen its ranges.")
