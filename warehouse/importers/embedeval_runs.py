"""EmbedEval's run archives: `report.md` and `summary.json` of each run, and each case's details where they are kept.

The report of a run names the cases that failed; which passed follows from the cases there were. Those are named by
details, by a `test_tracker.json` next to the archives if it fits the counts, or not at all: then the other cases of a
category are counted and called so, for each of them passed in every run of the import.
Also read: a CSV of such failures (`…_failures.csv` with `…_categories.csv` beside it).
"""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from warehouse.errors import WarehouseError
from warehouse.importers.embedeval_archive import Group, Run, grouped, runs_of, table_of
from warehouse.importers.embedeval_cases import SOURCE, UNRECORDED, Case, category_of, generation, judged, sample
from warehouse.importers.embedeval_tracker import NAME as TRACKER
from warehouse.importers.landing import Landed, Row, digest, land, read_json
from warehouse.importers.printed import printed_of
from warehouse.layout import Layout


def runs(layout: Layout, path: Path) -> list[Landed]:
    """Land the runs below `path`, a folder of one or several, or a CSV of failures; one release a day and case set.

    A run whose report and summary do not agree is a row of `dropped` in the first batch, and a note.
    Raises WarehouseError where nothing is found that can be believed.
    """
    if path.suffix == ".csv":
        return [_land(layout, group, [], {}) for group in grouped(table_of(path))]
    found, refused = runs_of(path)
    tracked = _tracked(path)
    return [
        _land(layout, group, tracked, {name: why for name, why in refused.items() if position == 0})
        for position, group in enumerate(grouped(found))
    ]


def _land(layout: Layout, group: Group, tracked: list[set[str]], refused: dict[str, str]) -> Landed:
    roster, how = _roster(group, tracked)
    facts = [(run.name, run.model, run.attempt, run.total, sorted(run.failures.items())) for run in group.runs]
    release = SOURCE.release(group.date, f"{group.total}-cases", digest(facts, sorted(roster.items()), length=8))
    tables: dict[str, list[Row]] = {"samples": [], "generations": [], "evaluations": [], "checks": []}
    samples: dict[str, Row] = {}
    for run in group.runs:
        for name, category in sorted(roster.items()):
            case = _case(run, name, category, how)
            samples.setdefault(name, sample(release, case))
            reply = generation(release, case, run.model, run.attempt, scenario=run.scenario, **_figures(run, name))
            evaluation, checks = judged(reply["generation_id"], case)
            tables["generations"].append(reply)
            tables["evaluations"].append(evaluation)
            tables["checks"] += checks
    tables["samples"] = list(samples.values())
    tables["runs"] = [_run(release, run, len(roster)) for run in group.runs if run.written_at]
    tables["published"] = printed_of(SOURCE.name, "context_quality")
    tables["dropped"] = [
        {"release": release, "stage": "import", "item": name, "reason": "files_disagree", "detail": why}
        for name, why in refused.items()
    ]
    notes = (*_notes(group, roster, how, tables["evaluations"]), *(f"left out: {why}" for why in refused.values()))
    return land(layout, SOURCE, release, tables, part=group.date, notes=notes)


def _case(run: Run, name: str, category: str, how: str) -> Case:
    detail, failure = run.details.get(name), run.failures.get(name)
    if detail is not None:
        layer, checks = (failure.layer, failure.checks) if failure else (None, ())
        code = detail.get("generated_code")
        return Case(name, category, bool(detail["passed"]), layer, checks, detail["layers"], code, "details")
    if failure is not None:
        return Case(name, category, False, failure.layer, failure.checks)
    return Case(name, category, True, named_by=how)


def _figures(run: Run, name: str) -> dict[str, Any]:
    detail = run.details.get(name)
    if detail is None:
        return {}
    usage = detail.get("token_usage") or {}
    return {"prompt_tokens": usage.get("input_tokens"), "completion_tokens": usage.get("output_tokens"),
            "cost_usd": detail.get("cost_usd"), "seconds_s": detail.get("duration_seconds")}  # fmt: skip


def _roster(group: Group, tracked: Iterable[set[str]]) -> tuple[dict[str, str], str]:
    """Return category by case name, and what named the cases that no report names."""
    named: dict[str, str] = {}
    for run in group.runs:
        for name, failure in sorted(run.failures.items()):
            named.setdefault(name, failure.category)
        for name, detail in sorted(run.details.items()):
            named[name] = detail.get("category") or named.get(name) or category_of(name)
    if len(named) == group.total:
        return named, "details"
    for ids in tracked:
        complete = {name: named.get(name) or category_of(name) for name in sorted(ids)}
        if len(ids) == group.total and named.keys() <= ids and _counted(complete) == dict(group.categories):
            return complete, "tracker"
    for category, cases in group.categories or ((UNRECORDED, group.total - len(named)),):
        rest = cases - sum(known == category for known in named.values()) if group.categories else cases
        if rest < 0:
            raise WarehouseError(
                f"The runs of {group.date} name {cases - rest} cases of {category}, but their summary counts {cases}; "
                "import the runs of one case set together."
            )
        named |= {f"{category}, never failed, {number}": category for number in range(1, rest + 1)}
    return named, "count"


def _counted(roster: dict[str, str]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for category in roster.values():
        counts[category] = counts.get(category, 0) + 1
    return counts


def _tracked(path: Path) -> list[set[str]]:
    """Return the case ids of the tracker next to the archives: of each model, and those that all of them share."""
    for folder in (path, *path.resolve().parents[:3]):
        if (folder / TRACKER).is_file():
            by_model = [set(cases) for cases in (read_json(folder / TRACKER).get("results") or {}).values()]
            large = [ids for ids in by_model if 2 * len(ids) > max(map(len, by_model))]
            return [*large, set.intersection(*large)] if large else []
    return []


def _run(release: str, run: Run, cases: int) -> Row:
    return {
        "run_id": f"{release}:{run.name}", "command": f"import of {SOURCE.address} {run.name}", "track": SOURCE.track,
        "release": release, "models": [run.model], "configs": ["bare"], "started_at": run.written_at,
        "ended_at": run.written_at, "planned": cases, "answered": cases, "graded": cases,
        "environment": json.dumps({"recorded": "the time is when the report was written"}),
    }  # fmt: skip


def _notes(group: Group, roster: dict[str, str], how: str, evaluations: list[Row]) -> tuple[str, ...]:
    notes = [f"{len(group.runs)} runs of {len(roster)} cases"]
    if how == "count":
        unnamed = sum("never failed" in name for name in roster)
        notes.append(f"{unnamed} cases that passed in every run are not named by the source, but counted")
    if not any(run.details for run in group.runs):
        notes.append("the reports do not say which layers ran: a skipped one is within its pass")
    for status in ("infra_error", "not_run"):
        if count := sum(row["status"] == status for row in evaluations):
            notes.append(f"{count} verdicts are {status}")
    return tuple(notes)
