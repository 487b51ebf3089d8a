"""The code around a function in its own file, cut into whole neighbours, the nearest first."""

import re
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import accumulate

Span = tuple[int, int]
LINE = re.compile(rb"[^\n]*\n|[^\n]+")


@dataclass(frozen=True, slots=True)
class Chunk:
    """Consecutive lines before or after a target; `distance` counts lines between it and the target."""

    side: str
    start_line: int
    distance: int
    data: bytes


def chunks(data: bytes, start: int, end: int, spans: Iterable[Span], *, reach_lines: int,
           chunk_lines: int) -> list[Chunk]:  # fmt: skip
    """Return the surroundings of data[start:end], nearest first, before and after in turn where equally near.

    A neighbour is a whole item of `spans` (byte ranges of functions and declarations) with the comment on it, or a run
    of other lines up to a blank one. It is cut only where longer than `chunk_lines`; each side ends after
    `reach_lines`. No byte of the target is in any chunk, even where it shares a line with other code.
    """
    spans = list(spans)
    before, after = data[:start], data[end:]
    first, last = 1 + before.count(b"\n"), 1 + data.count(b"\n", 0, end)
    above = _side(before, [(s, e) for s, e in spans if e <= start], reach_lines, chunk_lines, back=True)
    below = _side(after, [(s - end, e - end) for s, e in spans if s >= end], reach_lines, chunk_lines, back=False)
    nearest = first - 1 if before.endswith(b"\n") else first
    found = [Chunk("before", 1 + n, nearest - n - len(lines), b"".join(lines)) for n, lines in above]
    found += [Chunk("after", last + n, max(0, n - 1), b"".join(lines)) for n, lines in below]
    kept = [chunk for chunk in found if chunk.data.strip()]
    return sorted(kept, key=lambda chunk: (chunk.distance, chunk.side == "after"))


def _side(data: bytes, spans: list[Span], reach: int, longest: int, back: bool) -> list[tuple[int, list[bytes]]]:
    """Return (0-based first line, lines) of the chunks of one side, the nearest first."""
    lines = LINE.findall(data)
    skipped = max(0, len(lines) - reach) if back else 0
    if not back:
        lines = lines[:reach]
    cut: list[tuple[int, list[bytes]]] = []
    groups = _groups(lines, _items(lines, spans))
    for group in reversed(groups) if back else groups:
        kept = [number for number in group if number >= skipped]
        if back:
            pieces = [kept[max(0, n - longest) : n] for n in range(len(kept), 0, -longest)]
        else:
            pieces = [kept[n : n + longest] for n in range(0, len(kept), longest)]
        cut += [(piece[0], lines[piece[0] : piece[-1] + 1]) for piece in pieces]
    return cut


def _items(lines: list[bytes], spans: list[Span]) -> list[int]:
    """Return for each line the number of the outermost span that covers it, -1 for none."""
    starts = list(accumulate((len(line) for line in lines), initial=0))
    size = starts.pop()
    item = [-1] * len(lines)
    for number, (start, end) in enumerate(sorted(spans, key=lambda span: (span[0], -span[1]))):
        if start >= size or end <= start:
            continue
        low, high = bisect_right(starts, start) - 1, bisect_right(starts, min(end, size) - 1) - 1
        owner = number if item[low] == -1 else item[low]
        item[low : high + 1] = [owner] * (high + 1 - low)
    return item


def _groups(lines: list[bytes], item: list[int]) -> list[list[int]]:
    """Group line numbers: an item with the lines attached above it, or a paragraph."""
    groups: list[list[int]] = []
    for number, line in enumerate(lines):
        blank = item[number] == -1 and not line.strip()
        if blank:
            groups.append([])
            continue
        if not groups or _breaks(item, number, groups[-1]):
            groups.append([])
        groups[-1].append(number)
    return [group for group in groups if group]


def _breaks(item: list[int], number: int, group: list[int]) -> bool:
    """Tell whether a line starts a new group although no blank line stands before it: where an item ended."""
    if not group:
        return False
    before, now = item[group[-1]], item[number]
    return before != -1 and now != before
