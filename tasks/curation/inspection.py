"""What a release holds and how two differ, as data for `firmbench corpus show` and `diff`. Reads columns only."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tasks.curation.manifest import AREA, manifest_of
from tasks.curation.strata import STRATA
from warehouse.layout import Layout
from warehouse.reader import read

GROUPS = ("category", "stratum", "project_id", "family", "domain", "difficulty", "licence", "language")
"""Columns whose values a release is counted by."""

PLACES: tuple[tuple[str, ...], ...] = (
    ("category", "project_id", "family", "path", "reference"),
    ("category", "project_id", "family", "path", "start_byte"),
)
"""Two samples of different ids are one changed question when they agree on the first of these, else on the second."""


_LENGTH_ORDER = {stratum.name: position for position, stratum in enumerate(STRATA)}


@dataclass(frozen=True)
class Diff:
    """How release `b` differs from `a`, as sample ids. `counts` holds, by column and value, (in a, in b)."""

    a: str
    b: str
    added: list[str]
    removed: list[str]
    changed: list[tuple[str, str]]
    same: int
    counts: dict[str, dict[str, tuple[int, int]]]


@dataclass(frozen=True)
class Summary:
    """One release in numbers. `context` is the mean number of items a sample, by kind; `stages` are rows in order."""

    release: str
    manifest: dict[str, Any]
    counts: dict[str, dict[str, int]]
    context: dict[str, float]
    stages: list[dict[str, Any]]
    reasons: dict[str, dict[str, int]]


def diff(layout: Layout, a: str, b: str) -> Diff:
    """Compare two releases; raises CorpusError when one does not exist."""
    before, after = _samples(layout, a), _samples(layout, b)
    shared = before.keys() & after.keys()
    removed = [row for sample_id, row in before.items() if sample_id not in shared]
    added = [row for sample_id, row in after.items() if sample_id not in shared]
    changed: list[tuple[str, str]] = []
    for place in PLACES:
        pairs, removed, added = _paired(place, removed, added)
        changed += pairs
    counts = {}
    for column in GROUPS:
        ours, theirs = _count(column, before), _count(column, after)
        values = sorted(ours.keys() | theirs.keys(), key=_order)
        counts[column] = {value: (ours[value], theirs[value]) for value in values}
    return Diff(
        a,
        b,
        added=sorted(row["sample_id"] for row in added),
        removed=sorted(row["sample_id"] for row in removed),
        changed=sorted(changed),
        same=len(shared),
        counts={column: values for column, values in counts.items() if values},
    )


def describe(layout: Layout, release: str) -> Summary:
    """Count a release by everything it can be grouped by; raises CorpusError when it does not exist."""
    samples = _samples(layout, release)
    items = read(layout, "context_items", ["kind"], area=AREA, batch=release)["kind"].to_pylist()
    reasons: dict[str, Counter[str]] = defaultdict(Counter)
    for row in read(layout, "dropped", ["stage", "reason"], area=AREA, batch=release).to_pylist():
        reasons[row["stage"]][row["reason"]] += 1
    counts = {column: _sorted(_count(column, samples)) for column in GROUPS}
    return Summary(
        release,
        manifest=manifest_of(layout, release),
        counts={column: values for column, values in counts.items() if values},
        context={kind: count / len(samples) for kind, count in sorted(Counter(items).items())},
        stages=read(layout, "stages", area=AREA, batch=release).sort_by("position").to_pylist(),
        reasons={stage: dict(sorted(found.items())) for stage, found in sorted(reasons.items())},
    )


def _samples(layout: Layout, release: str) -> dict[str, dict[str, Any]]:
    manifest_of(layout, release)
    columns = ["sample_id", *GROUPS, "path", "start_byte", "reference"]
    rows = read(layout, "samples", columns, area=AREA, batch=release).to_pylist()
    return {row["sample_id"]: row for row in rows}


def _paired(
    place: Sequence[str], removed: list[dict[str, Any]], added: list[dict[str, Any]]
) -> tuple[list[tuple[str, str]], list[dict[str, Any]], list[dict[str, Any]]]:
    """Pair rows that stand at one place, in order, and return the pairs and what is left of both lists."""
    waiting: dict[tuple, list[dict[str, Any]]] = defaultdict(list)
    for row in reversed(removed):
        waiting[tuple(row[column] for column in place)].append(row)
    pairs, rest = [], []
    for row in added:
        partners = waiting[tuple(row[column] for column in place)]
        if partners:
            pairs.append((partners.pop()["sample_id"], row["sample_id"]))
        else:
            rest.append(row)
    left = {row["sample_id"] for rows in waiting.values() for row in rows}
    return pairs, [row for row in removed if row["sample_id"] in left], rest


def _order(value: str) -> tuple[int, str]:
    """Sort strata by length, which their names do not, and everything else by name."""
    return _LENGTH_ORDER.get(value, 0), value


def _sorted(counts: Counter[str]) -> dict[str, int]:
    return {value: counts[value] for value in sorted(counts, key=_order)}


def _count(column: str, samples: dict[str, dict[str, Any]]) -> Counter[str]:
    return Counter(row[column] for row in samples.values() if row[column] is not None)
