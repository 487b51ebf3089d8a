"""Stratified sampling by length, with the strata and shares of the paper's section III-B, "Function Sampling"."""

from collections.abc import Callable, Iterable, Mapping
from itertools import pairwise
from typing import NamedTuple, TypeVar

from tasks.ids import digest
from warehouse.errors import CorpusError


class Stratum(NamedTuple):
    """Functions of more than `above` and at most `up_to` lines; `percent` of a sample should be such."""

    name: str
    above: int
    up_to: int | None
    percent: int


STRATA: tuple[Stratum, ...] = (
    Stratum("[0,20]", -1, 20, 20),
    Stratum("(20,50]", 20, 50, 30),
    Stratum("(50,100]", 50, 100, 30),
    Stratum("(100,200]", 100, 200, 15),
    Stratum("(200,∞)", 200, None, 5),
)

GROUP_FLOOR = 4
"""In a stratum each project weighs at least one `GROUP_FLOOR`-th of an equal share, however small it is."""

T = TypeVar("T")
K = TypeVar("K")


def stratum_of(loc: int) -> str:
    """Return the name of the stratum of a function of `loc` lines; raises CorpusError for a negative length."""
    for stratum in STRATA:
        if stratum.above < loc and (stratum.up_to is None or loc <= stratum.up_to):
            return stratum.name
    raise CorpusError(f"A function cannot have {loc} lines; count its lines from 0.")


def apportion(weights: Mapping[K, int], available: Mapping[K, int], size: int) -> dict[K, int]:
    """Share `size` among keys in proportion to their weights, none getting more than is available.

    What a short key cannot take is shared among the others in proportion to their weights, again until nothing is
    left over; then largest remainders round, ties going to the greater weight and then to the earlier key of
    `weights`. The total is `min(size, what is available to keys of positive weight)`. Integers only, so exact.
    """
    taken = dict.fromkeys(weights, 0)
    open_keys = [key for key in weights if weights[key] > 0 and available.get(key, 0) > 0]
    rest = max(size, 0)
    while open_keys:
        total = sum(weights[key] for key in open_keys)
        short = [key for key in open_keys if rest * weights[key] > available[key] * total]
        if not short:
            break
        for key in short:
            taken[key] = available[key]
            rest -= available[key]
        open_keys = [key for key in open_keys if key not in short]
    if not open_keys:
        return taken

    total = sum(weights[key] for key in open_keys)
    for key in open_keys:
        taken[key] = rest * weights[key] // total
    by_remainder = sorted(open_keys, key=lambda key: (-(rest * weights[key] % total), -weights[key]))
    for key in by_remainder[: rest - sum(taken[key] for key in open_keys)]:
        taken[key] += 1
    return taken


def quotas(available: Mapping[str, int], size: int) -> dict[str, int]:
    """Return how many functions to take of each stratum, given how many there are.

    A short stratum's quota goes to the others in proportion to their shares (`apportion`). The total is
    `min(size, sum(available))`. Raises CorpusError for a stratum that does not exist.
    """
    names = {stratum.name for stratum in STRATA}
    unknown = sorted(set(available) - names)
    if unknown:
        raise CorpusError(f"There is no stratum {unknown[0]!r}; name strata as `stratum_of` does.")
    return apportion({stratum.name: stratum.percent for stratum in STRATA}, available, size)


def sample(
    items: Iterable[T],
    size: int,
    *,
    key: Callable[[T], str],
    stratum: Callable[[T], str],
    group: Callable[[T], str],
    group_quotas: Mapping[str, int] | None = None,
) -> tuple[list[T], list[T]]:
    """Choose `size` items over the strata and return (chosen, left), both in the order of the hash of their keys.

    `key` names an item, `stratum` and `group` (its project) place it. `group_quotas` caps the items of a project;
    without a cap a project's part of a stratum is proportional to what it has there, but weighs at least
    1/`GROUP_FLOOR` of an equal share, so that a small project beside a huge one still shows. The strata's quotas
    are exact for what the caps leave; which items fill them depends on nothing but the keys. Raises CorpusError when
    two items have one key.
    """
    ordered = sorted(((digest(key(item)), item) for item in items), key=lambda pair: pair[0])
    for (one, item), (other, _) in pairwise(ordered):
        if one == other:
            raise CorpusError(f"Two items to sample from are both called {key(item)!r}; give each its own key.")
    pool = [item for _, item in ordered]

    chosen: set[int] = set()
    cells = _cells(pool, _capped(pool, stratum, group, group_quotas or {}), stratum, group)
    wanted = quotas({name: sum(map(len, groups.values())) for name, groups in cells.items()}, size)
    for name, groups in cells.items():
        have = {project: len(places) for project, places in groups.items()}
        for project, count in apportion(_weights(have), have, wanted[name]).items():
            chosen.update(groups[project][:count])
    return (
        [item for place, item in enumerate(pool) if place in chosen],
        [item for place, item in enumerate(pool) if place not in chosen],
    )


def _weights(have: Mapping[str, int]) -> dict[str, int]:
    """Weigh projects by what they have, but none below 1/GROUP_FLOOR of the mean; scaled to stay integers."""
    scale = GROUP_FLOOR * len(have)
    return {project: max(count * scale, sum(have.values())) for project, count in have.items()}


def _cells(
    pool: list[T], places: Iterable[int], stratum: Callable[[T], str], group: Callable[[T], str]
) -> dict[str, dict[str, list[int]]]:
    """Sort places of the pool by stratum and project, names in order, so that ties do not depend on the items."""
    cells: dict[str, dict[str, list[int]]] = {}
    for place in places:
        cells.setdefault(stratum(pool[place]), {}).setdefault(group(pool[place]), []).append(place)
    return {name: dict(sorted(groups.items())) for name, groups in sorted(cells.items())}


def _capped(
    pool: list[T], stratum: Callable[[T], str], group: Callable[[T], str], caps: Mapping[str, int]
) -> list[int]:
    """Leave of each capped project only its cap, itself a stratified sample, so that no later step can exceed it."""
    kept = []
    members: dict[str, dict[str, list[int]]] = {}
    for place, item in enumerate(pool):
        if group(item) in caps:
            members.setdefault(group(item), {}).setdefault(stratum(item), []).append(place)
        else:
            kept.append(place)
    for project, strata in members.items():
        for name, count in quotas({name: len(places) for name, places in strata.items()}, caps[project]).items():
            kept += strata.get(name, [])[:count]
    return sorted(kept)
