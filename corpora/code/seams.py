"""Context items that give nothing away one by one, and would where a prompt sets them side by side.

A neighbour of the target that does nearly the same is cut into window items; each is clean by itself, yet the
statements on both sides of a cut may follow each other in the target too.
"""

from collections.abc import Sequence
from itertools import groupby, pairwise

from tasks.contract import ContextItem
from tasks.mining.leaks import leaks


def without_seams(items: Sequence[ContextItem], target: str) -> tuple[ContextItem, ...]:
    """Return the items without those that, next to another of their kind, would show statements of the target.

    Of two such neighbours the one of lower rank goes, which of a window is the one further away. Neighbours are those
    in the order in which a prompt shows them: a window by line, other kinds by rank.
    """
    left = sorted(items, key=_shown)
    if not any(leaks("\n".join(item.text for item in group), target) for _, group in groupby(left, _kind)):
        return tuple(items)
    while True:
        meeting = (pair for pair in pairwise(left) if pair[0].kind == pair[1].kind)
        seam = next((pair for pair in meeting if leaks(f"{pair[0].text}\n{pair[1].text}", target)), None)
        if seam is None:
            return tuple(item for item in items if item in left)
        left.remove(max(seam, key=lambda item: item.rank))


def _kind(item: ContextItem) -> str:
    return item.kind


def _shown(item: ContextItem) -> tuple[str, int]:
    return item.kind, (item.start_line or 0) if item.kind == "window" else item.rank
