"""The audit as tables: one row a check for files, one row a layer for people, and the checks worth a look."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.csv as pacsv
import pyarrow.parquet as pq

from corpora.firmware.audit.checks import Audited, CaseAudited
from warehouse.errors import UsageError

SCHEMA = pa.schema(
    [
        pa.field("case", pa.string(), nullable=False),
        pa.field("category", pa.string(), nullable=False),
        pa.field("layer", pa.string(), nullable=False),
        pa.field("check", pa.string(), nullable=False),
        pa.field("passes_reference", pa.bool_(), nullable=False),
        pa.field("survives_layout", pa.bool_()),
        pa.field("hidden", pa.int32(), nullable=False),
        pa.field("passes_hidden", pa.int32(), nullable=False),
        pa.field("seeded", pa.int32(), nullable=False),
        pa.field("fired_on", pa.list_(pa.string()), nullable=False),
        pa.field("line_mutants", pa.int32(), nullable=False),
        pa.field("killed", pa.int32(), nullable=False),
        pa.field("kill_rate", pa.float64()),
        pa.field("never_fires", pa.bool_(), nullable=False),
        pa.field("fires_on_no_code", pa.bool_(), nullable=False),
        pa.field("always_fires", pa.bool_(), nullable=False),
        pa.field("disagreements", pa.list_(pa.string())),
    ]
)


def row(item: Audited) -> dict[str, Any]:
    """Return a check's row in SCHEMA."""
    return {
        "case": item.case, "category": item.category, "layer": item.layer, "check": item.check,
        "passes_reference": item.passes_reference, "survives_layout": item.survives_layout, "hidden": item.hidden,
        "passes_hidden": item.passes_hidden, "seeded": item.seeded, "fired_on": list(item.fired_on),
        "line_mutants": item.lines, "killed": item.killed,
        "kill_rate": item.killed / item.lines if item.lines else None, "never_fires": item.never_fires,
        "fires_on_no_code": item.fires_on_no_code, "always_fires": item.always_fires,
        "disagreements": None if item.disagreements is None else list(item.disagreements),
    }  # fmt: skip


def write(items: Iterable[Audited], path: Path) -> None:
    """Write one row a check, as Parquet or CSV by the path's ending; raises UsageError for another."""
    table = pa.Table.from_pylist([row(item) for item in items], schema=SCHEMA)
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.suffix == ".parquet":
        pq.write_table(table, path)
    elif path.suffix == ".csv":
        lists = [name for name in SCHEMA.names if pa.types.is_list(SCHEMA.field(name).type)]
        for name in lists:
            texts = [None if value is None else "; ".join(value) for value in table[name].to_pylist()]
            table = table.set_column(SCHEMA.names.index(name), name, pa.array(texts, pa.string()))
        pacsv.write_csv(table, path)
    else:
        raise UsageError(f"The audit is written as .parquet or .csv, not as {path.name}.")


@dataclass(frozen=True)
class Line:
    """One row of the table for people: a question, and how many checks of each layer have that answer."""

    question: str
    holds: Callable[[Audited], bool]
    asked: Callable[[Audited], bool] = lambda item: True


QUESTIONS: tuple[Line, ...] = (
    Line("checks", lambda item: True),
    Line("pass on the reference", lambda item: item.passes_reference),
    Line(
        "say the same of every other layout",
        lambda item: item.survives_layout is True,
        lambda item: item.survives_layout is not None,
    ),
    Line("pass on a text without live code", lambda item: item.passes_hidden > 0, lambda item: item.hidden > 0),
    Line("fire on a seeded bug", lambda item: bool(item.fired_on), lambda item: item.seeded > 0),
    Line("fire on a one-line mutant", lambda item: item.killed > 0, lambda item: item.lines > 0),
    Line("fire on no text that has code", lambda item: item.fires_on_no_code),
    Line("never fire", lambda item: item.never_fires),
    Line("always fire", lambda item: item.always_fires),
    Line(
        "fail where the run passes",
        lambda item: bool(item.disagreements),
        lambda item: item.disagreements is not None,
    ),
)  # fmt: skip


def summary(items: Sequence[Audited]) -> list[list[str]]:
    """Return header and rows: per question and layer, how many checks of how many that could be asked.

    Checks that come with the harness stand apart: they hold what no case has to ask.
    """
    groups: dict[str, list[Audited]] = {name: [] for name in ("static", "compile", "runtime", "heuristic", "harness")}
    for item in items:
        groups["harness" if item.is_harness else item.layer].append(item)
    groups = {name: group for name, group in groups.items() if group}
    rows = [["", *groups]]
    for line in QUESTIONS:
        cells = [line.question]
        for group in groups.values():
            asked = [item for item in group if line.asked(item)]
            held = sum(map(line.holds, asked))
            cells.append("" if not asked else str(held) if line is QUESTIONS[0] else f"{held} of {len(asked)}")
        rows.append(cells)
    return rows


def kills(cases: Sequence[CaseAudited]) -> list[list[str]]:
    """Return header and rows: per category, which share of one-line mutants is seen by reading, and with the run."""
    rows = [["category", "cases", "mutants", "seen by reading", "seen at all"]]
    groups = sorted({case.category for case in cases})
    for name in [*groups, "all"]:
        own = [case for case in cases if name in ("all", case.category)]
        lines = sum(case.lines for case in own)
        shares = [sum(case.killed_by_reading for case in own), sum(case.killed for case in own)]
        rows.append([name, str(len(own)), str(lines), *(f"{share / lines:.0%}" if lines else "" for share in shares)])
    return rows


def texts(cases: Sequence[CaseAudited]) -> list[list[str]]:
    """Return header and rows: how many cases pass on each text that is no mutant, and whether they should."""
    names = dict.fromkeys((kind, name) for case in cases for kind, name, _ in case.passed)
    rows = [["the reference", "should", "passes"]]
    for kind, name in names:
        passed = [held for case in cases for other, text, held in case.passed if (other, text) == (kind, name)]
        should = "pass" if kind == "layout" else "fail"
        rows.append([name.removeprefix("reference "), should, f"{sum(passed)} of {len(passed)}"])
    return rows


def survivors(cases: Sequence[CaseAudited]) -> list[list[str]]:
    """Return header and rows: the one-line mutants that pass every check of their case."""
    return [["case", "passes with"], *([case.case, name] for case in cases for name in case.survivors)]


def findings(items: Sequence[Audited]) -> list[list[str]]:
    """Return header and rows: the checks that something is wrong with, worst first.

    A check of behaviour may well pass where there is no code, and so may one of a configuration: what counts there is
    that the case as a whole fails (`texts`).
    """
    rows = []
    for item in items:
        if item.is_harness:
            continue
        faults = []
        if not item.passes_reference:
            faults.append("fails the reference")
        if item.survives_layout is False:
            faults.append("depends on the layout")
        if item.passes_hidden and item.disagreements is None:
            faults.append(f"passes on {item.passes_hidden} of {item.hidden} texts without live code")
        if item.never_fires:
            faults.append("never fires")
        elif item.fires_on_no_code:
            faults.append("fires on no text that has code")
        if item.disagreements:
            faults.append(f"fails on {len(item.disagreements)} mutants that run well")
        if faults:
            rows.append([item.case, item.layer, item.check, "; ".join(faults)])
    return [["case", "layer", "check", "finding"], *sorted(rows, key=lambda cells: (-cells[3].count(";"), *cells))]
