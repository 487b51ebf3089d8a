"""Reading EmbedEval's run archives and failure lists: text and JSON in, runs out; nothing is judged here."""

import csv
import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from warehouse.errors import WarehouseError
from warehouse.importers.embedeval_cases import LAYERS
from warehouse.importers.landing import read_json

REPORT, SUMMARY, DETAILS = "report.md", "summary.json", "details"
FOLDER = re.compile(r"(?P<date>\d{4}-\d\d-\d\d)_(?P<model>.+?)(?:_n(?P<number>\d+))?")
FAILED = re.compile(r"\| `(?P<case>[^`]+)` \| (?P<category>[^|]+) \| (?P<layer>[^|]+) \| (?P<checks>[^|]*) \|")
FIELD = re.compile(r"\| (?P<name>Model|Total Cases|Passed|Failed) \| (?P<value>[^|]+) \|")
WRITTEN = re.compile(r"\*\*Date:\*\* (\d{4}-\d\d-\d\d \d\d:\d\d) UTC")
PATTERNS = "## Failure Patterns"


class Disagreement(WarehouseError):
    """The files of one run contradict each other."""


class Failure(NamedTuple):
    """A failed case: its category, the layer in our words (None where none is named), and the checks that failed."""

    category: str
    layer: str | None
    checks: tuple[str, ...]


class Run(NamedTuple):
    """One run over all cases once. `categories` are (category, cases), empty where no summary counts them."""

    name: str
    date: str
    model: str
    attempt: int
    total: int
    categories: tuple[tuple[str, int], ...]
    failures: Mapping[str, Failure]
    details: Mapping[str, Mapping[str, Any]]
    scenario: str = "generation"
    written_at: datetime | None = None


class Group(NamedTuple):
    """Runs of one day over one set of cases: what can be counted together."""

    date: str
    total: int
    categories: tuple[tuple[str, int], ...]
    runs: tuple[Run, ...]


def runs_of(path: Path) -> tuple[list[Run], dict[str, str]]:
    """Return the runs whose `report.md` is in `path` or below it, and by folder name why others are not believed.

    A report that was overwritten by a later, smaller run no longer agrees with its summary.
    Raises WarehouseError where there is no report, or none that can be believed.
    """
    reports = sorted(path.glob(f"**/{REPORT}"))
    if not reports:
        raise WarehouseError(f"{path} holds no {REPORT} of an EmbedEval run; give a run's folder or one of several.")
    runs, refused = [], {}
    for report in reports:
        try:
            runs.append(_run(report.parent, report.read_text(encoding="utf-8")))
        except Disagreement as reason:
            refused[report.parent.name] = str(reason)
    if not runs:
        raise WarehouseError(f"{path}: {next(iter(refused.values()))}")
    return runs, refused


def table_of(path: Path) -> list[Run]:
    """Return the runs of a CSV of failures: model, run, case_id, category, failed_layer, failed_checks."""
    counts = path.with_name(path.name.replace("_failures.csv", "_categories.csv"))
    if counts == path or not counts.is_file():
        raise WarehouseError(f"{path} is not a list …_failures.csv with its …_categories.csv beside it.")
    categories = tuple(sorted((row["category"], int(row["cases"])) for row in _csv(counts)))
    date = (re.search(r"\d{4}-\d\d-\d\d", path.name) or [path.stem])[0]
    failures: dict[tuple[str, int], dict[str, Failure]] = {}
    for row in _csv(path):
        cases = failures.setdefault((row["model"], int(row["run"])), {})
        cases[row["case_id"]] = Failure(row["category"], _layer(row["failed_layer"]), _names(row["failed_checks"]))
    total = sum(cases for _, cases in categories)
    return [
        Run(f"{model}_n{number}", date, model, number, total, categories, failed, {})
        for (model, number), failed in sorted(failures.items())
    ]


def grouped(runs: Iterable[Run]) -> list[Group]:
    """Return the runs by day and case set; runs of one model that bear one number are numbered by their names."""
    groups: dict[tuple[str, int, tuple[tuple[str, int], ...]], list[Run]] = {}
    for run in runs:
        groups.setdefault((run.date, run.total, run.categories), []).append(run)
    return [Group(*key, tuple(_numbered(groups[key]))) for key in sorted(groups)]


def _numbered(runs: list[Run]) -> Iterator[Run]:
    taken: set[tuple[str, str, int]] = set()
    for run in sorted(runs, key=lambda run: (run.model, run.scenario, run.attempt, run.name)):
        attempt = run.attempt
        while (run.model, run.scenario, attempt) in taken:
            attempt += 1
        taken.add((run.model, run.scenario, attempt))
        yield run._replace(attempt=attempt)


def _run(folder: Path, report: str) -> Run:
    fields = {match["name"]: match["value"].strip() for match in FIELD.finditer(report)}
    failures = {
        match["case"]: Failure(match["category"].strip(), _layer(match["layer"]), _names(match["checks"]))
        for match in FAILED.finditer(report.split(PATTERNS)[0])
    }
    summary = read_json(folder / SUMMARY) if (folder / SUMMARY).is_file() else {}
    name = FOLDER.fullmatch(folder.name)
    written = WRITTEN.search(report)
    model = summary.get("model") or fields.get("Model")
    if model is None or "Total Cases" not in fields:
        raise WarehouseError(f"{folder / REPORT} is not a report of an EmbedEval run: it has no summary of its cases.")
    total = int(fields["Total Cases"])
    given = {"failures in its list": len(failures), "failures in its table": int(fields.get("Failed", len(failures))),
             "failures in its summary": summary.get("failed", len(failures))}  # fmt: skip
    cases = {"cases in its table": total, "cases in its summary": summary.get("total_results", total)}
    for counts in (given, cases):
        if len(set(counts.values())) > 1:
            told = ", ".join(f"{count} {what}" for what, count in counts.items())
            raise Disagreement(f"the report of {folder.name} counts {told}; these are not of one run.")
    counted = tuple(sorted((row["category"], int(row["total_cases"])) for row in summary.get("categories") or ()))
    return Run(
        name=folder.name,
        date=name["date"] if name else (written[1][:10] if written else str(summary.get("date") or "undated")),
        model=model,
        attempt=int(name["number"] or 1) if name else 1,
        total=total,
        categories=counted,
        failures=failures,
        details={detail["case_id"]: detail for detail in map(read_json, sorted(folder.glob(f"{DETAILS}/*.json")))},
        scenario=summary.get("scenario") or "generation",
        written_at=datetime.strptime(written[1], "%Y-%m-%d %H:%M").replace(tzinfo=UTC) if written else None,
    )


def _layer(text: str) -> str | None:
    return LAYERS.get(text.strip(), None if text.strip() in ("", "?") else text.strip())


def _names(text: str) -> tuple[str, ...]:
    return tuple(name for part in text.split(",") if (name := part.strip()) and name != "unknown")


def _csv(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(path.read_text(encoding="utf-8-sig").splitlines()))
