"""Which mined functions can be asked for: the project's own, readable, neither trivial nor a copy, and gradable."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import pyarrow as pa

from tasks.contract import Map
from tasks.grading.c_library import in_library
from tasks.grading.facts import facts
from tasks.inference.tokens import estimate
from tasks.mining import names
from tasks.mining.records import MinedProject

Row = Mapping[str, Any]
Fault = tuple[Row, str, str]

FLAGS = ("test", "vendored", "generated", "has_error", "trivial")
"""Columns of `functions` that rule a row out, in the order in which the first true one is the reason."""

KNOWN_COLUMNS = ("project_id", "name", "origin")

CHUNK = 64


class Reading(NamedTuple):
    """Functions of one project for one call of the map, and what is needed to judge them."""

    rows: list[tuple[str, str, str]]
    """name, text, language"""
    macros: tuple[str, ...]
    known: frozenset[str]
    max_tokens: int


def place(row: Row) -> tuple[str, str, int, str]:
    """Return the order of functions everywhere in a build: project, path, span."""
    return row["project_id"], row["path"], row["start_byte"], row["function_id"]


def load(projects: Mapping[str, MinedProject]) -> list[Row]:
    """Return the functions of all projects in order, copies across projects marked."""
    import pyarrow.parquet as pq

    from tasks.mining import duplicates

    tables = [pq.read_table(projects[project_id].functions) for project_id in sorted(projects)]
    rows: list[Row] = [row for table in duplicates.mark(tables) for row in table.to_pylist()]
    return sorted(rows, key=place)


def known_names(projects: Mapping[str, MinedProject], map: Map) -> dict[str, dict[str, str]]:
    """Return, for each project, the names that its code may call and where each is from."""
    return {project_id: names.known_names(projects[project_id], map) for project_id in sorted(projects)}


def known_table(known: Mapping[str, Mapping[str, str]]) -> pa.Table:
    """Return the companion table `known_names`: project_id, name, origin."""
    rows = [(project_id, name, origin) for project_id, found in known.items() for name, origin in found.items()]
    return pa.table(
        {column: pa.array([row[at] for row in rows], pa.string()) for at, column in enumerate(KNOWN_COLUMNS)}
    )


def unfit(rows: Sequence[Row]) -> Iterator[Fault]:
    """Yield the functions that their flags rule out."""
    for row in rows:
        flag = next((name for name in FLAGS if row[name]), None)
        if flag is not None:
            yield row, flag, ""
        elif row["duplicate_of"] is not None:
            yield row, "duplicate", row["duplicate_of"]


def near_duplicates(rows: Sequence[Row]) -> Iterator[Fault]:
    """Yield the functions that nearly repeat another, with the id of the original."""
    from tasks.curation import near_duplicates

    marked = near_duplicates.mark(rows)
    for row in rows:
        if row["function_id"] in marked:
            yield row, "near_duplicate", marked[row["function_id"]]


def unreadable(
    rows: Sequence[Row],
    projects: Mapping[str, MinedProject],
    known: Mapping[str, Mapping[str, str]],
    map: Map,
    max_tokens: int,
) -> Iterator[Fault]:
    """Yield the functions that could not pass their own checks, so that sampling draws from those that do."""
    groups: list[list[Row]] = []
    for project_id in sorted(projects):
        own = [row for row in rows if row["project_id"] == project_id]
        groups += [own[start : start + CHUNK] for start in range(0, len(own), CHUNK)]
    readings = [
        Reading(
            rows=[(row["name"], row["text"], row["language"]) for row in group],
            macros=projects[group[0]["project_id"]].source.macros,
            known=_needed(group, known[group[0]["project_id"]]),
            max_tokens=max_tokens,
        )
        for group in groups
    ]
    for group, faults in zip(groups, map(_read, readings, "reading functions"), strict=True):
        for row, fault in zip(group, faults, strict=True):
            if fault is not None:
                yield row, *fault


def _needed(group: Sequence[Row], known: Mapping[str, str]) -> frozenset[str]:
    """Return those known names that stand in a group's texts: all of them would be a megabyte a chunk."""
    words = {word for row in group for word in names.called_names(row["text"].encode())}
    return frozenset(word for word in words if word in known)


def _read(reading: Reading) -> list[tuple[str, str] | None]:
    return [_fault(reading, *row) for row in reading.rows]


def _fault(reading: Reading, name: str, text: str, language: str) -> tuple[str, str] | None:
    tokens = estimate(text)
    if tokens > reading.max_tokens:
        return "too_long", f"{tokens} tokens"
    seen = facts(text, language, name=name, macros=reading.macros)
    if seen.fault is not None:
        return "does_not_parse_alone", f"line {seen.fault.line}: {seen.fault.text}"
    if not seen.found or seen.functions != 1:
        return "not_one_function", f"{seen.functions} functions, {name} {'found' if seen.found else 'not found'}"
    if not seen.substantive:
        return "does_nothing", ""
    for call in seen.calls:
        if call.name not in reading.known | seen.defined and not in_library(call.name, language):
            return "unknown_call", call.name
    return None
