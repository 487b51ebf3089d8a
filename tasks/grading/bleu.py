"""BLEU-4 and its keyword-weighted sibling, with the reference's n-grams counted once."""

import math
from collections import Counter
from collections.abc import Sequence

ORDERS = 4
KEYWORD_WEIGHT = 5
"""A keyword counts five times another token (Ren et al. 2020, 3.1); the package writes it as 1 and 0.2."""
EPSILON = 0.1
"""What stands for no match at all: `method1` of Chen and Cherry (2014), which the package uses."""


class NgramReference:
    """The n-grams of one reference. Orders it is too short for do not count, so a short snippet can be met in full."""

    def __init__(self, tokens: Sequence[str], keywords: frozenset[str]) -> None:
        self.tokens = tokens
        self.keywords = keywords
        self.orders = min(ORDERS, len(tokens))
        self.counts = [_grams(tokens, n) for n in range(1, self.orders + 1)]
        self.weight = sum(KEYWORD_WEIGHT if token in keywords else 1 for token in tokens)

    def match(self, tokens: Sequence[str]) -> tuple[float, float]:
        """Return (n-gram match, weighted n-gram match) of candidate `tokens`.

        The first is BLEU (Papineni et al. 2002): geometric mean of clipped precisions times the brevity penalty. The
        second follows the authors' program: clipped recall, only single tokens weighted; recall needs no penalty. A
        candidate of other tokens never reaches 1: if all its n-grams match in another order, one counts as unmatched.
        """
        matched: list[int] = []
        weighted = 0
        for n, wanted in enumerate(self.counts, start=1):
            if matched and not matched[-1]:
                matched.append(0)
                continue
            counts = _grams(tokens, n)
            shared = wanted.keys() & counts.keys()
            matched.append(sum([min(counts[gram], wanted[gram]) for gram in shared]))
            if n == 1:
                keywords = sum([min(counts[gram], wanted[gram]) for gram in shared & self.keywords])
                weighted = matched[0] + (KEYWORD_WEIGHT - 1) * keywords
        if not weighted:
            return 0.0, 0.0
        length, reference = len(tokens), len(self.tokens)
        found = [max(0, length - n) for n in range(self.orders)]
        if matched[-1] == found[-1] and length == reference and list(tokens) != list(self.tokens):
            matched[-1] -= 1
        penalty = 1.0 if length >= reference else math.exp(1 - reference / length)
        asked = [reference - n for n in range(self.orders)]
        recall = _mean([weighted, *matched[1:]], [self.weight, *asked[1:]])
        return penalty * _mean(matched, found), recall


def _grams(tokens: Sequence[str], n: int) -> Counter:
    return Counter(tokens) if n == 1 else Counter(zip(*(tokens[start:] for start in range(n)), strict=False))


def _mean(matched: Sequence[float], total: Sequence[float]) -> float:
    logs = [math.log((hits or EPSILON) / (of or 1)) for hits, of in zip(matched, total, strict=True)]
    return math.exp(math.fsum(logs) / len(logs))
