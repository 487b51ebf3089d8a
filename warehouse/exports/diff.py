"""Two texts line by line, with what differs inside a line: pure, for the terminal and for the report alike."""

import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import Literal, NamedTuple

Kind = Literal["same", "changed", "removed", "added"]
WORD = re.compile(r"\w+|\s+|[^\w\s]")
CLOSE = 0.4
AHEAD = 12
"""Lines looked ahead for a resembling one, so that two long texts with nothing in common stay cheap."""
MANY = 400
"""Texts with more lines between their common ends are compared without the lines that repeat often."""
LONGEST = 600
"""A longer line is marked as a whole: comparing inside it is quadratic."""


class Span(NamedTuple):
    """A piece of a line; `marked` where the other side of a changed line has something else."""

    text: str
    marked: bool


class Pair(NamedTuple):
    """A line of each side, numbered from 1; None where that side has no such line."""

    kind: Kind
    left_line: int | None
    left: tuple[Span, ...] | None
    right_line: int | None
    right: tuple[Span, ...] | None


def side_by_side(left: str, right: str) -> list[Pair]:
    """Return the lines of both texts beside each other; lines that resemble each other stand in one row."""
    old, new = left.splitlines(), right.splitlines()
    head = _common(old, new)
    tail = _common(old[head:][::-1], new[head:][::-1])
    pairs = [_same(old, i, i) for i in range(head)]
    middle_old, middle_new = old[head : len(old) - tail], new[head : len(new) - tail]
    matcher = SequenceMatcher(None, middle_old, middle_new, autojunk=len(middle_new) > MANY)
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        i1, i2, j1, j2 = i1 + head, i2 + head, j1 + head, j2 + head
        if tag == "equal":
            pairs += [_same(old, i, j) for i, j in zip(range(i1, i2), range(j1, j2), strict=True)]
        else:
            pairs += _replaced(old, new, (i1, i2), (j1, j2))
    return pairs + [_same(old, len(old) - k, len(new) - k) for k in range(tail, 0, -1)]


def _common(one: list[str], other: list[str]) -> int:
    """Return how many lines both begin with."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((k for k, (a, b) in pairs if a != b), min(len(one), len(other)))


def _same(old: list[str], i: int, j: int) -> Pair:
    spans = (Span(old[i], False),)
    return Pair("same", i + 1, spans, j + 1, spans)


def _replaced(old: list[str], new: list[str], left: tuple[int, int], right: tuple[int, int]) -> Iterator[Pair]:
    """Pair each old line with the first new line that resembles it, not far ahead; the rest stand alone."""
    j = right[0]
    for i in range(*left):
        match = next((k for k in range(j, min(j + AHEAD, right[1])) if _close(old[i], new[k])), None)
        if match is None:
            yield Pair("removed", i + 1, (Span(old[i], False),), None, None)
            continue
        yield from (Pair("added", None, None, k + 1, (Span(new[k], False),)) for k in range(j, match))
        one, other = _marked(old[i], new[match])
        yield Pair("changed", i + 1, one, match + 1, other)
        j = match + 1
    yield from (Pair("added", None, None, k + 1, (Span(new[k], False),)) for k in range(j, right[1]))


def _close(one: str, other: str) -> bool:
    if max(len(one), len(other)) > LONGEST:
        return False
    matcher = SequenceMatcher(None, one.strip(), other.strip(), autojunk=False)
    return matcher.real_quick_ratio() >= CLOSE and matcher.quick_ratio() >= CLOSE and matcher.ratio() >= CLOSE


def _marked(one: str, other: str) -> tuple[tuple[Span, ...], tuple[Span, ...]]:
    words, others = WORD.findall(one), WORD.findall(other)
    left: list[Span] = []
    right: list[Span] = []
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, words, others, autojunk=False).get_opcodes():
        if i2 > i1:
            left.append(Span("".join(words[i1:i2]), tag != "equal"))
        if j2 > j1:
            right.append(Span("".join(others[j1:j2]), tag != "equal"))
    return tuple(left), tuple(right)
