"""The completion points of the sampled functions: one of each level, then second ones until there are enough."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from tasks.contract import Dropped, Map
from tasks.ids import digest
from tasks.mining.completion import LEVELS, Level, Point, points
from tasks.mining.records import MinedProject

Row = Mapping[str, Any]
CHUNK = 32


class Asked(NamedTuple):
    """One function whose points are to be drawn."""

    text: str
    language: str
    key: str
    macros: tuple[str, ...]


def draw(
    rows: Sequence[Row], projects: Mapping[str, MinedProject], wanted: int, map: Map
) -> tuple[dict[str, list[Point]], list[Dropped], int]:
    """Return the points of each function by its id, the points not taken, and how many there were.

    Every function keeps its first point of each level. Second points are taken in the order of a hash until `wanted`
    points are reached, so functions carry one or two points a level.
    """
    asked = [
        Asked(row["text"], row["language"], row["function_id"], projects[row["project_id"]].source.macros)
        for row in rows
    ]
    chunks = [asked[start : start + CHUNK] for start in range(0, len(asked), CHUNK)]
    found = [one for chunk in map(_points, chunks, "completion points") for one in chunk]

    first: dict[str, list[Point]] = {}
    second: list[tuple[str, Row, Point]] = []
    for row, levels in zip(rows, found, strict=True):
        function_id = row["function_id"]
        first[function_id] = [levels[level][0] for level in LEVELS if levels[level]]
        for level in LEVELS:
            second += [(digest("second point", function_id, level), row, point) for point in levels[level][1:]]
    second.sort(key=lambda one: one[0])
    firsts = sum(len(one) for one in first.values())
    missing = max(wanted - firsts, 0)
    for _, row, point in second[:missing]:
        first[row["function_id"]].append(point)
    left = [
        Dropped(
            stage="completion",
            item=f"{row['function_id']}:{point.start_byte}-{point.end_byte}",
            reason="not_drawn",
            detail=point.level,
            project_id=row["project_id"],
        )
        for _, row, point in second[missing:]
    ]
    return first, left, firsts + len(second)


def _points(chunk: Sequence[Asked]) -> list[dict[Level, list[Point]]]:
    return [points(one.text, one.language, one.key, macros=one.macros) for one in chunk]
