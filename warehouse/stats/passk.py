"""pass@k, that one of k attempts passes, and pass^k, that all of them do, from n attempts of which c passed.

Both are the unbiased estimators (Chen et al., arXiv 2107.03374; Yao et al., arXiv 2406.12045), and None for n < k:
fewer attempts than k carry no estimate, least of all that of a smaller k.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from warehouse.errors import WarehouseError
from warehouse.stats.clustered import clustered_mean
from warehouse.stats.columns import Column, Nulls, check_count, codes, floats, kept, same_length
from warehouse.stats.estimate import Estimate
from warehouse.stats.proportions import binary

Kind = Literal["any", "all"]


def pass_at_k(n: int, c: int, k: int) -> float | None:
    """Return 1 − C(n−c, k)/C(n, k): the chance that k of n attempts hold one of the c that passed; None for n < k."""
    _check(n, c, k)
    return (math.comb(n, k) - math.comb(n - c, k)) / math.comb(n, k) if n >= k else None


def pass_hat_k(n: int, c: int, k: int) -> float | None:
    """Return C(c, k)/C(n, k): the chance that k of n attempts are all among the c that passed; None for n < k."""
    _check(n, c, k)
    return math.comb(c, k) / math.comb(n, k) if n >= k else None


SINGLE: dict[Kind, Callable[[int, int, int], float | None]] = {"any": pass_at_k, "all": pass_hat_k}


@dataclass(frozen=True, slots=True, kw_only=True)
class PassK:
    """pass@k (`kind` any) or pass^k (all) over samples, with what a reader needs to trust it.

    `figure` is None where the attempts do not carry it, and `reason` says why. `n_samples` counts the samples in the
    figure and `n_short` those with fewer than k attempts; `n_attempts` counts attempts and `n_null` those left out
    because nothing was measured; `min_attempts` and `max_attempts` are over all samples.
    """

    k: int
    kind: Kind
    figure: Estimate | None
    n_samples: int
    n_short: int
    n_attempts: int
    n_null: int
    min_attempts: int
    max_attempts: int
    reason: str | None = None


def pass_k(passed: Column, samples: Column, k: int, *, kind: Kind = "any", clusters: Column | None = None,
           short: Literal["refuse", "omit"] = "refuse", level: float = 0.95,
           nulls: Nulls = "refuse") -> PassK:  # fmt: skip
    """Return the mean over samples of pass@k or pass^k, with the interval of clusters of samples.

    One row an attempt: `passed` (0 and 1), its sample, and the cluster of its sample (the sample itself if not given).
    The figure is None if any sample has fewer than k measured attempts; `short="omit"` leaves such samples out and
    counts them, which is fair only where attempts are missing for reasons that have nothing to do with the sample.
    A sample all of whose attempts are null counts as one with no attempts. Raises WarehouseError for a sample in two
    clusters and as `warehouse.stats.clustered.clustered_mean` does.
    """
    check_count("k", k, 1)
    if kind not in SINGLE or short not in ("refuse", "omit"):
        raise WarehouseError(f"kind is {kind!r} and short {short!r}; give 'any' or 'all', and 'refuse' or 'omit'.")
    column = binary("passed", floats("passed", passed))
    sample = codes("samples", samples)
    cluster = sample if clusters is None else codes("clusters", clusters)
    same_length(passed=column, samples=sample, clusters=cluster)
    keep = ~np.isnan(column)
    if nulls != "omit" or keep.any():
        keep = kept(nulls, passed=column)
    count = int(sample.max()) + 1
    attempts = np.bincount(sample[keep], minlength=count)
    passes = np.bincount(sample[keep], weights=column[keep], minlength=count).astype(np.int64)
    of = np.zeros(count, np.int64)
    of[sample] = cluster
    if (of[sample] != cluster).any():
        row = int((of[sample] != cluster).argmax())
        raise WarehouseError(f"The sample of row {row} is in two clusters; a sample belongs to one.")
    enough = attempts >= k
    n_short, fewest = int((~enough).sum()), int(attempts.min())
    reason = None
    if not enough.any() or (n_short and short == "refuse"):
        reason = f"{n_short} of {count} samples have fewer than k = {k} measured attempts, the fewest {fewest}"
    figure = None
    if reason is None:
        counts = zip(attempts[enough].tolist(), passes[enough].tolist(), strict=True)
        values = [SINGLE[kind](n, c, k) for n, c in counts]
        figure = clustered_mean(values, of[enough], level=level)
    return PassK(k=k, kind=kind, figure=figure, n_samples=int(enough.sum()), n_short=n_short,
                 n_attempts=int(attempts.sum()), n_null=int((~keep).sum()), min_attempts=fewest,
                 max_attempts=int(attempts.max()), reason=reason)  # fmt: skip


def _check(n: int, c: int, k: int) -> None:
    check_count("n", n, 0)
    check_count("c", c, 0)
    check_count("k", k, 1)
    if c > n:
        raise WarehouseError(f"{c} of {n} attempts cannot have passed; swap n and c?")
