"""The failures of tests/stats/data/seeded_failures.toml, each with the bug that was seeded."""

import tomllib
from functools import cache
from pathlib import Path
from typing import NamedTuple

from warehouse.stats.taxonomy import Failure, classify

PARTS = ("captured", "written", "held_out")


class Seeded(NamedTuple):
    part: str
    cause: str
    failure: Failure


@cache
def seeded_failures() -> tuple[Seeded, ...]:
    table = tomllib.loads((Path(__file__).parent / "data" / "seeded_failures.toml").read_text(encoding="utf-8"))
    found = []
    for row in table["failure"]:
        base = table["base"].get(row.get("base"), {})
        code = row.get("code", "")
        if base:
            assert row["old"] in base["code"], row
            code = base["code"].replace(row["old"], row.get("new", ""), 1)
            code += row["old"] if row.get("moved_to_end") else ""
        failure = Failure(
            layer=row["layer"],
            check=row["check"],
            saw=row["saw"],
            code=code,
            platform=row.get("platform", base.get("platform")),
        )
        found.append(Seeded(row["part"], row["cause"], failure))
    return tuple(found)


def parts(*names: str) -> tuple[list[str], list[str]]:
    """Return the causes and the patterns found of the failures of some parts."""
    rows = [row for row in seeded_failures() if row.part in (names or PARTS)]
    return [row.cause for row in rows], [classify(row.failure).pattern for row in rows]
