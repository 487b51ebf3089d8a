"""Sets of byte spans, kept as sorted lists that do not overlap."""

from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterable, Sequence

Span = tuple[int, int]


def union(spans: Iterable[Span]) -> list[Span]:
    """Return the bytes that any span covers."""
    joined: list[Span] = []
    for start, end in sorted(spans):
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        elif end > start:
            joined.append((start, end))
    return joined


def intersect(left: list[Span], right: list[Span]) -> list[Span]:
    """Return the bytes that both cover."""
    shared: list[Span] = []
    i = j = 0
    while i < len(left) and j < len(right):
        start, end = max(left[i][0], right[j][0]), min(left[i][1], right[j][1])
        if start < end:
            shared.append((start, end))
        if left[i][1] < right[j][1]:
            i += 1
        else:
            j += 1
    return shared


def subtract(left: list[Span], right: list[Span]) -> list[Span]:
    """Return the bytes that `left` covers and `right` does not."""
    rest: list[Span] = []
    j = 0
    for start, end in left:
        while j < len(right) and right[j][1] <= start:
            j += 1
        k, at = j, start
        while k < len(right) and right[k][0] < end:
            if right[k][0] > at:
                rest.append((at, right[k][0]))
            at = max(at, right[k][1])
            k += 1
        if at < end:
            rest.append((at, end))
    return rest


def meets(spans: Sequence[Span], start: int, end: int) -> bool:
    """Tell whether the span shares a byte with one of `spans`, which are in order and do not overlap."""
    at = bisect_left(spans, (end, 0))
    return at > 0 and spans[at - 1][1] > start


def size(spans: Iterable[Span]) -> int:
    """Return the number of bytes covered."""
    return sum(end - start for start, end in spans)


class Taken:
    """Spans already given away: adding one that overlaps another is refused."""

    def __init__(self) -> None:
        self.spans: list[Span] = []

    def overlaps(self, start: int, end: int) -> bool:
        """Tell whether any byte of the span is taken."""
        at = bisect_right(self.spans, (start, end))
        before = at > 0 and self.spans[at - 1][1] > start
        return before or (at < len(self.spans) and self.spans[at][0] < end)

    def add(self, start: int, end: int) -> bool:
        """Take the span unless it overlaps; tell whether it was taken."""
        if self.overlaps(start, end):
            return False
        insort(self.spans, (start, end))
        return True

    def holds(self, position: int) -> bool:
        """Tell whether the byte at `position` is taken."""
        at = bisect_left(self.spans, (position + 1, 0))
        return at > 0 and self.spans[at - 1][1] > position
