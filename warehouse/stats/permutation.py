"""A test of a difference for few clusters: flip the signs of whole clusters and see how seldom chance does as much.

No t, no normal, no large-sample argument: it needs only that a cluster's differences would be as likely with the other
sign if there were no effect (Fisher's randomisation test; Canay, Romano & Shaikh 2017 for clusters).
"""

from dataclasses import dataclass

import numpy as np

from warehouse.stats.columns import (
    Codes,
    Column,
    Floats,
    Nulls,
    check_count,
    codes,
    floats,
    generator,
    kept,
    mean,
    same_length,
    totals,
)

EXACT_CLUSTERS = 16
CHUNK = 1 << 22
"""Signs drawn at once, so that memory stays below a few hundred megabytes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SignFlip:
    """Two-sided p value of the mean difference being 0; `smallest_p` is the least that these clusters can give.

    `draws` counts the sign patterns looked at: all 2^`moving` of them where `exact`, `moving` being the clusters whose
    differences do not cancel to 0. `smallest_p` above the level asked for means that no data could have been
    significant: five clusters cannot go below 0.0625.
    """

    estimate: float
    p_value: float
    smallest_p: float
    n: int
    clusters: int
    moving: int
    draws: int
    exact: bool
    n_null: int
    method: str


def sign_flip(differences: Column, clusters: Column, *, draws: int = 99_999, nulls: Nulls = "refuse") -> SignFlip:
    """Return the sign-flip test of a column of paired differences, whole clusters flipped together.

    All 2^C patterns are counted for up to 16 clusters; beyond, `draws` patterns from the hash of the data, with
    p = (1 + hits)/(1 + draws), which is never 0 (Phipson & Smyth 2010). Raises WarehouseError for nulls, or leaves
    such rows out and counts them under `nulls="omit"`.
    """
    check_count("draws", draws, 1)
    column, code = floats("differences", differences), codes("clusters", clusters)
    same_length(differences=column, clusters=code)
    keep = kept(nulls, differences=column)
    column, code = column[keep], code[keep]
    sums = cluster_sums(column, code)
    moving = sums[sums != 0]
    exact = moving.size <= EXACT_CLUSTERS
    hits, looked = _count_all(moving) if exact else _count_drawn(moving, draws)
    p_value = hits / looked if exact else (1 + hits) / (1 + looked)
    smallest = 2.0 / 2**moving.size if moving.size else 1.0
    return SignFlip(
        estimate=mean(column),
        p_value=p_value,
        smallest_p=min(1.0, smallest) if exact else max(smallest, 1 / (1 + looked)),
        n=column.size,
        clusters=np.unique(code).size,
        moving=moving.size,
        draws=looked,
        exact=exact,
        n_null=int((~keep).sum()),
        method=f"sign flip of clusters, {'all' if exact else 'drawn'} patterns: {looked}",
    )


def cluster_sums(values: Floats, code: Codes) -> Floats:
    """Return the sums of the clusters that have rows, by size of the sum, with rounding noise around 0 taken as 0."""
    sums = totals(values, code).sums
    sizes = totals(np.abs(values), code).sums
    return np.sort(np.where(np.abs(sums) <= 1e-12 * sizes, 0.0, sums))


def _count_all(sums: Floats) -> tuple[int, int]:
    """Return how many of all sign patterns reach the sum seen, and how many there are."""
    reached = np.zeros(1)
    for value in sums:
        reached = np.concatenate([reached + value, reached - value])
    return _hits(reached, sums), reached.size


def _count_drawn(sums: Floats, draws: int) -> tuple[int, int]:
    random = generator("sign flip", draws, sums)
    hits, left = 0, draws
    while left:
        rows = min(left, max(1, CHUNK // sums.size))
        signs = np.where(random.random((rows, sums.size)) < 0.5, -1.0, 1.0)
        hits += _hits(signs @ sums, sums)
        left -= rows
    return hits, draws


def _hits(reached: Floats, sums: Floats) -> int:
    """Count sums as large as the one seen; a tie that rounding parts is still a tie."""
    return int(np.sum(np.abs(reached) >= abs(sums.sum()) - 1e-10 * np.abs(sums).sum()))
