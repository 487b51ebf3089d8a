"""How near two token sequences are: Levenshtein distance, bit-parallel."""

from collections.abc import Hashable, Sequence


def edit_distance(a: Sequence[Hashable], b: Sequence[Hashable]) -> int:
    """Return the least number of insertions, deletions and substitutions that turn `a` into `b`.

    Method: Myers' bit vectors as Hyyrö (2003) states them for the full distance. One machine word of a Python integer
    holds 64 cells, so two sequences of 10,000 tokens take well under a second.
    """
    if len(a) > len(b):
        a, b = b, a
    start = 0
    while start < len(a) and a[start] == b[start]:
        start += 1
    end = 0
    while end < len(a) - start and a[-1 - end] == b[-1 - end]:
        end += 1
    a, b = a[start : len(a) - end], b[start : len(b) - end]
    if not a:
        return len(b)
    where: dict[Hashable, int] = {}
    for position, token in enumerate(a):
        where[token] = where.get(token, 0) | 1 << position
    mask, last = (1 << len(a)) - 1, 1 << (len(a) - 1)
    up, down, distance = mask, 0, len(a)
    for token in b:
        equal = where.get(token, 0)
        diagonal = (((equal & up) + up) ^ up) | equal | down
        rise, fall = down | (mask & ~(diagonal | up)), up & diagonal
        distance += bool(rise & last) - bool(fall & last)
        rise = (rise << 1 | 1) & mask
        up, down = ((fall << 1) & mask) | (mask & ~(diagonal | rise)), rise & diagonal
    return distance


def edit_similarity(a: Sequence[Hashable], b: Sequence[Hashable]) -> float:
    """Return 1 − distance / length of the longer sequence: 1 for equal ones (two empty ones too), 0 at worst."""
    longest = max(len(a), len(b))
    return 1.0 if longest == 0 else 1.0 - edit_distance(a, b) / longest
